"""The correction of a settled round, in its shoe, its lines and its money."""

from __future__ import annotations

from dataclasses import replace

from punto.rules.cards import Card
from punto.table.act import Event, StaffOnly, event
from punto.table.money import Corrected, Money
from punto.table.rulings.reorder import shoe_with
from punto.table.state import EndedRound, State
from punto.table.values import Adjustment, BetLine, RecordedBet, Told, spot_of, sums_told


@event(money=True, significant="override")
class RoundAdjusted(Event):
    """A settled round was corrected, or a void one in which bets had been paid by decision.

    `void` means that a settled round has no result any more. `cards_before` are the cards as they had been recorded,
    `cards` as they actually were, empty where the cards stand. `shoe` is the shoe of the round.
    """

    round: int
    lines: tuple[Adjustment, ...]
    void: bool
    rule: str | None
    reason: StaffOnly[str]
    shoe: int | None = None
    cards_before: tuple[Card, ...] = ()
    cards: tuple[Card, ...] = ()

    def apply(self, state: State) -> State:
        if self.cards and state.shoe is not None and state.shoe.number == self.shoe:
            state = state._replace(shoe=shoe_with(state.shoe, self.cards_before, self.cards))
        if state.last is None or state.last.number != self.round:
            return state
        return state._replace(last=self.ended_record(state.last, state))

    def ended_record(self, record: EndedRound | None, before: State) -> EndedRound | None:
        if record is None:
            return None
        lines = {spot_of(line.bet): line for line in self.lines}
        bets = [
            RecordedBet(each.bet, line.after_cents, each.decided or line.decided)
            if (line := lines.get(spot_of(each.bet))) is not None
            else each
            for each in record.bets
        ]
        return replace(record, bets=tuple(bets), cards=self.cards or record.cards, void=record.void or self.void)

    def money(self) -> tuple[Money, ...]:
        return tuple(
            [
                Corrected(line.bet.patron, line.before_cents, line.after_cents, line.bet, part)
                for part, line in enumerate(self.lines, 1)
                if line.correction_cents
            ]
        )

    def bet_lines(self) -> tuple[BetLine, ...]:
        return self.lines

    def told(self) -> tuple[Told, ...]:
        """The gain of each patron, and the debt made: a gain does not pay a debt by itself."""
        lines = [(line.bet.patron, line.correction_cents) for line in self.lines]
        gained = sums_told("round-adjusted", [line for line in lines if line[1] > 0])
        owed = sums_told("correction-owed", [(patron, -cents) for patron, cents in lines if cents < 0])
        void = sums_told("voided-later", [(patron, 0) for patron, _ in lines] if self.void else [])
        return (*void, *gained, *owed)
