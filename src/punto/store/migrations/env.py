"""How Alembic reaches the database: over the connection that the program hands it."""

from __future__ import annotations

from alembic import context

connection = context.config.attributes["connection"]
# SQLite can make tables within a transaction, though Alembic does not take that for granted.
context.configure(connection=connection, transaction_per_migration=False, transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
