"""Storage of the event log and the ledger: one interface, three stores (memory, SQLite, PostgreSQL).

`punto.store.opening.open_store` opens one by its address. `punto.store.interface.Store` is the interface.
"""
