"""Tables that run: the only place with a clock, a shuffler and I/O."""
