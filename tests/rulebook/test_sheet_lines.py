"""The lines of the five sheets, stated a second time: rulings, citations, layouts.

Odds and conditions are stated by the pay tables and insurance tables of `settling`. A line of a sheet that was changed
by mistake is noticed here, whether or not a round meets it.
"""

from __future__ import annotations

from operator import attrgetter

import pytest

from punto.rules.loader import GAMES, load
from punto.rules.sheet import Irregularity
from tests.rulebook.tables import rows

RULINGS = {
    "commission": """
        excess-bets            | pro-rata          | dealer         | 5.1.1
        below-minimum          | raise-or-withdraw | dealer         | 5.2
        walk-away              | settle            | dealer         | 5.3
        technical-interruption | conclude-or-void  | dealer         | 5.4
        foreign-card           | void              | dealer         | 5.5.1 | new-shoe - -
        deck-count             | void              | dealer         | 5.5.2 | new-shoe - -
        wrong-number-of-cards  | void              | dealer         | 5.5.3 | beyond-reconstruction, until-next-round
        not-enough-cards       | void              | dealer         | 5.5.4 | new-shoe - -
        not-shuffled           | void              | dealer         | 5.5.5 | new-shoe - -
        late-bet               | refuse            | dealer         | 5.6
        late-withdrawal        | refuse            | dealer         | 5.6
        excess-card            | reconstruct       | dealer         | 5.7   | options 5.7.1 outcome-established
        wrong-area | reconstruct | dealer | 5.8 | options 5.8 outcome-established-and-reconstructible
        dealt-face-up          | continue          | dealer         | 5.9   | options 5.9 outcome-established
        simultaneous-cards | order-cards | pit-supervisor | 5.10 | options 5.10.1 never, new-shoe 5.10.2 pit-supervisor
        late-error             | no-effect         | dealer         | 5.11
        other-dealing-error    | options           | dealer         | 5.12  | options 5.12 never
        misplaced-bet          | chips-prevail     | dealer         | 5.13
        display-mistake        | table-prevails    | dealer         | 5.14
        bet-for-patron         | chips-prevail     | dealer         | 5.16
    """,
    "commission-insurance": """
        walk-away              | settle            | dealer         | -
        foreign-card           | void              | dealer         | 5.1.1 | new-shoe - -
        wrong-number-of-cards  | void              | dealer         | 5.1.2 | beyond-reconstruction, until-next-round
        not-enough-cards       | void              | dealer         | 5.1.3 | new-shoe - -
        late-bet               | refuse            | dealer         | 5.2
        late-withdrawal        | stands            | dealer         | 5.3
        late-error             | no-effect         | dealer         | -
    """,
    "non-commission": """
        walk-away              | settle            | dealer         | -
        foreign-card           | void              | dealer         | 5.1.1 | new-shoe - -
        wrong-number-of-cards  | void              | dealer         | 5.1.2 | beyond-reconstruction, until-next-round
        not-enough-cards       | void              | dealer         | 5.1.3 | new-shoe - -
        late-bet               | refuse            | dealer         | 3.2
        late-withdrawal        | refuse            | dealer         | 3.2
        late-error             | no-effect         | dealer         | -
    """,
    "easy-six": """
        walk-away              | settle            | dealer         | -
        foreign-card           | void              | dealer         | 5.1.1 | new-shoe 5.1.1 -
        wrong-number-of-cards  | void              | dealer         | 5.1.2 | beyond-reconstruction, until-next-round
        not-enough-cards       | void              | dealer         | 5.1.3 | new-shoe - -, cut-card-out
        late-bet               | refuse            | dealer         | 5.2
        late-withdrawal        | refuse            | dealer         | 5.2
        late-error             | no-effect         | dealer         | -
    """,
    "da-hu-ying-xiong": """
        excess-bets            | pro-rata          | dealer         | 5.1.1
        below-minimum          | raise-or-withdraw | dealer         | 5.2
        walk-away              | settle            | dealer         | 5.3.1
        technical-interruption | conclude-or-void  | dealer         | 5.4
        foreign-card           | void              | dealer         | 5.5.1 | new-shoe - -
        deck-count             | void              | dealer         | 5.5.2 | new-shoe - -
        wrong-number-of-cards  | void              | dealer         | 5.5.3 | beyond-reconstruction, until-next-round
        not-enough-cards       | void              | dealer         | 5.5.4 | new-shoe - -
        not-shuffled           | void              | dealer         | 5.5.5 | new-shoe - -
        late-bet               | refuse            | dealer         | 5.6
        late-withdrawal        | refuse            | dealer         | 5.6
        excess-card            | reconstruct       | dealer         | 5.7   | options 5.7.1 outcome-established
        wrong-area | reconstruct | dealer | 5.8 | options 5.8 outcome-established-and-reconstructible
        dealt-face-up          | continue          | dealer         | 5.9   | options 5.9 outcome-established
        simultaneous-cards | order-cards | pit-supervisor | 5.10 | options 5.10.1 never, new-shoe 5.10.2 pit-supervisor
        late-error             | no-effect         | dealer         | 5.11
        other-dealing-error    | options           | dealer         | 5.12  | options 5.12 never
        insurance-neglected    | return-original   | pit-manager    | 5.13
        misplaced-bet          | chips-prevail     | dealer         | 5.14
        display-mistake        | table-prevails    | dealer         | 5.15
        bet-for-patron         | chips-prevail     | dealer         | 5.17
    """,
}
"""By game: situation, ruling, who decides, paragraph, and what comes with it. A dash: the sheet is silent."""

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

LAYOUTS = {
    "commission": "bean-9 9 A, bean-7 7 B, mini-7 7 C, big-12 12 D",
    "commission-insurance": "big-12 12 A, big-10 10 B, bean-9 9 C, bean-7 7 D, mini-7 7 E, mini-6 6 F, mini-5 5 G",
    "non-commission": "",
    "easy-six": "bean-9 9 A, bean-7 7 B, mini-7 7 C",
    "da-hu-ying-xiong": "bean-9 9 A, bean-7 7 B, mini-7 7 C, big-12 12 D",
}
"""By game: the layouts, their boxes and their appendices."""


def besides(irregularity: Irregularity) -> str:
    found = []
    if options := irregularity.options:
        found.append(f"options {options.rule} {options.unless}")
    if new_shoe := irregularity.new_shoe:
        found.append(f"new-shoe {new_shoe.rule or '-'} {new_shoe.by or '-'}")
    flags = ("beyond_reconstruction", "until_next_round", "cut_card_out")
    found += [flag.replace("_", "-") for flag in flags if getattr(irregularity, flag)]
    return ", ".join(found)


def ruling(game: str, situation: str) -> list[str]:
    found = load(game).irregularities[situation]
    shown = [found.id, found.ruling.value, found.decides.value, found.rule or "-", besides(found)]
    return shown if shown[-1] else shown[:-1]


@pytest.mark.parametrize(
    ("game", "row"),
    [pytest.param(game, row, id=f"{game}-{row[3]}-{row[0]}") for game, table in RULINGS.items() for row in rows(table)],
)
def test_the_ruling_on_a_situation(game: str, row: list[str]) -> None:
    assert ruling(game, row[0]) == row


@pytest.mark.parametrize("game", GAMES)
def test_no_other_situation_is_ruled(game: str) -> None:
    assert list(load(game).irregularities) == [row[0] for row in rows(RULINGS[game])]


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


@pytest.mark.parametrize("game", GAMES)
def test_every_layout(game: str) -> None:
    layouts = load(game).boxes.layouts
    assert ", ".join([f"{each.id} {each.boxes} {each.appendix}" for each in layouts]) == LAYOUTS[game]
