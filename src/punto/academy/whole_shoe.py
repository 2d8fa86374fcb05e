"""A whole shoe: the trainee deals at a table of house players who make mistakes on purpose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from random import Random

from punto.academy.drill import Drill, Kind, Said, Step
from punto.academy.irregularities import report_drill
from punto.academy.limits import request_steps, wish
from punto.academy.rounds import WINDOWS, draw_steps, offer_steps, pay_steps, result_steps
from punto.academy.stage import CLOSE_BETS, TRAINEE, Stage, grant, one
from punto.rules.cards import write_cards
from punto.rules.money import Cents
from punto.rules.sheet import Sheet
from punto.rules.tableau import INITIAL_CARDS
from punto.table import acts
from punto.table.automatic import Timing, next_step
from punto.table.engine import decide
from punto.table.phases import Phase
from punto.table.rulings.situations import INSURANCE_NEGLECTED
from punto.table.values import SqueezeOf

DIFFERENTIAL = Cents(5_000_00)
BEHIND_THE_CUT_CARD = 14
CALLS = (acts.OpenBets, acts.CloseBets, acts.Deal, acts.Settle)


@lru_cache(4)
def whole_shoe(sheet: Sheet, seed: int) -> tuple[Drill, ...]:
    """The questions of a shoe, from its first round to its last."""
    found = list(_Shoe(sheet, Random(f"{Kind.SHOE}/{seed}")).questions())  # noqa: S311 — drawn from the seed
    return tuple([replace(each, seed=seed, part=part, parts=len(found)) for part, each in enumerate(found)])


class _Shoe:
    """A shoe in play. What is asked never changes how it goes on."""

    def __init__(self, sheet: Sheet, random: Random) -> None:
        self.random = random
        self.stage = Stage(sheet, random, random.randint(2, 4), DIFFERENTIAL, face_down=bool(sheet.play.squeeze))

    def questions(self) -> Iterator[Drill]:
        """Play round after round until the cut card ends the shoe."""
        stage, chance = self.stage, self.random.random
        while not stage.state.shoe_is_over:
            if chance() < 0.2:
                yield self._call()
            stage.open_round(sides=1)
            if chance() < 0.4:
                command, story = wish(stage)
                yield self._ask(request_steps(stage, command), story)
            if chance() < 0.2:
                yield self._call()
            stage.give(CLOSE_BETS)
            if chance() < 0.3:
                yield self._late()
            if chance() < 0.1:
                yield self._call()
            stage.deal(self.random.randint(0, 3))
            if chance() < 0.2 and self.stage.sheet.play.squeeze:
                yield self._squeeze()
            stage.deal(INITIAL_CARDS - stage.state.open_round.dealt)
            if chance() < 0.5:
                yield self._cards()
            while stage.state.phase is not Phase.RESULT:
                if stage.state.phase in WINDOWS and chance() < 0.6:
                    yield self._ask(offer_steps(stage))
                stage.deal(1)
            if chance() < 0.5:
                yield self._ask(pay_steps(stage))
            if chance() < 0.4:
                yield from self._claim()
            stage.give(acts.Settle(TRAINEE))
            if len(stage.cards) <= BEHIND_THE_CUT_CARD + 6 and not stage.state.in_last_round:
                stage.give(acts.CutCard(TRAINEE))

    def _ask(self, steps: list[Step], *story: Said) -> Drill:
        return Drill(self.stage.state, tuple(steps), story)

    def _call(self) -> Drill:
        """The Dealer's next act: what an automatic table would do by itself."""
        step = next_step(self.stage.state, Timing(0, 0, 0, 0, 0))
        assert step and step.command  # noqa: S101 — the shoe is not over
        rules = [getattr(event, "rule", None) for event in self.stage.would(step.command)]
        return self._ask([one(Said("next-act"), step.command.kind, [each.kind for each in CALLS], "command", *rules)])

    def _late(self) -> Drill:
        """A bet that is asked for, or asked back, after bets have closed."""
        stage, bet = self.stage, self.random.choice(self.stage.placed)
        by = stage.asker(bet.patron)
        if self.random.random() < 0.5:
            said = Said("wants-to-withdraw-bet", bet.box, bet.patron, bet.on, amount_cents=bet.stake_cents)
            return self._ask(request_steps(stage, acts.WithdrawBet(by, bet.patron, bet.box, bet.on)), said)
        on, cents = self.random.choice(list(stage.sheet.bets)), stage.stake(60)
        said = Said("wants-to-place-bet", bet.box, bet.patron, on, amount_cents=cents)
        return self._ask(request_steps(stage, acts.PlaceBet(by, bet.patron, bet.box, on, cents)), said)

    def _squeeze(self) -> Drill:
        """A patron asks to squeeze a card."""
        patron, what = self.random.choice(list(self.stage.boxes)), self.random.choice(list(SqueezeOf))
        answer = decide(self.stage.state, acts.AskSqueeze(TRAINEE, patron, what))
        said = Said(f"wants-{what}", self.stage.boxes[patron], patron)
        return self._ask([grant(self.stage, Said("may-ask", patron=patron), answer)], said)

    def _cards(self) -> Drill:
        """The rest of the round, asked card by card, and put back as it was."""
        stage, before, cards = self.stage, self.stage.state, list(self.stage.cards)
        steps = draw_steps(stage) + result_steps(stage)
        stage.state, stage.cards = before, cards
        return self._ask(steps, Said("next-cards", cards=write_cards(cards[:2])))

    def _claim(self) -> Iterator[Drill]:
        """A patron claims that insurance was not offered."""
        stage = self.stage
        ways = [way for way in stage.choice(acts.Report).ways if way.situation == INSURANCE_NEGLECTED]
        if not (ways := [way for way in ways if not way.is_past]):
            return
        way = self.random.choice(ways)
        if way.refusal:
            said = Said("claims-neglected", window=way.facts.window)
            yield self._ask([grant(stage, Said("grant-claim"), way.refusal)], said)
        elif drill := report_drill(stage, way):
            yield drill
