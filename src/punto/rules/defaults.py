"""Defaults that commands show in their help. This module imports nothing, so that help is fast."""

DEFAULT_DECKS = 8
"""The number of decks in a shoe."""

DEFAULT_CUT = 14
"""The number of cards behind the cut card."""
