"""The `punto` command: a thin twin of the library."""
