"""Bets and insurance: offered, in time, within the limits, and who gives way at the Differential."""

from __future__ import annotations

from tests.simulation.auditor.log import Event, Log
from tests.simulation.auditor.rounds import exceeds_cap, offers
from tests.simulation.auditor.settling import Spot, insured_hand, leads
from tests.simulation.auditor.state import IN_CASH, Round, spot_of


class Betting(Log):
    """The events that stake money or take it back before a round ends."""

    def on_bet_placed(self, event: Event) -> None:
        self._add(event, event["bet"]["stake_cents"])

    def on_bet_raised(self, event: Event) -> None:
        self._add(event, event["added_cents"])

    def _add(self, event: Event, added: int) -> None:
        round_, bet, state = self._round(event), event["bet"], self.state
        spot, stake = spot_of(bet), bet["stake_cents"]
        box, patron, on, window = spot
        recorded, settings = bool(event.get("recorded")), state.now
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
        if self.state.cases and not event.get("late"):
            self.wrong("a bet was taken while a case holds the table")
        if window is not None:
            self._check_insurance(round_, spot, stake)
        elif recorded:
            if not settings.live:
                self.wrong("chips were recorded at an automatic table")
            if bool(event.get("late")) is not round_.closed:
                self.wrong("chips that were recorded after the call are not marked so, or others are")
            if round_.closed and (round_.cards or stake > settings.late) and not self._approved:
                self.wrong("one Dealer alone recorded chips after the call")
            if round_.closed and added < stake and spot not in round_.recorded:
                self.wrong("a bet that was made at a terminal was raised after the call")
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
        maximum = self.state.maximum_for(on, ruled=self.game.ruled)
        if maximum is not None and stake > maximum:
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

    def on_bet_withdrawn(self, event: Event) -> None:
        round_, bet = self._round(event), event["bet"]
        if round_.closed:
            self.wrong("a bet was withdrawn after “No more bets”")
        if self.state.cases:
            self.wrong("a bet was withdrawn while a case holds the table")
        left = bet["stake_cents"] - event["returned_cents"]
        if self._actor.role == "patron" and left and left < self.state.minimum_for(bet["on"]):
            self.wrong(f"{left} on {bet['on']} is left, below its minimum")
        self._shrink(round_, bet, event["returned_cents"])

    def on_bet_displaced(self, event: Event) -> None:
        round_ = self._round(event)
        if round_.closed:
            self.wrong("a bet was displaced after “No more bets”")
        spot, stake = spot_of(event["bet"]), event["bet"]["stake_cents"]
        low = spot in round_.asked and stake < self.state.minimum_for(spot[2])
        if self.game.ruled and not event.get("rule") and not (low and event["returned_cents"] == stake):
            self.wrong(f"{stake} on {spot} was returned, and nobody was asked to raise it")
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

    def on_raise_asked(self, event: Event) -> None:
        self._round(event).asked.add(spot_of(event["bet"]))

    def check_bets(self, bets: list[Event]) -> None:
        """The Differential of a box, and who gives way at it: standing patrons, the last to come first."""
        limits = self.state.now.limits
        recorded = any(event.get("recorded") for event in bets)
        wanted, added = dict(self._before), set()
        displaced = []
        returned = any(event["kind"] == "bet-withdrawn" for event in bets)
        for event in bets:
            if event["kind"] == "raise-asked" or event["bet"].get("window"):
                continue
            spot, stake = spot_of(event["bet"]), event["bet"]["stake_cents"]
            if event["kind"] == "bet-displaced" and self.game.ruled and not event.get("rule"):
                del wanted[spot]
                returned = True
            elif event["kind"] == "bet-displaced":
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
            if over <= 0 or recorded or not self.game.ruled:
                continue
            if not (kept or returned or any(spot[0] == box for spot, _ in displaced)):
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
