"""The shuffler: uniform at every step, and bound by its commitment."""

from __future__ import annotations

import itertools
from collections import Counter

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from punto.rules.cards import DECK, write_cards
from punto.service.shoes.shuffle import KEY_BYTES, below, new_shoe, random_words, shuffle


def test_words_are_the_aes_256_counter_stream() -> None:
    key = bytes(range(KEY_BYTES))
    # The stream, worked out block by block: AES of the counter 0, 1, 2, …
    block = Cipher(algorithms.AES256(key), modes.ECB()).encryptor()  # noqa: S305 — to build the counter mode by hand
    expected = b"".join(block.update(count.to_bytes(16, "big")) for count in range(300))
    words = list(itertools.islice(random_words(key), 1200))
    assert b"".join(word.to_bytes(4, "big") for word in words) == expected


def test_draws_reject_biased_words() -> None:
    last_fair = 2**32 - 2**32 % 6 - 1
    assert below(6, iter([2**32 - 1, last_fair + 1, last_fair])) == 5
    assert below(1, iter([123])) == 0


def test_every_order_of_a_few_cards_comes_equally_often() -> None:
    words = random_words(bytes(KEY_BYTES))
    rounds = 24_000
    seen = Counter(shuffle(DECK[:4], words) for _ in range(rounds))
    assert len(seen) == 24
    expected = rounds / 24
    chi_square = sum((count - expected) ** 2 / expected for count in seen.values())
    assert chi_square < 41.64  # 23 degrees of freedom, 99 %


def test_every_card_comes_to_every_place_equally_often() -> None:
    words = random_words(bytes([7]) * KEY_BYTES)
    rounds = 5_200
    seen: Counter[tuple[int, str]] = Counter()
    for _ in range(rounds):
        seen.update((place, card.text) for place, card in enumerate(shuffle(DECK, words)))
    expected = rounds / 52
    chi_square = sum((seen[place, card.text] - expected) ** 2 / expected for place in range(52) for card in DECK)
    assert chi_square < 2771.6  # 51 × 51 degrees of freedom, 99 %


def test_neighbours_are_as_often_in_order_as_not() -> None:
    words = random_words(bytes([9]) * KEY_BYTES)
    value = {card: place for place, card in enumerate(DECK)}
    rises = sum(value[a] < value[b] for _ in range(2_000) for a, b in itertools.pairwise(shuffle(DECK, words)))
    total = 2_000 * 51
    assert (
        abs(rises - total / 2) < 2.576 * (total * 53 / 12 / 51) ** 0.5
    )  # the variance of rises in an order is (n + 1) / 12


def test_a_shoe_holds_its_decks_and_is_new_every_time() -> None:
    one, other = new_shoe(8), new_shoe(8)
    assert sorted(map(str, one.cards)) == sorted(map(str, DECK * 8))
    assert one.cards != other.cards
    assert one.commitment != other.commitment


def test_the_order_is_not_shown_by_accident() -> None:
    shoe = new_shoe(4)
    assert write_cards(shoe.cards[:2]) not in repr(shoe)
    assert shoe.salt.hex() not in repr(shoe)
