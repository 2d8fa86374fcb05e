"""Builds a sheet from parsed TOML. An error names the file, the key and the reason."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from punto.rules.bets import NOTHING, Condition, OfferedBet, PayLine, parse_points
from punto.rules.hands import Hand
from punto.rules.insurance import Insurance, InsuranceBet, Offer, Window
from punto.rules.money import Odds
from punto.rules.reasons import Problem, quoted
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
from punto.rules.toml_table import UNREADABLE, Problems, TomlTable

_OTHERWISE = Authority(Role.SHIFT_MANAGER)
_NOWHERE = Boxes("", "", ())
"""The boxes of a sheet that is mathematics only."""


def read_sheet(data: Mapping[str, object], source: str, lines: Callable[[], Mapping[str, int]] = dict) -> Sheet:
    """Build a sheet from parsed TOML. Raises SheetError with every problem, each with its line if `lines` finds it."""
    problems = Problems(source, lines)
    paragraphs = _paragraphs(data, problems)
    top = TomlTable(problems, "", data, paragraphs)
    if "paragraphs" in top:
        top.take("paragraphs")
    if "remove" in top:  # what is left of it names nothing that the extended sheet has
        left = top.take("remove")
        for name in left if isinstance(left, list) else [left]:
            top.fail("remove", Problem.REMOVE_UNKNOWN, quoted(name))
    if "extends" in top:
        top.fail("extends", Problem.NOT_EXTENDED, quoted(top.take("extends")))
    for_table = [part for part in ("boxes", "irregularities", "authority") if part not in top]
    canonical = _canonical(data, problems)

    def make() -> Sheet:
        insurance = _insurance(top.table("insurance")) if "insurance" in top else None
        title = top.text("title")
        return Sheet(
            id=top.id(),
            title=title,
            short=top.text("short") if "short" in top else title,
            effective=top.text("effective") if "effective" in top else "",
            version=top.text("version") if "version" in top else None,
            decks=_decks(top.table("decks")),
            boxes=_boxes(top.table("boxes")) if "boxes" in top else _NOWHERE,
            play=_play(top.table("play")),
            bets=_bets(top, {bet.id for bet in insurance.bets} if insurance else set()),
            insurance=insurance,
            limits=_limits(top.table("limits")) if "limits" in top else None,
            irregularities=_irregularities(top) if "irregularities" in top else {},
            authority=_authority(top.table("authority")) if "authority" in top else _OTHERWISE,
            paragraphs=paragraphs,
            zh=_chinese(top.table("zh"), data, problems) if "zh" in top else {},
            missing=tuple(for_table),
            canonical=canonical,
        )

    sheet = top.build(make)
    problems.raise_all()
    return sheet


def _canonical(data: Mapping[str, object], problems: Problems) -> str:
    """The content of a sheet as one line of JSON. Comments and layout of its file do not change it."""
    try:
        return json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=_as_json)
    except (ValueError, TypeError, RecursionError) as error:  # a circle, an endless number, keys of several kinds
        problems.add("", Problem.NOT_A_VALUE, quoted(str(error)))
        problems.raise_all()
        raise


def _as_json(value: object) -> object:
    """A value that JSON lacks in a form that it has: another mapping than a dict, or a date."""
    return dict(value) if isinstance(value, Mapping) else str(value)


def _paragraphs(data: Mapping[str, object], problems: Problems) -> dict[str, str]:
    value = data.get("paragraphs")
    if not isinstance(value, dict) or not value:
        problems.add("paragraphs", Problem.PARAGRAPHS_MISSING)
        return {}
    for number, says in value.items():
        if not isinstance(says, str):
            problems.add(f"paragraphs.{number}", Problem.NOT_TEXT, quoted(says))
    return value


def _chinese(table: TomlTable, data: Mapping[str, object], problems: Problems) -> dict[str, str]:
    """The sheet's texts in Chinese. Translations of texts that the sheet does not have are refused.

    With another problem they are not: a part that is missing leaves its translations behind.
    """
    alone = not len(problems)
    said = texts_in({key: value for key, value in data.items() if key != "zh"})
    for key in table.left():
        if alone and key not in said:
            table.fail(key, Problem.TRANSLATION_UNUSED)
    return {key: table.text(key) for key in table.left()}


def texts_in(value: object) -> set[str]:
    """Every text in a value of a file."""
    if isinstance(value, str):
        return {value}
    items = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return set().union(*map(texts_in, items))


def _by_id(top: TomlTable, key: str, items: Iterable[Any], taken: Iterable[str] = ()) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for item in items:
        if item.id in found or item.id in taken:
            top.fail(f"{key}.{item.id}.id", Problem.ID_TAKEN, quoted(item.id))
        if item is not UNREADABLE:
            found[item.id] = item
    return found


def _decks(table: TomlTable) -> Decks:
    return table.build(lambda: Decks(table.whole("minimum"), table.whole("maximum"), table.rule()))


def _boxes(table: TomlTable) -> Boxes:
    def layout(item: TomlTable) -> Layout:
        return item.build(lambda: Layout(item.id(), item.text("name"), item.whole("boxes"), item.text("appendix")))

    return table.build(
        lambda: Boxes(
            rule=table.rule(),
            layouts_rule=table.rule("layouts-rule"),
            layouts=tuple(map(layout, table.tables("layouts"))),
            seated_rule=table.rule_if_any("seated"),
            standing_rule=table.rule_if_any("standing"),
            terminals_rule=table.rule_if_any("terminals"),
        )
    )


def _call(table: TomlTable) -> Call:
    return table.build(lambda: Call(table.text("says"), table.rule()))


def _squeeze(table: TomlTable) -> Squeeze:
    return table.build(lambda: Squeeze(table.choice("by", AskedBy), table.rule(), table.flag("face-down")))


def _play(table: TomlTable) -> Play:
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


def _limits(table: TomlTable) -> LimitRules:
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


def _pay_line(table: TomlTable) -> PayLine:
    return table.build(
        lambda: PayLine(
            table.text("says"), table.made("when", Condition.parse), table.made("odds", Odds.parse), table.rule()
        )
    )


class _Return(NamedTuple):
    when: Condition = NOTHING
    says: str | None = None
    rule: str | None = None


def _returned(table: TomlTable) -> _Return:
    return table.build(lambda: _Return(table.made("when", Condition.parse), table.text("says"), table.rule()))


def _bet(table: TomlTable) -> OfferedBet:
    def make() -> OfferedBet:
        returned = _returned(table.table("returned")) if "returned" in table else _Return()
        return OfferedBet(
            id=table.id(),
            name=table.text("name"),
            hand=table.choice("hand", Hand) if "hand" in table else None,
            rule=table.rule(),
            pays=tuple(map(_pay_line, table.tables("pays"))),
            lost_rule=table.rule("lost"),
            returned=returned.when,
            returned_says=returned.says,
            returned_rule=returned.rule,
            first_fits=table.flag("first-fits"),
        )

    return table.build(make)


def _bets(top: TomlTable, taken: set[str]) -> dict[str, OfferedBet]:
    there, tables = "bets" in top, top.tables("bets")
    bets: dict[str, OfferedBet] = _by_id(top, "bets", map(_bet, tables), taken)
    hands = [bet.hand for bet in bets.values() if bet.hand is not None]
    if there and len(bets) == len(tables) and sorted(hands) != sorted(Hand):
        top.fail("bets", Problem.ORIGINAL_BETS)
    return bets


def _offer(table: TomlTable) -> Offer:
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


def _insurance_bet(table: TomlTable) -> InsuranceBet:
    return table.build(lambda: InsuranceBet(table.id(), table.text("name"), table.choice("hand", Hand)))


def _insurance(table: TomlTable) -> Insurance:
    def make() -> Insurance:
        waiver = _squeeze(table.table("waiver"))
        return Insurance(
            bets=tuple(map(_insurance_bet, table.tables("bets"))),
            rows=tuple(map(_offer, table.tables("rows"))),
            original_rule=table.rule("original"),
            cap_rule=table.rule("cap"),
            window_rule=table.rule("window"),
            lost_rule=table.rule("lost"),
            returned_rule=table.rule("returned"),
            waiver_rule=waiver.rule,
            waiver_by=waiver.by,
            waiver_face_down=waiver.face_down,
            forgone_rule=table.rule_if_any("forgone"),
            private_table_rule=table.rule_if_any("private-table"),
        )

    return table.build(make)


def _options(table: TomlTable) -> Options:
    return table.build(
        lambda: Options(
            table.choice("unless", OptionsUnless) if "unless" in table else OptionsUnless.NEVER, table.rule()
        )
    )


def _new_shoe(table: TomlTable) -> NewShoe:
    return table.build(lambda: NewShoe(table.rule_if_any(), table.choice("by", Role) if "by" in table else None))


def _irregularity(table: TomlTable) -> Irregularity:
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


def _irregularities(top: TomlTable) -> dict[str, Irregularity]:
    return _by_id(top, "irregularities", map(_irregularity, top.tables("irregularities")))


class _Otherwise(NamedTuple):
    decides: Role
    rule: str | None


def _otherwise(table: TomlTable) -> _Otherwise:
    return table.build(lambda: _Otherwise(table.choice("decides", Role), table.rule_if_any()))


def _authority(table: TomlTable) -> Authority:
    def make() -> Authority:
        otherwise = _otherwise(table.table("otherwise"))
        return Authority(
            decides_otherwise=otherwise.decides,
            otherwise_rule=otherwise.rule,
            options_rule=table.rule_if_any("options"),
            continue_as_is_rule=table.rule_if_any("continue-as-is"),
            continue_reconstructed_rule=table.rule_if_any("continue-reconstructed"),
            take_back_rule=table.rule_if_any("take-back"),
            accepts_later_rule=table.rule_if_any("accepts-later"),
            conclude_rule=table.rule_if_any("conclude"),
            void_interrupted_rule=table.rule_if_any("void-interrupted"),
            void_rule=table.rule_if_any("void"),
            bets_for_patrons_rule=table.rule_if_any("bets-for-patrons"),
            acting_rule=table.rule_if_any("acting"),
        )

    return table.build(make)
