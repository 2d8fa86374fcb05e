"""The front door: what `import punto` gives."""

from __future__ import annotations

import ast
import copy
import doctest
import pickle
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import punto
from punto.extras import naming_extras

EASY_SIX = punto.game("easy-six")
SOURCES = Path(__file__).parents[2] / "src" / "punto"
LIBRARY = [
    "punto",
    "punto.rules.cards",
    "punto.rules.hands",
    "punto.rules.refusals",
    *[f"punto.library.{path.stem}" for path in sorted((SOURCES / "library").glob("[a-z]*.py"))],
]


def run(code: str) -> str:
    """What a program prints in a process of its own."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("module", LIBRARY)
def test_the_examples_of_the_docstrings_run(module: str) -> None:
    assert doctest.testmod(import_module(module)).failed == 0


def exports_for_type_checkers() -> Iterator[str]:
    for node in ast.walk(ast.parse((SOURCES / "__init__.py").read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("punto."):
            yield from (alias.asname or alias.name for alias in node.names)


def test_every_public_name_is_found_and_known_to_type_checkers() -> None:
    assert sorted(punto.__all__) == sorted(set(exports_for_type_checkers()))
    assert set(punto.__all__) <= set(dir(punto))
    for name in punto.__all__:
        assert getattr(punto, name).__doc__


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'dragon'"):
        getattr(punto, "dragon")  # noqa: B009 — a type checker would find it


def test_importing_the_front_door_loads_nothing_else() -> None:
    loaded = "import sys; before = set(sys.modules); import punto; print(*sorted(set(sys.modules) - before))"
    assert run(loaded) == "__future__ punto"


@pytest.mark.parametrize(
    "first",
    [
        "",
        "import punto.roads; ",
        "from punto.roads.roads import Roads; ",
        "import punto; punto.game; import punto.roads; ",
    ],
)
def test_roads_can_be_called_whatever_was_imported_first(first: str) -> None:
    drawn = f"{first}import punto; r = punto.roads('BBP'); import punto.roads; print(r, '|', punto.roads('T'))"
    assert run(drawn) == "3 rounds: Banker 2, Player 1, Tie 0 | 1 round: Banker 0, Player 0, Tie 1"


# ------------------------------------------------------------------------------------------- values


def test_a_card_is_read_from_its_name_and_is_one_of_52() -> None:
    card = punto.Card("6h")
    assert (card.rank, card.suit, str(card), card.points) == (punto.Rank("6"), punto.Suit("h"), "6h", 6)
    assert card is punto.Card("6h") is pickle.loads(pickle.dumps(card)) is copy.deepcopy(card)  # noqa: S301 — our own
    assert [str(each) for each in sorted(punto.Cards("Kd 2c As 2s"))] == ["As", "2s", "2c", "Kd"]
    with pytest.raises(AttributeError):
        card.points = 9


# ------------------------------------------------------------------------------------------- shoes and roads


def test_a_shoe_is_repeated_from_its_seed() -> None:
    shoe = punto.Shoe(decks=6, seed=5)
    assert shoe == punto.Shoe(6, 5) != punto.Shoe(6, 5, cut=20)
    assert len({shoe, punto.Shoe(6, 5), punto.Shoe(6, 6)}) == 2
    dealt = [card for each in shoe for card in each.cards]
    assert dealt == list(shoe.cards[: len(dealt)])
    assert len(shoe.cards) - len(dealt) <= shoe.cut
    assert len(list(shoe)) == shoe.rounds


def test_so_many_rounds_follow_from_shoe_to_shoe() -> None:
    shoe = punto.Shoe(seed=5)
    many = shoe.deal(500, progress=False)
    dealt = list(many)
    assert many == shoe.deal(500)
    assert len(many) == len(dealt) == 500
    assert dealt[: shoe.rounds] == list(shoe)
    assert [many[7], many[-1]] == [dealt[7], dealt[-1]]
    assert many[490:480:-3] == dealt[490:480:-3]
    assert many[600:] == []
    with pytest.raises(IndexError):
        many[500]


def test_results_of_every_form_make_the_same_road() -> None:
    lines = ["5h Kd 6s 6c 9h = B 0-6", "9h 9d Ks Kc"]
    rounds = [EASY_SIX.settle(line.partition("=")[0], []).round for line in lines]
    roads = punto.roads(lines)
    assert roads == punto.roads(rounds) == punto.roads([each.outcome for each in rounds])
    assert roads == punto.roads([EASY_SIX.settle(str(punto.Cards(each.cards)), []) for each in rounds])
    for named in ("BT", ["B", " ", "T"], ["banker", "tie"]):
        assert [cell.colour for cell in punto.roads(named).bead_plate] == [cell.colour for cell in roads.bead_plate]


# ------------------------------------------------------------------------------------------- a table


@pytest.mark.parametrize("game", punto.games(), ids=lambda game: game.id)
def test_every_game_has_a_table_that_advances_through_shoes(game: punto.Game) -> None:
    table = punto.Table(game, shoe=punto.Shoe(game.sheet.decks.minimum, seed=1))
    while table.rounds < 60:
        assert table.advance()


# ------------------------------------------------------------------------------------------- extras


def test_a_missing_package_names_its_extra() -> None:
    with pytest.raises(punto.ExtraMissingError) as caught, naming_extras():
        raise ModuleNotFoundError("No module named 'numba.core'", name="numba.core")
    assert caught.value.extra == "simulation"
    assert str(caught.value).endswith("install it with: pip install '.[simulation]' [extra-missing]")
