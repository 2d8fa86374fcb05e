"""Events as text for people: one line each, then a line for each bet that moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from punto.cli.output import faces, said
from punto.rules.cards import Card, write_cards
from punto.rules.settlement import Bet, Line
from punto.rules.sheet import Sheet
from punto.table import acts
from punto.table.actor import Actor
from punto.table.acts.insurance import Offered
from punto.table.state import Settings
from punto.table.values import Adjustment, BoxWarning, Claim, Facts, Paid, Returned
from punto.texts import text

STYLES = {"void": "bold red", "override": "bold red", "incident": "yellow", "parameters": "bold"}
"""The style of significant events, by their heading. Calls and results are bold, too."""

LINES = {Line: "settled", Returned: "returned", Paid: "paid", Adjustment: "adjusted"}
"""The text of each kind of line about a bet."""

NAMED = {Bet: "bet", Claim: "claim", Offered: "offer", BoxWarning: "warning"}
"""The text of each record that an event holds."""

_NOT_NOTED = {"consent"}
"""Flags that have words of their own."""


class Sentence(NamedTuple):
    """A sentence and its paragraph, if there is one."""

    says: str
    rule: str | None


def describe(event: acts.Event, sheet: Sheet, language: str) -> Iterator[str]:
    """The lines of an event for a terminal, with their paragraphs."""
    first, *more = Narrator(sheet, language, styled=True).describe(event)
    called = hasattr(event, "says") or hasattr(event, "winner")
    style = STYLES.get(event.significant or "", "bold" if called else "")
    yield (f"[{style}]{first.says}[/]" if style else first.says) + _paragraph(first.rule)
    yield from (f"  {line.says}{_paragraph(line.rule)}" for line in more)


def _paragraph(rule: str | None) -> str:
    return f" [cyan]{rule}[/]" if rule else ""


@dataclass(frozen=True, slots=True)
class Narrator:
    """Describes events of a sheet in a language: `styled` for a terminal, else as plain text."""

    sheet: Sheet
    language: str
    styled: bool = False

    def describe(self, event: acts.Event) -> list[Sentence]:
        """The event in words, then a line for each bet that moved."""
        first = Sentence(self._say(event.kind, **self._facts(event)), getattr(event, "rule", None))
        return [first, *[self._line(each) for each in event.bet_lines()]]

    def _say(self, key: str, **parameters: object) -> str:
        return text("narration", key, self.language, self.sheet, **parameters)

    def _facts(self, event: acts.Event) -> dict[str, object]:
        given = {field.name: getattr(event, field.name) for field in fields(event)}
        if isinstance(settings := given.pop("settings", None), Settings):
            given |= {field.name: getattr(settings, field.name) for field in fields(settings)}
        notes = tuple([name for name, value in given.items() if value is True and name not in _NOT_NOTED])
        values = {name: self._fact(value) for name, value in given.items()} | {"notes": notes}
        match event:
            case acts.TableOpened():
                values["game"] = self.sheet.title
            case acts.ShoeLoaded():
                values["shoe_order"] = "known" if event.cards else "unread"
            case acts.IncidentReported():
                values["note"] = self._fact(event.facts.note)
            case acts.IncidentRuled():
                values["ruling"] = event.finding or event.ruling
            case acts.BetPlaced() | acts.BetRaised():
                values["stake_cents"] = event.bet.stake_cents
        return values

    def _fact(self, value: Any) -> object:
        """A field of an event as a parameter of a text. Text from outside is escaped."""
        match value:
            case str():
                return said(value) if self.styled else value
            case Card():
                return self._cards([value])
            case (Card(), *_):
                return self._cards(value)
            case tuple():
                return tuple([self._fact(each) for each in value])
            case Bet() | Claim() | Offered() | BoxWarning():
                named = {field.name: self._fact(getattr(value, field.name)) for field in fields(value)}
                return self._say(NAMED[type(value)], **named)
            case Actor():
                return self._fact(value.text)
            case Facts() | acts.Event():
                return None
        return value

    def _cards(self, cards: Sequence[Card]) -> str:
        return faces(cards) if self.styled else write_cards(cards)

    def _line(self, line: Line | Returned | Paid | Adjustment) -> Sentence:
        values = {field.name: getattr(line, field.name) for field in fields(line)}
        values |= {"bet": self._fact(line.bet), "stake_cents": line.bet.stake_cents}
        return Sentence(self._say(LINES[type(line)], **values), line.rule)
