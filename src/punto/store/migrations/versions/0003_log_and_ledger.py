"""The event log, the ledger, leases, people and the settings of tables."""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = None
branch_labels = None
depends_on = None

# SQLite counts only an INTEGER PRIMARY KEY up by itself.
BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
APPEND_ONLY = ("records", "postings")
# As accounts were at this revision; 0004 replaces it.
NEVER_NEGATIVE = "cents >= 0 OR account = 'cash-desk' OR account LIKE 'house:%'"


def upgrade() -> None:
    """Create all tables."""
    meta = op.create_table(
        "meta", sa.Column("name", sa.Text, primary_key=True), sa.Column("value", sa.Text, nullable=False)
    )
    op.bulk_insert(meta, [{"name": "store", "value": secrets.token_hex(16)}])
    op.create_table(
        "streams",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("fence", sa.BigInteger, nullable=False),
        sa.Column("owner", sa.Text),
        sa.Column("expires_ms", sa.BigInteger, nullable=False),
        sa.Column("seal", sa.Text),
        sa.CheckConstraint("seq >= 0 AND fence >= 0", name="streams_count_up"),
    )
    op.create_table(
        "records",
        sa.Column("id", BIG, sa.Identity(always=True), primary_key=True),
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("time_ms", sa.BigInteger, nullable=False),
        sa.Column("fence", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("key", sa.Text),
        sa.Column("body_hash", sa.Text),
        sa.Column("reply", sa.Text),
        sa.Column("marks", sa.Text),
        sa.Column("hash", sa.Text, nullable=False),
        sa.UniqueConstraint("stream", "seq", name="records_by_stream"),
        sa.CheckConstraint("seq > 0", name="records_count_from_one"),
        sa.CheckConstraint(
            "(key IS NULL) = (body_hash IS NULL) AND (key IS NULL) = (reply IS NULL)", name="records_reply_whole"
        ),
    )
    op.create_index(
        "records_by_key",
        "records",
        ["key"],
        unique=True,
        sqlite_where=sa.text("key IS NOT NULL"),
        postgresql_where=sa.text("key IS NOT NULL"),
    )
    op.create_table(
        "postings",
        sa.Column("record", sa.BigInteger, primary_key=True),
        sa.Column("line", sa.Integer, primary_key=True),
        sa.Column("transfer", sa.Integer, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("reference", sa.Text, nullable=False),
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("cents", sa.BigInteger, nullable=False),
        sa.CheckConstraint("cents <> 0", name="postings_move_something"),
        sqlite_with_rowid=False,
    )
    op.create_index("postings_by_account", "postings", ["account", "record", "line"])
    op.create_table(
        "balances",
        sa.Column("account", sa.Text, primary_key=True),
        sa.Column("cents", sa.BigInteger, nullable=False),
        sa.CheckConstraint(NEVER_NEGATIVE, name="balances_not_overdrawn"),
    )
    op.create_table(
        "people",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("token_hash", sa.Text, unique=True),
    )
    op.create_table(
        "table_settings", sa.Column("name", sa.Text, primary_key=True), sa.Column("settings", sa.Text, nullable=False)
    )
    _forbid_changes()


def _forbid_changes() -> None:
    """Make records and postings append-only in the database itself."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE FUNCTION punto_append_only() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$"
        )
        for table in APPEND_ONLY:
            op.execute(
                f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
                "EXECUTE FUNCTION punto_append_only()"
            )
        return
    for table in APPEND_ONLY:
        for change in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )
