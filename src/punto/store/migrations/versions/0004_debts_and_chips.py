"""Debts of patrons and chips of tables: accounts that may be negative."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

# Must agree with punto.ledger.accounts.may_be_negative and may_be_positive.
MAY_BE_NEGATIVE = "account = 'cash-desk' OR account LIKE 'house:%' OR account LIKE 'owed:%' OR account LIKE 'chips:%'"
POSSIBLE = f"(cents >= 0 OR {MAY_BE_NEGATIVE}) AND (cents <= 0 OR account NOT LIKE 'owed:%')"
CHECK = f"CONSTRAINT balances_not_overdrawn CHECK ({POSSIBLE})"


def upgrade() -> None:
    """Replace the constraint on balances. SQLite cannot change one, so the table is made again there."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(f"ALTER TABLE balances DROP CONSTRAINT balances_not_overdrawn, ADD {CHECK}")
        return
    op.execute("ALTER TABLE balances RENAME TO old_balances")
    op.execute(f"CREATE TABLE balances (account TEXT NOT NULL PRIMARY KEY, cents BIGINT NOT NULL, {CHECK})")
    op.execute("INSERT INTO balances SELECT account, cents FROM old_balances")
    op.execute("DROP TABLE old_balances")
