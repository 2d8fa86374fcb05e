"""Rule tests as text tables: cards, bets, what comes back. What is expected here never asks the code under test.

A settlement table has one bet a row:

    K 5 9 2      | ann@1 banker 1000 | lose - 0 -1000 3.13
                 | tie 200           | lose - 0 -200 1.19 | 150 5.1.1

Cards are in dealing order; a row without cards adds a bet to the round above. A card may leave its suit out: nothing
in the five sheets depends on it. A bet is `[patron[*]@box] id stake [window]`, by ann in box 1 unless it says
otherwise, and a star marks the seated patron. Then comes `result odds returned net paragraph`, and, where not the
whole stake was plainly in play, `part-in-play paragraph`. A refused round has `refused code paragraph` instead.

Where several sheets share a table, `{row}` stands for the paragraph that the game cites in that row of `paragraphs`,
and `{banker 1000}` for a Banker bet of 1000 that wins on another total than 6: with commission, or at even money. With
two numbers the second is the part in play.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from punto.rules.cards import Card, parse_cards
from punto.rules.differential import Limits
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.loader import load
from punto.rules.money import Cents
from punto.rules.refusals import Refusal
from punto.rules.settlement import Bet, Line, Settlement, settle
from punto.rules.tableau import INITIAL_CARDS
from punto.table import acts
from punto.table.engine import choices
from punto.table.ways import Way
from tests.rulebook.paragraphs import cited
from tests.table_kit import DEALER, Play, patron

COMMISSION = ("commission", "commission-insurance")
SUITS = "shdc"
RANKS = "A23456789TJQK"


# ------------------------------------------------------------------------------------------- reading tables


def cards(text: str) -> tuple[Card, ...]:
    """Cards in dealing order; those written as a bare rank get a suit by their place."""
    return parse_cards(" ".join(name + SUITS[place % 4] * (len(name) == 1) for place, name in enumerate(text.split())))


def rows(table: str) -> list[list[str]]:
    """The cells of a text table, row by row; empty lines do not count."""
    return [[cell.strip() for cell in line.split("|")] for line in table.splitlines() if line.strip()]


def points(printed: str) -> list[int]:
    """Points as the sheets print them: `6`, `0-4`, or spelt out as `0-1-2`."""
    ends = [int(digit) for digit in printed.split("-")] if printed else []
    return list(range(ends[0], ends[1] + 1)) if len(ends) == 2 else ends


@dataclass(frozen=True, slots=True)
class Case:
    """One round of a table: its bets, and what each must come to."""

    cards: str
    bets: list[Bet]
    expected: list[str]


def read_bet(text: str) -> Bet:
    words = text.split()
    who = words.pop(0) if "@" in words[0] else "ann@1"
    patron, _, box = who.partition("@")
    window = Window(words[2]) if len(words) == 3 else None
    return Bet(int(box), patron.rstrip("*"), words[0], Cents(int(words[1])), window, patron.endswith("*"))


def banker_wins(game: str, stake: int, in_play: int) -> str:
    """A Banker bet that wins on another total than 6. The commission is a twentieth; fractions of a cent are lost."""
    odds, won = ("0.95:1", in_play * 19 // 20) if game in COMMISSION else ("1:1", in_play)
    return f"win {odds} {stake + won} {won} {cited(game, 'pay-table')}"


def filled(game: str, table: str) -> str:
    """The table with its braces replaced by what they stand for in this game."""

    def stands_for(match: re.Match[str]) -> str:
        name, *numbers = match[1].split()
        return banker_wins(game, int(numbers[0]), int(numbers[-1])) if numbers else cited(game, name)

    return re.sub(r"\{(.+?)\}", stands_for, table)


def read_cases(game: str, table: str) -> list[Case]:
    cases: list[Case] = []
    for shown, bet_text, *expected in rows(filled(game, table)):
        if shown:
            cases.append(Case(shown, [], []))
        bet = read_bet(bet_text)
        cases[-1].bets.append(bet)
        if len(expected) == 1 and expected[0] and not expected[0].startswith("refused"):
            expected.append(f"{bet.stake_cents} -")
        if expected[0]:
            cases[-1].expected.append(" | ".join(" ".join(cell.split()) for cell in expected))
    return cases


# ------------------------------------------------------------------------------------------- checking tables


def settles(
    game: str,
    table: str,
    *,
    minimum: int | None = None,
    differential: int | None = None,
    unit: int = 1,
    decks: int = 8,
) -> None:
    """Every round of the table settles, or is refused, as its rows say; the House takes what patrons lose.

    What settles is played at a live table, too.
    """
    limits = None
    if minimum is not None and differential is not None:
        limits = Limits(Cents(minimum), Cents(differential), Cents(unit))
    cases = read_cases(game, table)
    assert cases
    _play(game, cases, limits, decks)
    for case in cases:
        answer = settle(load(game), cards(case.cards), case.bets, decks=decks, limits=limits)
        if isinstance(answer, Refusal):
            found = [f"refused {answer.code} {answer.rule}"]
            assert (case.cards, found) == (case.cards, case.expected), answer
        else:
            found = [_shown(line) for line in answer.lines]
            assert (case.cards, found) == (case.cards, case.expected)
            nets = [int(expected.split()[3]) for expected in case.expected]
            assert answer.house_cents == -sum(nets), case.cards


def _play(game: str, cases: list[Case], limits: Limits | None, decks: int) -> None:
    """Every round of the table that settles is also played at a live one, where the bets lie as they are written."""
    sheet = load(game)
    if limits and not sheet.limits:
        return  # such a table holds chips over the maximum for the Shift Manager
    layouts = sorted(sheet.boxes.layouts, key=lambda layout: layout.boxes)
    where: dict[str, Any] = {"layout": layouts[-1].id} if layouts else {"boxes": 150}
    limits = limits or Limits(Cents(1), Cents(10**9))
    shown = {each: getattr(limits, each) for each in ("minimum_cents", "differential_cents", "unit_cents")}
    play = Play(game, live=True, decks=decks, **shown, **where)
    for case in cases:
        if not case.expected[0].startswith("refused") and _lies(case.bets, alone=not layouts):
            found = [_shown(line) for line in _played(play, case).lines]
            assert (case.cards, sorted(found)) == (case.cards, sorted(case.expected))


def _lies(bets: list[Bet], *, alone: bool) -> bool:
    """True if bets can lie so: each patron in one box, with one bet of a kind; at a terminal nobody shares a box."""
    places = {(bet.patron, bet.box) for bet in bets}
    spots = {(bet.patron, bet.on, bet.window) for bet in bets}
    once = len({patron for patron, _ in places}) == len(places) and len(spots) == len(bets)
    return once and not (alone and len({box for _, box in places}) < len(places))


def _played(play: Play, case: Case) -> acts.RoundSettled:
    sheet, order = play.sheet, sorted(case.bets, key=lambda bet: not bet.seated)
    for name, box in dict.fromkeys([(bet.patron, bet.box) for bet in order]):
        play.do((acts.Stand if box in play.state.seats else acts.Sit)(patron(name), name, box))
    play.open()
    for bet in [bet for bet in case.bets if bet.window is None]:
        act, by = (acts.RecordBet, DEALER) if sheet.boxes.layouts else (acts.PlaceBet, patron(bet.patron))
        play.do(act(by, bet.patron, bet.box, bet.on, bet.stake_cents))
    play.close()
    for number, card in enumerate(cards(case.cards), 1):
        play.do(acts.Deal(DEALER, card))
        for way in _announcing(play) if number == INITIAL_CARDS else ():
            play.do(acts.AnnounceInsurance(DEALER, way.patron or ""))
        for bet in [bet for bet in case.bets if bet.window and bet.window.cards == number]:
            play.do(acts.Insure(DEALER, bet.patron, bet.box, bet.on, bet.stake_cents))
    settled = play.settle()
    for name in {bet.patron for bet in case.bets}:
        play.do(acts.Leave(patron(name), name))
    return settled


def _announcing(play: Play) -> tuple[Way, ...]:
    """Whoever may announce insurance does, so that nobody has forgone it in the second window."""
    return next(choice.ways for choice in choices(play.state, DEALER) if choice.kind == "announce-insurance")


def _shown(line: Line) -> str:
    odds = line.odds.text if line.odds else "-"
    paid = f"{line.result} {odds} {line.returned_cents} {line.net_cents} {line.rule}"
    return f"{paid} | {line.in_play_cents} {line.in_play_rule or '-'}"


def totals(game: str, table: str) -> None:
    """For each `cards | player banker winner`, the two point totals and who wins, settled and at a table."""
    for shown, expected in rows(table):
        outcome = settled(game, shown).round.outcome
        assert f"{outcome.player_points} {outcome.banker_points} {outcome.winner}" == expected, shown
        play = Play(game, live=True).open().close()
        for card in cards(shown):
            play.do(acts.Deal(DEALER, card))
        (declared,) = play.of(acts.ResultDeclared)
        assert f"{declared.player_points} {declared.banker_points} {declared.winner}" == expected, shown
        assert declared.rule == play.sheet.play.winner_rule


def settled(game: str, shown: str, *bets: Bet) -> Settlement:
    answer = settle(load(game), cards(shown), bets)
    assert isinstance(answer, Settlement), f"{shown}: {answer}"
    return answer


def refused(game: str, shown: str, *bets: str, decks: int = 8) -> tuple[str, str | None]:
    """The code and paragraph with which a round is refused."""
    answer = settle(load(game), cards(shown), [read_bet(bet) for bet in bets], decks=decks)
    assert isinstance(answer, Refusal), f"{shown}: not refused"
    return str(answer.code), answer.rule


# ------------------------------------------------------------------------------------------- the Table of Play

# As it is printed in all five sheets: Player, then Banker against the points of Player's third card.
PLAYER_TABLE = """
    0-1-2-3-4-5 | draws
    6-7         | stands
    8-9         | natural
"""
BANKER_TABLE = """
    3     | 0-1-2-3-4-5-6-7-9   | 8
    4     | 2-3-4-5-6-7         | 0-1-8-9
    5     | 4-5-6-7             | 0-1-2-3-8-9
    6     | 6-7                 | 0-1-2-3-4-5-8-9
    7     |                     | 0-1-2-3-4-5-6-7-8-9
    0-1-2 | 0-1-2-3-4-5-6-7-8-9 |
"""
PLAYER_PRINTED = {total: does for printed, does in rows(PLAYER_TABLE) for total in points(printed)}
BANKER_PRINTED = {
    (total, third): draws
    for printed, draws_on, stands_on in rows(BANKER_TABLE)
    for total in points(printed)
    for thirds, draws in ((draws_on, True), (stands_on, False))
    for third in points(thirds)
}


def start(player: int, banker: int) -> str:
    """Four cards that give both hands these two-card totals."""
    return f"{_worth(player)} {_worth(banker)} K Q"


def _worth(value: int) -> str:
    return "TA23456789"[value]


def draws(player: int, banker: int, third: int | None = None) -> str:
    """Who draws next by the printed table, for two-card totals and Player's third card if it was dealt."""
    if "natural" in (PLAYER_PRINTED[player], PLAYER_PRINTED[banker]):
        return "nobody"
    if PLAYER_PRINTED[player] == "stands":
        return "banker" if banker in (0, 1, 2, 3, 4, 5) else "nobody"
    if third is None:
        return "player"
    return "banker" if BANKER_PRINTED[banker, third] else "nobody"


def each_start() -> Iterator[tuple[int, int]]:
    return ((player, banker) for player in range(10) for banker in range(10))


def ends_at(game: str, shown: str, rule: str) -> None:
    """The round ends with these cards: one fewer is refused as missing and one more as too many, by the paragraph.

    A card missing from the first four is so by the paragraph on those.
    """
    settled(game, shown)
    assert refused(game, f"{shown} 2") == ("card-too-many", rule), shown
    missing = cited(game, "four-cards") if len(shown.split()) == 4 else rule
    assert refused(game, shown[: shown.rindex(" ")]) == ("card-missing", missing), shown


def follows_table_of_play(game: str, rule: str) -> None:
    """Naturals, Player's draws and Banker's draws after Player's, for every pair of totals and third card."""
    for player, banker in each_start():
        shown = start(player, banker)
        if max(player, banker) >= 8:
            ends_at(game, shown, rule)
        elif draws(player, banker) == "player":
            for third in range(10):
                more = " 5" if draws(player, banker, third) == "banker" else ""
                ends_at(game, f"{shown} {_worth(third)}{more}", rule)


def follows_banker_alone(game: str, rule: str) -> None:
    """When Player stands, on 6 or 7, Banker draws on 0 to 5 and only then."""
    for player in (6, 7):
        for banker in range(8):
            ends_at(game, start(player, banker) + (" 5" if banker <= 5 else ""), rule)
            assert len(settled(game, start(player, banker) + (" 5" if banker <= 5 else "")).round.player) == 2


# ------------------------------------------------------------------------------------------- pay tables


@dataclass(frozen=True, slots=True)
class Seen:
    """What a spectator sees of a finished round, worked out here from ranks alone."""

    winner: str
    player: int
    banker: int
    banker_cards: int
    player_pair: str
    banker_pair: str

    @property
    def pairs(self) -> int:
        return bool(self.player_pair) + bool(self.banker_pair)


PayTable = Callable[[Seen], list[tuple[str, bool, str]]]
"""A printed pay table: for each bet, in order, when a line holds and its odds; the first that holds counts."""


def _deal(ranks: str) -> tuple[str, Seen]:
    """The cards used of six, by the printed Table of Play, and what comes of them."""
    worth = [(RANKS.index(rank) + 1) % 10 if rank in "A23456789" else 0 for rank in ranks]
    player, banker, used, banker_cards = (worth[0] + worth[2]) % 10, (worth[1] + worth[3]) % 10, 4, 2
    first = (player, banker)
    third = None
    if draws(*first) == "player":
        third = worth[4]
        player, used = (player + third) % 10, 5
    if draws(*first, third) == "banker":
        banker, used, banker_cards = (banker + worth[used]) % 10, used + 1, 3
    winner = "tie" if player == banker else "player" if player > banker else "banker"
    paired = [ranks[place] if ranks[place] == ranks[place + 2] else "" for place in (0, 1)]
    return " ".join(ranks[:used]), Seen(winner, player, banker, banker_cards, *paired)


def some_rounds(number: int = 3000) -> Iterator[tuple[str, Seen]]:
    """Rounds spread evenly over all sequences of six ranks."""
    for place in range(number):
        code = place * 2_345_671 % 13**6
        yield _deal("".join(RANKS[code // 13**digit % 13] for digit in range(6)))


def pays_as_printed(game: str, printed: PayTable) -> None:
    """Every bet of the sheet wins, loses and is returned as the printed table says, in every round tried."""
    sheet = load(game)
    tried: set[tuple[str, str]] = set()
    lines: set[tuple[str, str]] = set()
    for shown, seen in some_rounds():
        expected = dict.fromkeys(sheet.bets, "lost")
        for bet, holds, odds in reversed(printed(seen)):
            lines.add((bet, odds))
            if holds:
                expected[bet] = odds
        answer = settled(game, shown, *[Bet(1, "ann", bet, Cents(100)) for bet in sheet.bets])
        for line in answer.lines:
            found = line.odds.text if line.odds else "returned" if line.result == "returned" else "lost"
            assert found == expected[line.bet.on], (shown, line.bet.on)
            tried.add((line.bet.on, found))
    assert lines == {each for each in tried if each[1] != "lost"}, "each printed line was met"
    assert {bet for bet, found in tried if found == "lost"} == set(sheet.bets)


# ------------------------------------------------------------------------------------------- insurance


def printed_offers(table: str) -> dict[tuple[str, str, int, int], str]:
    """The odds of each cell of a printed insurance table: `window | hand | player points | banker points | odds`."""
    return {
        (window, hand, player, banker): odds
        for window, hand, players, bankers, odds in rows(table)
        for player in points(players)
        for banker in points(bankers)
    }


def each_insurance_state() -> Iterator[tuple[str, str, int, int, bool]]:
    """Every state in a window: the window, the cards, Player's points, Banker's, and whether a card is to come."""
    for player, banker in each_start():
        shown = start(player, banker)
        yield "four-cards", shown, player, banker, draws(player, banker) != "nobody"
        if draws(player, banker) == "player":
            for third in range(10):
                to_come = draws(player, banker, third) == "banker"
                yield "player-third", f"{shown} {_worth(third)}", (player + third) % 10, banker, to_come


def offers_as_printed(game: str, table: str) -> None:
    """In every state insurance is on offer exactly where the printed table says and a card is still to come."""
    insurance = load(game).insurance
    assert insurance is not None
    printed = printed_offers(table)
    assert printed == {
        (row.window.value, row.hand.value, player, banker): row.odds.text
        for row in insurance.rows
        for player, banker in product(row.player, row.banker)
    }, "the rows are those that are printed"
    met = set()
    for window, shown, player, banker, to_come in each_insurance_state():
        expected = {
            hand: printed[window, hand, player, banker]
            for hand in ("player", "banker")
            if to_come and (window, hand, player, banker) in printed
        }
        met |= {(window, hand, player, banker) for hand in expected}
        found = {hand.value: offer.odds.text for hand, offer in insurance.offers(cards(shown)).items()}
        assert found == expected, (window, shown)
    for window, hand, players, bankers, _ in rows(table):
        cells = {(window, hand, player, banker) for player in points(players) for banker in points(bankers)}
        assert cells & met, f"no state reaches {window} {hand} {players}/{bankers}"


def insurance_settles(game: str, table: str) -> None:
    """Every offer of the printed table settles rightly for every last card: on a loss, on a win and on a tie."""
    printed = printed_offers(table)
    for window, shown, player, banker, to_come in each_insurance_state():
        if not to_come:
            continue
        for hand in Hand:
            odds = printed.get((window, hand, player, banker))
            if odds is None:
                continue
            for last in range(10):
                cards_shown, result = _finish(shown, window, last)
                if result == "tie":
                    expected = "win" if (window, hand, player) == ("player-third", "player", 9) else "returned"
                else:
                    expected = "lose" if result == hand else "win"
                stakes = Bet(1, "ann", hand.value, Cents(1000)), _insure(hand, window)
                line = settled(game, cards_shown, *stakes).lines[1]
                assert line.odds is not None
                assert (line.result.value, line.odds.text) == (expected, odds), (cards_shown, hand)


def _insure(hand: Hand, window: str) -> Bet:
    return Bet(1, "ann", f"{hand}-insurance", Cents(100), Window(window))


def _finish(shown: str, window: str, last: int) -> tuple[str, str]:
    """The round finished with cards worth `last`, and who wins it."""
    ranks = (shown.replace(" ", "") + _worth(last) * 2)[:6]
    used, seen = _deal(ranks)
    return used, seen.winner
