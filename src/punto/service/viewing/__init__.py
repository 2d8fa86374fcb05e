"""Viewing: what each viewer sees of a table now, of an event, and of the past."""
