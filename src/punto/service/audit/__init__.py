"""The records that a house must be able to show: its own log, significant events, and the audit of everything."""
