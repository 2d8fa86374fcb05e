"""What people see of a table: summaries, snapshots and events, each as the one who looks may see it.

Nothing here can show an undealt card or a salt: the order of a shoe is never read. Patrons and the public see totals,
not other patrons' bets; staff see all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from punto.rules.cards import Card
from punto.rules.hands import Hand, point_total
from punto.rules.insurance import most_insurable
from punto.rules.money import Odds
from punto.rules.notation import write_line
from punto.rules.outcome import Winner
from punto.rules.plain import plain
from punto.rules.settlement import Bet
from punto.rules.tableau import INITIAL_CARDS, next_hand, why
from punto.service.people.person import Person
from punto.service.tables.followed_table import FollowedTable
from punto.table.phases import IN_ROUND, Phase
from punto.table.play import offers_now
from punto.table.state import ANSWERS, Settings, State, Waits

Names = Callable[[str], str]
"""How a person is called, from their id."""

LETTERS = {Winner.PLAYER: "P", Winner.BANKER: "B", Winner.TIE: "T"}


class Message(dict[str, Any]):
    """A message to terminals. Many read the same one, so its text is made once."""

    __slots__ = ("_text",)

    @property
    def text(self) -> str:
        """The message as JSON."""
        try:
            return self._text
        except AttributeError:
            self._text: str = msgspec.json.encode(self).decode()
            return self._text


def summary(table: FollowedTable) -> dict[str, Any]:
    """A table as the lobby shows it."""
    state, settings = table.state, table.state.settings
    return {
        "id": table.id,
        "game": table.sheet.id,
        "title": table.sheet.title,
        "mode": mode_of(settings),
        "phase": state.phase.value,
        "round": state.rounds,
        "shoe": state.shoes,
        "minimum": settings.limits.minimum_cents if settings else None,
        "differential": settings.limits.differential_cents if settings else None,
        "boxes": settings.boxes if settings else 0,
        "patrons": len({*state.seats.values(), *[patron for _, patron in state.standing]}),
        "notice": settings.notice if settings else None,
        "last": [LETTERS[round_.outcome.winner] for _, round_ in table.results],
    }


def mode_of(settings: Settings | None) -> str | None:
    """How a table is run."""
    if settings is None:
        return None
    return "live" if settings.live else "automatic"


def snapshot(
    table: FollowedTable, person: Person | None, names: Names, balance: int, now: int, ends_at: int | None
) -> Message:
    """The table now, for whoever looks."""
    return Message(
        type="snapshot",
        seq=table.seq,
        now=now,
        clock={"ends_at": ends_at},
        me=me(table, person, balance) if person else None,
        **shown(table, names, staff=person is not None and person.is_staff),
    )


def shown(table: FollowedTable, names: Names, *, staff: bool) -> dict[str, Any]:
    """The part of a snapshot that all of one audience see alike."""
    state = table.state
    seen = {
        "table": _table(table),
        "phase": state.phase.value,
        "round": state.rounds,
        "shoe": _shoe(table),
        "cards": _cards(state),
        "points": _points(state),
        "next": _next(state),
        "offers": _offers(state),
        "boxes": _boxes(state, names),
        "result": _result(table),
        "squeeze": _squeeze(state, names),
        "case": _case(table, names, staff=staff),
        "last": [write_line(round_) for _, round_ in table.results],
        "roads": table.roads_data,
    }
    if staff:
        seen["bets"] = [_bet(bet) | {"patron": bet.patron} for bet in _bets(state)]
        ids = {*state.seats.values(), *[patron for _, patron in state.standing], *[bet.patron for bet in _bets(state)]}
        seen["patrons"] = {patron: names(patron) for patron in sorted(ids)}
    return seen


def me(table: FollowedTable, person: Person, balance: int) -> dict[str, Any]:
    """What is one's own at a table."""
    state, case = table.state, table.state.case
    bets = table.bets_of(person.id)
    seat = table.sits_at(person.id)
    stands = next((box for box, patron in sorted(state.standing) if patron == person.id), None)
    options = None
    if case is not None and case.waits is Waits.CHOICES and person.id in case.patrons:
        options = {"case": case.number, "round": state.rounds, "choices": ["continue", "take-back"]}
    settled = table.settled
    lines = [plain(line) for line in settled.lines if line.bet.patron == person.id] if settled else []
    returned = [plain(line) for line in settled.returned if line.bet.patron == person.id] if settled else []
    return {
        **person.data(),
        "balance": balance,
        "box": seat or stands,
        "seated": seat is not None,
        "bets": [_bet(bet) for bet in bets],
        "in_play": sum([bet.stake_cents for bet in bets]),
        "lines": [*lines, *returned],
        "lines_round": settled.round if settled else None,
        "options": options,
        "insurable": _insurable(state, bets),
    }


def _insurable(state: State, bets: list[Bet]) -> dict[str, Any]:
    """For each offer that stands on one's own original bet: the most that may still be staked on it."""
    insurance = state.sheet.insurance
    found: dict[str, Any] = {}
    if insurance is None or state.phase not in {Phase.FIRST_WINDOW, Phase.SECOND_WINDOW} or state.round is None:
        return found
    for hand, offer in offers_now(state).items():
        on = next(bet.id for bet in insurance.bets if bet.hand is hand)
        original = sum([bet.stake_cents for bet in bets if not bet.window and state.sheet.bets[bet.on].hand is hand])
        taken = [(bet.stake_cents, _odds_of(state, bet)) for bet in bets if bet.on == on]
        if original:
            found[on] = {"stake_cents_max": max(0, most_insurable(original, offer.odds, taken)), "original": original}
    return found


def _odds_of(state: State, bet: Bet) -> Odds:
    """The odds at which insurance was taken, in whichever window."""
    insurance, round_, window = state.sheet.insurance, state.round, bet.window
    if insurance is None or round_ is None or window is None:
        raise AssertionError(f"{bet} is no insurance of a round under way")
    return insurance.offers(round_.cards[: window.cards])[state.sheet.insurance_bets[bet.on].hand].odds


# ------------------------------------------------------------------------------------------- parts of a snapshot


def _table(table: FollowedTable) -> dict[str, Any]:
    settings = table.state.settings
    base = {"id": table.id, "game": table.sheet.id, "title": table.sheet.title, "mode": mode_of(settings)}
    if settings is None:
        return base
    limits = settings.limits
    return base | {
        "decks": settings.decks,
        "boxes": settings.boxes,
        "layout": settings.layout,
        "face_down": settings.face_down,
        "without_insurance": settings.without_insurance,
        "notice": settings.notice,
        "second_person": settings.second_person,
        "limits": {
            "minimum": limits.minimum_cents,
            "differential": limits.differential_cents,
            "unit": limits.unit_cents,
            "sides": [
                {"on": side.on, "minimum": side.minimum_cents, "maximum": side.maximum_cents}
                for side in settings.sides.values()
            ],
        },
    }


def _shoe(table: FollowedTable) -> dict[str, Any] | None:
    shoe = table.state.shoe
    if shoe is None:
        return None
    return {
        "number": shoe.number,
        "count": shoe.count,
        "dealt": shoe.drawn,
        "cut": shoe.cut,
        "commitment": shoe.commitment,
        "last_round": shoe.last_round is not None and table.state.rounds >= shoe.last_round,
        "over": table.state.shoe_is_over,
    }


def hidden(state: State) -> bool:
    """Whether the cards on the table still lie face down: the first four are turned together."""
    settings, round_ = state.settings, state.round
    return bool(settings and settings.face_down and round_ and len(round_.cards) < INITIAL_CARDS)


def laid_out(cards: Sequence[Card], *, down: bool = False) -> list[dict[str, Any]]:
    """Cards in the order they came, each with the hand it went to (none for a card too many)."""
    hands = [next_hand(cards[:place]) for place in range(len(cards))]
    return [
        {"card": None if down else card.text, "hand": hand.value if hand else None}
        for card, hand in zip(cards, hands, strict=True)
    ]


def _cards(state: State) -> list[dict[str, Any]]:
    return laid_out(state.round.cards if state.round else state.last.cards if state.last else (), down=hidden(state))


def _points(state: State) -> dict[str, int | None]:
    cards = state.round.cards if state.round else state.last.cards if state.last else ()
    if hidden(state):
        return {"player": None, "banker": None}
    hands: dict[Hand, list[Any]] = {Hand.PLAYER: [], Hand.BANKER: []}
    for place, card in enumerate(cards):
        if hand := next_hand(cards[:place]):
            hands[hand].append(card)
    return {hand.value: point_total(held) if held else None for hand, held in hands.items()}


def _next(state: State) -> dict[str, Any]:
    phase = state.case.resume if state.case else state.phase
    if state.round is None or phase not in IN_ROUND or hidden(state):
        return {"hand": None, "why": None}
    hand = next_hand(state.round.cards)
    return {"hand": hand.value if hand else None, "why": why(state.round.cards)}


def _offers(state: State) -> list[dict[str, Any]]:
    if state.phase not in {Phase.FIRST_WINDOW, Phase.SECOND_WINDOW} or state.sheet.insurance is None:
        return []
    offers = offers_now(state)
    return [
        {
            "window": offers[bet.hand].window.value,
            "on": bet.id,
            "hand": bet.hand.value,
            "odds": offers[bet.hand].odds.text,
            "rule": offers[bet.hand].rule,
        }
        for bet in state.sheet.insurance.bets
        if bet.hand in offers
    ]


def _boxes(state: State, names: Names) -> list[dict[str, Any]]:
    totals: dict[int, dict[str, int]] = {}
    for bet in _bets(state):
        box = totals.setdefault(bet.box, {})
        box[bet.on] = box.get(bet.on, 0) + bet.stake_cents
    count = state.settings.boxes if state.settings else 0
    return [
        {
            "box": box,
            "seated": names(state.seats[box]) if box in state.seats else None,
            "standing": sum(place == box for place, _ in state.standing),
            "totals": totals.get(box, {}),
        }
        for box in range(1, count + 1)
    ]


def _squeeze(state: State, names: Names) -> dict[str, Any] | None:
    """What a patron has asked for and the House has not answered yet."""
    request = state.round.request if state.round else None
    if request is None:
        return None
    return {"name": names(request.patron), "what": request.what.value, "rule": request.rule}


def _result(table: FollowedTable) -> dict[str, Any] | None:
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
    return {
        "winner": outcome.winner.value,
        "player_points": outcome.player_points,
        "banker_points": outcome.banker_points,
        "round": number,
    }


def _case(table: FollowedTable, names: Names, *, staff: bool) -> dict[str, Any] | None:
    case = table.state.case
    if case is None:
        return None
    irregularity = table.sheet.irregularities.get(case.situation)
    ruled = table.ruled
    seen: dict[str, Any] = {
        "case": case.number,
        "situation": case.situation,
        "says": irregularity.situation if irregularity else case.situation.replace("-", " "),
        "ruling": ruled.ruling.value if ruled else None,
        "rule": ruled.rule if ruled else irregularity.rule if irregularity else None,
        "waits_for": "patrons" if case.waits is Waits.CHOICES else case.role.value if case.role else "second-person",
    }
    if case.waits is None:
        seen["waits_for"] = None
    if staff:
        seen |= {
            "choices": {patron: names(patron) for patron in case.patrons},
            "answers": [each.value for each in ANSWERS[case.waits]] if case.waits else [],
            "waiting": case.waiting_for if case.waits else None,
            "by": case.by.text,
            "facts": plain(case.facts),
        }
    return seen


def incident(table: FollowedTable, person: Person, names: Names) -> dict[str, Any] | None:
    """The open case of a table, for staff."""
    seen = _case(table, names, staff=person.is_staff)
    return seen and {"table": table.id, "round": table.state.rounds, "phase": table.state.phase.value} | seen


def _bets(state: State) -> list[Bet]:
    return list(state.round.bets.values()) if state.round else []


def _bet(bet: Bet) -> dict[str, Any]:
    shown: dict[str, Any] = {"box": bet.box, "on": bet.on, "stake": bet.stake_cents}
    if bet.window is not None:
        shown["window"] = bet.window.value
    return shown


def clock_message(phase: Phase, ends_at: int | None, now: int) -> Message:
    """When the betting, or whatever the table waits for, ends."""
    return Message(type="clock", phase=phase.value, ends_at=ends_at, now=now)


def view_message(seq: int, view: Mapping[str, Any]) -> Message:
    """What changed of a snapshot, each part whole: a terminal replaces those parts and folds nothing."""
    return Message(type="view", seq=seq, view=view)


def me_message(mine: Mapping[str, Any]) -> Message:
    """What changed for oneself."""
    return Message(type="me", me=mine)
