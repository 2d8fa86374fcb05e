"""Tables: each followed through its log, run by one process, and given commands."""
