"""Builds a sheet from parsed TOML. An error names the file, the key and the reason."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any, NoReturn, TypeVar

from punto.rules.bets import NOTHING, Condition, OfferedBet, PayLine, parse_points
from punto.rules.hands import Hand
from punto.rules.insurance import Insurance, InsuranceBet, Offer, Window
from punto.rules.money import Odds
from punto.rules.reasons import Problem, ProblemError, quoted
from punto.rules.refusals import RefusedError, SheetInvalid
from punto.rules.sheet import (
    AskedBy,
    Authority,
    Boxes,
    Call,
    Decks,
    Irregularity,
    Layout,
    LimitRules,
    NewShoe,
    Options,
    OptionsUnless,
    Play,
    Role,
    Ruling,
    Sheet,
    Squeeze,
)

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)


class SheetError(RefusedError):
    """A sheet that contradicts itself or cannot be read."""

    def __init__(
        self, source: str, key: str, problem: Problem, *given: str, example: str = "", known: tuple[str, ...] = ()
    ) -> None:
        super().__init__(SheetInvalid(source, key, problem, given, example, known))


class _Table:
    """A TOML table being read. It knows its path, and which keys were not read."""

    def __init__(self, source: str, path: str, data: object, paragraphs: Mapping[str, str]) -> None:
        self._source, self._path, self._paragraphs = source, path, paragraphs
        if not isinstance(data, Mapping):
            raise SheetError(source, path, Problem.NOT_A_TABLE, quoted(data))
        self._data = dict(data)

    def fail(self, key: str, problem: Problem, *given: str, known: tuple[str, ...] = ()) -> NoReturn:
        raise SheetError(self._source, self.key(key), problem, *given, known=known) from None

    def key(self, key: str) -> str:
        return f"{self._path}.{key}".strip(".")

    def __contains__(self, key: str) -> bool:
        return key in self._data

    def left(self) -> list[str]:
        return list(self._data)

    def take(self, key: str) -> Any:  # a value of the file has no type yet
        if key not in self._data:
            self.fail(key, Problem.KEY_MISSING)
        return self._data.pop(key)

    def text(self, key: str) -> str:
        value = self.take(key)
        if not isinstance(value, str) or not value.strip():
            self.fail(key, Problem.NOT_TEXT, quoted(value))
        return value

    def id(self) -> str:
        value = self.text("id")
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", value):
            self.fail("id", Problem.NOT_AN_ID, quoted(value))
        return value

    def whole(self, key: str) -> int:
        value = self.take(key)
        if type(value) is not int or value < 1:
            self.fail(key, Problem.NOT_A_NUMBER, quoted(value))
        return value

    def flag(self, key: str) -> bool:
        """True or false; false where the key is left out."""
        value = self.take(key) if key in self else False
        if type(value) is not bool:
            self.fail(key, Problem.NOT_A_FLAG, quoted(value))
        return value

    def rule(self, key: str = "rule") -> str:
        value = self.text(key)
        if value not in self._paragraphs:
            self.fail(key, Problem.PARAGRAPH_UNKNOWN, quoted(value))
        return value

    def rule_if_any(self, key: str = "rule") -> str | None:
        return self.rule(key) if key in self else None

    def choice(self, key: str, kind: type[E]) -> E:
        value = self.text(key)
        try:
            return kind(value)
        except ValueError:
            self.fail(key, Problem.NOT_A_CHOICE, quoted(value), known=tuple(kind))

    def made(self, key: str, make: Callable[[Any], T]) -> T:
        """The value of a key, parsed by `make`, which may raise ProblemError."""
        value = self.take(key)
        try:
            return make(value)
        except ProblemError as error:
            raise self._invalid(self.key(key), error) from None
        except (ValueError, TypeError):
            self.fail(key, Problem.NOT_A_VALUE, quoted(value))

    def table(self, key: str) -> _Table:
        return _Table(self._source, self.key(key), self.take(key), self._paragraphs)

    def tables(self, key: str) -> list[_Table]:
        value = self.take(key)
        if not isinstance(value, list):
            self.fail(key, Problem.NOT_TABLES, quoted(value))
        places = enumerate(value)
        return [_Table(self._source, f"{self.key(key)}[{i}]", item, self._paragraphs) for i, item in places]

    def build(self, make: Callable[[], T]) -> T:
        """Make a record of this table. Its ProblemError becomes a SheetError, and every key must have been read."""
        try:
            made = make()
        except ProblemError as error:
            raise self._invalid(self._path, error) from None
        for key in self._data:
            self.fail(key, Problem.KEY_UNKNOWN)
        return made

    def _invalid(self, where: str, error: ProblemError) -> SheetError:
        return SheetError(self._source, where, error.problem, *error.given, example=error.example, known=error.known)


def read_sheet(data: Mapping[str, object], source: str) -> Sheet:
    """Build a sheet from parsed TOML. Raises SheetError."""
    paragraphs = _paragraphs(data, source)
    top = _Table(source, "", data, paragraphs)
    top.take("paragraphs")
    insurance = _insurance(top.table("insurance")) if "insurance" in top else None
    return top.build(
        lambda: Sheet(
            id=top.id(),
            title=top.text("title"),
            short=top.text("short"),
            effective=top.text("effective"),
            version=top.text("version") if "version" in top else None,
            decks=_decks(top.table("decks")),
            boxes=_boxes(top.table("boxes")),
            play=_play(top.table("play")),
            bets=_bets(top, {bet.id for bet in insurance.bets} if insurance else set()),
            insurance=insurance,
            limits=_limits(top.table("limits")) if "limits" in top else None,
            irregularities=_by_id(top, "irregularities", map(_irregularity, top.tables("irregularities"))),
            authority=_authority(top.table("authority")),
            paragraphs=paragraphs,
            zh=_chinese(top.table("zh"), data) if "zh" in top else {},
        )
    )


def _paragraphs(data: Mapping[str, object], source: str) -> dict[str, str]:
    value = data.get("paragraphs")
    if not isinstance(value, dict) or not value:
        raise SheetError(source, "paragraphs", Problem.PARAGRAPHS_MISSING)
    for number, says in value.items():
        if not isinstance(says, str):
            raise SheetError(source, f"paragraphs.{number}", Problem.NOT_TEXT, quoted(says))
    return value


def _chinese(table: _Table, data: Mapping[str, object]) -> dict[str, str]:
    """The sheet's texts in Chinese. Translations of texts that the sheet does not have are refused."""
    said = set(_texts({key: value for key, value in data.items() if key != "zh"}))
    for key in table.left():
        if key not in said:
            table.fail(key, Problem.TRANSLATION_UNUSED)
    return {key: table.text(key) for key in table.left()}


def _texts(value: object) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(item)


def _by_id(top: _Table, key: str, items: Iterable[Any], taken: Iterable[str] = ()) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for place, item in enumerate(items):
        if item.id in found or item.id in taken:
            top.fail(f"{key}[{place}].id", Problem.ID_TAKEN, quoted(item.id))
        found[item.id] = item
    return found


def _decks(table: _Table) -> Decks:
    return table.build(lambda: Decks(table.whole("minimum"), table.whole("maximum"), table.rule()))


def _boxes(table: _Table) -> Boxes:
    def layout(item: _Table) -> Layout:
        return item.build(lambda: Layout(item.id(), item.text("name"), item.whole("boxes"), item.text("appendix")))

    return table.build(
        lambda: Boxes(
            rule=table.rule(),
            layouts_rule=table.rule("layouts-rule"),
            layouts=tuple(map(layout, table.tables("layouts"))),
            seated_rule=table.rule_if_any("seated"),
            standing_rule=table.rule_if_any("standing"),
        )
    )


def _call(table: _Table) -> Call:
    return table.build(lambda: Call(table.text("says"), table.rule()))


def _squeeze(table: _Table) -> Squeeze:
    return table.build(lambda: Squeeze(table.choice("by", AskedBy), table.rule()))


def _play(table: _Table) -> Play:
    return table.build(
        lambda: Play(
            open=_call(table.table("open")),
            close=_call(table.table("close")),
            values_rule=table.rule("values"),
            initial_cards_rule=table.rule("initial-cards"),
            third_card_rule=table.rule("third-card"),
            table_of_play_rule=table.rule("table-of-play"),
            winner_rule=table.rule("winner"),
            tie_rule=table.rule("tie"),
            squeeze=_squeeze(table.table("squeeze")) if "squeeze" in table else None,
            shuffler_rule=table.rule_if_any("shuffler"),
        )
    )


def _limits(table: _Table) -> LimitRules:
    return table.build(
        lambda: LimitRules(
            shown_rule=table.rule("shown"),
            responsibility_rule=table.rule("responsibility"),
            balance_rule=table.rule("balance"),
            excess_rule=table.rule("excess"),
            pro_rata_rule=table.rule("pro-rata"),
            pro_rata_exempt_rule=table.rule("pro-rata-exempt"),
            minimum_rule=table.rule("minimum"),
            minimum_unnoticed_rule=table.rule("minimum-unnoticed"),
        )
    )


def _pay_line(table: _Table) -> PayLine:
    return table.build(
        lambda: PayLine(
            table.text("says"), table.made("when", Condition.parse), table.made("odds", Odds.parse), table.rule()
        )
    )


def _returned(table: _Table) -> tuple[Condition, str, str]:
    return table.build(lambda: (table.made("when", Condition.parse), table.text("says"), table.rule()))


def _bet(table: _Table) -> OfferedBet:
    returned, says, rule = _returned(table.table("returned")) if "returned" in table else (NOTHING, None, None)
    return table.build(
        lambda: OfferedBet(
            id=table.id(),
            name=table.text("name"),
            hand=table.choice("hand", Hand) if "hand" in table else None,
            rule=table.rule(),
            pays=tuple(map(_pay_line, table.tables("pays"))),
            lost_rule=table.rule("lost"),
            returned=returned,
            returned_says=says,
            returned_rule=rule,
        )
    )


def _bets(top: _Table, taken: set[str]) -> dict[str, OfferedBet]:
    bets: dict[str, OfferedBet] = _by_id(top, "bets", map(_bet, top.tables("bets")), taken)
    hands = [bet.hand for bet in bets.values() if bet.hand is not None]
    if sorted(hands) != sorted(Hand):
        top.fail("bets", Problem.ORIGINAL_BETS)
    return bets


def _offer(table: _Table) -> Offer:
    return table.build(
        lambda: Offer(
            window=table.choice("window", Window),
            hand=table.choice("hand", Hand),
            player=table.made("player", parse_points),
            banker=table.made("banker", parse_points),
            odds=table.made("odds", Odds.parse),
            rule=table.rule(),
            tie_wins_rule=table.rule_if_any("tie-wins"),
        )
    )


def _insurance_bet(table: _Table) -> InsuranceBet:
    return table.build(lambda: InsuranceBet(table.id(), table.text("name"), table.choice("hand", Hand)))


def _insurance(table: _Table) -> Insurance:
    waiver = _squeeze(table.table("waiver"))
    return table.build(
        lambda: Insurance(
            bets=tuple(map(_insurance_bet, table.tables("bets"))),
            rows=tuple(map(_offer, table.tables("rows"))),
            original_rule=table.rule("original"),
            cap_rule=table.rule("cap"),
            window_rule=table.rule("window"),
            lost_rule=table.rule("lost"),
            returned_rule=table.rule("returned"),
            waiver_rule=waiver.rule,
            waiver_by=waiver.by,
            forgone_rule=table.rule_if_any("forgone"),
            private_table_rule=table.rule_if_any("private-table"),
        )
    )


def _options(table: _Table) -> Options:
    return table.build(
        lambda: Options(
            table.choice("unless", OptionsUnless) if "unless" in table else OptionsUnless.NEVER, table.rule()
        )
    )


def _new_shoe(table: _Table) -> NewShoe:
    return table.build(lambda: NewShoe(table.rule(), table.choice("by", Role) if "by" in table else None))


def _irregularity(table: _Table) -> Irregularity:
    return table.build(
        lambda: Irregularity(
            id=table.id(),
            situation=table.text("situation"),
            ruling=table.choice("ruling", Ruling),
            decides=table.choice("decides", Role),
            rule=table.rule_if_any(),
            options=_options(table.table("options")) if "options" in table else None,
            new_shoe=_new_shoe(table.table("new-shoe")) if "new-shoe" in table else None,
            beyond_reconstruction=table.flag("beyond-reconstruction"),
            until_next_round=table.flag("until-next-round"),
            cut_card_out=table.flag("cut-card-out"),
        )
    )


def _authority(table: _Table) -> Authority:
    otherwise = table.table("otherwise")
    decides, otherwise_rule = otherwise.build(lambda: (otherwise.choice("decides", Role), otherwise.rule_if_any()))
    return table.build(
        lambda: Authority(
            decides_otherwise=decides,
            otherwise_rule=otherwise_rule,
            options_rule=table.rule_if_any("options"),
            continue_as_is_rule=table.rule_if_any("continue-as-is"),
            continue_reconstructed_rule=table.rule_if_any("continue-reconstructed"),
            take_back_rule=table.rule_if_any("take-back"),
            conclude_rule=table.rule_if_any("conclude"),
            void_interrupted_rule=table.rule_if_any("void-interrupted"),
            void_rule=table.rule_if_any("void"),
            bets_for_patrons_rule=table.rule_if_any("bets-for-patrons"),
            acting_rule=table.rule_if_any("acting"),
        )
    )
