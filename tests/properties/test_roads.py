"""What must hold of the roads of any shoe."""

from __future__ import annotations

from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from punto.roads.derived import DISTANCES
from punto.roads.path import ROWS, Colour
from punto.roads.roads import Roads
from punto.rules.outcome import Winner
from tests.roads_support import SETTINGS, shoe, shoes

DERIVED = ("big_eye_boy", "small_road", "cockroach_pig")


def lengths(text: str) -> list[int]:
    """The lengths of the big road's logical columns."""
    return [len(list(run)) for _, run in groupby(text.replace("T", ""))]


@SETTINGS
@given(shoes)
def test_next_hand_rows_are_opposite_once_there_is_a_column_to_compare_with(text: str) -> None:
    roads = Roads.of(shoe(text))
    rows = zip(roads.next_hand(Winner.BANKER), roads.next_hand(Winner.PLAYER), DISTANCES, strict=True)
    for banker, player, k in rows:
        if len(lengths(text)) > k:
            assert {banker, player} == {Colour.RED, Colour.BLUE}
        else:
            assert (banker, player) == (None, None)


@SETTINGS
@given(shoes, st.sampled_from("BP"))
def test_next_hand_rows_say_what_the_roads_then_show(text: str, letter: str) -> None:
    before = Roads.of(shoe(text))
    (outcome,) = shoe(letter)
    after = before.append(outcome)
    for road, said in zip(DERIVED, before.next_hand(outcome.winner), strict=True):
        new = getattr(after, road)[len(getattr(before, road)) :]
        assert [cell.colour for cell in new] == ([] if said is None else [said])


@SETTINGS
@given(shoes, st.sampled_from("BPT"))
def test_appending_does_not_change_existing_marks(text: str, letter: str) -> None:
    before = Roads.of(shoe(text))
    after = before.append(shoe(letter)[0])
    for road in ("bead_plate", "big_road", *DERIVED):
        old, new = getattr(before, road), getattr(after, road)
        assert len(new) - len(old) in {0, 1}
        assert [cell[:4] for cell in new[: len(old)]] == [cell[:4] for cell in old]


@SETTINGS
@given(shoes)
def test_the_state_needed_to_append_stays_small(text: str) -> None:
    roads = Roads.of(shoe(text))
    assert len(roads.lengths) <= 5
    assert all(len(path.reach) == ROWS for path in (roads.big, *roads.derived))
