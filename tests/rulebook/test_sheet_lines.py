"""The lines of the five sheets, stated a second time: rulings, citations, layouts.

Odds and conditions are stated by the pay tables and insurance tables of `settling`. A line of a sheet that was changed
by mistake is noticed here, whether or not a round meets it.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

import pytest

from punto.rules.loader import GAMES, load
from punto.rules.sheet import Irregularity
from tests.rulebook.tables import rows

RULINGS = """
    excess-bets            | pro-rata          | 5.1.1 |       |       |       | 5.1.1
    below-minimum          | raise-or-withdraw | 5.2   |       |       |       | 5.2
    walk-away              | settle            | 5.3   | -     | -     | -     | 5.3.1
    technical-interruption | conclude-or-void  | 5.4   |       |       |       | 5.4
    foreign-card           | void              | 5.5.1 | 5.1.1 | 5.1.1 | 5.1.1 | 5.5.1
    deck-count             | void              | 5.5.2 |       |       |       | 5.5.2
    wrong-number-of-cards  | void              | 5.5.3 | 5.1.2 | 5.1.2 | 5.1.2 | 5.5.3
    not-enough-cards       | void              | 5.5.4 | 5.1.3 | 5.1.3 | 5.1.3 | 5.5.4
    not-shuffled           | void              | 5.5.5 |       |       |       | 5.5.5
    late-bet               | refuse            | 5.6   | 5.2   | 3.2   | 5.2   | 5.6
    late-withdrawal        | refuse            | 5.6   | 5.3   | 3.2   | 5.2   | 5.6
    excess-card            | reconstruct       | 5.7   |       |       |       | 5.7
    wrong-area             | reconstruct       | 5.8   |       |       |       | 5.8
    dealt-face-up          | continue          | 5.9   |       |       |       | 5.9
    simultaneous-cards     | order-cards       | 5.10  |       |       |       | 5.10
    late-error             | no-effect         | 5.11  | -     | -     | -     | 5.11
    other-dealing-error    | options           | 5.12  |       |       |       | 5.12
    insurance-neglected    | return-original   |       |       |       |       | 5.13
    misplaced-bet          | chips-prevail     | 5.13  |       |       |       | 5.14
    display-mistake        | table-prevails    | 5.14  |       |       |       | 5.15
    bet-for-patron         | chips-prevail     | 5.16  |       |       |       | 5.17
"""
"""Situation, ruling, and the paragraph game by game. Blank: the sheet has no ruling. A dash: it cites none."""

DECIDES = {"simultaneous-cards": "pit-supervisor", "insurance-neglected": "pit-manager"}
"""Who decides, where it is not the Dealer."""

BESIDES = {
    "foreign-card": "new-shoe - -",
    "deck-count": "new-shoe - -",
    "wrong-number-of-cards": "beyond-reconstruction, until-next-round",
    "not-enough-cards": "new-shoe - -",
    "not-shuffled": "new-shoe - -",
    "excess-card": "options 5.7.1 outcome-established",
    "wrong-area": "options 5.8 outcome-established-and-reconstructible",
    "dealt-face-up": "options 5.9 outcome-established",
    "simultaneous-cards": "options 5.10.1 never, new-shoe 5.10.2 pit-supervisor",
    "other-dealing-error": "options 5.12 never",
    ("easy-six", "foreign-card"): "new-shoe 5.1.1 -",
    ("easy-six", "not-enough-cards"): "new-shoe - -, cut-card-out",
}
"""What comes with a ruling, in one sheet or in all that have it."""


def rulings(game: str) -> Iterator[list[str]]:
    for situation, ruling, *cited in rows(RULINGS):
        if rule := cited[GAMES.index(game)]:
            ruling = "stands" if (game, situation) == ("commission-insurance", "late-withdrawal") else ruling
            more = BESIDES.get((game, situation), BESIDES.get(situation, ""))
            yield [situation, ruling, DECIDES.get(situation, "dealer"), rule, more]


CITATIONS = """
    decks.minimum                         | 4       | 4       | 4       | 4       | 4
    decks.maximum                         | 8       | 8       | 8       | 8       | 10
    decks.rule                            | 2.2.1   | 2.2.1   | 2.2.1   | 2.2.1   | 2.2.1
    boxes.rule                            | 2.1.1   | 2.1.2   | 2.1.1   | 2.1.2   | 2.1.1
    boxes.layouts_rule                    | 2.1.1   | 2.1.1   | 2.1.1   | 2.1.1   | 2.1.1
    boxes.seated_rule                     | 1.17    | -       | -       | -       | 1.19
    boxes.standing_rule                   | 1.18    | -       | -       | -       | 1.21
    play.open.rule                        | 3.3     | 3.1     | 3.1     | 3.1     | 3.3
    play.close.rule                       | 3.8     | 3.2     | 3.2     | 3.2     | 3.8
    play.values_rule                      | 3.2     | 3.8     | 3.7     | 3.7     | 3.2
    play.initial_cards_rule               | 3.10    | 3.4     | 3.4     | 3.4     | 3.10
    play.third_card_rule                  | 3.11    | 3.6     | 3.5     | 3.5     | 3.13
    play.table_of_play_rule               | 3.12    | 3.7     | 3.6     | 3.6     | 3.15
    play.winner_rule                      | 3.13    | 3.8     | 3.7     | 3.7     | 3.16
    play.tie_rule                         | 3.14    | 3.9     | 3.8     | 3.8     | 3.17
    play.squeeze.by                       | seated-highest-bet | any-patron |         |         | seated-highest-bet
    play.squeeze.rule                     | 3.9     | 4.1.5   |         |         | 3.9
    play.squeeze.face_down                | True    | True    |         |         | True
    play.shuffler_rule                    | 1.6     | -       | -       | -       | 1.7
    limits.shown_rule                     | 3.4     |         |         |         | 3.4
    limits.responsibility_rule            | 3.5     |         |         |         | 3.5
    limits.balance_rule                   | 3.6     |         |         |         | 3.6
    limits.excess_rule                    | 5.1     |         |         |         | 5.1
    limits.pro_rata_rule                  | 5.1.1   |         |         |         | 5.1.1
    limits.pro_rata_exempt_rule           | 5.1.2   |         |         |         | 5.1.2
    limits.minimum_rule                   | 5.2     |         |         |         | 5.2
    limits.minimum_unnoticed_rule         | 5.2.1   |         |         |         | 5.2.1
    authority.decides_otherwise          | shift-manager | shift-manager | shift-manager | shift-manager | shift-manager
    authority.otherwise_rule              | 5.17    | -       | -       | -       | 5.18
    authority.options_rule                | 5.12    | -       | -       | -       | 5.12
    authority.continue_as_is_rule         | 5.12.1  | -       | -       | -       | 5.12.1
    authority.continue_reconstructed_rule | 5.12.2  | -       | -       | -       | 5.12.2
    authority.take_back_rule              | 5.12.3  | -       | -       | -       | 5.12.3
    authority.conclude_rule               | 5.4.1   | -       | -       | -       | 5.4.1
    authority.void_interrupted_rule       | 5.4.2   | -       | -       | -       | 5.4.2
    authority.void_rule                   | 5.15    | -       | -       | -       | 5.16
    authority.bets_for_patrons_rule       | 5.16    | -       | -       | -       | 5.17
    authority.acting_rule                 | 1.11    | -       | -       | -       | 1.14
    insurance.original_rule               |         | 4.1.4   |         |         | 3.11
    insurance.cap_rule                    |         | 3.5.2   |         |         | 3.12.2
    insurance.window_rule                 |         | 3.5     |         |         | 3.12
    insurance.lost_rule                   |         | 4.1.4   |         |         | 4.1.2
    insurance.returned_rule               |         | 3.9     |         |         | 4.2.1
    insurance.waiver_rule                 |         | 4.1.5   |         |         | 3.14
    insurance.waiver_by                   |         | any-patron |         |         | seated-highest-bet
    insurance.waiver_face_down            |         | False   |         |         | True
    insurance.forgone_rule                |         | -       |         |         | 5.3
    insurance.private_table_rule          |         | -       |         |         | 4.2.2
"""
"""The paragraphs and the other words of a sheet, game by game. Blank: the sheet has no such part."""


def besides(irregularity: Irregularity) -> str:
    found = []
    if options := irregularity.options:
        found.append(f"options {options.rule} {options.unless}")
    if new_shoe := irregularity.new_shoe:
        found.append(f"new-shoe {new_shoe.rule or '-'} {new_shoe.by or '-'}")
    flags = ("beyond_reconstruction", "until_next_round", "cut_card_out")
    found += [flag.replace("_", "-") for flag in flags if getattr(irregularity, flag)]
    return ", ".join(found)


@pytest.mark.parametrize("game", GAMES)
def test_the_ruling_on_every_situation(game: str) -> None:
    found = load(game).irregularities.values()
    shown = [[each.id, each.ruling.value, each.decides.value, each.rule or "-", besides(each)] for each in found]
    assert shown == [*rulings(game)]


@pytest.mark.parametrize("game", GAMES)
def test_every_citation(game: str) -> None:
    sheet, column = load(game), GAMES.index(game) + 1
    for row in rows(CITATIONS):
        part = row[0].rpartition(".")[0]
        there = attrgetter(part)(sheet) if part.partition(".")[0] != part or getattr(sheet, part) else None
        assert (there is None) is (row[column] == ""), row[0]
        if there is not None:
            found = getattr(there, row[0].rpartition(".")[2])
            assert ("-" if found is None else str(found)) == row[column], row[0]
