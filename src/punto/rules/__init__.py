"""The rules of the games: no side effects, only the standard library. Only `loader` reads files."""
