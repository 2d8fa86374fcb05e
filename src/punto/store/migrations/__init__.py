"""Alembic's scripts: the schema, step by step."""
