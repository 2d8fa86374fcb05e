"""Incidents: ruled by the sheet, decided by people, confirmed by a second person."""

from __future__ import annotations

from collections import deque

from tests.simulation.auditor.log import Event, Log, cards_of
from tests.simulation.auditor.rounds import banker_surely_draws, is_established, next_hand


class Cases(Log):
    """The events of a case."""

    def on_incident_reported(self, event: Event) -> None:
        self.state.cases[event["case"]] = {**event, "person": self._actor.person}

    def on_incident_ruled(self, event: Event) -> None:
        finding, round_ = event.get("finding"), self.state.round
        self.state.cases[event["case"]]["ruling"] = event["ruling"]
        if event["ruling"] != "conclude-or-void" or round_ is None or finding not in {"concluded", "undecided"}:
            return
        established = is_established(self.state.now.game, round_.cards)
        if established != (finding == "concluded") and (established or None not in round_.cards):  # known, not logged
            self.wrong(f"after an interruption with {round_.cards} the round is {finding}")

    def on_case_closed(self, event: Event) -> None:
        self.state.cases.pop(event["case"], None)

    def on_option_chosen(self, event: Event) -> None:
        """Note who takes their bets back."""
        if event["option"] == "take-back":
            self.state.taking_back.add(event["patron"])
        elif self.state.round is not None:
            self.state.round.went_on.add(event["patron"])

    def on_options_offered(self, event: Event) -> None:
        """Who went on accepts what comes, where the sheet says so; a decision of people reaches everyone."""
        by_ruling = self.state.cases[event["case"]].get("ruling") is not None
        if again := self._round(event).went_on.intersection(event["patrons"] if self.game.ruled and by_ruling else ()):
            self.wrong(f"{sorted(again)} went on before, and are asked again")

    def on_cards_reordered(self, event: Event) -> None:
        round_, after = self.state.round, cards_of(event["after"])
        self.state.carried, self.state.kept = cards_of(event["carried"]), cards_of(event.get("kept"))
        if (shoe := self.state.shoes.get(self.state.shoe or 0)) is not None:
            shoe.known = False
        if round_ is not None:
            round_.places = []
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
        round_.waived, round_.window = waived, None
        round_.cards = [*after]

    def on_insurance_claimed(self, event: Event) -> None:
        round_ = self.state.round
        if round_ is None or round_.number != event["round"]:
            return
        round_.claims += [(event["window"], claim) for claim in event["claims"]]
        if event["window"] == "four-cards":
            round_.forgone -= {claim["patron"] for claim in event["claims"]}

    def on_limits_lifted(self, event: Event) -> None:
        self._round(event).lifted = True

    def on_confirmation_asked(self, event: Event) -> None:
        self.state.proposed[event["case"]] = self._actor, event.get("to") or "dealer", event["events"]

    def on_decision_made(self, event: Event) -> None:
        case, decision = event["case"], event["decision"]
        self._decided = case, self._actor.person
        self._check_standing_order(event)
        if case not in self.state.proposed or decision not in {"approve", "decline", "dispute"}:
            return
        proposer, least, events = self.state.proposed.pop(case)
        commanded = self.state.cases[case].get("ruling") in {"void", "conclude-or-void"}
        if decision != "approve":
            if commanded != (decision == "dispute"):
                self.wrong(f"{decision} is no answer to a ruling {'that voids' if commanded else 'of people'}", "I8")
            if decision == "dispute" and not self._actor.at_least("pit-manager"):
                self.wrong(f"{event['by']} disputed what takes a pit-manager", "I8")
            if decision == "decline" and self._actor.person != proposer.person and self._actor.level < proposer.level:
                self.wrong(f"{event['by']} declined what a higher rank proposed", "I8")
            return
        if self._actor.person == proposer.person:
            self.wrong(f"{proposer.person} approved what they had proposed", "I8")
        if not self._actor.at_least(least):
            self.wrong(f"{event['by']} approved what takes a {least}", "I8")
        self._expected = deque(events)

    def _check_standing_order(self, event: Event) -> None:
        round_ = self.state.round
        if self._actor.person != "standing-order" or round_ is None or "conclude-or-void" not in event["reason"]:
            return
        established = is_established(self.state.now.game, round_.cards)
        if established != (event["decision"] == "continue") and (established or None not in round_.cards):
            self.wrong(f"after an interruption with {round_.cards} the standing order decided {event['decision']}")
