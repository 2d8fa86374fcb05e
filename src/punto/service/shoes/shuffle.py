"""The shuffler, and the commitment to each shoe.

A shoe's key comes fresh from the operating system. AES-256 in counter mode turns it into a stream of random words, and
Fisher–Yates turns those into an order: every step draws its place with rejection, so that each is exactly as likely as
the others, and so is every order, as far as the stream is random.

Before the first bet the shoe's commitment is published: SHA-256 over a salt and the order. After the last card the salt
and the order are opened, and anyone can check that nothing was changed in between. The salt keeps a guess at the order
from being checked early.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from punto.rules.cards import DECK, Card
from punto.service.world import Entropy
from punto.table.shoe_proof import commit

KEY_BYTES = 32
SALT_BYTES = 32
WORD_BYTES = 4
WORDS_AT_ONCE = 1024


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
        """The commitment that is published before the first bet."""
        return commit(self.cards, self.salt)

    def __repr__(self) -> str:
        return f"ShuffledShoe({len(self.cards)} cards, commitment {self.commitment})"  # never the order, in any log


def new_shoe(decks: int, entropy: Entropy = os.urandom) -> ShuffledShoe:
    """A freshly shuffled shoe. `entropy` gives so many random bytes; anything but the system's is for tests."""
    return ShuffledShoe(shuffle(DECK * decks, random_words(entropy(KEY_BYTES))), entropy(SALT_BYTES))
