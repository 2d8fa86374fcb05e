"""A table restored from a checkpoint and read on is the table that its whole log gives, wherever the checkpoint was."""

from __future__ import annotations

from random import Random

import pytest

from punto.rules.loader import GAMES, load
from punto.service.tables.followed_table import FollowedTable, RecordedEvent
from punto.service.tables.saved_table import restore_table, save_table
from punto.table.act import Event
from punto.table.acts.settings import TableOpened
from tests.properties.walk import RECORDS, opened, walk

STEPS = 120
DAY_MS = 86_400_000


def follow(table: FollowedTable, log: list[Event]) -> None:
    for event in log[table.seq :]:
        # The hours pass, so that gaming days begin and end.
        table.apply(RecordedEvent(table.seq + 1, (table.seq + 1) * DAY_MS // 40, event))


def own(log: list[Event]) -> list[Event]:
    """A log up to where the walk opens the table under a name of its own making."""
    other = [
        place for place, event in enumerate(log) if isinstance(event, TableOpened) and event.settings.table != "t1"
    ]
    return log[: min(other, default=len(log))]


def plain(table: FollowedTable) -> dict[str, object]:
    """All that a table has, so that nothing that is added later is left out of the comparison."""
    return vars(table) | {"places": table.places.save()}


@pytest.mark.parametrize("game", GAMES)
def test_a_table_from_a_checkpoint_is_the_one_from_its_whole_log(game: str) -> None:
    for number in range(3):
        chance = Random(f"{game}/saved/{number}")
        state = opened(game, chance)
        for _ in range(STEPS):
            state = walk(state, chance)
        log = own(RECORDS.log)
        sheet = load(game)
        whole, complete = FollowedTable("t1", sheet), FollowedTable("t1", sheet)
        follow(complete, log)
        for place in sorted(chance.sample(range(len(log)), 4)):
            follow(whole, log[:place])
            restored = FollowedTable("t1", sheet)
            restore_table(restored, save_table(whole))
            assert plain(restored) == plain(whole)
            follow(restored, log)
            assert plain(restored) == plain(complete)


def test_bytes_that_are_not_of_the_table_are_refused() -> None:
    chance = Random(1)
    opened("commission", chance)
    table = FollowedTable("t1", load("commission"))
    follow(table, RECORDS.log)
    saved = save_table(table)
    for other in (FollowedTable("t2", load("commission")), FollowedTable("t1", load("non-commission"))):
        with pytest.raises(ValueError, match="of t1 under other rules"):
            restore_table(other, saved)
    for place in range(0, len(saved), 41):
        spoiled = bytearray(saved)
        spoiled[place] ^= 1 << chance.randrange(8)
        fresh = FollowedTable("t1", load("commission"))
        try:
            restore_table(fresh, bytes(spoiled))
        except ValueError:
            continue  # nothing else is raised; what passes is for the signature to notice
