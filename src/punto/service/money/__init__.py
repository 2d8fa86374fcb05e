"""Money: credits bought and cashed out, balances, statements."""
