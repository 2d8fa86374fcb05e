"""Views of a table: summaries, views and what is the viewer's own, each as the one who looks may see it.

Nothing here can show an undealt card or a salt: the order of a shoe is never read. Patrons and the public see totals,
not other patrons' bets; staff see all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import is_not
from typing import Any, Generic, TypeVar, cast

import msgspec
from msgspec import UNSET, structs

from punto.protocol import shown
from punto.protocol import views as v
from punto.protocol.shown import show_bet, show_facts, show_line, show_reason
from punto.roads.counts import shoe_counts
from punto.roads.data import to_data
from punto.roads.roads import Roads
from punto.rules.cards import Card, write_cards
from punto.rules.hands import Hand, point_total
from punto.rules.insurance import Insurance, Offer
from punto.rules.notation import write_line
from punto.rules.settlement import Bet, Line
from punto.rules.sheet import Role, Sheet
from punto.rules.tableau import draw_reason, next_hand
from punto.service.people.person import Names, Person
from punto.service.tables.followed_table import FollowedTable
from punto.service.viewing.choice_views import PLACE_COMMANDS, ROUND_COMMANDS, own_of_staff, show_choices
from punto.service.viewing.incident_views import proposal, reporter
from punto.table.acts.insurance import offers_now
from punto.table.acts.rounds import RoundSettled
from punto.table.automatic import StandingOrder, standing_order_at
from punto.table.chips import chip_set
from punto.table.concerned import has_chips
from punto.table.engine import own_choices, shared_choices
from punto.table.phases import IN_ROUND, Phase
from punto.table.state import Case, Settings, State
from punto.table.values import Returned
from punto.table.views import hands_of

T = TypeVar("T")
SMALL_ROAD_COLUMNS = 18
"""The columns of a big road for which a table has room in the lobby."""


def summary(table: FollowedTable) -> v.TableSummary:
    """A table as the lobby shows it."""
    state, settings = table.state, table.state.settings
    return v.TableSummary(
        **_named(table),
        without_dealer=_without_dealer(state),
        phase=state.phase,
        round=state.rounds,
        shoe=state.shoes,
        minimum_cents=settings.limits.minimum_cents if settings else None,
        differential_cents=settings.limits.differential_cents if settings else None,
        boxes=settings.boxes if settings else 0,
        patrons=len({*state.seats.values(), *[patron for _, patron in state.standing]}),
        last=tuple([round_.outcome.winner for _, round_ in table.results]),
        face_down=settings is not None and settings.face_down,
        private=settings is not None and settings.private,
        road=_small_road(table.roads),
    )


def _small_road(roads: Roads) -> tuple[v.RoadMark, ...]:
    """The newest columns of the big road."""
    cells = roads.big_road
    first = max(0, max([cell.column for cell in cells], default=0) + 1 - SMALL_ROAD_COLUMNS)
    return tuple(
        [v.RoadMark(each.column - first, each.row, each.colour.value) for each in cells if each.column >= first]
    )


def mode_of(settings: Settings | None) -> v.Mode | None:
    """The mode of a table; None for one that was never opened."""
    return None if settings is None else "live" if settings.live else "automatic"


def _without_dealer(state: State) -> bool:
    """True if a live table stands between rounds and no Dealer is on duty."""
    live = state.settings is not None and state.settings.live
    deals = any((each.position or each.own) is Role.DEALER for each in state.duty.values())
    return live and state.phase is Phase.BETWEEN_ROUNDS and not deals


def _named(table: FollowedTable) -> dict[str, Any]:
    """The names of a table, its mode, and the paragraph of the notice that no insurance is offered there."""
    settings, sheet = table.state.settings, table.sheet
    without = settings is not None and settings.without_insurance
    rule = sheet.insurance.private_table_rule if without and sheet.insurance else None
    called = {"id": table.id, "name": table.name, "game": sheet.id, "title": sheet.title}
    return called | {"mode": mode_of(settings), "notice_rule": rule}


class Once(Generic[T]):
    """Something that is worked out from others, and again only when one of those is another object."""

    def __init__(self) -> None:
        self._of: tuple[object, ...] = ()
        self._made: list[T] = []

    def get(self, make: Callable[[], T], *of: object) -> T:
        """The value that `make` makes of these. None of them is ever changed in place."""
        if not self._made or any(map(is_not, self._of, of)):
            self._of, self._made = of, [make()]
        return self._made[0]


class TableViews:
    """A table as people see it. What many share, or what seldom changes, is worked out once."""

    def __init__(self, table: FollowedTable, names: Names, standing_order: StandingOrder) -> None:
        self._table, self._names, self._standing_order = table, names, standing_order
        self._roads, self._shared = Once[v.RoadsView](), Once[tuple[shown.Choice, ...]]()
        self._tables = Once[v.TableView]()
        self._lines = Once[dict[str, list[shown.BetLine]]]()
        self._places = Once[dict[str, tuple[shown.Choice, ...]]]()

    def view(self, *, staff: bool) -> v.View:
        """The table as all of one audience see it alike."""
        table, names, state = self._table, self._names, self._table.state
        placed = list(state.round.bets.values()) if state.round else []
        totals, of_boxes = _totals(placed)
        seen = v.View(
            table=self._tables.get(lambda: _table(table, self._standing_order), state.settings),
            phase=state.phase,
            play_suspended=state.suspended is not None,
            round=state.rounds,
            shoe=_shoe(table),
            cards=_cards(state, names),
            points=_points(state),
            next=_next(state),
            offers=_offers(state),
            boxes=_boxes(state, of_boxes, names, staff=staff),
            totals_cents=totals,
            total_cents=sum(totals.values()),
            result=_result(table),
            squeeze=_squeeze(state, names),
            case=_case(table, names, staff=staff),
            last=tuple([write_line(round_) for _, round_ in table.results]),
            roads=self._roads.get(lambda: roads_view(table.roads, table.sheet), table.roads),
            choices=() if staff else self._shared_choices(state),
        )
        if not staff:
            return seen
        ids = {*state.seats.values(), *[patron for _, patron in state.standing], *[bet.patron for bet in placed]}
        return structs.replace(
            seen,
            bets=tuple([show_bet(bet) for bet in placed]),
            patrons={patron: names(patron) for patron in sorted(ids)},
            duty=on_duty(state, names),
            carried=write_cards(state.shoe.carried) if state.shoe else "",
            incident=incident(table, names),
        )

    def _shared_choices(self, state: State) -> tuple[shown.Choice, ...]:
        round_ = state.round
        of_round = (round_.cards, round_.waiting, round_.waived, round_.away, _chips(state)) if round_ else (None,) * 5
        of = (state.settings, state.phase, state.seats, state.standing, state.case, *of_round)
        return self._shared.get(lambda: show_choices(shared_choices(state)), *of)

    def standing(self, person: Person, credit_cents: int, owed_cents: int) -> v.Standing:
        """Someone's standing at the table."""
        state, settled = self._table.state, self._table.settled
        boxes = state.places.get(person.id, ())
        bets = _bets_of(state, person.id, boxes)
        lines = self._lines.get(lambda: _lines(settled), settled).get(person.id, [])
        return v.Standing(
            id=person.id,
            name=person.name,
            role=person.shown_role,
            balance_cents=credit_cents if person.is_patron else None,
            owed_cents=owed_cents if person.is_patron else None,
            box=boxes[0] if boxes else None,
            seated=bool(boxes) and state.seats.get(boxes[0]) == person.id,
            bets=tuple([show_bet(bet) for bet in bets]),
            in_play_cents=sum([bet.stake_cents for bet in bets]),
            lines=tuple(lines),
            lines_round=settled.round if settled else None,
            net_cents=sum([line.net_cents for line in lines]),
        )

    def own(self, person: Person, credit_cents: int, owed_cents: int) -> v.Own:
        """Someone's standing at the table, and their choices there."""
        state = self._table.state
        choices = self._own_choices(person.id) if person.is_patron else own_of_staff(state, person)
        return v.Own(**structs.asdict(self.standing(person, credit_cents, owed_cents)), choices=choices)

    def _own_choices(self, patron: str) -> tuple[shown.Choice, ...]:
        """A patron's own choices: of a place only when someone came or went, the others each time they are asked."""
        state, boxes = self._table.state, self._table.state.places.get(patron, ())
        away, is_open = state.round and state.round.away, state.phase is not Phase.NOT_OPEN
        places = self._places.get(dict, state.seats, state.standing, away, is_open, _chips(state))
        if patron not in places:
            places[patron] = show_choices(own_choices(state, patron, boxes, PLACE_COMMANDS))
        return *show_choices(own_choices(state, patron, boxes, ROUND_COMMANDS)), *places[patron]


def _chips(state: State) -> object:
    """The bets, where the choices of places rest on them."""
    return state.round.bets if state.round and has_chips(state) else None


def _bets_of(state: State, patron: str, boxes: Sequence[int]) -> list[Bet]:
    """A patron's bets in play. A bet is never where its patron has no place."""
    if state.round is None:
        return []
    spots = [spot for box in boxes for spot in state.round.boxes.get(box, ()) if spot.patron == patron]
    return [state.round.bets[spot] for spot in spots]


def _lines(settled: RoundSettled | None) -> dict[str, list[shown.BetLine]]:
    """The lines of the bets in a round, by patron."""
    found: dict[str, list[shown.BetLine]] = {}
    lines: list[Line | Returned] = [*settled.lines, *settled.returned] if settled else []
    for line in lines:
        found.setdefault(line.bet.patron, []).append(show_line(line))
    return found


# ------------------------------------------------------------------------------------------- parts of a view


_SETTINGS: dict[str, Any] = {
    "decks": None,
    "boxes": 0,
    "layout": None,
    "face_down": False,
    "without_insurance": False,
    "seated_only": False,
    "second_person": False,
    "second_role": None,
    "private": False,
    "waiver_consent": None,
    "device": None,
    "burn": None,
}
"""The settings in a view of a table, each with what a table shows that was never opened."""


def _table(table: FollowedTable, standing_order: StandingOrder) -> v.TableView:
    settings, limits = table.state.settings, None
    if settings is not None:
        cents = (settings.minimum_cents, settings.differential_cents, settings.unit_cents)
        limits = v.TableLimits(*cents, settings.sides, chip_set(settings.limits))
    return v.TableView(
        **_named(table),
        limits=limits,
        standing_order=standing_order_at(table.state, standing_order),
        **{name: getattr(settings, name, otherwise) for name, otherwise in _SETTINGS.items()},
    )


_STEPS = ("checked", "shuffled", "burned", "counted")
"""The steps by which a real shoe is made ready."""


def _shoe(table: FollowedTable) -> v.ShoeView | None:
    shoe = table.state.shoe
    if shoe is None:
        return None
    same = {name: getattr(shoe, name) for name in ("number", "cut", "commitment", *_STEPS)}
    last_round, over = table.state.in_last_round, table.state.shoe_is_over
    return v.ShoeView(count=shoe.size, dealt=shoe.drawn, last_round=last_round, over=over, **same)


def laid_out(cards: Sequence[Card]) -> tuple[v.DealtCard, ...]:
    """Open cards in the order they came, each with the hand it went to (none for a card too many)."""
    return tuple([v.DealtCard(card.text, hand) for card, hand in zip(cards, hands_of(cards), strict=True)])


def _cards(state: State, names: Names) -> tuple[v.DealtCard, ...]:
    cards, squeezers = state.visible_cards, state.round.squeezers if state.round else {}
    return tuple(
        [
            v.DealtCard(card.text if card else None, hand, names(squeezers[place]) if place in squeezers else None)
            for place, (card, hand) in enumerate(zip(cards, hands_of(cards), strict=True), 1)
        ]
    )


def _points(state: State) -> v.Points:
    held: dict[Hand | None, list[Card]] = {}
    cards = state.visible_cards
    for card, hand in zip(cards, hands_of(cards), strict=True):
        if card is not None:
            held.setdefault(hand, []).append(card)
    return v.Points(*[point_total(held[hand]) if hand in held else None for hand in (Hand.PLAYER, Hand.BANKER)])


def _next(state: State) -> v.NextCard:
    phase = state.case.resume if state.case else state.phase
    if state.round is None or phase not in IN_ROUND or phase is Phase.OPENING:
        return v.NextCard(None, None)
    cards = state.visible_cards
    if None in cards:
        return v.NextCard(hands_of((*cards, None))[-1], None)  # what comes next does not rest on closed cards
    return v.NextCard(next_hand(state.round.cards), show_reason(draw_reason(state.round.cards)))


def _offers(state: State) -> tuple[v.InsuranceOffer, ...]:
    if state.phase not in {Phase.FIRST_WINDOW, Phase.SECOND_WINDOW} or state.sheet.insurance is None:
        return ()
    return _show_offers(state.sheet.insurance, offers_now(state))


def _show_offers(insurance: Insurance, offers: Mapping[Hand, Offer]) -> tuple[v.InsuranceOffer, ...]:
    return tuple(
        [
            v.InsuranceOffer(offer.window, bet.id, bet.hand, offer.odds.text, offer.rule, offer.tie_wins_rule)
            for bet in insurance.bets
            if (offer := offers.get(bet.hand)) is not None
        ]
    )


def _boxes(state: State, totals: dict[int, dict[str, int]], names: Names, *, staff: bool) -> tuple[v.BoxView, ...]:
    standing: dict[int, list[str]] = {}
    for place, patron in sorted(state.standing):
        standing.setdefault(place, []).append(patron)
    boxes = range(1, (state.settings.boxes if state.settings else 0) + 1)
    return tuple(
        [
            v.BoxView(
                box=box,
                seated=names(state.seats[box]) if box in state.seats else None,
                standing=len(standing.get(box, ())),
                totals_cents=totals.get(box, {}),
                total_cents=sum(totals.get(box, {}).values()),
                standing_names=tuple([names(patron) for patron in standing.get(box, ())]) if staff else UNSET,
            )
            for box in boxes
        ]
    )


def _totals(bets: Iterable[Bet]) -> tuple[dict[str, int], dict[int, dict[str, int]]]:
    """The stakes on each bet: of all boxes, and box by box."""
    totals, of_boxes = dict[str, int](), dict[int, dict[str, int]]()
    for bet in bets:
        on, box = bet.on, of_boxes.setdefault(bet.box, {})
        totals[on] = totals.get(on, 0) + bet.stake_cents
        box[on] = box.get(on, 0) + bet.stake_cents
    return totals, of_boxes


def _squeeze(state: State, names: Names) -> v.SqueezeRequest | None:
    request = state.round.request if state.round else None
    return v.SqueezeRequest(names(request.patron), request.what, request.rule) if request else None


def _result(table: FollowedTable) -> v.RoundResult | None:
    state = table.state
    if state.round is not None:
        outcome, number = table.outcome, state.round.number
    elif state.last is not None and table.results:
        number, round_ = table.results[-1]
        outcome = round_.outcome
    else:
        return None
    if outcome is None:
        return None
    return v.RoundResult(outcome.winner, outcome.player_points, outcome.banker_points, number)


def _case(table: FollowedTable, names: Names, *, staff: bool) -> v.CaseView | None:
    case, ruled = table.state.case, table.ruled
    if case is None:
        return None
    irregularity = table.sheet.irregularities.get(case.situation)
    cited = irregularity.rule if irregularity else table.sheet.authority.otherwise_rule
    return v.CaseView(
        case=case.number,
        situation=case.situation,
        ruling=ruled.ruling if ruled else None,
        finding=ruled.finding if ruled else None,
        rule=ruled.rule if ruled else cited,
        waits=case.waits,
        role=cast(v.RoleName | None, case.role),
        patrons={patron: names(patron) for patron in case.patrons} if staff else UNSET,
        by=case.by.text if staff else UNSET,
        facts=show_facts(case.facts) if staff else UNSET,
    )


def on_duty(state: State, names: Names) -> tuple[v.OnDuty, ...]:
    """The staff on duty at a table, each with the position."""
    return tuple(
        [
            v.OnDuty(person, names(person), cast(v.RoleName, duty.own), cast(v.RoleName, duty.position or duty.own))
            for person, duty in state.duty.items()
        ]
    )


def incident(table: FollowedTable, names: Names) -> v.Incident | None:
    """The open case of a table, for staff."""
    shown_case, state = _case(table, names, staff=True), table.state
    if shown_case is None or state.case is None:
        return None
    effect, reason = proposal(state, names)
    return v.Incident(
        table=table.id,
        round=state.case.round,
        phase=state.phase,
        reported_by=reporter(state.case).text,
        at_ms=table.reported_at.get(state.case.number),
        note=state.case.facts.note,
        reason=reason,
        effect=effect,
        offers=_recorded_offers(state, state.case),
        **structs.asdict(shown_case),
    )


def _recorded_offers(state: State, case: Case) -> tuple[v.InsuranceOffer, ...]:
    """The insurance that was offered in the window that a report names; none where its round is not at hand."""
    window, insurance, present = case.facts.window, state.sheet.insurance, state.round or state.last
    if window is None or insurance is None or present is None:
        return ()
    if not case.cards and case.facts.round not in (None, present.number):
        return ()
    return _show_offers(insurance, insurance.offers((case.cards or present.cards)[: window.cards]))


def incidents(tables: Iterable[FollowedTable], names: Names) -> list[v.Incident]:
    """The open cases of these tables, for staff."""
    return [found for table in tables if (found := incident(table, names)) is not None]


def roads_view(roads: Roads, sheet: Sheet) -> v.RoadsView:
    """The five roads, and the counts of the shoe."""
    counts = {"counts": shoe_counts(roads.outcomes, sheet)}
    return msgspec.convert(to_data(roads) | counts, v.RoadsView, from_attributes=True)
