"""What the hash of a record covers can be read in one way only, whatever its texts contain."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from punto.store.records import NO_HASH, record_bytes

texts = st.text(st.sampled_from("\n \t|=:,\x00\x1f1a0é"), max_size=6)
optional = st.none() | texts
numbers = st.integers(-1, 12) | st.integers(-(2**63), 2**63 - 1)
postings = st.lists(st.tuples(numbers, numbers, numbers, texts, texts, texts, numbers, numbers), max_size=3)
records = st.tuples(
    st.just(NO_HASH) | texts,
    st.tuples(numbers, texts, numbers, numbers, numbers, texts, texts, optional, optional, optional, optional),
    postings,
)
Parts = tuple[str, tuple[Any, ...], list[tuple[Any, ...]]]


def spread(parts: Parts, places: list[int], cut: int) -> Parts:
    """The same text with its end moved from one field into the next."""
    previous, fields, lines = parts
    found = list(fields)
    one, two = places
    if isinstance(found[one], str) and isinstance(found[two], str):
        found[one], found[two] = found[one][:cut], found[one][cut:] + found[two]
    return previous, tuple(found), lines


@given(records)
def test_the_bytes_give_back_exactly_the_record(parts: Parts) -> None:
    previous, fields, lines = parts
    read = msgspec.msgpack.decode(record_bytes(previous, fields, lines))
    assert read == [previous, *fields, [list(line) for line in lines]]


@given(records, records)
def test_two_records_have_the_same_bytes_only_where_they_are_the_same(one: Parts, two: Parts) -> None:
    assert (record_bytes(*one) == record_bytes(*two)) == (one == two)


@given(records, st.sampled_from([[1, 5], [5, 6], [6, 7], [7, 8], [8, 9], [9, 10]]), st.integers(0, 6))
def test_text_moved_into_the_neighbour_gives_other_bytes(parts: Parts, places: list[int], cut: int) -> None:
    moved = spread(parts, places, cut)
    assert (record_bytes(*parts) == record_bytes(*moved)) == (parts == moved)


@given(records, st.sampled_from([6, 9, 10]))
def test_postings_moved_into_a_text_give_other_bytes(parts: Parts, place: int) -> None:
    previous, fields, lines = parts
    text = (fields[place] or "") + "".join(["\n" + " ".join(map(str, line)) for line in lines])
    moved: Parts = (previous, (*fields[:place], text, *fields[place + 1 :]), [])
    assert (record_bytes(*parts) == record_bytes(*moved)) == (parts == moved)
