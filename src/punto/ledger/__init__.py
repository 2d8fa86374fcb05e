"""Double entry: accounts, postings that sum to zero, and balances that are never overdrawn. Pure."""
