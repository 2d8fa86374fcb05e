"""Scenarios of a settled record that several sheets rule; `paragraphs.TABLE` says which, and by which paragraph.

Each function takes the game and the paragraphs of its cell.
"""

from __future__ import annotations

from punto.rules.cards import DECK
from punto.rules.hands import Hand
from punto.rules.insurance import Insurance
from punto.rules.loader import load
from punto.rules.money import Cents
from punto.rules.settlement import Bet
from punto.rules.sheet import LimitRules, Role, Ruling
from tests.rulebook.tables import (
    COMMISSION,
    Seen,
    cards,
    follows_banker_alone,
    follows_table_of_play,
    insurance_settles,
    offers_as_printed,
    pays_as_printed,
    refused,
    rows,
    settled,
    settles,
    some_rounds,
    totals,
)

# The bets of each sheet in their printed order; insurance bets are not among those that a round begins with.
BETS = {
    "commission": "Player, Banker, Tie, Player Pair, Banker Pair",
    "commission-insurance": "Player, Banker, Tie, Player Pair, Banker Pair, Player Insurance, Banker Insurance",
    "non-commission": "Player, Banker, Tie, Player Pair, Banker Pair",
    "easy-six": "Player, Banker, Tie, Player Pair, Banker Pair, Easy Six",
    "da-hu-ying-xiong": "Player, Banker, Tie, Tiger, Big Tiger, Small Tiger, Tiger Tie, Tiger Pair, "
    "Player Insurance, Banker Insurance",
}


def bets(game: str) -> list[str]:
    """The ids of a sheet's bets, insurance among them."""
    return [name.lower().replace(" ", "-") for name in BETS[game].split(", ")]


def names(game: str) -> str:
    """The names of a sheet's bets, insurance last."""
    sheet = load(game)
    insured = [bet.name for bet in sheet.insurance_bets.values()]
    return ", ".join([*[bet.name for bet in sheet.bets.values()], *insured])


def insurance(game: str) -> Insurance:
    found = load(game).insurance
    assert found is not None
    return found


def limits(game: str) -> LimitRules:
    found = load(game).limits
    assert found is not None
    return found


# ------------------------------------------------------------------------------------------- 1 definitions


def table_of_play_is_mandatory(game: str, rule: str) -> None:
    settles(game, "2 K 3 6   | player 100 | refused card-missing {table-of-play}")  # Player has 5 and must draw
    settles(game, "2 K 4 6 9 | player 100 | refused card-too-many {banker-alone}")  # both have 6 and must stand


def wager_has_no_rule_of_its_own(game: str, rule: str) -> None:
    assert [number for number, text in load(game).paragraphs.items() if "wager" in text.lower()] == [rule]


def shoe_of_whole_decks(game: str, rule: str) -> None:
    settles(
        game,
        """
        Kh Kh Kh Kh Kh 8s | player 100 | refused card-copies {decks}
        Kh Kh Kh Kh 8s 9c | player 100 | lose - 0 -100 {higher-total}
        """,
        decks=4,
    )


def dealer_is_lowest_authority(game: str, rule: str) -> None:
    assert min(Role, key=lambda role: role.level) is Role.DEALER


def differential_either_way(game: str, rule: str) -> None:
    settles(
        game,
        """
        9 7 K K | bob@1 player 1400 | win 1:1 2800 1400 {pay-table}
                | ann@1 banker 400  | lose - 0 -400 {higher-total}
        7 9 K K | bob@1 player 400  | lose - 0 -400 {higher-total}
                | ann@1 banker 1400 | {banker 1400}
        9 7 K K | bob@1 player 1401 | win 1:1 2801 1400 {pay-table} | 1400 5.1.1
                | ann@1 banker 400  | lose - 0 -400 {higher-total}
        7 9 K K | bob@1 player 400  | lose - 0 -400 {higher-total}
                | ann@1 banker 1401 | {banker 1401 1400} | 1400 5.1.1
        """,
        minimum=100,
        differential=1000,
    )


def hand_is_the_cards_dealt_to_it(game: str, rule: str) -> None:
    # Player has 2 and draws a 4; Banker has 4 and draws against it.
    round_ = settled(game, "2h 3d Kc As 4d Ac").round
    assert (round_.player, round_.banker) == (cards("2h Kc 4d"), cards("3d As Ac"))


def house_is_the_other_side(game: str, rule: str) -> None:
    settles(
        game,
        """
        9 7 K K | ann@1 player 500 | win 1:1 1000 500 {pay-table}
                | bob@2 banker 700 | lose - 0 -700 {higher-total}
        """,
    )


def insurance_before_a_third_card(game: str, rule: str) -> None:
    assert insurance(game).offers(cards("4 5 K")) == {}
    assert [offer.odds.text for offer in insurance(game).offers(cards("4 5 K K")).values()] == ["2:1"]
    assert insurance(game).offers(cards("4 5 K K 4 4")) == {}


def natural_in_two_cards(game: str, rule: str) -> None:
    totals(
        game,
        """
        4 K 4 5    | 8 5 player
        9 K K 5    | 9 5 player
        K 3 2 5    | 2 8 banker
        K 4 2 5    | 2 9 banker
        9 8 K K    | 9 8 player
        8 8 K K    | 8 8 tie
        2 K 3 5 3  | 8 5 player
        """,
    )


def banker_pays_half_on_6(game: str, rule: str) -> None:
    settles(
        game,
        """
        7 9 K K     | banker 1000 | win 1:1 2000 1000 {pay-table}
        K 6 5 K K   | banker 1000 | win 1:2 1500 500 {pay-table}
        6 K K 9     | banker 1000 | win 1:1 2000 1000 {pay-table}
        K 2 5 K K 4 | banker 1000 | win 1:2 1500 500 {pay-table}
        """,
    )


def original_bets(game: str, rule: str) -> None:
    originals = {bet.id: bet.hand for bet in load(game).bets.values() if bet.hand}
    assert originals == {"player": Hand.PLAYER, "banker": Hand.BANKER}


def pit_employees_by_rank(game: str, rule: str) -> None:
    assert [*Role] == ["dealer", "pit-supervisor", "pit-manager", "shift-manager", "casino-manager"]
    assert [role.level for role in Role] == sorted(role.level for role in Role)


def whoever_bets_is_settled(game: str, rule: str) -> None:
    settles(
        game,
        """
        9 7 K K | ann*@1 player 100 | win 1:1 200 100 {pay-table}
                | bob@1 player 100  | win 1:1 200 100 {pay-table}
                | cat@9 tie 100     | lose - 0 -100 {tie}
        """,
    )


def pair(game: str, rule: str, lost: str | None = None) -> None:
    """A pair is two first cards of one rank."""
    settles(
        game,
        """
        T 2 T 3 K   | player-pair 100 | win 11:1 1200 1100 {pay-table}
        K 2 K 3 K   | player-pair 100 | win 11:1 1200 1100 {pay-table}
        T 2 K 3 K   | player-pair 100 | lose - 0 -100 {pair}
        Q 2 J 3 K   | player-pair 100 | lose - 0 -100 {pair}
        T 2 T 3 K   | banker-pair 100 | lose - 0 -100 {pair}
        2 A 3 A K 4 | banker-pair 100 | win 11:1 1200 1100 {pay-table}
        4 T 4 K     | banker-pair 100 | lose - 0 -100 {pair}
        9 J K Q     | banker-pair 100 | lose - 0 -100 {pair}
        4s 9h 4s Kd | player-pair 100 | win 11:1 1200 1100 {pay-table}
        3 2 2 K 3 2 | player-pair 100 | lose - 0 -100 {pair}
                    | banker-pair 100 | lose - 0 -100 {pair}
        """,
    )


def point_total_is_the_last_digit(game: str, rule: str) -> None:
    totals(
        game,
        """
        9 K 9 7     | 8 7 player
        5 9 5 8 3   | 3 7 banker
        7 6 9 K     | 6 6 tie
        K J Q T 9 9 | 9 9 tie
        5 K K 6 6 8 | 1 4 banker
        """,
    )


def reconstruction(game: str, rule: str) -> None:
    reconstructed = {each.rule for each in load(game).irregularities.values() if each.ruling is Ruling.RECONSTRUCT}
    assert reconstructed == {"5.7", "5.8"}


def round_begins_with_the_call(game: str, rule: str) -> None:
    assert load(game).play.open.says == "Place your Bets, please"


def seated_patron_first(game: str, rule: str) -> None:
    # Each has a third of the limit of 1000; the odd cent goes by seat order, and the seat is zoe's.
    settles(
        game,
        """
        7 9 K K | ann@1 banker 1000  | {banker 1000 333} | 333 5.1.1
                | bob@1 banker 1000  | {banker 1000 333} | 333 5.1.1
                | zoe*@1 banker 1000 | {banker 1000 334} | 334 5.1.1
        """,
        minimum=100,
        differential=1000,
    )


def standing_patron_shares_the_box(game: str, rule: str) -> None:
    settles(
        game,
        """
        9 7 K K | ann*@1 player 1000 | win 1:1 1500 500 {pay-table} | 500 5.1.1
                | bob@1 player 1000  | win 1:1 1500 500 {pay-table} | 500 5.1.1
        9 7 K K | ann*@1 player 1000 | win 1:1 2000 1000 {pay-table}
                | bob*@2 player 1000 | win 1:1 2000 1000 {pay-table}
        """,
        minimum=100,
        differential=1000,
    )


def tie(game: str, rule: str, lost: str | None = None) -> None:
    """A tie is two equal totals."""
    settles(
        game,
        """
        9 9 K K     | tie 100 | win 8:1 900 800 {pay-table}
        K K K K K K | tie 100 | win 8:1 900 800 {pay-table}
        9 8 K K     | tie 100 | lose - 0 -100 {tie}
        2 7 2 K 3   | tie 100 | win 8:1 900 800 {pay-table}
        """,
    )


def void_has_no_result(game: str, rule: str, returned: str) -> None:
    assert load(game).authority.void_rule == returned
    voids = [each.rule for each in load(game).irregularities.values() if each.ruling is Ruling.VOID]
    assert voids == ["5.5.1", "5.5.2", "5.5.3", "5.5.4", "5.5.5"]


# ------------------------------------------------------------------------------------------- 2 mode of play

LAYOUTS = {
    "commission": "A Bean 9, B Bean 7, C Mini 7, D Big 12",
    "commission-insurance": "A Big 12, B Big 10, C Bean 9, D Bean 7, E Mini 7, F Mini 6, G Mini 5",
    "easy-six": "A Bean 9, B Bean 7, C Mini 7",
    "da-hu-ying-xiong": "A Bean 9, B Bean 7, C Mini 7, D Big 12",
}


def layouts(game: str, rule: str) -> None:
    boxes = load(game).boxes
    assert boxes.layouts_rule == rule
    assert {each.name.split()[1] for each in boxes.layouts} == {"Baccarat"}
    assert ", ".join(f"{x.appendix} {x.name.split()[0]} {x.boxes}" for x in boxes.layouts) == LAYOUTS[game]


def boxes(game: str, rule: str) -> None:
    """No more boxes than the largest layout shows."""
    most = 9 if game == "easy-six" else 12
    settles(
        game,
        f"""
        9 7 K K | ann@{most} player 100     | win 1:1 200 100 {{pay-table}}
        9 7 K K | ann@{most + 1} player 100 | refused box-unknown {rule}
        9 7 K K | ann@0 player 100          | refused box-unknown {rule}
        """,
    )


def betting_areas(game: str, rule: str) -> None:
    assert names(game) == BETS[game]


def decks(game: str, rule: str) -> None:
    assert len(set(DECK)) == 52
    most = 10 if game == "da-hu-ying-xiong" else 8
    for number in range(4, most + 1):
        settles(game, "9 7 K K | player 100 | win 1:1 200 100 {pay-table}", decks=number)
    for number in (3, most + 1):
        assert refused(game, "9 7 K K", decks=number) == ("decks-not-allowed", rule)
    settles(game, "Kh Kh Kh Kh 8s 9c | player 100 | lose - 0 -100 {higher-total}", decks=4)
    settles(game, "Kh Kh Kh Kh Kh 9s | player 100 | lose - 0 -100 {higher-total}", decks=5)
    assert refused(game, "Kh Kh Kh Kh Kh 9s", decks=4) == ("card-copies", rule)


# ------------------------------------------------------------------------------------------- 3 how to play


VALUES = {
    "3.2.1": "A 9 K K | 1 9 banker",
    "3.2.2": """
        2 9 K K | 2 9 banker
        3 9 K K | 3 9 banker
        4 9 K K | 4 9 banker
        5 9 K K | 5 9 banker
        6 9 K K | 6 9 banker
        7 9 K K | 7 9 banker
        8 9 K K | 8 9 banker
        9 8 K K | 9 8 player
        T 9 9 T | 9 9 tie
    """,
    "3.2.3": """
        J 9 T K | 0 9 banker
        Q 9 T K | 0 9 banker
        K 9 T K | 0 9 banker
    """,
}
"""The values of cards; two of the sheets have a paragraph for each kind of card."""


def card_values(game: str, rule: str) -> None:
    if rule not in VALUES:
        assert load(game).play.values_rule == rule
    totals(game, VALUES.get(rule) or "\n".join(VALUES.values()))


def limits_are_shown(game: str, rule: str) -> None:
    assert limits(game).shown_rule == rule
    settles(game, f"9 7 K K | player 150 | refused stake-off-unit {rule}", minimum=100, differential=1000, unit=100)


def stake_is_the_patrons_duty(game: str, rule: str) -> None:
    assert limits(game).responsibility_rule == rule
    for bet in ("player 0", "tie -1"):
        settles(game, f"9 7 K K | {bet} | refused stake-invalid {rule}")


def bets_offered(game: str, rule: str) -> None:
    """The bets of the sheet and no others."""
    sheet, offered = load(game), bets(game)
    hands = {"player": Hand.PLAYER, "banker": Hand.BANKER}
    assert names(game) == BETS[game]
    assert {bet.id: bet.hand for bet in sheet.bets.values()} == {
        name: hands.get(name) for name in offered if not name.endswith("insurance")
    }
    assert {bet.rule for bet in sheet.bets.values()} == {rule}
    for other in {name for each in BETS for name in bets(each)} - set(offered):
        window = "four-cards" if other.endswith("insurance") else ""
        settles(game, f"2 6 K K 8 | {other} 100 {window} | refused bet-not-offered {rule}")
    if sheet.insurance:
        settles(game, f"4 5 K K 3 | banker 1000 four-cards | refused window-not-for-bet {rule}")


def four_cards(game: str, rule: str) -> None:
    assert load(game).play.initial_cards_rule == rule
    totals(game, "9 2 K 5 | 9 7 player\n 2 9 5 K | 7 9 banker")
    assert refused(game, "9 7 K") == ("card-missing", rule)


def banker_alone(game: str, rule: str) -> None:
    assert load(game).play.third_card_rule == rule
    follows_banker_alone(game, rule)
    settles(
        game,
        """
        7 5 K K 9 | player 100 | win 1:1 200 100 {pay-table}
        7 6 K K   | player 100 | win 1:1 200 100 {pay-table}
        """,
    )


def table_of_play(game: str, rule: str) -> None:
    assert load(game).play.table_of_play_rule == rule
    follows_table_of_play(game, rule)


def higher_total(game: str, rule: str) -> None:
    """The higher total wins."""
    assert load(game).play.winner_rule == rule
    settles(
        game,
        """
        9 8 K K   | player 100 | win 1:1 200 100 {pay-table}
                  | banker 100 | lose - 0 -100 {higher-total}
        7 8 K K   | player 100 | lose - 0 -100 {higher-total}
                  | banker 100 | {banker 100}
        A 7 K K K | player 100 | lose - 0 -100 {higher-total}
                  | banker 100 | {banker 100}
        """,
    )


def tie_returned(game: str, rule: str) -> None:
    """A tie returns original bets and no others."""
    assert load(game).play.tie_rule == rule
    settles(
        game,
        """
        8 8 K K | player 100 | returned - 100 0 {tie-returned}
                | banker 100 | returned - 100 0 {tie-returned}
        7 7 K K | banker 333 | returned - 333 0 {tie-returned}
        6 6 K K | player 100 | returned - 100 0 {tie-returned}
                | banker 333 | returned - 333 0 {tie-returned}
        """,
    )


# ------------------------------------------------------------------------------------------- insurance

# Printed in one of the two sheets. In the other the last rows are lost, and a footnote proves the one at 9.
INSURANCE_TABLE = """
    four-cards   | banker | 0-4 | 5   | 2:1
    four-cards   | banker | 0-5 | 6   | 3:1
    four-cards   | banker | 0-5 | 7   | 4:1
    four-cards   | player | 5   | 4   | 2:1
    four-cards   | player | 6   | 0-5 | 3:1
    four-cards   | player | 7   | 0-5 | 4:1
    player-third | banker | 1   | 1   | 6:1
    player-third | banker | 1   | 2-6 | 7:1
    player-third | banker | 2   | 3-6 | 4:1
    player-third | banker | 3   | 4   | 1.5:1
    player-third | player | 5   | 0-4 | 2:1
    player-third | player | 6   | 0-5 | 3:1
    player-third | player | 7   | 0-6 | 4:1
    player-third | player | 8   | 0-6 | 7:1
    player-third | player | 9   | 0-6 | 8:1
"""


def insurance_window(game: str, rule: str) -> None:
    """Insurance is bet in its window, while a card is to come."""
    assert insurance(game).window_rule == rule
    settles(
        game,
        """
        4 5 K K 3 | banker 1000                       | lose - 0 -1000 {higher-total}
                  | banker-insurance 500 four-cards   | win 2:1 1500 1000 {insurance-pays-its-odds}
        6 7 K K   | banker 1000                       |
                  | banker-insurance 100 four-cards   | refused insurance-window-closed {insurance-window}
        3 7 K K 6 | player 1000                       |
                  | player-insurance 100 player-third | refused insurance-window-closed {insurance-window}
        6 5 K K 4 | player 1000                       |
                  | player-insurance 100 player-third | refused insurance-window-closed {insurance-window}
        9 5 K K   | player 1000                       |
                  | player-insurance 100 four-cards   | refused insurance-window-closed {insurance-window}
        4 5 K K 3 | player 1000                       |
                  | player-insurance 100 four-cards   | refused insurance-hand-not-on-offer {insurance-pay-table}
        4 5 K K 3 | banker 1000                       |
                  | banker-insurance 100              | refused window-missing {insurance-window}
        """,
    )


def insurance_cap(game: str, rule: str) -> None:
    """What insurance could pay stays within the original bet."""
    settles(
        game,
        """
        4 5 K K 3   | banker 1000                       | lose - 0 -1000 {higher-total}
                    | banker-insurance 500 four-cards   | win 2:1 1500 1000 {insurance-pays-its-odds}
        4 5 K K 3   | banker 1000                       |
                    | banker-insurance 501 four-cards   | refused insurance-over-cap {insurance-cap}
        4 5 K K 3   | banker 600                        | lose - 0 -600 {higher-total}
                    | banker 400                        | lose - 0 -400 {higher-total}
                    | banker-insurance 500 four-cards   | win 2:1 1500 1000 {insurance-pays-its-odds}
        5 4 K K 2 4 | player 1000                       | lose - 0 -1000 {higher-total}
                    | player-insurance 250 four-cards   | win 2:1 750 500 {insurance-pays-its-odds}
                    | player-insurance 125 player-third | win 4:1 625 500 {insurance-pays-its-odds}
        5 4 K K 2 4 | player 1000                       |
                    | player-insurance 250 four-cards   |
                    | player-insurance 126 player-third | refused insurance-over-cap {insurance-cap}
        A 4 K K 2 6 | banker 150                        | lose - 0 -150 {higher-total}
                    | banker-insurance 100 player-third | win 1.5:1 250 150 {insurance-pays-its-odds}
        A 4 K K 2 6 | banker 151                        |
                    | banker-insurance 101 player-third | refused insurance-over-cap {insurance-cap}
        4 5 K K 4 4 | player 700                        | lose - 0 -700 {higher-total}
                    | banker 1000                       | {banker 1000}
                    | banker-insurance 500 four-cards   | lose 2:1 0 -500 {insurance-lost}
                    | player-insurance 100 player-third | win 7:1 800 700 {insurance-pays-its-odds}
        """,
    )


def insurance_needs_original_bet(game: str, rule: str) -> None:
    """Only who bet on a hand, in that box, may insure it."""
    settles(
        game,
        f"""
        4 5 K K 3 | player 1000                           |
                  | banker-insurance 100 four-cards       | refused insurance-without-original {rule}
        4 5 K K 3 | bob@1 banker 1000                     |
                  | ann@1 banker-insurance 100 four-cards | refused insurance-without-original {rule}
        4 5 K K 3 | ann@2 banker 1000                     |
                  | ann@1 banker-insurance 100 four-cards | refused insurance-without-original {rule}
        4 5 K K 3 | banker-insurance 100 four-cards       | refused insurance-without-original {rule}
        """,
    )


def insurance_pay_table(game: str, rule: str) -> None:
    offers_as_printed(game, INSURANCE_TABLE)


def insurance_pays_its_odds(game: str, rule: str) -> None:
    assert {row.rule for row in insurance(game).rows} == {rule}
    for shown, hand, window, stake, paid in rows(
        """
        5 6 K K 2   | banker | four-cards   | 100 | 3:1 400 300
        7 A K K 7   | player | four-cards   | 100 | 4:1 500 400
        5 6 K K 6 4 | banker | player-third | 100 | 7:1 800 700
        A 4 K K 2 6 | banker | player-third | 101 | 1.5:1 252 151
        2 6 K K 6 3 | player | player-third | 100 | 7:1 800 700
        """
    ):
        settles(
            game,
            f"""
            {shown} | {hand} 9000                         | lose - 0 -9000 {{higher-total}}
                    | {hand}-insurance {stake} {window}   | win {paid} {rule}
            """,
        )


def insurance_for_every_last_card(game: str, rule: str) -> None:
    insurance_settles(game, INSURANCE_TABLE)


def insurance_lost(game: str, rule: str) -> None:
    """Insurance is lost when the insured hand wins."""
    settles(
        game,
        """
        4 5 K K 9 | banker 1000                     | {banker 1000}
                  | banker-insurance 500 four-cards | lose 2:1 0 -500 {insurance-lost}
        7 5 K K K | player 1000                     | win 1:1 2000 1000 {pay-table}
                  | player-insurance 250 four-cards | lose 4:1 0 -250 {insurance-lost}
        6 5 K K K | player 1000                     | win 1:1 2000 1000 {pay-table}
                  | player-insurance 300 four-cards | lose 3:1 0 -300 {insurance-lost}
        """,
    )


def insurance_returned(game: str, rule: str) -> None:
    """A tie returns insurance."""
    assert insurance(game).returned_rule == rule
    settles(
        game,
        """
        4 5 K K A   | banker 1000                       | returned - 1000 0 {tie-returned}
                    | banker-insurance 500 four-cards   | returned 2:1 500 0 {insurance-returned}
        6 5 K K A   | player 1000                       | returned - 1000 0 {tie-returned}
                    | player-insurance 300 four-cards   | returned 3:1 300 0 {insurance-returned}
        2 6 K K 6 2 | player 1000                       | returned - 1000 0 {tie-returned}
                    | player-insurance 100 player-third | returned 7:1 100 0 {insurance-returned}
        """,
    )


def insurance_paid_on_a_9_9_tie(game: str, rule: str) -> None:
    """Player insured at 9 is paid on a 9–9 tie alone."""
    assert [row.tie_wins_rule for row in insurance(game).rows if row.tie_wins_rule] == [rule]
    settles(
        game,
        """
        3 6 K K 6 3 | player 9000                       | returned - 9000 0 {tie-returned}
                    | player-insurance 100 player-third | win 8:1 900 800 {insurance-paid-on-a-9-9-tie}
        3 6 K K 6 2 | player 9000                       | win 1:1 18000 9000 {pay-table}
                    | player-insurance 100 player-third | lose 8:1 0 -100 {insurance-lost}
        """,
    )


# ------------------------------------------------------------------------------------------- 4 settlement


def commission_of_five_per_cent(game: str, rule: str) -> None:
    settles(
        game,
        """
        7 9 K K | banker 2000   | win 0.95:1 3900 1900 {pay-table}
        7 9 K K | banker 100000 | win 0.95:1 195000 95000 {pay-table}
        7 9 K K | banker 20     | win 0.95:1 39 19 {pay-table}
        2 4 4 2 | banker 2000   | returned - 2000 0 {tie-returned}
        9 7 K K | banker 2000   | lose - 0 -2000 {higher-total}
        9 7 K K | player 2000   | win 1:1 4000 2000 {pay-table}
        """,
    )


def printed(game: str, seen: Seen) -> list[tuple[str, bool, str]]:
    """The printed pay table of a game."""
    player, banker, tied = (seen.winner == name for name in ("player", "banker", "tie"))
    on_6 = banker and seen.banker == 6
    table = [
        ("player", tied, "returned"),
        ("banker", tied, "returned"),
    ]
    if game in COMMISSION:
        table += [("banker", banker, "0.95:1")]
    else:
        table += [("banker", on_6, "1:2"), ("banker", banker and not on_6, "1:1")]
    if game == "easy-six":
        return [
            *table,
            ("player", player and seen.player == 6, "1.05:1"),
            ("player", player and seen.player != 6, "1:1"),
            ("tie", tied and seen.player == 6, "10:1"),
            ("tie", tied and seen.player != 6, "8:1"),
            ("player-pair", seen.player_pair == "6", "13:1"),
            ("player-pair", seen.player_pair not in ("", "6"), "11:1"),
            ("banker-pair", seen.banker_pair == "6", "13:1"),
            ("banker-pair", seen.banker_pair not in ("", "6"), "11:1"),
            ("easy-six", max(seen.player, seen.banker) == 6, "6:1"),
        ]
    table += [("player", player, "1:1"), ("tie", tied, "8:1")]
    if game == "da-hu-ying-xiong":
        return [
            *table,
            ("tiger", on_6 and seen.banker_cards == 2, "12:1"),
            ("tiger", on_6 and seen.banker_cards == 3, "20:1"),
            ("big-tiger", on_6 and seen.banker_cards == 3, "50:1"),
            ("small-tiger", on_6 and seen.banker_cards == 2, "22:1"),
            ("tiger-tie", (seen.player, seen.banker) == (6, 6), "35:1"),
            ("tiger-pair", seen.pairs == 1, "4:1"),
            ("tiger-pair", seen.pairs == 2 and seen.player_pair != seen.banker_pair, "20:1"),
            ("tiger-pair", seen.pairs == 2 and seen.player_pair == seen.banker_pair, "100:1"),
        ]
    return [*table, ("player-pair", seen.player_pair != "", "11:1"), ("banker-pair", seen.banker_pair != "", "11:1")]


def pay_table(game: str, rule: str) -> None:
    pays_as_printed(game, lambda seen: printed(game, seen))
    assert {line.rule for bet in load(game).bets.values() for line in bet.pays} == {rule}
    settles(game, "9 7 K K | player 400 | win 1:1 800 400 {pay-table}")


# ------------------------------------------------------------------------------------------- 5 what touches settlement


def pro_rata(game: str, rule: str) -> None:
    """A box over the Differential is settled pro rata."""
    settles(
        game,
        """
        9 7 K K | ann*@1 player 2000 | win 1:1 3000 1000 {pay-table}   | 1000 5.1.1
                | bob*@2 player 500  | win 1:1 1000 500 {pay-table}
        7 9 K K | ann*@1 banker 1500 | {banker 1500 750}               | 750 5.1.1
                | bob@1 banker 500   | {banker 500 250}                | 250 5.1.1
        9 7 K K | ann*@1 banker 1500 | lose - 750 -750 {higher-total}  | 750 5.1.1
                | bob@1 banker 500   | lose - 250 -250 {higher-total}  | 250 5.1.1
        8 8 K K | ann*@1 banker 1500 | returned - 1500 0 {tie-returned} | 750 5.1.1
                | bob@1 banker 500   | returned - 500 0 {tie-returned} | 250 5.1.1
        9 7 K K | ann*@1 player 1000 | win 1:1 1345 345 {pay-table}    | 345 5.1.1
                | bob@1 player 1600  | win 1:1 2152 552 {pay-table}    | 552 5.1.1
                | cat@1 player 300   | win 1:1 403 103 {pay-table}     | 103 5.1.1
        9 7 K K | ann*@1 player 3000 | win 1:1 4500 1500 {pay-table}   | 1500 5.1.1
                | bob@1 banker 500   | lose - 0 -500 {higher-total}
        9 7 K K | ann*@1 player 3000 | win 1:1 4000 1000 {pay-table}   | 1000 5.1.1
                | bob@2 banker 500   | lose - 0 -500 {higher-total}
        8 8 K K | ann*@1 player 3000 | returned - 3000 0 {tie-returned} | 1000 5.1.1
                | ann@1 tie 5000     | win 8:1 45000 40000 {pay-table}
        """,
        minimum=100,
        differential=1000,
    )


def pro_rata_down_to_the_minimum(game: str, rule: str) -> None:
    """No bet is scaled below the minimum."""
    settles(
        game,
        """
        9 7 K K | ann*@1 player 4900 | win 1:1 5800 900 {pay-table}  | 900 5.1.1
                | bob@1 player 100   | win 1:1 200 100 {pay-table}   | 100 5.1.1
        9 7 K K | ann*@1 player 9600 | win 1:1 10400 800 {pay-table} | 800 5.1.1
                | bob@1 player 100   | win 1:1 200 100 {pay-table}   | 100 5.1.1
                | cat@1 player 300   | win 1:1 400 100 {pay-table}   | 100 5.1.1
        """,
        minimum=100,
        differential=1000,
    )
    settles(
        game,
        """
        9 7 K K | ann*@1 player 1000 | win 1:1 1600 600 {pay-table} | 600 5.1.1
                | bob@1 player 1000  | win 1:1 1600 600 {pay-table} | 600 5.1.1
        """,
        minimum=600,
        differential=1000,
    )


def small_bet_not_scaled(game: str, rule: str) -> None:
    settles(
        game,
        """
        9 7 K K | ann*@1 player 1960 | win 1:1 2910 950 {pay-table}     | 950 5.1.1
                | bob@1 player 50    | win 1:1 100 50 {pay-table}       | 50 5.1.2
        7 9 K K | ann*@1 player 1960 | lose - 1010 -950 {higher-total}  | 950 5.1.1
                | bob@1 player 50    | lose - 0 -50 {higher-total}      | 50 5.1.2
        """,
        minimum=100,
        differential=1000,
    )


def no_differential_to_scale_to(game: str, rule: None) -> None:
    """The sheet knows no Differential, so every bet is in play whole."""
    assert load(game).limits is None
    settles(
        game,
        """
        9 7 K K | ann*@1 player 1001 | win 1:1 2002 1001 {pay-table}
                | bob@1 player 50    | win 1:1 100 50 {pay-table}
        """,
        minimum=100,
        differential=1000,
    )


def below_minimum_stands(game: str, rule: str) -> None:
    assert limits(game).minimum_unnoticed_rule == rule
    settles(
        game,
        """
        9 7 K K | player 50 | win 1:1 100 50 {pay-table}
        7 9 K K | player 50 | lose - 0 -50 {higher-total}
        """,
        minimum=100,
        differential=1000,
    )


def unit_that_pays_every_line_exactly(game: str, rule: str) -> None:
    """A twentieth of commission, or of 1.05 to 1, asks for 0.20 and a half for 0.02. On other amounts wins are less."""
    unit = {"non-commission": 2, "da-hu-ying-xiong": 2}.get(game, 20)
    assert load(game).exact_unit_cents == unit
    for shown, _ in some_rounds(300):
        for line in settled(game, shown, *[Bet(1, "ann", bet, Cents(unit)) for bet in load(game).bets]).lines:
            if line.odds is not None:
                assert line.net_cents * line.odds.stake == unit * line.odds.win
