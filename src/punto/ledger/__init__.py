"""Double entry without side effects: accounts, postings that sum to zero, balances that are never overdrawn."""
