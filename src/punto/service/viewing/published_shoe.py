"""Shoes as they are published, at hand or read from the store."""

from __future__ import annotations

from punto.protocol.views import PlayedRound, PublishedShoe, PutAside
from punto.rules.cards import write_cards
from punto.service.shoes.encryption import ShoeCipher
from punto.service.shoes.shoe_history import PlayedShoe
from punto.service.streams import PAGE, table_stream
from punto.service.tables.followed_table import FollowedTable
from punto.service.viewing.choice_views import hidden
from punto.store.interface import Store
from punto.table import events as e
from punto.table.commands import kind_of

_OF_A_SHOE = frozenset(
    map(
        kind_of,
        (e.ShoeLoaded, e.BetsOpened, e.CardDealt, e.CardsRelaid, e.RoundSettled, e.RoundVoided, e.RoundAdjusted),
    )
)
"""What came out of a shoe, and where it ends."""


async def played_shoe(store: Store, cipher: ShoeCipher, table: FollowedTable, number: int) -> PlayedShoe | None:
    """A shoe of a table: at hand, or folded from the log. None where there was none."""
    if (at_hand := table.shoes.get(number)) is not None:
        return at_hand
    place = table.places.shoe(number)
    if place is None:
        return None
    (after, decks), shoe, in_play = (place[0] - 1, place[1]), None, True
    while records := await store.read(table_stream(table.id), after, PAGE):
        for event in [cipher.read(record).event for record in records if record.kind in _OF_A_SHOE]:
            if isinstance(event, e.ShoeLoaded) and shoe is None:
                shoe = PlayedShoe(number, decks, event)
            elif isinstance(event, e.ShoeLoaded):
                in_play = False
            elif shoe is not None and (in_play or isinstance(event, e.RoundAdjusted)):
                shoe.take(event)
            elif isinstance(event, e.BetsOpened):
                return shoe  # from here on not even its last round can be corrected
        after = records[-1].seq
    return shoe


def published(table: FollowedTable, shoe: PlayedShoe, *, staff: bool = False) -> PublishedShoe:
    """A shoe as anyone may see it: its commitment, and once it is over what was committed to and what came out.

    What has come out of a shoe in play is for staff alone, but for cards that still lie face down: those are nobody's.
    """
    loaded, over = shoe.loaded, table.is_over(shoe.number)
    opened = over and loaded.salt is not None
    open_to_viewer, shown = over or staff, _shown(table, shoe)
    return PublishedShoe(
        table=table.id,
        shoe=shoe.number,
        decks=shoe.decks,
        count=loaded.count,
        cut=loaded.cut,
        commitment=loaded.commitment,
        over=over,
        salt=loaded.salt if opened else None,
        order=write_cards(loaded.cards) if opened else None,
        dealt=write_cards(shoe.dealt[:shown]) if open_to_viewer else None,
        rounds=_rounds(shoe) if open_to_viewer else None,
        burned=_aside(shoe, shoe.burned, shown) if open_to_viewer else None,
        carried=_aside(shoe, shoe.carried, shown) if open_to_viewer else None,
    )


def _aside(shoe: PlayedShoe, places: dict[int, e.CardsRelaid], shown: int) -> tuple[PutAside, ...]:
    return tuple(
        [
            PutAside(place + 1, shoe.dealt[place].text, why.round, why.rule, why.reason)
            for place, why in sorted(places.items())
            if place < shown
        ]
    )


def _shown(table: FollowedTable, shoe: PlayedShoe) -> int:
    """How many of the cards that came out of a shoe may be seen: those before the first that lies face down."""
    state = table.state
    if state.round is None or state.shoe is None or state.shoe.number != shoe.number:
        return len(shoe.dealt)
    face_down = state.round.dealt if hidden(state) else len(state.round.waiting)
    in_play = [place for place in range(len(shoe.dealt)) if place not in shoe.burned]
    lie = len(in_play) - len(state.shoe.carried)
    return next(iter(in_play[lie - face_down : lie]), len(shoe.dealt))


def _rounds(shoe: PlayedShoe) -> tuple[PlayedRound, ...]:
    return tuple([PlayedRound(number, write_cards(cards), void) for number, cards, void in shoe.rounds])
