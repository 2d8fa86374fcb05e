"""What the rule sheets say: pure, standard library only. `loader` alone reads files."""
