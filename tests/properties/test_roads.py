"""What must hold of the roads of any shoe."""

from __future__ import annotations

from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from punto.roads.data import to_data
from punto.roads.derived import DISTANCES
from punto.roads.path import ROWS, Colour
from punto.roads.roads import Roads
from punto.rules.outcome import Winner
from tests.roads_support import SETTINGS, places, shoe, shoes

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
@given(shoes, st.integers(0, 120))
def test_appending_equals_rebuilding(text: str, cut: int) -> None:
    outcomes = shoe(text)
    roads = Roads.of(outcomes[:cut])
    to_data(roads)  # reading in between leaves no trace
    for outcome in outcomes[cut:]:
        roads = roads.append(outcome)
    assert roads == Roads.of(outcomes)
    assert to_data(roads) == to_data(Roads.of(outcomes))


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
def test_no_two_marks_share_a_cell_and_none_leaves_the_rows(text: str) -> None:
    roads = Roads.of(shoe(text))
    for road in ("bead_plate", "big_road", *DERIVED):
        cells = places(getattr(roads, road))
        assert len(set(cells)) == len(cells), road
        assert all(column >= 0 and 0 <= row < ROWS for column, row in cells), road


@SETTINGS
@given(shoes)
def test_there_is_one_mark_for_each_result(text: str) -> None:
    roads = Roads.of(shoe(text))
    results = len(text) - text.count("T")
    assert len(roads.bead_plate) == roads.rounds == len(text)
    assert len(roads.big_road) == results
    assert sum(cell.ties for cell in roads.big_road) + roads.ties_waiting == text.count("T")
    for road, k in zip(DERIVED, DISTANCES, strict=True):
        # Every result from column k+1 on has its mark, but for the one that opens that column.
        assert len(getattr(roads, road)) == max(0, sum(lengths(text)[k:]) - 1), road


@SETTINGS
@given(shoes)
def test_the_state_needed_to_append_stays_small(text: str) -> None:
    roads = Roads.of(shoe(text))
    assert len(roads.lengths) <= 5
    assert all(len(path.reach) == ROWS for path in (roads.big, *roads.derived))
