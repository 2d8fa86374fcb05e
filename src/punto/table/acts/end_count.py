"""The count of all cards of a shoe after its last round. A count that disagrees is an incident."""

from __future__ import annotations

from punto.rules.refusals import Refusal
from punto.rules.sheet import Role
from punto.table.act import Command, act
from punto.table.actor import Actor
from punto.table.acts.shoe import ShoeCounted
from punto.table.draft import Draft
from punto.table.phases import Phase
from punto.table.refusals import CountNotDue, ShoeInvalid, ShoeMissing, ShoeStays
from punto.table.rulings.report import Report
from punto.table.rulings.situations import DECK_COUNT
from punto.table.state import State
from punto.table.ways import Input, InputType


@act(by=Role.DEALER, during={Phase.BETWEEN_ROUNDS}, of_automat=True)
class CountShoe(Command):
    """Record the count of all cards of a shoe after its last round."""

    count: int

    @classmethod
    def refuse(cls, state: State, by: Actor) -> Refusal | None:
        shoe = state.shoe
        if shoe is None:
            return ShoeMissing()
        if not state.shoe_is_over:
            return ShoeStays(shoe.number)
        return CountNotDue() if shoe.counted or shoe.order else None

    @classmethod
    def inputs(cls, state: State) -> tuple[Input, ...]:
        return (Input("count", InputType.NUMBER, missing=ShoeInvalid, refused=ShoeInvalid, minimum=1),)

    def decide(self, state: State) -> Draft | Refusal:
        """Record the end count. A count that disagrees is an incident of the current round; earlier rounds stand."""
        if (self.count or 0) < 1:  # whoever asks by the library may leave it out
            return ShoeInvalid(state.open_settings.decks, self.count or 0)
        shoe = state.shoe_in_play
        draft = Draft(state, ShoeCounted(self.by, shoe.number, shoe.size, self.count))
        if self.count != shoe.size:
            incident = Report(self.by, DECK_COUNT).decide(draft.state)
            draft.add(*(() if isinstance(incident, Refusal) else incident))
        return draft
