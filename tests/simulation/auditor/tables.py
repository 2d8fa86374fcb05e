"""The log of a table, read once more: every event must be one that the sheet allows after those before it (I4, I9).

Each event has a method. It checks the event against the state, notes what it moves, and takes it into the state.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tests.simulation.auditor.findings import Findings
from tests.simulation.auditor.games import GAMES, HANDS, Game
from tests.simulation.auditor.people import Actor, People
from tests.simulation.auditor.rounds import (
    WINDOWS,
    banker_surely_draws,
    exceeds_cap,
    insurance_result,
    is_established,
    next_hand,
    offers,
    outcome_of,
)
from tests.simulation.auditor.rows import Posting, Row
from tests.simulation.auditor.settling import Spot, insured_hand, leads, parts_in_play, settle
from tests.simulation.auditor.state import IN_CASH, PastRound, Round, Settings, TableState, sides_of, spot_of

Event = dict[str, Any]
Move = tuple[str, str, list[tuple[str, int]]]
"""A reason, a reference and what accounts get or give."""


def cards_of(text: str | None) -> list[str]:
    """Cards as the log writes them."""
    return text.split() if text else []


def odds_of(text: str | None) -> tuple[int, int]:
    """Odds such as `12:1` or `0.95:1`, in whole numbers."""
    win, _, stake = (text or "0:1").partition(":")
    ratio = Fraction(win) / Fraction(stake)
    return ratio.numerator, ratio.denominator


class TableLog:
    """Follows one table through its log."""

    def __init__(self, table: str, findings: Findings, people: People, net: Counter[str]) -> None:
        self.state = TableState(table)
        self._findings, self._people, self._net = findings, people, net
        self._row: Row | None = None
        self._moves: list[Move] = []
        self._bets: list[Event] = []
        self._before: dict[Spot, int] = {}
        self._expected: deque[Event] = deque()
        self._approved = False
        self._pending: dict[int, tuple[Event, ...]] = {}
        self._proposed: dict[int, tuple[str, str]] = {}
        self._decided: tuple[int, str] | None = None
        self._actor = Actor("patron:nobody")
        self._methods: dict[str, Callable[[Event], None] | None] = {}

    @property
    def game(self) -> Game:
        """The sheet of the table."""
        return GAMES[self.state.now.game]

    def wrong(self, what: str, invariant: str = "I9") -> None:
        """Note a violation at the present record."""
        row = self._row
        assert row is not None
        self._findings.add(invariant, f"at {row.time_ms} {row.where}", what)

    def take(self, row: Row, postings: list[Posting]) -> Event:
        """Take the next record; its event."""
        event: Event = json.loads(row.payload)
        self._row, self._moves = row, []
        kind = row.kind
        if event.get("kind") != kind:
            self.wrong(f"its payload is a {event.get('kind')}", "I5")
        self._actor = self._people.check_actor(row, event, self.state.duty)
        self._approved = bool(self._expected)
        if self._approved:
            self._check_approved(event)
        if kind.startswith("bet-") and self.state.round and not self._bets:
            self._before = dict(self.state.round.stakes)
        if kind not in self._methods:
            self._methods[kind] = getattr(self, "_" + kind.replace("-", "_"), None)
        if (method := self._methods[kind]) is not None:
            try:
                method(event)
            except (KeyError, IndexError, AttributeError, AssertionError) as error:
                self.wrong(f"it cannot follow what was before it ({error!r})")
        self._check_postings(postings)
        if kind.startswith("bet-"):
            self._bets.append(event)
        if row.key is not None:
            self._end_unit()
        return event

    # --------------------------------------------------------------------------------------- money

    def _check_postings(self, postings: list[Posting]) -> None:
        """Compare the postings of a record with what its event moves."""
        if not postings and not self._moves:
            return
        expected = [
            (number, reason, reference, account, cents)
            for number, (reason, reference, amounts) in enumerate(self._moves, 1)
            for account, cents in amounts
            if cents
        ]
        if expected != postings:
            self.wrong(f"its event moves {expected}, and its postings are {postings}", "I7")

    def _holder(self, patron: str) -> str:
        return f"chips:{self.state.table}" if patron.startswith(IN_CASH) else f"patron:{patron}"

    def _reference(self, number: int) -> str:
        assert self._row is not None
        return f"{self.state.table}/{number}/{self._row.seq}"

    def _stake(self, patron: str, cents: int, reference: str) -> None:
        self._moves.append(("stake", reference, [(self._holder(patron), -cents), (f"bets:{self.state.table}", cents)]))

    def _end_bet(self, reason: str, reference: str, patron: str, stake: int, returned: int) -> None:
        table = self.state.table
        amounts = [(f"bets:{table}", -stake), (self._holder(patron), returned), (f"house:{table}", stake - returned)]
        self._moves.append((reason, reference, amounts))
        self._net[patron] += returned - stake

    # --------------------------------------------------------------------------------------- the table

    def _round(self, event: Event) -> Round:
        """The round in progress, which the event must be about."""
        round_ = self.state.round
        if round_ is None:
            raise AssertionError("no round is in progress")
        if event.get("round", round_.number) != round_.number:
            self.wrong(f"it is about round {event['round']}, and round {round_.number} is in progress")
        return round_

    def _table_opened(self, event: Event) -> None:
        state = self.state
        if state.is_open:
            self.wrong("the table is open already")
        if event["game"] not in GAMES:
            raise AssertionError(f"nobody knows the game {event['game']}")
        before = state.settings
        state.settings, state.is_open = Settings.of(event), True
        settings = state.settings
        if not 4 <= settings.decks <= self.game.most_decks:
            self.wrong(f"the sheet allows no {settings.decks} decks")
        if settings.without_insurance and not self.game.forgone:
            self.wrong("the sheet lets no table run without insurance")
        gone = {patron for box, patron in [*state.seats.items(), *state.standing] if box > settings.boxes}
        self._remove(gone)
        if before and (before.decks, before.live, before.shuffler) != (
            settings.decks,
            settings.live,
            settings.shuffler,
        ):
            state.shoe = None

    def _table_closed(self, event: Event) -> None:
        state = self.state
        if state.round is not None:
            self.wrong("the table was closed in a round")
        state.is_open, state.duty, state.suspended = False, {}, False
        if not event.get("keeps"):
            state.seats, state.standing, state.shoe, state.last_cards = {}, set(), None, []
            state.settings = None

    def _limits_changed(self, event: Event) -> None:
        if self.state.round is not None:
            self.wrong("limits were changed within a round")
        settings = self.state.now
        limits = settings.limits._replace(minimum=event["minimum_cents"], differential=event["differential_cents"])
        values = {**vars(settings), "limits": limits, "sides": sides_of(event)}
        self.state.settings = Settings(**values)

    def _insurance_changed(self, event: Event) -> None:
        if self.state.round is not None:
            self.wrong("insurance was changed within a round")
        values = {**vars(self.state.now), "without_insurance": not event["offered"]}
        self.state.settings = Settings(**values)

    def _play_suspended(self, _: Event) -> None:
        self.state.suspended = True

    def _play_resumed(self, _: Event) -> None:
        self.state.suspended = False

    def _staff_on_duty(self, _: Event) -> None:
        self.state.duty[self._actor.person] = (self._actor.own, self._actor.own)

    def _staff_off_duty(self, _: Event) -> None:
        self.state.duty.pop(self._actor.person, None)

    def _position_assigned(self, event: Event) -> None:
        person, position = event["person"], event["position"]
        if person not in self.state.duty:
            self.wrong(f"{person} is not on duty", "I8")
        elif position != self.state.duty[person][0] and not Actor(f"{self._actor.own}:x").at_least(position):
            self.wrong(f"{event['by']} cannot assign the position {position}", "I8")
        if person == self._actor.person:
            self.wrong(f"{person} assigned their own position", "I8")
        self.state.duty[person] = (event["own"], position)

    def _shoe_loaded(self, event: Event) -> None:
        state = self.state
        if state.round is not None:
            self.wrong("a shoe was loaded within a round")
        if event.get("cards") or event.get("salt"):
            self.wrong("the order of the shoe can be read in the log", "I6")
        state.shoe = event["shoe"]
        if not state.now.shuffler:
            state.results = []

    # --------------------------------------------------------------------------------------- patrons

    def _patron_seated(self, event: Event) -> None:
        state, box, patron = self.state, event["box"], event["patron"]
        if state.seats.get(box, patron) != patron:
            self.wrong(f"{state.seats[box]} sits at box {box}")
        if not 1 <= box <= state.now.boxes:
            self.wrong(f"there is no box {box}")
        if any(sits == patron and at != box for at, sits in state.seats.items()):
            self.wrong(f"{patron} sits at another box")
        state.seats[box] = patron
        state.standing.discard((box, patron))
        self._back(patron)

    def _patron_stood(self, event: Event) -> None:
        self.state.standing.add((event["box"], event["patron"]))
        self._back(event["patron"])

    def _back(self, patron: str) -> None:
        if self.state.round:
            self.state.round.away.discard(patron)

    def _patron_left(self, event: Event) -> None:
        patron, round_ = event["patron"], self.state.round
        if round_ and any(spot[1] == patron for spot in round_.stakes):
            round_.away.add(patron)
            round_.walked.add(patron)
            self._end_squeezes({patron})
        else:
            self._remove({patron})

    def _remove(self, patrons: set[str]) -> None:
        state = self.state
        state.seats = {box: patron for box, patron in state.seats.items() if patron not in patrons}
        state.standing = {place for place in state.standing if place[1] not in patrons}

    def _end_squeezes(self, patrons: set[str]) -> None:
        if round_ := self.state.round:
            round_.squeezers = {place: who for place, who in round_.squeezers.items() if who not in patrons}

    # --------------------------------------------------------------------------------------- bets

    def _bet_placed(self, event: Event) -> None:
        self._add(event, event["bet"]["stake_cents"])

    def _bet_raised(self, event: Event) -> None:
        self._add(event, event["added_cents"])

    def _add(self, event: Event, added: int) -> None:
        round_, bet, state = self._round(event), event["bet"], self.state
        spot, stake = spot_of(bet), bet["stake_cents"]
        box, patron, on, window = spot
        recorded, settings = bool(event.get("as_it_lies")), state.now
        if stake != round_.stakes.get(spot, 0) + added or added <= 0:
            self.wrong(f"{spot} has {round_.stakes.get(spot, 0)} and {added} more, not {stake}")
        if on not in self.game.bets if window is None else not self.game.insured:
            self.wrong(f"the game does not offer {on}")
        if stake % settings.limits.unit:
            self.wrong(f"{stake} is no multiple of the unit {settings.limits.unit}")
        if not 1 <= box <= settings.boxes:
            self.wrong(f"there is no box {box}")
        if not patron.startswith(IN_CASH) and not state.has_place(patron, box):
            self.wrong(f"{patron} has no place at box {box}")
        if patron.startswith(IN_CASH) and not settings.live:
            self.wrong("cash was bet at an automatic table")
        if self.state.cases:
            self.wrong("a bet was taken while a case holds the table")
        if window is not None:
            self._check_insurance(round_, spot, stake)
        elif recorded:
            if not settings.live:
                self.wrong("chips were recorded at an automatic table")
            if round_.cards:
                self.wrong("chips were recorded after the first card")
            round_.recorded.add(spot)
        elif round_.closed:
            self.wrong("a bet was taken after “No more bets”")
        if not recorded:
            self._check_amount(spot, stake)
        reference = round_.references.setdefault(spot, self._reference(round_.number))
        round_.stakes[spot] = stake
        if stake >= state.minimum_for(on):
            round_.asked.discard(spot)
        self._stake(patron, added, reference)

    def _check_amount(self, spot: Spot, stake: int) -> None:
        box, patron, on, window = spot
        if stake < self.state.minimum_for(on):
            self.wrong(f"{stake} on {on} is below the minimum of {self.state.minimum_for(on)}")
        _, maximum = self.state.now.sides.get(on, (0, stake))
        if stake > maximum and on not in HANDS:
            self.wrong(f"{stake} on {on} is above the maximum of {maximum}")
        sits = self.state.sitter(box)
        seated_bet = sits is not None and any(each[0] == box and each[1] == sits for each in self._before)
        if window is None and self.game.ruled and patron != sits and not seated_bet:
            self.wrong(f"{patron} stands behind box {box}, in which no seated patron has a bet")

    def _check_insurance(self, round_: Round, spot: Spot, stake: int) -> None:
        box, patron, on, window = spot
        hand = insured_hand(on)
        offered = offers(round_.open_cards)
        if round_.window is None or round_.window != window or hand not in offered:
            self.wrong(f"{on} is not on offer now")
            return
        if self.game.forgone and (patron in round_.forgone or patron in round_.walked):
            self.wrong(f"{patron} had forgone insurance for the round")
        original = round_.stakes.get((box, patron, hand, None), 0)
        taken = [(stake, offered[hand][1])]
        if window == "player-third" and (first := round_.stakes.get((box, patron, on, "four-cards"))):
            taken.append((first, offers(round_.open_cards[:4])[hand][1]))
        if not original:
            self.wrong(f"{patron} has no bet on {hand} in box {box} to insure")
        elif exceeds_cap(taken, original):
            self.wrong(f"insurance of {taken} could pay more than the {original} on {hand}")

    def _bet_withdrawn(self, event: Event) -> None:
        round_, bet = self._round(event), event["bet"]
        if round_.closed:
            self.wrong("a bet was withdrawn after “No more bets”")
        if self.state.cases:
            self.wrong("a bet was withdrawn while a case holds the table")
        left = bet["stake_cents"] - event["returned_cents"]
        if self._actor.role == "patron" and left and left < self.state.minimum_for(bet["on"]):
            self.wrong(f"{left} on {bet['on']} is left, below its minimum")
        self._shrink(round_, bet, event["returned_cents"])

    def _bet_displaced(self, event: Event) -> None:
        round_ = self._round(event)
        if round_.closed:
            self.wrong("a bet was displaced after “No more bets”")
        self._shrink(round_, event["bet"], event["returned_cents"])

    def _shrink(self, round_: Round, bet: Event, back: int) -> None:
        spot, stake = spot_of(bet), bet["stake_cents"]
        if round_.stakes.get(spot) != stake or not 0 < back <= stake:
            self.wrong(f"{spot} has {round_.stakes.get(spot)}, and {back} of {stake} were returned")
        patron, net = spot[1], self._net[spot[1]]
        self._end_bet("return", round_.references.pop(spot), patron, stake, stake)
        self._net[patron] = net
        if left := stake - back:
            round_.references[spot] = self._reference(round_.number)
            round_.stakes[spot] = left
            self._stake(patron, left, round_.references[spot])
        else:
            del round_.stakes[spot]
            round_.recorded.discard(spot)
            round_.asked.discard(spot)

    def _end_unit(self) -> None:
        """Check, after a whole command, what holds for all of its bets together."""
        bets, self._bets = self._bets, []
        if bets and self.state.round and not self.state.round.ended:
            self._check_differential(bets)
        self._decided = None

    def _check_differential(self, bets: list[Event]) -> None:
        """The Differential of a box, and who gives way at it: standing patrons, the last to come first."""
        limits = self.state.now.limits
        recorded = any(event.get("as_it_lies") for event in bets)
        wanted, added = dict(self._before), set()
        displaced = []
        for event in bets:
            if event["kind"] == "raise-asked" or event["bet"].get("window"):
                continue
            spot, stake = spot_of(event["bet"]), event["bet"]["stake_cents"]
            if event["kind"] == "bet-displaced":
                displaced.append((spot, event["returned_cents"]))
            elif event["kind"] == "bet-withdrawn":
                wanted[spot] = stake - event["returned_cents"]
                if not wanted[spot]:
                    del wanted[spot]
            else:
                wanted[spot] = stake
                added.add(spot)
        expected: list[tuple[Spot, int]] = []
        for box in sorted({event["bet"]["box"] for event in bets}):
            sums = leads(wanted.items()).get(box, {"player": 0, "banker": 0})
            heavy = max(sums, key=lambda hand: sums[hand])
            over, sits = sums[heavy] - min(sums.values()) - limits.differential, self.state.sitter(box)
            kept = [spot for spot in added if spot[0] == box and spot[2] == heavy]
            if over <= 0 or recorded:
                continue
            if added and not kept:
                continue  # chips that the Dealer recorded on the other side: this bet brings the sums closer
            side = [spot for spot in wanted if spot[0] == box and spot[2] == heavy and spot not in kept][::-1]
            give_way = [spot for spot in side if spot[1] != sits]
            if not kept:
                give_way += [spot for spot in side if spot[1] == sits]
            elif any(spot[1] != sits for spot in kept):
                give_way = []
            for spot in give_way:
                if over <= 0:
                    break
                left = wanted[spot] - over
                back = over if left >= limits.minimum and left > 0 else wanted[spot]
                over -= back
                expected.append((spot, back))
            if over > 0:
                self.wrong(f"box {box} is {over} over the Differential of {limits.differential}")
        if displaced != expected and not (self._actor.role != "patron" and not displaced and not added):
            self.wrong(f"at the Differential {expected} give way, not {displaced}")

    def _raise_asked(self, event: Event) -> None:
        self._round(event).asked.add(spot_of(event["bet"]))

    # --------------------------------------------------------------------------------------- the round

    def _bets_opened(self, event: Event) -> None:
        state = self.state
        if state.round is not None or not state.is_open or state.suspended:
            self.wrong("a round cannot begin now")
        if event["round"] != state.rounds + 1:
            self.wrong(f"round {event['round']} follows round {state.rounds}")
        if state.shoe is None:
            self.wrong("a round began without a shoe")
        self._by_automat()
        state.rounds = event["round"]
        state.round = Round(event["round"], event["shoe"])
        state.last_cards = []

    def _by_automat(self) -> None:
        """At an automatic table nobody but the house itself deals and calls."""
        if not self.state.now.live and self._actor.person != "automat":
            self.wrong(f"{self._actor.person} deals at an automatic table", "I8")

    def _bets_closed(self, event: Event) -> None:
        round_ = self._round(event)
        if round_.closed or self.state.cases:
            self.wrong("bets cannot close now")
        if late := [spot for spot in round_.asked if spot[1] not in round_.away]:
            self.wrong(f"bets closed while {late} were to be raised or withdrawn")
        self._by_automat()
        round_.closed = True

    def _card_dealt(self, event: Event) -> None:
        round_, place, card = self._round(event), event["place"], event.get("card")
        if not round_.closed:
            self.wrong("a card came before “No more bets”")
        if self.state.cases:
            self.wrong("a card came while a case holds the table")
        self._by_automat()
        if place != len(round_.cards) + 1:
            self.wrong(f"card {place} follows {len(round_.cards)} cards")
        hand = TableState.hand_at(round_.cards, place - 1)
        if hand is None or hand != event["hand"]:
            self.wrong(f"card {place} goes to {hand or 'nobody'}, not to {event['hand']}")
        if place > 4 and None in round_.cards[: 5 if place == 6 and not round_.banker_first else 4]:
            self.wrong("a third card came while a card before it was closed")
        is_closed = bool(event.get("closed"))
        if is_closed and not self.state.now.face_down:
            self.wrong("a card was dealt closed where cards are dealt face up")
        if not is_closed and card is None:
            self.wrong("an open card has no value")
        if not is_closed and place in round_.squeezers:
            self.wrong("a card that a patron squeezes was dealt open")
        self._check_offered(round_)
        round_.cards.append(None if is_closed else card)
        round_.window = None

    def _check_offered(self, round_: Round) -> None:
        """Before the next card, what could be insured must have been offered."""
        if round_.all_open and self._offers_now(round_) and round_.window is None:
            self.wrong(f"{' '.join(round_.open_cards)}: insurance was not offered before the next card")

    def _offers_now(self, round_: Round) -> dict[str, tuple[int, tuple[int, int]]]:
        if not self.game.insured or self.state.now.without_insurance:
            return {}
        if round_.waived and len(round_.cards) == 5:
            return {}
        return offers(round_.open_cards)

    def _card_opened(self, event: Event) -> None:
        round_, place = self._round(event), event["place"]
        if self.state.cases:
            self.wrong("a card was opened while a case holds the table")
        if round_.cards[place - 1] is not None:
            self.wrong(f"card {place} is open already")
        if event["hand"] != TableState.hand_at(round_.cards, place - 1):
            self.wrong(f"card {place} is not of {event['hand']}")
        if event.get("squeezed_by") != round_.squeezers.get(place):
            self.wrong(f"{event.get('squeezed_by')} squeezed card {place}, permitted to {round_.squeezers.get(place)}")
        if self._actor.role == "patron" and self._actor.person not in round_.squeezers.values():
            self.wrong(f"{self._actor.person} opened card {place} without a squeeze", "I6")
        if place == 5 and round_.banker_first and (len(round_.cards) < 6 or round_.cards[5] is None):
            self.wrong("Player's third card was opened before Banker's, which comes first")
        round_.cards[place - 1] = event["card"]

    def _insurance_offered(self, event: Event) -> None:
        round_ = self._round(event)
        expected = {f"{hand}-insurance": odds for hand, (_, odds) in self._offers_now(round_).items()}
        told = {each["on"]: odds_of(each["odds"]) for each in event["offers"]}
        same = told.keys() == expected.keys() and all(
            told[on][0] * expected[on][1] == expected[on][0] * told[on][1] for on in told
        )
        if not round_.all_open or not same:
            self.wrong(f"{' '.join(round_.open_cards)}: {told} is offered, and the table gives {expected}")
        if event["window"] != WINDOWS.get(len(round_.cards)):
            self.wrong(f"{event['window']} is not the window after {len(round_.cards)} cards")
        round_.window = event["window"]

    def _insurance_announced(self, event: Event) -> None:
        self._round(event).announced.add(event["patron"])

    def _insurance_forgone(self, event: Event) -> None:
        round_ = self._round(event)
        if not self.game.forgone:
            self.wrong("in this game no offer is forgone")
        insured = {spot[1] for spot in round_.stakes if spot[3]}
        for patron in event["patrons"]:
            if patron in insured or patron in round_.announced:
                self.wrong(f"{patron} insured or announced it, and forgoes nothing")
            elif not any(spot[1] == patron and spot[2] in self._offers_now(round_) for spot in round_.stakes):
                self.wrong(f"{patron} had no offer to forgo")
        round_.forgone |= {*event["patrons"]}

    def _squeeze_asked(self, event: Event) -> None:
        round_, patron = self._round(event), event["patron"]
        if not self.state.now.face_down:
            self.wrong("a squeeze was asked for where cards are dealt face up")
        if self.game.ruled:
            best = self._highest(round_)
            if patron not in best:
                self.wrong(f"{patron} asked for a squeeze, and the highest bet is of {sorted(best)}")

    def _highest(self, round_: Round) -> set[str]:
        """The seated patrons with the highest bet."""
        seated = {spot: stake for spot, stake in round_.stakes.items() if self.state.sitter(spot[0]) == spot[1]}
        most = max(seated.values(), default=0)
        return {spot[1] for spot, stake in seated.items() if stake == most}

    def _squeeze_answered(self, event: Event) -> None:
        round_, what = self._round(event), event["what"]
        if self._actor.role == "patron" and (what == "card" or self.state.now.consents == "ask"):
            self.wrong(f"{event['by']} answered their own request", "I8")
        waives = event["consent"] and what != "card"
        if bool(event["waives_second_window"]) != waives:
            self.wrong("the answer waives the second window, or does not, as it should not")
        if waives and not banker_surely_draws(round_.open_cards):
            self.wrong("Banker's third card is not certain to come")
        round_.waived = round_.waived or waives
        if event["consent"]:
            place = {"card": len(round_.cards) + 1, "show-banker-third": 5, "banker-third-first": 6}[what]
            round_.squeezers[place] = event["patron"]

    def _squeeze_passed(self, event: Event) -> None:
        round_ = self._round(event)
        if round_.squeezers.pop(event["place"], None) != event["patron"]:
            self.wrong(f"{event['patron']} passed a squeeze of another")

    def _result_declared(self, event: Event) -> None:
        round_ = self._round(event)
        told = event["winner"], event["player_points"], event["banker_points"]
        if not round_.all_open or next_hand(round_.open_cards) is not None:
            self.wrong("a result was declared while cards are to come")
        elif told != outcome_of(round_.open_cards)[:3]:
            self.wrong(f"{' '.join(round_.open_cards)} come out as {outcome_of(round_.open_cards)}, not as {told}")
        round_.declared = True

    def _round_settled(self, event: Event) -> None:
        round_, state = self._round(event), self.state
        cards = cards_of(event["cards"])
        if self.state.cases:
            self.wrong("a round was settled while a case holds it")
        if not round_.all_open or cards != round_.open_cards or next_hand(cards) is not None:
            self.wrong(f"settled by {event['cards']}, and {round_.cards} are on the table")
        parts = self._parts(round_)
        neglected = self._neglected(round_, cards)
        expected = settle(self.game, cards, round_.stakes, parts)
        left, returned = dict(round_.stakes), {}
        for line in event["lines"]:
            spot = spot_of(line["bet"])
            stake = left.pop(spot, None)
            self._check_line(line, stake, expected.get(spot))
            if spot in neglected:
                self.wrong(f"{spot} is to be returned, for its insurance was neglected")
            returned[spot] = line["returned_cents"]
            reason = {"win": "pay", "lose": "lose", "returned": "return"}[line["result"]]
            self._end_bet(reason, round_.references.pop(spot), spot[1], line["bet"]["stake_cents"], returned[spot])
        for line in event.get("returned", ()):
            spot = spot_of(line["bet"])
            if left.pop(spot, None) != line["bet"]["stake_cents"] or spot not in neglected:
                self.wrong(f"{spot} was returned with the settlement, and nothing says so")
            returned[spot] = line["bet"]["stake_cents"]
            self._end_bet("return", round_.references.pop(spot), spot[1], returned[spot], returned[spot])
        if left:
            self.wrong(f"{left} were not settled", "I4")
        house = -sum([line["net_cents"] for line in event["lines"]])
        if event["house_cents"] != house:
            self.wrong(f"the House has {event['house_cents']} of lines that bring it {house}")
        past = PastRound(cards, state.now, returned, dict(round_.stakes), parts, round_.shoe)
        state.past[round_.number] = state.last = past
        state.last_number, state.last_cards = round_.number, cards
        state.last_nets = {spot: cents - round_.stakes[spot] for spot, cents in returned.items()}
        state.results.append((round_.number, cards))
        state.recent.append((round_.number, cards))
        round_.stakes = {}
        round_.ended = True

    def _parts(self, round_: Round) -> dict[Spot, int]:
        """The bets of which only a part is in play, by the chips as they lay when bets closed."""
        settings = self.state.now
        for (box, _, on, _), stake in round_.stakes.items():
            if on in settings.sides and on not in HANDS and stake > settings.sides[on][1] and not round_.sides_lifted:
                self.wrong(f"{stake} on {on} in box {box} are over its maximum, and nobody decided that they stand")
        if round_.lifted:
            return {}
        chips = {**round_.taken_back, **round_.stakes}
        parts = parts_in_play(chips, settings.limits, self.state.seats)
        if not parts or self.game.ruled or round_.pro_rata:
            return parts
        if parts_in_play(round_.stakes, settings.limits, self.state.seats):
            self.wrong("a box is over the Differential, and nobody decided what becomes of it")
        return {}

    def _neglected(self, round_: Round, cards: list[str]) -> set[Spot]:
        """The original bets whose insurance was not offered and would have won."""
        winner, found = outcome_of(cards).winner, set[Spot]()
        for window, claim in round_.claims:
            count = 4 if window == "four-cards" else 5
            offered = offers(cards[:count]) if len(cards) > count else {}
            hand = claim["hand"]
            if hand in offered and insurance_result(window, hand, offered[hand][0], winner) == "win":
                found.add((claim["box"], claim["patron"], hand, None))
        return found

    def _check_line(self, line: Event, stake: int | None, expected: Any) -> None:
        spot, told = spot_of(line["bet"]), line["result"]
        if stake is None or stake != line["bet"]["stake_cents"]:
            self.wrong(f"{spot} has {stake} in play, and {line['bet']['stake_cents']} were settled", "I4")
            return
        if expected is None:
            self.wrong(f"{spot} was never on offer")
            return
        facts = told, line["in_play_cents"], line["net_cents"], line["returned_cents"]
        wanted = expected.result, expected.in_play, expected.net, stake + expected.net
        if facts != wanted:
            self.wrong(f"{spot} of {stake}: {facts}, and the sheet gives {wanted}")
        if told == "win":
            win, of = odds_of(line["odds"])
            if win * expected.odds[1] != expected.odds[0] * of:
                self.wrong(f"{spot} is paid {line['odds']}, and the sheet says {expected.odds}")

    def _round_voided(self, event: Event) -> None:
        round_ = self._round(event)
        if not self.state.cases:
            self.wrong("a round is void without a case")
        self._needs_second_person()
        if {spot_of(line["bet"]): line["bet"]["stake_cents"] for line in event["lines"]} != round_.stakes:
            self.wrong(f"a void returns {round_.stakes}", "I4")
        self._return(round_, event["lines"])
        round_.ended = True

    def _bets_returned(self, event: Event) -> None:
        self._return(self._round(event), event["lines"])

    def _return(self, round_: Round, lines: list[Event]) -> None:
        for line in lines:
            spot, stake = spot_of(line["bet"]), line["bet"]["stake_cents"]
            if round_.stakes.get(spot) != stake:
                self.wrong(f"{spot} has {round_.stakes.get(spot)} in play, and {stake} were returned", "I4")
            self._end_bet("return", round_.references.pop(spot), spot[1], stake, stake)
        self._take_back(round_, lines)

    def _take_back(self, round_: Round, lines: list[Event]) -> None:
        for line in lines:
            spot = spot_of(line["bet"])
            stake = round_.stakes.pop(spot, 0)
            if spot[3] is None:
                round_.taken_back[spot] = stake
        left = {spot[1] for spot in round_.stakes}
        self._end_squeezes({line["bet"]["patron"] for line in lines} - left)

    def _bets_paid(self, event: Event) -> None:
        round_ = self._round(event)
        self._needs_second_person()
        for line in event["lines"]:
            spot, stake = spot_of(line["bet"]), line["bet"]["stake_cents"]
            win, of = odds_of(line["odds"])
            if round_.stakes.get(spot) != stake or line["returned_cents"] != stake + stake * win // of:
                self.wrong(f"{spot} was paid {line['returned_cents']} for {stake} at {line['odds']}")
            self._end_bet("pay", round_.references.pop(spot), spot[1], stake, line["returned_cents"])
        paid = self.state.past.setdefault(round_.number, PastRound([], self.state.now, {}, {}, {}, round_.shoe))
        for line in event["lines"]:
            paid.returned[spot_of(line["bet"])] = line["returned_cents"]
        self._take_back(round_, event["lines"])

    def _round_closed(self, event: Event) -> None:
        round_, state = self._round(event), self.state
        if not round_.ended or round_.stakes:
            self.wrong(f"the round was closed with {round_.stakes} in play", "I4")
        self._remove(round_.away)
        state.cases = {number: case for number, case in state.cases.items() if case["round"] != round_.number}
        state.round = None

    # --------------------------------------------------------------------------------------- corrections

    def _round_adjusted(self, event: Event) -> None:
        past, table = self.state.past.get(event["round"]), self.state.table
        self._needs_second_person()
        if past is None:
            self.wrong(f"round {event['round']} was never settled")
            past = PastRound([], self.state.now, {}, {}, {}, 0)
        reference = self._reference(event["round"])
        cards = cards_of(event.get("cards"))
        if cards and next_hand(cards) is not None:
            self.wrong(f"{event['cards']} are not the cards of a round")
        expected = settle(GAMES[past.settings.game], cards, past.stakes, past.parts) if cards else {}
        for place, line in enumerate(event["lines"], 1):
            spot, before, after = spot_of(line["bet"]), line["before_cents"], line["after_cents"]
            if spot in past.returned and past.returned[spot] != before:
                self.wrong(f"{spot} had returned {past.returned[spot]}, not {before}", "I4")
            if line["correction_cents"] != after - before:
                self.wrong(f"{spot} is corrected by {line['correction_cents']}")
            if event["void"] and after != line["bet"]["stake_cents"]:
                self.wrong(f"{spot} returns {after} of a void round")
            if spot in expected and not line.get("decided") and spot not in past.decided and not event["void"]:
                wanted = line["bet"]["stake_cents"] + expected[spot].net
                if after != wanted:
                    self.wrong(f"{spot} returns {after} by {event['cards']}, and the sheet gives {wanted}")
            if line.get("decided"):
                past.decided.add(spot)
            past.returned[spot] = after
            if event["round"] == self.state.last_number and spot in self.state.last_nets:
                self.state.last_nets[spot] = after - line["bet"]["stake_cents"]
            if before != after:
                self._correct(spot[1], table, before, after, f"{reference}/{place}")
        if cards:
            past.cards = cards
        past.void = past.void or bool(event["void"])
        self._redraw(event, cards)

    def _redraw(self, event: Event, cards: list[str]) -> None:
        state, number = self.state, event["round"]
        if event["void"] or cards:
            for rounds in (state.results, state.recent):
                kept = [(each, cards if cards and each == number else was) for each, was in rounds]
                rounds.clear()
                rounds.extend([each for each in kept if not (event["void"] and each[0] == number)])
        if state.round is None and state.last_number == number and cards:
            state.last_cards = cards

    def _correct(self, patron: str, table: str, before: int, after: int, reference: str) -> None:
        holder = self._holder(patron)
        if after < before and not patron.startswith(IN_CASH):
            holder = f"owed:{patron}"
        house = f"house:{table}"
        self._moves.append(
            ("adjust", reference, [(house, before), (holder, -before), (house, -after), (holder, after)])
        )
        self._net[patron] += after - before

    def _amount_decided(self, event: Event) -> None:
        cents = event["amount_cents"]
        self._needs_second_person()
        reference = self._reference(event["round"])
        self._correct(event["patron"], self.state.table, max(-cents, 0), max(cents, 0), reference)

    # --------------------------------------------------------------------------------------- incidents

    def _incident_reported(self, event: Event) -> None:
        self.state.cases[event["case"]] = {**event, "person": self._actor.person}

    def _incident_ruled(self, event: Event) -> None:
        finding, round_ = event.get("finding"), self.state.round
        if event["ruling"] != "conclude-or-void" or round_ is None or finding not in {"concluded", "undecided"}:
            return
        established = is_established(self.state.now.game, round_.cards)
        if established != (finding == "concluded"):
            self.wrong(f"after an interruption with {round_.cards} the round is {finding}")

    def _case_closed(self, event: Event) -> None:
        self.state.cases.pop(event["case"], None)

    def _cards_relaid(self, event: Event) -> None:
        round_, after = self.state.round, cards_of(event["after"])
        for count in range(len(after)):
            if next_hand(after[:count]) is None:
                self.wrong(f"{event['after']} are more cards than a round needs")
                break
        if round_ is None or not round_.closed or (round_.all_open and round_.cards == after):
            return
        if len(after) <= 4 or after[:4] != round_.open_cards[:4]:
            round_.forgone = set()
        waived = round_.waived and banker_surely_draws(after)
        round_.squeezers = {
            place: patron
            for place, patron in round_.squeezers.items()
            if place > len(after) and waived == round_.waived
        }
        round_.waived, round_.window, round_.declared = waived, None, False
        round_.cards = [*after]

    def _insurance_claimed(self, event: Event) -> None:
        round_ = self.state.round
        if round_ is None or round_.number != event["round"]:
            return
        round_.claims += [(event["window"], claim) for claim in event["claims"]]
        if event["window"] == "four-cards":
            round_.forgone -= {claim["patron"] for claim in event["claims"]}

    def _limits_lifted(self, event: Event) -> None:
        round_ = self._round(event)
        round_.sides_lifted = round_.sides_lifted or bool(event.get("sides"))
        round_.lifted = round_.lifted or not event.get("sides")

    def _pro_rata_decided(self, event: Event) -> None:
        self._round(event).pro_rata = True

    def _confirmation_asked(self, event: Event) -> None:
        self._pending[event["case"]] = tuple(event["events"])
        self._proposed[event["case"]] = self._actor.person, event.get("to") or "dealer"

    def _decision_made(self, event: Event) -> None:
        case, decision = event["case"], event["decision"]
        self._decided = case, self._actor.person
        self._check_standing_order(event)
        if case not in self._pending or decision not in {"approve", "decline"}:
            return
        proposed_by, least = self._proposed.pop(case)
        events = self._pending.pop(case)
        if decision == "decline":
            return
        if self._actor.person == proposed_by:
            self.wrong(f"{proposed_by} approved what they had proposed", "I8")
        if not self._actor.at_least(least):
            self.wrong(f"{event['by']} approved what takes a {least}", "I8")
        self._expected = deque(events)

    def _check_approved(self, event: Event) -> None:
        """What follows an approval is what was proposed."""
        proposed = self._expected.popleft()
        if proposed["kind"] != event["kind"]:
            self.wrong(f"a {proposed['kind']} was proposed and approved")

    def _check_standing_order(self, event: Event) -> None:
        round_ = self.state.round
        if self._actor.person != "standing-order" or round_ is None or "conclude-or-void" not in event["reason"]:
            return
        established = is_established(self.state.now.game, round_.cards)
        if established != (event["decision"] == "continue"):
            self.wrong(f"after an interruption with {round_.cards} the standing order decided {event['decision']}")

    def _needs_second_person(self) -> None:
        """Voids, corrections and decided amounts take two people where the table says so."""
        if not self.state.now.second_person or self._approved:
            return
        cases = [*self.state.cases.values()]
        reported_by = cases[-1]["person"] if cases else None
        if self._decided is None or self._decided[1] == reported_by:
            self.wrong("one person alone did it", "I8")
