"""Numbers with their nouns."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """A number with its noun: 1 event, 2 events, 12,000 cards."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
