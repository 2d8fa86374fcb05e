"""Shoes and cards: dealt to the hand that the Table of Play names, closed and opened, offered to be insured."""

from __future__ import annotations

from tests.simulation.auditor.games import RANKS
from tests.simulation.auditor.log import Event, Log, cards_of, odds_of
from tests.simulation.auditor.rounds import WINDOWS, banker_surely_draws, next_hand, outcome_of
from tests.simulation.auditor.settling import leads
from tests.simulation.auditor.state import Round, Shoe, TableState


class Dealing(Log):
    """The events from the first call to the result."""

    def on_shoe_loaded(self, event: Event) -> None:
        state = self.state
        if state.round is not None:
            self.wrong("a shoe was loaded within a round")
        if event.get("cards") or event.get("salt"):
            self.wrong("the order of the shoe can be read in the log", "I6")
        if state.carried and not state.now.shuffler:
            self.wrong(f"{state.carried} were carried, and got lost")
        state.shoe, state.cut, state.last_of_shoe, state.shoe_over = event["shoe"], event.get("cut"), None, False
        state.shoes[event["shoe"]] = Shoe(event.get("commitment"), [])
        if not state.now.shuffler:
            state.results = []

    def on_cards_burned(self, event: Event) -> None:
        """The first card of a shoe is shown, and as many as it counts leave with it."""
        counts = RANKS[event["card"][0]] or 10
        if event["unseen"] != counts:
            self.wrong(f"{event['unseen']} cards are burned with {event['card']}")
        self._shoe.drawn += [event["card"], *[None] * event["unseen"]]

    def on_cut_card_drawn(self, event: Event) -> None:
        """The round before whose first card it comes is the last; later in a round, the next one is."""
        state, round_ = self.state, self.state.round
        last = state.rounds if round_ is not None and not round_.cards else state.rounds + 1
        if event["last_round"] != last:
            self.wrong(f"the cut card makes round {last} the last, not {event['last_round']}")
        state.last_of_shoe = event["last_round"]

    def on_cards_removed(self, event: Event) -> None:
        """Carried cards leave with their shoe."""
        if cards_of(event["cards"]) != self.state.carried:
            self.wrong(f"{event['cards']} were removed, and carried are {self.state.carried}")
        self.state.carried = []

    def on_shoe_removed(self, _: Event) -> None:
        """No round begins with a shoe that was removed."""
        self.state.shoe_over = True

    @property
    def _shoe(self) -> Shoe:
        """The shoe in play."""
        return self.state.shoes[self.state.shoe or 0]

    def on_bets_opened(self, event: Event) -> None:
        state = self.state
        if state.round is not None or not state.is_open or state.suspended:
            self.wrong("a round cannot begin now")
        if event["round"] != state.rounds + 1:
            self.wrong(f"round {event['round']} follows round {state.rounds}")
        if state.shoe is None or event["shoe"] != state.shoe:
            self.wrong(f"a round began with shoe {event['shoe']}, and shoe {state.shoe} is in play")
        elif state.shoe_over or (state.last_of_shoe is not None and event["round"] > state.last_of_shoe):
            self.wrong("a round began after the last of its shoe")
        self._by_automat()
        state.rounds = event["round"]
        state.round, state.taking_back = Round(event["round"], event["shoe"]), set()
        state.last_cards = []

    def on_bets_closed(self, event: Event) -> None:
        round_ = self._round(event)
        if round_.closed or self.state.cases:
            self.wrong("bets cannot close now")
        if bool(outside := self._outside_limits(round_)) is not round_.overlooked:
            self.wrong(f"bets closed with {outside} outside the limits, and a reason: {round_.overlooked}")
        self._by_automat()
        round_.closed = True

    def on_limits_overlooked(self, event: Event) -> None:
        self._round(event).overlooked = True
        if not event["reason"].strip():
            self.wrong("bets were closed outside the limits without a reason")

    def _outside_limits(self, round_: Round) -> list[object]:
        """What must be put right before the call: boxes over the Differential, and low bets of those who are there."""
        if not self.game.ruled:
            return []
        low = [
            spot
            for spot, stake in round_.stakes.items()
            if stake < self.state.minimum_for(spot[2]) and spot[1] not in round_.away
        ]
        limit = self.state.now.limits.differential
        return low + [
            box for box, sums in leads(round_.stakes.items()).items() if max(sums.values()) - min(sums.values()) > limit
        ]

    def on_card_dealt(self, event: Event) -> None:
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
        first = place in round_.squeezers or (place == 5 and round_.banker_first)
        if is_closed and not self.state.now.face_down and not first:
            self.wrong("a card was dealt closed where cards are dealt face up")
        if not is_closed and card is None:
            self.wrong("an open card has no value")
        if not is_closed and place in round_.squeezers:
            self.wrong("a card that a patron squeezes was dealt open")
        self._check_offered(round_)
        if event.get("carried"):
            if self.state.carried[:1] != [card]:
                self.wrong(f"{card} was dealt as carried, and these are: {self.state.carried}")
            del self.state.carried[:1]
        else:
            shoe = self._shoe
            late = self.state.cut is not None and len(shoe.drawn) >= self.state.cut and not self.state.now.live
            if late and shoe.known and self.state.last_of_shoe is None and not self.state.now.shuffler:
                self.wrong(f"{len(shoe.drawn)} cards are out, and the cut card at {self.state.cut} was not noticed")
            shoe.drawn.append(None if is_closed else card)
        round_.places.append(len(self._shoe.drawn) - 1)
        round_.cards.append(None if is_closed else card)
        round_.window = None

    def _check_offered(self, round_: Round) -> None:
        """Before the next card, what could be insured must have been offered."""
        if round_.all_open and self._offers_now(round_) and round_.window is None:
            self.wrong(f"{' '.join(round_.open_cards)}: insurance was not offered before the next card")

    def on_card_opened(self, event: Event) -> None:
        round_, place = self._round(event), event["place"]
        if self.state.cases:
            self.wrong("a card was opened while a case holds the table")
        if round_.cards[place - 1] is not None:
            self.wrong(f"card {place} is open already")
        if event["hand"] != TableState.hand_at(round_.cards, place - 1):
            self.wrong(f"card {place} is not of {event['hand']}")
        squeezer = round_.squeezers.get(place)
        if event.get("squeezed_by") != squeezer:
            self.wrong(f"{event.get('squeezed_by')} squeezed card {place}, permitted to {squeezer}")
        if self._actor.role == "patron" and self._first_of_command and squeezer != self._actor.person:
            self.wrong(f"{self._actor.person} opened card {place}, whose squeeze is of {squeezer}", "I6")
        if place == 5 and round_.banker_first and (len(round_.cards) < 6 or round_.cards[5] is None):
            self.wrong("Player's third card was opened before Banker's, which comes first")
        round_.cards[place - 1] = event["card"]
        if place <= len(round_.places):
            self._shoe.drawn[round_.places[place - 1]] = event["card"]

    def on_insurance_offered(self, event: Event) -> None:
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

    def on_insurance_announced(self, event: Event) -> None:
        self._round(event).announced.add(event["patron"])

    def on_insurance_forgone(self, event: Event) -> None:
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

    def on_squeeze_asked(self, event: Event) -> None:
        round_, patron = self._round(event), event["patron"]
        bound = event["what"] == "card" or self.game.ruled
        if bound and not self.state.now.face_down:
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

    def on_squeeze_answered(self, event: Event) -> None:
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

    def on_squeeze_passed(self, event: Event) -> None:
        round_ = self._round(event)
        if round_.squeezers.pop(event["place"], None) != event["patron"]:
            self.wrong(f"{event['patron']} passed a squeeze of another")

    def on_result_declared(self, event: Event) -> None:
        round_ = self._round(event)
        told = event["winner"], event["player_points"], event["banker_points"]
        if not round_.all_open or next_hand(round_.open_cards) is not None:
            self.wrong("a result was declared while cards are to come")
        elif told != outcome_of(round_.open_cards)[:3]:
            self.wrong(f"{' '.join(round_.open_cards)} come out as {outcome_of(round_.open_cards)}, not as {told}")
