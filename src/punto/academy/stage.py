"""The table of a drill: drawn from the seed, and played by the engine alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from random import Random

from punto.academy.drill import GRANTED, NO_RULE, OptionOf, Said, Step
from punto.rules.cards import DECK, Card
from punto.rules.money import Cents
from punto.rules.refusals import Refusal, Refused
from punto.rules.settlement import Bet
from punto.rules.sheet import Role, Sheet
from punto.table import acts
from punto.table.actor import Actor
from punto.table.draft import Draft
from punto.table.engine import choices, decide
from punto.table.phases import DEALING
from punto.table.state import Settings, State, new_table
from punto.table.ways import BetWay, Choice, Chosen, W, choice_of

TRAINEE = Actor("trainee", Role.DEALER)
"""The Dealer at every drill."""
CLOSE_BETS = acts.CloseBets(TRAINEE, "as they are")
BOSS = Actor("boss", Role.SHIFT_MANAGER)
NAMES = ("Ann", "Bo", "Chen", "Dara", "Eva", "Finn", "Gao", "Hana")
TERMINALS = 7
MINIMUM, FREELY = Cents(50_00), Cents(100_000_000_00)
"""The minimum of a drill's table; and a Differential that nobody reaches."""
UNIT = Cents(1_00)


class Stage:
    """A live table with patrons at random boxes. Every change of it is a command that the engine accepted."""

    def __init__(self, sheet: Sheet, random: Random, patrons: int, differential: Cents = FREELY, **more: bool) -> None:
        self.sheet, self.random = sheet, random
        self.layout = random.choice(sheet.boxes.layouts) if sheet.boxes.layouts else None
        boxes = self.layout.boxes if self.layout else TERMINALS
        decks, layout, terminals = sheet.decks.minimum, self.layout and self.layout.id, 0 if self.layout else boxes
        settings = Settings("academy", decks, MINIMUM, differential, UNIT, layout, terminals, live=True, **more)  # type: ignore[arg-type]
        self.originals = [bet.id for bet in sheet.bets.values() if bet.hand is not None]
        self.side_bets = [bet.id for bet in sheet.bets.values() if bet.hand is None]
        self.state: State = new_table(sheet)
        asked_by = "Ann" if settings.without_insurance else None
        self.give(acts.OpenTable(BOSS, sheet.id, settings, asked_by), acts.LoadShoe(BOSS))
        self.cards: list[Card] = random.sample(DECK * decks, len(DECK) * decks)
        """The cards to come; the table does not know them."""
        self.boxes: dict[str, int] = {}
        names = random.sample(NAMES, patrons)
        for name, box in zip(names, sorted(random.sample(range(1, boxes + 1), patrons)), strict=True):
            self.give(acts.Sit(TRAINEE, name, box))
            self.boxes[name] = box

    def give(self, *commands: acts.Command) -> tuple[acts.Event, ...]:
        """Give commands that the engine accepts, and get what happened."""
        events: list[acts.Event] = []
        for command in commands:
            answer = decide(self.state, command)
            if isinstance(answer, Refusal):
                raise Refused(answer, self.sheet)
            self.state = answer.state
            events += answer.events
        return tuple(events)

    def choice(self, command: Chosen[W], by: Actor = TRAINEE) -> Choice[W]:
        """The choice of a command now, the trainee's or another's."""
        return choice_of(choices(self.state, by), command)

    def asker(self, patron: str) -> Actor:
        """The one who makes a patron's bet: the trainee, who is asked, or at a terminal the patron."""
        return TRAINEE if self.layout else Actor(patron)

    def bet_ways(self, command: Chosen[BetWay]) -> list[BetWay]:
        """The ways in which a command about patrons' bets may be given now, each with its patron."""
        if self.layout:
            return list(self.choice(command).ways)
        return [replace(way, patron=name) for name in self.boxes for way in self.choice(command, Actor(name)).ways]

    def ways(self, command: Chosen[W]) -> list[W]:
        """The ways in which the trainee may give a command now."""
        return [way for way in self.choice(command).ways if way.refusal is None]

    def would(self, command: acts.Command) -> list[acts.Event]:
        """The events of a command; none where it is refused."""
        answer = decide(self.state, command)
        return [] if isinstance(answer, Refusal) else answer.events

    @property
    def placed(self) -> list[Bet]:
        """The bets on the table."""
        return list(self.state.round.bets.values()) if self.state.round else []

    def stake(self, most: int) -> Cents:
        """A stake: now and then one that does not divide well."""
        even, odd = self.random.randint(1, most) * MINIMUM, self.random.randrange(51, most * 50) * UNIT
        return Cents(self.random.choice((even, even, odd)))

    def bet(self, patron: str, on: str, cents: Cents) -> None:
        """Put a bet on the table: as chips on a layout, whatever the limits, or at a terminal."""
        act, by = (acts.RecordBet, TRAINEE) if self.layout else (acts.PlaceBet, Actor(patron))
        self.give(act(by, patron, self.boxes[patron], on, cents))

    def open_round(self, sides: int = 0, most: int = 60) -> None:
        """Open bets; everyone bets on a hand, and some on side bets."""
        self.give(acts.OpenBets(TRAINEE))
        for patron in self.boxes:
            self.bet(patron, self.random.choice(self.originals), self.stake(most))
            for on in self.random.sample(self.side_bets, min(len(self.side_bets), self.random.randint(0, sides))):
                self.bet(patron, on, self.stake(10))

    def deal(self, most: int = 6) -> tuple[acts.Event, ...]:
        """Deal until the round is complete, or so many cards."""
        events: list[acts.Event] = []
        while most and self.state.phase in DEALING:
            events += self.give(acts.Deal(TRAINEE, self.cards.pop(0)))
            most -= 1
        return tuple(events)

    def choose_cards(self, tries: int, worth: Callable[[Sequence[acts.Event]], int]) -> None:
        """Put the cards to come into an order: of a few, the one whose round is worth most. None is dealt."""
        before, found = self.state, []
        for _ in range(tries):
            self.random.shuffle(self.cards)
            cards = list(self.cards)
            found.append((worth(self.deal()), cards))
            self.state, self.cards = before, list(cards)
        self.cards = max(found, key=lambda each: each[0])[1]


def rules_of(rules: Iterable[str | None]) -> tuple[str, ...]:
    """The paragraphs, each once; what cites none is left out."""
    return tuple(dict.fromkeys([rule for rule in rules if rule is not None]))


def one(asks: Said, right: str, options: Iterable[object], options_of: OptionOf, *rules: str | None) -> Step:
    """A step that is answered with one of its options."""
    return Step(asks, "one", (right,), rules_of(rules), tuple(map(str, options)), options_of)


def several(
    asks: Said, right: Iterable[object], options: Iterable[object], options_of: OptionOf, *rules: str | None
) -> Step:
    """A step that is answered with any number of its options."""
    shown, chosen = tuple(map(str, options)), tuple(dict.fromkeys(map(str, right)))
    return Step(asks, "several", chosen, rules_of(rules), shown, options_of)


def amount(asks: Said, cents: int, *rules: str | None) -> Step:
    """A step that is answered with an amount."""
    return Step(asks, "money", (str(cents),), rules_of(rules))


def paragraph(stage: Stage, asks: Said, rule: str | None) -> Step:
    """A step that asks the paragraph, among others of the sheet; or whether there is none."""
    return one(asks, rule or NO_RULE, _among(stage, rule), "rule", rule)


def grant(stage: Stage, asks: Said, answer: Draft | Refusal) -> Step:
    """A step that asks whether a wish is granted or, if not, by which paragraph."""
    if isinstance(answer, Refusal):
        return one(asks, answer.rule or NO_RULE, [GRANTED, *_among(stage, answer.rule)], "grant", answer.rule)
    rules = [getattr(event, "rule", None) for event in answer]
    return one(asks, GRANTED, [GRANTED, *_among(stage, *rules)], "grant", *rules)


def _among(stage: Stage, *rules: str | None) -> list[str]:
    """These paragraphs among others of the sheet, and that there is none."""
    known = list(stage.sheet.paragraphs)
    options = {*stage.random.sample(known, min(4, len(known))), *rules}
    return [*filter(options.__contains__, known), NO_RULE]
