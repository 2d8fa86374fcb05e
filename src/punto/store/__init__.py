"""The event log and the ledger, kept: one interface, and three stores behind it (memory, SQLite, PostgreSQL).

`punto.store.opening.open_store` opens one by its address; `punto.store.interface.Store` says what each can do.
"""
