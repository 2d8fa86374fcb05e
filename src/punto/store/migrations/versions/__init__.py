"""One module for every step, in order."""
