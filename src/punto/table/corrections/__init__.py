"""Earlier rounds: their records, and what is put right in them."""
