"""The words on a drawing of the roads, in English and Chinese."""

from __future__ import annotations

from dataclasses import dataclass

from punto.roads.path import Colour
from punto.roads.roads import COLOURS, Cell, Roads
from punto.rules.outcome import Winner


@dataclass(frozen=True, slots=True)
class Words:
    """One language: the names of roads, hands, marks and colours, and the sentences of a drawing.

    The sentences are formats; `beads` are the marks of the bead plate. A label of one's own is made with
    `dataclasses.replace`.
    """

    language: str
    roads: dict[str, str]
    hands: dict[Winner, str]
    beads: dict[Winner, str]
    colours: dict[Colour, str]
    pair: str
    ties: tuple[str, str]
    waiting: tuple[str, str]
    round: str
    comma: str
    next_hand: str
    coming: dict[Winner, str]
    nothing: str
    newest: str
    summary: tuple[str, str]
    pairs_key: str
    ties_key: str
    tradition: str


ENGLISH = Words(
    language="en",
    roads={
        "bead_plate": "Bead plate",
        "big_road": "Big road",
        "big_eye_boy": "Big eye boy",
        "small_road": "Small road",
        "cockroach_pig": "Cockroach pig",
    },
    hands={Winner.BANKER: "Banker", Winner.PLAYER: "Player", Winner.TIE: "Tie"},
    beads={Winner.BANKER: "B", Winner.PLAYER: "P", Winner.TIE: "T"},
    colours={Colour.RED: "red", Colour.BLUE: "blue", Colour.GREEN: "green"},
    pair="{hand} pair",
    ties=("1 tie", "{count} ties"),
    waiting=("1 tie waits for the first result", "{count} ties wait for the first result"),
    round="Round {round}: {what}",
    comma=", ",
    next_hand="Next hand",
    coming={Winner.BANKER: "If Banker", Winner.PLAYER: "If Player"},
    nothing="nothing yet",
    newest="{name} (newest {shown} of {all} columns)",
    summary=("1 round: {counts}", "{rounds} rounds: {counts}"),
    pairs_key="' Banker pair  , Player pair  : both",
    ties_key="/ a tie on the result, or how many (+ ten or more)",
    tradition="The next-hand rows are tradition, not information: no road foretells the next round.",
)

CHINESE = Words(
    language="zh",
    roads={
        "bead_plate": "珠盘路",
        "big_road": "大路",
        "big_eye_boy": "大眼仔",
        "small_road": "小路",
        "cockroach_pig": "曱甴路",
    },
    hands={Winner.BANKER: "庄", Winner.PLAYER: "闲", Winner.TIE: "和"},
    beads={Winner.BANKER: "庄", Winner.PLAYER: "闲", Winner.TIE: "和"},
    colours={Colour.RED: "红", Colour.BLUE: "蓝", Colour.GREEN: "绿"},
    pair="{hand}对",
    ties=("和 1 次", "和 {count} 次"),
    waiting=("和 1 次，待首个结果", "和 {count} 次，待首个结果"),
    round="第 {round} 局：{what}",
    comma="，",
    next_hand="问路",
    coming={Winner.BANKER: "庄问路", Winner.PLAYER: "闲问路"},
    nothing="未有",
    newest="{name}（共 {all} 列，示最后 {shown} 列）",
    summary=("共 1 局：{counts}", "共 {rounds} 局：{counts}"),
    pairs_key="' 庄对  , 闲对  : 两对",
    ties_key="/ 和一次，多次则为次数（+ 十次或以上）",
    tradition="问路只是传统，并非信息：任何路单都不能预告下一局。",
)

LANGUAGES = {words.language: words for words in (ENGLISH, CHINESE)}

WINNERS = {colour: winner for winner, colour in COLOURS.items()}


def summary(roads: Roads, words: Words) -> str:
    """How many rounds there were, and how they and their pairs came out."""
    outcomes = roads.outcomes
    counts = [f"{name} {sum(outcome.winner is winner for outcome in outcomes)}" for winner, name in words.hands.items()]
    pairs = {
        Winner.BANKER: sum(outcome.banker_pair is not None for outcome in outcomes),
        Winner.PLAYER: sum(outcome.player_pair is not None for outcome in outcomes),
    }
    counts += [f"{words.pair.format(hand=words.hands[winner])} {count}" for winner, count in pairs.items()]
    return words.summary[roads.rounds != 1].format(rounds=roads.rounds, counts=words.comma.join(counts))


def waiting(roads: Roads, words: Words) -> str:
    """What stands in the big road's first cell while only ties have come."""
    return words.waiting[roads.ties_waiting != 1].format(count=roads.ties_waiting)


def describe(cell: Cell, words: Words, *, hand: bool) -> str:
    """A mark in words: its round, its hand (or its colour, on a derived road), its pairs and its ties."""
    parts = [words.hands[WINNERS[cell.colour]] if hand else words.colours[cell.colour]]
    if cell.banker_pair:
        parts.append(words.pair.format(hand=words.hands[Winner.BANKER]))
    if cell.player_pair:
        parts.append(words.pair.format(hand=words.hands[Winner.PLAYER]))
    if cell.ties:
        parts.append(words.ties[cell.ties != 1].format(count=cell.ties))
    return words.round.format(round=cell.round, what=words.comma.join(parts))
