"""The drawings of the roads: every mark there, of its shape and colour, in its place, with its words."""

from __future__ import annotations

from xml.etree.ElementTree import Element, fromstring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.roads.roads import ROADS, Roads
from punto.roads.svg import HALF, draw_svg
from punto.roads.text import Span, draw_text
from punto.roads.words import CHINESE, ENGLISH, Words
from tests.roads_support import SETTINGS, shoe, shoes

NS = "{http://www.w3.org/2000/svg}"
SHOE = "T BB' P, T BBB TT PP B PPPPPPPP B"


def roads(text: str) -> Roads:
    return Roads.of(shoe(text))


def parse(drawing: str) -> Element:
    return fromstring(drawing)  # noqa: S314 — our own text


def find(root: Element, name: str) -> list[Element]:
    """The elements with this class."""
    return [each for each in root.iter() if name in each.get("class", "").split()]


def marks(root: Element, road: str) -> list[Element]:
    (group,) = find(root, road)
    return find(group, "mark")


def titles(elements: list[Element]) -> list[str]:
    return [each.findtext(f"{NS}title", "") for each in elements]


# ------------------------------------------------------------------------------------------- SVG


def test_svg_has_one_mark_for_every_cell_with_its_colour_and_words() -> None:
    drawn = roads(SHOE)
    root = parse(draw_svg(drawn))
    for name in ROADS:
        cells = getattr(drawn, name)
        found = marks(root, name.replace("_", "-"))
        assert [each.get("class", "").split()[1] for each in found] == [cell.colour for cell in cells]
    assert titles(marks(root, "bead-plate"))[:4] == [
        "Round 1: Tie",
        "Round 2: Banker",
        "Round 3: Banker, Banker pair",
        "Round 4: Player, Player pair",
    ]
    assert titles(marks(root, "big-road"))[:3] == [
        "Round 2: Banker, 1 tie",
        "Round 3: Banker, Banker pair",
        "Round 4: Player, Player pair, 1 tie",
    ]
    assert titles(marks(root, "big-eye-boy"))[0] == "Round 6: blue"
    assert root.get("role") == "img"
    assert root.findtext(f"{NS}title") == root.get("aria-label")


def test_svg_places_marks_at_their_cells() -> None:
    drawn = roads("B" * 8 + "P" * 9)
    root = parse(draw_svg(drawn))
    for each, cell in zip(marks(root, "big-eye-boy"), drawn.big_eye_boy, strict=True):
        (ring,) = each.iter(f"{NS}circle")
        middle = (float(ring.get("cx", "")), float(ring.get("cy", "")))
        assert middle == ((cell.column + 0.5) * HALF, (cell.row + 0.5) * HALF)


def test_svg_marks_pairs_on_the_corners_of_their_hands() -> None:
    plate = find(parse(draw_svg(roads("P',"))), "bead-plate")[0]
    (banker,), (player,) = find(plate, "banker-pair"), find(plate, "player-pair")
    assert (banker.get("cx"), banker.get("cy")) == ("4", "4")
    assert (player.get("cx"), player.get("cy")) == ("16", "16")
    assert banker.get("fill") != player.get("fill")


def test_svg_says_that_next_hand_rows_are_tradition() -> None:
    root = parse(draw_svg(roads("BB P BB")))
    assert [each.text for each in find(root, "tradition")] == [ENGLISH.says("tradition")]
    rows = find(root, "next-hand")[0]
    said = [title.text for title in rows.iter(f"{NS}title")]
    assert said == [
        "If Banker, Big eye boy, red",
        "If Banker, Small road, blue",
        "If Banker, Cockroach pig, nothing yet",
        "If Player, Big eye boy, blue",
        "If Player, Small road, red",
        "If Player, Cockroach pig, nothing yet",
    ]


def test_svg_speaks_chinese() -> None:
    chinese = parse(draw_svg(roads("BPT"), words=CHINESE))
    assert [each.text for each in find(chinese, "letter")] == ["庄", "闲", "和"]
    assert chinese.get("lang") == "zh-Hans"


@SETTINGS
@given(shoes, st.sampled_from([ENGLISH, CHINESE]))
def test_svg_is_well_formed_and_stays_within_its_box(text: str, words: Words) -> None:
    root = parse(draw_svg(roads(text), words=words))
    for panel in find(root, "road"):
        (sheet,) = find(panel, "panel")
        width, height = float(sheet.get("width", "")), float(sheet.get("height", ""))
        for circle in panel.iter(f"{NS}circle"):
            radius = float(circle.get("r", ""))
            assert radius <= float(circle.get("cx", "")) <= width - radius
            assert radius <= float(circle.get("cy", "")) <= height - radius


# ------------------------------------------------------------------------------------------- text

PLAIN = """\
13 rounds: Banker 5, Player 5, Tie 3, Banker pair 1, Player pair 1

Bead plate
 T  T  P  .  .  .  .  .  .  .  .  .
 B  T  .  .  .  .  .  .  .  .  .  .
'B  P  .  .  .  .  .  .  .  .  .  .
,P  P  .  .  .  .  .  .  .  .  .  .
 B  B  .  .  .  .  .  .  .  .  .  .
 B  P  .  .  .  .  .  .  .  .  .  .

Next hand   Big eye boy  Small road  Cockroach pig
If Banker   b            r           r
If Player   r            b           b

Big road
 B/,P  B  P  B  P  .  .  .  .  .  .
'B  .  B2 P  .  P  .  .  .  .  .  .
 .  .  .  .  .  .  .  .  .  .  .  .
 .  .  .  .  .  .  .  .  .  .  .  .
 .  .  .  .  .  .  .  .  .  .  .  .
 .  .  .  .  .  .  .  .  .  .  .  .
"""


def plain(lines: list[list[Span]]) -> str:
    return "\n".join("".join(span.text for span in line).rstrip() for line in lines) + "\n"


def test_text_without_colour_marks_everything_with_letters() -> None:
    drawing = plain(draw_text(roads("T BB' P, BB TT PP B PP"), colour=False, width=50))
    assert drawing.startswith(PLAIN)
    assert drawing.isascii()
    assert drawing.endswith(ENGLISH.says("tradition") + "\n")


@pytest.mark.parametrize(("ties", "sign"), [(1, "/"), (2, "2"), (9, "9"), (10, "+"), (40, "+")])
def test_text_marks_ties_in_one_character(ties: int, sign: str) -> None:
    drawing = plain(draw_text(roads("B" + "T" * ties), colour=False, width=80))
    assert f"\n B{sign} " in drawing.split("Big road")[1]


@SETTINGS
@given(shoes, st.integers(60, 160), st.booleans())
def test_text_stays_within_the_width(text: str, width: int, colour: bool) -> None:
    lines = plain(draw_text(roads(text), colour=colour, width=width)).split("\n")
    # The three sentences at the end and the first line are left for the terminal to wrap.
    assert all(len(line) <= width for line in lines[1:-4])


def test_text_in_chinese_keeps_its_columns() -> None:
    lines = plain(draw_text(roads("BPT" * 6 + "B,"), colour=False, width=80, words=CHINESE)).split("\n")
    start = next(place for place, line in enumerate(lines) if line.startswith("珠盘路"))
    assert lines[start + 1].startswith(" 庄 庄 庄,庄 .")
    assert CHINESE.says("tradition") in lines
