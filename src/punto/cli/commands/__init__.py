"""The commands, each declared as a record of what it is given."""
