"""The `punto` command: a thin layer over the library."""
