"""The built-in rule sheets, one TOML file a game. Data only."""
