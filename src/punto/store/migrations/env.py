"""Alembic's environment: it uses the connection that the program gives it."""

from __future__ import annotations

from alembic import context

connection = context.config.attributes["connection"]
# SQLite can create tables within a transaction, but Alembic does not assume so.
context.configure(connection=connection, transaction_per_migration=False, transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
