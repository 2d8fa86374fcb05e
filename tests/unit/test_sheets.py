"""A sheet that makes no sense is refused with its file, its key and the reason; anyone's own sheet loads by path."""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from punto.rules.bets import FIRST_PAY_LINE, LOSES, RETURNED, Condition
from punto.rules.cards import RANK_SYMBOLS, Rank
from punto.rules.loader import GAMES, load
from punto.rules.money import Odds
from punto.rules.outcome import PAIRS, PLAYS, SIZE, Outcome
from punto.rules.refusals import Refused
from punto.rules.sheet_reader import read_sheet
from punto.rules.toml_table import SheetError
from punto.texts import say


def sheet_text(game: str) -> str:
    return (resources.files("punto.sheets") / f"{game}.toml").read_text()


def data(game: str = "da-hu-ying-xiong") -> Any:
    return tomllib.loads(sheet_text(game))


def tiger(sheet: Any) -> Any:
    return next(bet for bet in sheet["bets"] if bet["id"] == "tiger")


def refused(sheet: Any) -> str:
    with pytest.raises(SheetError) as caught:
        read_sheet(sheet, "mine.toml")
    assert say(caught.value.refusal, "zh-Hans").startswith("mine.toml：")
    message = say(caught.value.refusal)
    assert message.startswith("mine.toml: ")
    assert message.endswith(".")
    return message.removeprefix("mine.toml: ").removesuffix(".")


@pytest.mark.parametrize("game", GAMES)
def test_every_built_in_sheet_loads(game: str) -> None:
    assert load(game).id == game


def test_unknown_key_is_named() -> None:
    sheet = data()
    sheet["decks"]["colour"] = "blue"
    assert refused(sheet) == "decks.colour: is not a known key of this table; there are minimum, maximum, rule"


def test_missing_key_is_named() -> None:
    sheet = data()
    del tiger(sheet)["lost"]
    assert refused(sheet) == "bets.tiger.lost: is missing"


def test_decks_out_of_order() -> None:
    sheet = data()
    sheet["decks"].update(minimum=8, maximum=4)
    assert refused(sheet) == "decks: is not a range of decks in order; given: 8, 4"


@pytest.mark.parametrize("odds", ["12", "12-1", "12:0", "0:1", "-1:2", "1e3:1", "", "12:1:1", " 12:1", "½:1", "１２:1"])
def test_odds_that_are_not_ratios(odds: str) -> None:
    sheet = data()
    tiger(sheet)["pays"][0]["odds"] = odds
    assert refused(sheet).startswith("bets.tiger.pays[0].odds: ")


def test_odds_as_a_number_are_refused() -> None:
    sheet = data()
    tiger(sheet)["pays"][0]["odds"] = 12.0
    assert refused(sheet).startswith("bets.tiger.pays[0].odds: ")


def test_unreachable_pay_line_is_named() -> None:
    sheet = data()
    tiger(sheet)["pays"][0]["when"] = {"winner": "player", "player-points": 0}
    assert "can never win: no outcome meets its condition" in refused(sheet)


def test_a_pair_that_the_points_forbid_is_unreachable() -> None:
    sheet = data()
    # A natural 8 in two cards cannot be a pair of sixes.
    tiger(sheet)["pays"][0]["when"] = {"player-cards": 2, "player-points": 8, "player-pair": "6"}
    assert "can never win" in refused(sheet)


def test_shadowed_pay_line_is_named() -> None:
    sheet = data()
    banker = next(bet for bet in sheet["bets"] if bet["id"] == "banker")
    banker["pays"].reverse()
    assert "the lines before it take every outcome it names" in refused(sheet)


def test_overlapping_pay_lines_are_named_with_an_example() -> None:
    sheet = data()
    tiger(sheet)["pays"] = [
        {"says": "two cards", "when": {"banker-cards": 2}, "odds": "1:1", "rule": "4.1.1"},
        {"says": "six", "when": {"banker-points": 6}, "odds": "2:1", "rule": "4.1.1"},
    ]
    message = refused(sheet)
    assert message.startswith("bets.tiger: two pay lines overlap")
    assert "given: 'two cards', 'six'" in message
    assert "banker-points = 6, banker-cards = 2" in message


def test_pay_line_overlapping_the_return_is_named() -> None:
    sheet = data()
    sheet["bets"][0]["returned"]["when"] = {"winner": ["tie", "player"]}
    assert "overlaps the return of the bet" in refused(sheet)


def test_insurance_cells_that_overlap() -> None:
    sheet = data()
    sheet["insurance"]["rows"][1]["banker"] = "5-6"
    expected = "insurance: two rows hold for the same points; given: four-cards, banker, 2:1, 3:1"
    assert refused(sheet) == f"{expected}; for example at player = 0, banker = 5"


def test_insurance_that_makes_no_sense() -> None:
    def insurance(**changes: object) -> str:
        sheet = data()
        sheet["insurance"].update(changes)
        return refused(sheet)

    bets = data()["insurance"]["bets"]
    rows = data()["insurance"]["rows"]
    assert "one insurance bet on each hand" in insurance(bets=[])
    assert "one insurance bet on each hand" in insurance(bets=[bets[0], bets[1] | {"hand": "player"}])
    assert "an id of its own" in insurance(bets=[bets[0], bets[1] | {"id": bets[0]["id"]}])
    assert "could never be bet" in insurance(rows=[])
    assert "can never be on offer" in insurance(rows=[rows[0] | {"player": "8", "banker": "9"}])
    assert "can never be on offer" in insurance(rows=[rows[0] | {"player": []}])
    assert "can never be on offer" in insurance(rows=[rows[6] | {"banker": "7"}])


def test_a_return_that_cannot_happen_is_refused() -> None:
    sheet = data()
    sheet["bets"][0]["returned"]["when"] = {"winner": "tie", "player-points": 6, "banker-points": 5}
    assert "can never be returned" in refused(sheet)


def test_ids_are_ids() -> None:
    sheet = data()
    tiger(sheet)["id"] = "a b"
    assert refused(sheet) == "bets[3].id: must be lower-case letters and digits joined by hyphens; given: 'a b'"
    sheet = data()
    sheet["boxes"]["layouts"][1]["id"] = "bean-9"
    assert refused(sheet) == "boxes: two layouts have the same id"


def test_a_citation_must_exist() -> None:
    sheet = data()
    tiger(sheet)["rule"] = "9.9"
    assert refused(sheet) == "bets.tiger.rule: cites a paragraph that [paragraphs] does not have; given: '9.9'"


def test_the_same_bet_twice() -> None:
    sheet = data()
    sheet["bets"].append(tiger(sheet).copy())
    sheet["bets"][-1]["pays"] = [{"says": "x", "when": {"winner": "tie"}, "odds": "1:1", "rule": "4.1.1"}]
    assert refused(sheet) == "bets.tiger.id: is used already; given: 'tiger'"


def test_one_original_bet_on_each_hand() -> None:
    sheet = data()
    del sheet["bets"][0]
    assert "one original bet on each hand" in refused(sheet)


@pytest.mark.parametrize(
    "when",
    [
        {},
        [],
        [3],
        "tie",
        {"colour": "red"},
        {"winner": "dealer"},
        {"banker-points": 10},
        {"banker-points": "4-2"},
        {"banker-points": 6.0},
        {"player-cards": True},
        {"player-pair": "10"},
        {"pairs": 3},
        {"same-pair": 1},
    ],
)
def test_conditions_that_mean_nothing(when: object) -> None:
    sheet = data()
    tiger(sheet)["pays"][0]["when"] = when
    assert refused(sheet).startswith("bets.tiger.pays[0].when")


def test_an_unknown_role_or_ruling() -> None:
    sheet = data()
    sheet["irregularities"][0]["decides"] = "janitor"
    message = refused(sheet)
    assert message.startswith("irregularities.excess-bets.decides: must be one of the known values; given: 'janitor'")
    assert "; there are dealer, pit-supervisor" in message


def test_a_sheet_of_your_own_loads_by_path(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text(sheet_text("easy-six").replace('id = "easy-six"\ntitle', 'id = "house-six"\ntitle'))
    assert load(str(file)).id == "house-six"


def test_a_missing_file_and_an_unknown_game_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused) as missing:
        load(str(tmp_path / "nowhere.toml"))
    assert "nowhere.toml: No such file" in say(missing.value.refusal)
    with pytest.raises(Refused) as unknown:
        load("easysix")
    assert "Did you mean easy-six?" in say(unknown.value.refusal)


def test_a_file_that_is_not_toml(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text("id = \n")
    assert "not TOML" in unreadable(file)
    file = tmp_path / "deep.toml"
    file.write_text("a = " + "[" * 5000)
    assert "nested too deeply" in unreadable(file)
    file = tmp_path / "bytes.toml"
    file.write_bytes(b"\xff\xfe")
    assert "not TOML" in unreadable(file)


def unreadable(file: Path) -> str:
    with pytest.raises(SheetError) as caught:
        load(str(file))
    return say(caught.value.refusal)


@pytest.mark.parametrize("game", GAMES)
def test_the_payoff_table_says_what_the_conditions_say(game: str) -> None:
    for bet in load(game).bets.values():
        assert len(bet.payoffs) == SIZE
        for index in range(0, SIZE, 7):
            outcome = Outcome.at(index)
            matching = [place for place, line in enumerate(bet.pays) if outcome in line.when]
            expected = FIRST_PAY_LINE + matching[0] if matching else RETURNED if outcome in bet.returned else LOSES
            assert bet.payoffs[index] == expected


def test_an_outcome_is_its_index() -> None:
    assert all(Outcome.at(index).index == index for index in range(SIZE))
    assert (PLAYS, PAIRS, SIZE) == (400, 196, 78_400)


def test_points_and_pairs_of_ranks() -> None:
    assert [rank.points for rank in Rank] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]
    assert "".join(rank.symbol for rank in Rank) == RANK_SYMBOLS


def test_conditions_combine() -> None:
    six = Condition.parse({"winner": "banker", "banker-points": 6})
    two = Condition.parse({"winner": "banker", "banker-points": 6, "banker-cards": 2})
    three = Condition.parse({"winner": "banker", "banker-points": 6, "banker-cards": 3})
    assert two <= six
    assert not six <= two
    assert not two & three
    assert two | three == six


@pytest.mark.parametrize(
    ("text", "win", "stake"), [("0.95:1", 19, 20), ("1:2", 1, 2), ("1.05:1", 21, 20), ("1.5:1", 3, 2), ("12:1", 12, 1)]
)
def test_odds_are_exact_ratios(text: str, win: int, stake: int) -> None:
    odds = Odds.parse(text)
    assert (odds.win, odds.stake, str(odds)) == (win, stake, text)


@pytest.mark.parametrize("game", GAMES)
def test_every_bet_and_pay_line_has_its_chinese(game: str) -> None:
    sheet = load(game)
    says = [line.says for bet in sheet.bets.values() for line in bet.pays]
    situations = [each.situation for each in sheet.irregularities.values()]
    said = [sheet.title, sheet.short, sheet.play.open.says, sheet.play.close.says, *sheet.bet_names, *says, *situations]
    assert [words for words in said if words not in sheet.zh] == []


def test_chinese_for_texts_that_the_sheet_does_not_have_is_refused() -> None:
    sheet = data()
    sheet["zh"]["Dragon"] = "龙"
    assert refused(sheet) == "zh.Dragon: translates words that the sheet does not have"
