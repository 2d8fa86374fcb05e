"""The shuffler, and the commitment to each shoe.

A shoe's key comes fresh from the operating system. AES-256 in counter mode turns it into a stream of random words, and
Fisher–Yates turns those into an order: every step draws its place with rejection, so that each is exactly as likely as
the others, and so is every order, as far as the stream is random.

Before the first bet the shoe's commitment is published: SHA-256 over a salt and the order. After the last card the salt
and the order are opened, and anyone can check that nothing was changed in between. The salt keeps a guess at the order
from being checked early.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from punto.rules.cards import DECK, Card, parse_cards, write_cards
from punto.rules.refusals import RefusedError
from punto.service.world import Entropy
from punto.texts import say

KEY_BYTES = 32
SALT_BYTES = 32
WORD_BYTES = 4
WORDS_AT_ONCE = 1024
COMMITMENT_LABEL = b"punto shoe 1\n"
"""Keeps a commitment from being read as the hash of anything else, and its format from changing unseen."""


def random_words(key: bytes) -> Iterator[int]:
    """An endless stream of 32-bit words: AES-256-CTR under a key that is used once, so the counter starts at zero."""
    encryptor = Cipher(algorithms.AES256(key), modes.CTR(bytes(16))).encryptor()
    while True:
        block = encryptor.update(bytes(WORD_BYTES * WORDS_AT_ONCE))
        for start in range(0, len(block), WORD_BYTES):
            yield int.from_bytes(block[start : start + WORD_BYTES], "big")


def below(bound: int, words: Iterator[int]) -> int:
    """A number from 0 to bound - 1, each equally likely: words past the last whole multiple of it are dropped."""
    fair = 2**32 - 2**32 % bound
    return next(word for word in words if word < fair) % bound


def shuffle(cards: Sequence[Card], words: Iterator[int]) -> tuple[Card, ...]:
    """The cards in a random order (Fisher–Yates, from the last place to the first)."""
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        other = below(last + 1, words)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


@dataclass(frozen=True, slots=True)
class ShuffledShoe:
    """A shoe's order with the salt of its commitment. Neither leaves the server before the shoe is over."""

    cards: tuple[Card, ...]
    salt: bytes

    @property
    def commitment(self) -> str:
        """What is published before the first bet."""
        return commit(self.cards, self.salt)

    def __repr__(self) -> str:
        return f"ShuffledShoe({len(self.cards)} cards, commitment {self.commitment})"  # never the order, in any log


def commit(cards: Sequence[Card], salt: bytes) -> str:
    """The commitment to an order: hexadecimal SHA-256 over a label, the salt and the cards as they are written."""
    return hashlib.sha256(COMMITMENT_LABEL + salt + write_cards(cards).encode()).hexdigest()


def new_shoe(decks: int, entropy: Entropy = os.urandom) -> ShuffledShoe:
    """A freshly shuffled shoe. `entropy` gives so many random bytes; anything but the system's is for tests."""
    return ShuffledShoe(shuffle(DECK * decks, random_words(entropy(KEY_BYTES))), entropy(SALT_BYTES))


def check_opened(commitment: str, salt: str, order: str, decks: int, dealt: str = "") -> str | None:
    """Why an opened shoe is not the one committed to, or None if it is: from what was published alone.

    `dealt` is every card seen from this shoe, in order; it must be the start of the opened order.
    """
    try:
        cards, seen, salt_bytes = parse_cards(order), parse_cards(dealt), bytes.fromhex(salt)
    except RefusedError as error:
        return say(error.refusal)
    except ValueError:
        return "the salt is not hexadecimal"
    if sorted(map(str, cards)) != sorted(map(str, DECK * decks)):
        return f"the order is not the cards of {decks} decks"
    if commit(cards, salt_bytes) != commitment.lower():
        return "the commitment is not that of this salt and order"
    for place, (card, expected) in enumerate(zip(seen, cards, strict=False), 1):
        if card is not expected:
            return f"card {place} was dealt as {card}, the order has {expected}"
    if len(seen) > len(cards):
        return f"{len(seen)} cards were dealt from a shoe of {len(cards)}"
    return None
