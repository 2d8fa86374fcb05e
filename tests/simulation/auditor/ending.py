"""How rounds end: settled to the cent, void, returned or paid by decision; and how settled ones are corrected."""

from __future__ import annotations

from tests.simulation.auditor.games import GAMES
from tests.simulation.auditor.log import Event, Log, cards_of, odds_of
from tests.simulation.auditor.rounds import WINDOWS, insurance_result, next_hand, offers, outcome_of
from tests.simulation.auditor.settling import Settled, Spot, parts_in_play, settle
from tests.simulation.auditor.state import IN_CASH, PastRound, Round, spot_of


class Ending(Log):
    """The events that end bets."""

    def on_round_settled(self, event: Event) -> None:
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
        past.versions.append(event["cards"])
        past.decided |= neglected
        if (paid := state.past.get(round_.number)) is not None:
            past.returned = {**paid.returned, **returned}
        state.past[round_.number] = past
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
            maximum = self.state.maximum_for(on, ruled=self.game.ruled)
            if maximum is not None and stake > maximum and not round_.lifted:
                self.wrong(f"{stake} on {on} in box {box} are over its maximum, and nobody decided that they stand")
        chips = {**round_.taken_back, **round_.stakes}
        return parts_in_play(chips, settings.limits, self.state.seats) if self.game.ruled else {}

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

    def _check_line(self, line: Event, stake: int | None, expected: Settled | None) -> None:
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
        if told == "win" and expected.odds:
            win, of = odds_of(line["odds"])
            if win * expected.odds[1] != expected.odds[0] * of:
                self.wrong(f"{spot} is paid {line['odds']}, and the sheet says {expected.odds}")

    def on_round_voided(self, event: Event) -> None:
        round_ = self._round(event)
        if not self.state.cases:
            self.wrong("a round is void without a case")
        self._needs_second_person()
        if {spot_of(line["bet"]): line["bet"]["stake_cents"] for line in event["lines"]} != round_.stakes:
            self.wrong(f"a void returns {round_.stakes}", "I4")
        self._return(round_, event["lines"])
        self.state.last_number = round_.number
        self.state.last_nets = {spot_of(line["bet"]): 0 for line in event["lines"]}
        round_.ended = True

    def on_bets_returned(self, event: Event) -> None:
        for line in event["lines"]:
            if line["reason"] == "option" and line["bet"]["patron"] not in self.state.taking_back:
                self.wrong(f"{spot_of(line['bet'])} was returned, and its patron did not choose that")
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

    def on_bets_paid(self, event: Event) -> None:
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

    def on_round_closed(self, event: Event) -> None:
        round_, state = self._round(event), self.state
        if not round_.ended or round_.stakes:
            self.wrong(f"the round was closed with {round_.stakes} in play", "I4")
        self._remove(round_.away)
        state.cases = {number: case for number, case in state.cases.items() if case["round"] != round_.number}
        state.round = None
        state.carried, state.kept = [*state.carried, *state.kept], []

    def on_round_adjusted(self, event: Event) -> None:
        past, table = self.state.past.get(event["round"]), self.state.table
        if (shoe := self.state.shoes.get(event.get("shoe") or 0)) is not None and event.get("cards"):
            shoe.known = False
        self._needs_second_person()
        if past is None:
            self.wrong(f"round {event['round']} was never settled")
            past = PastRound([], self.state.now, {}, {}, {}, 0)
        reference = self._reference(event["round"])
        cards = cards_of(event.get("cards"))
        if cards and next_hand(cards) is not None:
            self.wrong(f"{event['cards']} are not the cards of a round")
        expected = settle(GAMES[past.settings.game], cards, past.stakes, past.parts) if cards else {}
        if cards and any(offers(cards[:count]) != offers(past.cards[:count]) for count in WINDOWS):
            expected = {spot: each for spot, each in expected.items() if spot[3] is None}
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
            past.versions.append(event["cards"])
        self._redraw(event, cards)

    def _redraw(self, event: Event, cards: list[str]) -> None:
        state, number = self.state, event["round"]
        if event["void"] or cards:
            for rounds in (state.results, state.recent):
                kept = [(each, cards if cards and each == number else was) for each, was in rounds]
                rounds.clear()
                rounds.extend([each for each in kept if not (event["void"] and each[0] == number)])
        if state.round is None and state.rounds == number and cards:
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

    def on_amount_decided(self, event: Event) -> None:
        cents = event["amount_cents"]
        self._needs_second_person()
        reference = self._reference(event["round"])
        self._correct(event["patron"], self.state.table, max(-cents, 0), max(cents, 0), reference)
