"""Rule sheets of other houses' games, as examples: mathematics only."""
