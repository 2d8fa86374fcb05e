"""A table in play: give it commands, ask it for its choices."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from punto.library.game import AnyGame, Game, game
from punto.library.inputs import make, read, wrong
from punto.library.named_acts import NamedActs
from punto.library.shoes import Shoe
from punto.rules.defaults import DEFAULT_DECKS
from punto.rules.hands import Cards
from punto.rules.html import cards_html
from punto.rules.reasons import Wanted
from punto.rules.refusals import Refusal, Refused
from punto.rules.sheet import Device, Role
from punto.rules.shown import Shown
from punto.rules.tableau import Round, deal
from punto.table import acts
from punto.table.act import Event, PatronCommand
from punto.table.actor import PATRON_ROLE, Actor
from punto.table.acts.rounds import RoundSettled
from punto.table.acts.shoe import ShoeLoaded
from punto.table.automatic import Timing, next_step
from punto.table.corrections.adjusted import RoundAdjusted
from punto.table.corrections.past_rounds import supply
from punto.table.engine import choices, decide
from punto.table.phases import Phase
from punto.table.refusals import CommandUnknown
from punto.table.state import State, new_table
from punto.table.ways import AnyChoice

HOUSE = Actor("house", Role.SHIFT_MANAGER)
"""The giver of a command when nobody is named: staff with every authority."""
AnyActor = Actor | str
"""An actor, or their name: `dealer:dan`, `patron:ann`, or `ann` for a patron."""


class Table(NamedActs, Shown):
    """A table that is opened and has a shoe. It keeps its state, and the events that led to it.

    Without a `layout` the sheet's first is used, or seven terminals where it has none. `shoe` is dealt in its own
    order; `live` tables have none, and each card is named when it is dealt. Other settings are those of `open-table`.

    >>> import punto
    >>> table = punto.Table("easy-six", shoe=punto.Shoe(seed=1))
    >>> _ = table.sit("ann", box=1)
    >>> _ = table.open_bets()
    >>> [(way.on, way.amount.minimum_cents) for way in table.choices("ann")["place-bet"].ways][:2]
    [('player', 100), ('banker', 100)]
    >>> _ = table.place_bet("ann", box=1, on="banker", stake_cents=10_00)
    >>> while table.state.round:
    ...     _ = table.advance()
    >>> table.rounds
    1
    """

    def __init__(
        self,
        game_: AnyGame,
        *,
        name: str = "table",
        shoe: Shoe | None = None,
        decks: int | None = None,
        minimum_cents: int = 1_00,
        differential_cents: int = 1_000_000_00,
        layout: str | None = None,
        live: bool = False,
        **settings: Any,
    ) -> None:
        self.game: Game = game(game_)
        sheet = self.game.sheet
        self.state: State = new_table(sheet)
        self.events: list[Event] = []
        layouts = sheet.boxes.layouts
        settings |= {"layout": layout or layouts[0].id} if layouts else {"boxes": settings.get("boxes", TERMINALS)}
        if shoe is not None and not isinstance(shoe, Shoe):
            raise Refused(wrong("shoe", Wanted.OBJECT, shoe).refusal)
        if decks is None:
            decks = shoe.decks if shoe else min(max(DEFAULT_DECKS, sheet.decks.minimum), sheet.decks.maximum)
        settings |= {"table": name, "decks": decks, "live": live}
        settings |= {"minimum_cents": minimum_cents, "differential_cents": differential_cents}
        self.play("open-table", game=sheet.id, settings=settings)
        if not live:
            self.load(shoe or Shoe(decks))

    @property
    def phase(self) -> Phase:
        """Where the table stands."""
        return self.state.phase

    @property
    def rounds(self) -> int:
        """The number of rounds begun so far."""
        return self.state.rounds

    @property
    def results(self) -> tuple[Round, ...]:
        """The rounds that the roads of the present shoe show: settled ones, as corrected, without void ones."""
        rounds: dict[int, Round] = {}
        shuffler = self.state.settings is not None and self.state.settings.device is Device.SHUFFLER
        for event in self.events:
            if isinstance(event, ShoeLoaded) and not shuffler:
                rounds = {}
            elif isinstance(event, RoundSettled | RoundAdjusted) and event.cards:
                dealt = deal(event.cards, self.game.sheet.decks.maximum)
                if isinstance(dealt, Round):
                    rounds[event.round] = dealt
            if isinstance(event, RoundAdjusted) and event.void:
                rounds.pop(event.round, None)
        return tuple(rounds.values())

    @property
    def cards(self) -> Cards:
        """The open cards of the round in play, or of the last."""
        state = self.state
        return Cards(state.round.cards if state.round else state.last.cards if state.last else ())

    def load(self, shoe: Shoe) -> tuple[Event, ...]:
        """Put a shoe into play, to be dealt in its own order."""
        return self.play("load-shoe", cards=tuple(shoe.cards), cut=len(shoe.cards) - shoe.cut)

    def play(self, command: acts.Command | str, /, *, by: AnyActor | None = None, **fields: Any) -> tuple[Event, ...]:
        """Give a command, by its name with its fields or as a value, and get what happened. Raises Refused.

        Cards are given as text, and the values of enumerations by their names.
        """
        answer = self.try_play(command, by=by, **fields)
        if isinstance(answer, Refusal):
            raise Refused(answer, self.game.sheet)
        return answer

    def _give(self, kind: str, given: dict[str, Any]) -> tuple[Event, ...]:
        """Give a command by its method. A patron's own command is given by the patron."""
        given = {name: value for name, value in given.items() if value is not None and name != "self"}
        if "by" not in given and acts.COMMANDS[kind].authority is None and "patron" in given:
            given["by"] = Actor(given.pop("patron"))
        return self.play(kind, **given)

    def try_play(
        self, command: acts.Command | str, /, *, by: AnyActor | None = None, **fields: Any
    ) -> tuple[Event, ...] | Refusal:
        """Give a command, and get what happened or why it was refused."""
        if isinstance(command, str) and command in acts.COMMANDS:
            try:
                command = _command(command, _actor(by), fields)
            except Refused as error:
                return error.refusal
        if not isinstance(command, acts.Command):
            return CommandUnknown(str(command), tuple(acts.COMMANDS))
        answer = decide(self.state, supply(self.state, command, lambda: self.events))
        if isinstance(answer, Refusal):
            return answer
        self.state = answer.state
        self.events += answer.events
        return tuple(answer)

    def advance(self) -> tuple[Event, ...]:
        """Do what an automatic table would do next: open and close bets, deal, settle, or load a new shoe.

        Nothing happens while a case holds the table.
        """
        step = next_step(self.state, _AT_ONCE)
        if step is None:
            return ()
        if step.command is not None:
            return self.play(step.command)
        settings = self.state.settings
        return self.load(Shoe(settings.decks if settings else DEFAULT_DECKS))

    def choices(
        self, by: AnyActor | None = None, *, patrons: Iterable[str] | None = None, refused: bool = False
    ) -> dict[str, AnyChoice]:
        """The choices of someone now, by command: the ways in which each is accepted, with their bounds.

        With `refused`, commands that are refused are listed too, each with its refusal.
        """
        actor, of = _actor(by), read(patrons, tuple[str, ...] | None, "patrons")
        found = choices(self.state, actor, of)
        return {choice.kind: choice for choice in found if refused or choice.refusal is None}

    def __str__(self) -> str:
        name = self.state.settings.table if self.state.settings else "table"
        return f"{name} of {self.game.id}: {self.phase.value}, round {self.rounds}"

    def _repr_html_(self) -> str:
        return f"<div><b>{escape(str(self))}</b> {cards_html(self.cards)}</div>"


TERMINALS = 7
"""The terminals of a table by default where the sheet prints no layout."""
_AT_ONCE = Timing(0, 0, 0, 0, 0)


def _actor(by: AnyActor | None) -> Actor:
    if by is None:
        return HOUSE
    if isinstance(by, Actor):
        return by
    try:
        name: str = read(by, str, "by")
        return Actor.parse(name if ":" in name else f"{PATRON_ROLE}:{name}")
    except ValueError:  # a refusal, or not an actor
        raise wrong("by", Wanted.ACTOR, by, (PATRON_ROLE, *Role)) from None


def _command(kind: str, by: Actor, given: dict[str, Any]) -> acts.Command:
    """A command from its fields. What a patron does for themselves need not name them. Raises Refused."""
    command = acts.COMMANDS[kind]
    if issubclass(command, PatronCommand) and by.role is None:
        given = {"patron": by.person} | given
    made: acts.Command = make(command, given, kind, by=by)
    return made
