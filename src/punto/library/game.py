"""A game: settle its rounds, and ask for its odds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import punto
from punto.extras import naming_extras
from punto.library.counting import GameCount, GameEffects, game_count, game_effects
from punto.library.inputs import given_burn, read, wrong
from punto.library.odds import GameOdds, cards_left, game_odds
from punto.rules import differential
from punto.rules import settlement as settling
from punto.rules.cards import read_cards
from punto.rules.defaults import DEFAULT_CUT, DEFAULT_DECKS
from punto.rules.hands import AnyCards, Cards, Hand
from punto.rules.html import sheet_html
from punto.rules.insurance import Window
from punto.rules.loader import GAMES, load, load_all
from punto.rules.money import MAX_CENTS, Cents
from punto.rules.notation import DEFAULT_UNIT, is_patron_name, make_limits
from punto.rules.reasons import Wanted
from punto.rules.refusals import Refusal, Refused, StakeInvalid
from punto.rules.settlement import Settlement, settle
from punto.rules.sheet import Sheet

if TYPE_CHECKING:
    from punto.analysis.best_play import BestPlay


class Bet(settling.Bet):
    """A bet by its id and its stake in cents. Insurance names its window: `four-cards` or `player-third`.

    Raises Refused for a value of the wrong kind, and for a stake that is not above zero. Settling says whether a game
    takes the bet.

    >>> import punto
    >>> punto.Bet("banker", 10_00, patron="ann", box=3)
    Bet('banker', 1000, box=3, patron='ann')
    """

    __slots__ = ()

    def __init__(
        self,
        on: str,
        stake_cents: int,
        *,
        box: int = 1,
        patron: str = "patron",
        window: str | None = None,
        seated: bool = False,
    ) -> None:
        if not is_patron_name(read(patron, str, "patron")):
            raise wrong("patron", Wanted.NAME, patron)
        stake = read(stake_cents, int, "stake_cents")
        super().__init__(
            read(box, int, "box"),
            patron,
            read(on, str, "on"),
            Cents(stake),
            read(window, Window | None, "window"),
            read(seated, bool, "seated"),
        )
        if not 0 < stake < MAX_CENTS:
            raise Refused(StakeInvalid(on, stake))


class Limits(differential.Limits):
    """The limits that a table displays: minimum bet, maximum Differential of a box, and chip unit. Raises Refused.

    >>> import punto
    >>> punto.Limits(25_00, 5_000_00)
    Limits(minimum_cents=2500, differential_cents=500000, unit_cents=1)
    """

    __slots__ = ()

    def __init__(self, minimum_cents: int, differential_cents: int, unit_cents: int = DEFAULT_UNIT) -> None:
        given = make_limits(
            read(minimum_cents, int, "minimum_cents"),
            read(differential_cents, int, "differential_cents"),
            read(unit_cents, int, "unit_cents"),
        )
        super().__init__(given.minimum_cents, given.differential_cents, given.unit_cents)


class Game:
    """A game by its rule sheet. Two games with the same sheet are equal.

    >>> import punto
    >>> game = punto.game("easy-six")
    >>> game.settle("6h 2d Ks 3c 4c", [punto.Bet("banker", 10_00)])
    <Settlement 6h 2d Ks 3c 4c = B 6-9; 1 bet, House -10.00>
    """

    __slots__ = ("sheet",)

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet

    @property
    def id(self) -> str:
        """The id of the game."""
        return self.sheet.id

    @property
    def bets(self) -> tuple[str, ...]:
        """The ids of the bets on offer, insurance last."""
        return self.sheet.bet_ids

    def settle(
        self,
        cards: AnyCards,
        bets: Iterable[settling.Bet],
        *,
        decks: int = DEFAULT_DECKS,
        limits: differential.Limits | None = None,
    ) -> Settlement:
        """Settle the bets of a round, given its cards in dealing order. Raises Refused."""
        answer = self.try_settle(cards, bets, decks=decks, limits=limits)
        if isinstance(answer, Refusal):
            raise Refused(answer, self.sheet)
        return answer

    def try_settle(
        self,
        cards: AnyCards,
        bets: Iterable[settling.Bet],
        *,
        decks: int = DEFAULT_DECKS,
        limits: differential.Limits | None = None,
    ) -> Settlement | Refusal:
        """Settle the bets of a round, or return why they cannot be settled.

        >>> import punto
        >>> answer = punto.game("commission").try_settle("9h 2d", [])
        >>> isinstance(answer, punto.Refusal), answer.code
        (True, 'card-missing')
        """
        try:
            dealt = read_cards(cards)
            placed = read(bets, tuple[settling.Bet, ...], "bets")
            decks, limits = read(decks, int, "decks"), read(limits, differential.Limits | None, "limits")
        except Refused as error:
            return error.refusal
        return settle(self.sheet, dealt, placed, decks=decks, limits=limits)

    def odds(
        self, decks: int = DEFAULT_DECKS, *, removed: AnyCards = (), counts: Sequence[int] | None = None
    ) -> GameOdds:
        """The exact odds of every bet for a full shoe, without `removed` cards, or with 13 `counts` left, ace to king.

        Needs the extra `odds`. Raises Refused.

        >>> import punto
        >>> punto.game("commission").odds(decks=8)["banker"].edge
        Fraction(114753351728, 10847218479825)
        """
        return game_odds(self.sheet, decks, cards_left(decks, Cards(removed), counts))

    def effects(
        self, decks: int = DEFAULT_DECKS, *, removed: AnyCards = (), counts: Sequence[int] | None = None
    ) -> GameEffects:
        """The effects of removal: what one card less of each rank adds to each bet's value.

        Needs the extra `odds`. Raises Refused.

        >>> import punto
        >>> float(punto.game("commission").effects()["banker"][punto.Rank("4")])
        0.00011571919543474474
        """
        return game_effects(self.sheet, cards_left(decks, Cards(removed), counts))

    def best_play(
        self, decks: int = DEFAULT_DECKS, *, removed: AnyCards = (), counts: Sequence[int] | None = None
    ) -> dict[str, BestPlay]:
        """The best play of insurance for a bet on each hand that can be insured; none in a game without insurance.

        Needs the extra `odds`. Raises Refused.

        >>> import punto
        >>> play = punto.game("da-hu-ying-xiong").best_play()["banker"]
        >>> play.best_edge < play.chart_edge < play.edge
        True
        """
        with naming_extras("odds"):
            from punto.analysis.best_play import best_play
        left = cards_left(decks, Cards(removed), counts)
        return {hand.value: play for hand in Hand if (play := best_play(self.sheet, hand, left))}

    def count(
        self,
        bet: str | None = None,
        *,
        tags: Sequence[float] | None = None,
        threshold: float | None = None,
        decks: int = DEFAULT_DECKS,
        cut: int = DEFAULT_CUT,
        burn: int | str = 0,
        one_more: bool = False,
        shoes: int = 2_000,
        seed: int = 1,
        progress: bool | None = None,
    ) -> GameCount:
        """Deal shoes and say how well a bet can be counted, or every bet: perfectly, by tags, by the best tags.

        `tags` are thirteen numbers, ace to king, or ten, of which the last is for ten to king. A threshold that is not
        given is chosen on other shoes than those that it is tried on. `burn` is a number of cards, or `card`; with
        `one_more`, a round follows the one in which the cut card comes out. Needs the extra `simulation`. Raises
        Refused.
        """
        with naming_extras("simulation"):
            from punto.analysis.countability import Shoes
        dealt = Shoes(
            read(decks, int, "decks"), read(cut, int, "cut"), read(shoes, int, "shoes"), read(seed, int, "seed"),
            given_burn(burn), read(one_more, bool, "one_more"),
        )  # fmt: skip
        return game_count(self.sheet, bet, tags, threshold, dealt, progress)

    def report(self, decks: int = DEFAULT_DECKS) -> str:
        """Every exact figure as one self-contained HTML page, as a test laboratory would print it.

        Needs the extras `odds` and `charts`. Raises Refused.
        """
        with naming_extras("charts"):
            from punto.analysis.report import report
        return report(self.sheet, read(decks, int, "decks"), version=punto.__version__, made_on=date.today())  # noqa: DTZ011 — the reader's own day

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and other.sheet == self.sheet

    def __hash__(self) -> int:
        return hash(self.sheet)

    def __str__(self) -> str:
        return str(self.sheet)

    def __repr__(self) -> str:
        known = self.id in GAMES and load(self.id) == self.sheet
        return f"punto.game({self.id!r})" if known else f"<Game {self}>"

    def _repr_html_(self) -> str:
        return sheet_html(self.sheet)


AnyGame = Game | Sheet | str | Path | Mapping[str, object]
"""A game, its sheet, its id, or a sheet's path, TOML text or mapping."""


def game(which: AnyGame) -> Game:
    """The game with this id, or of a sheet by its path, text or mapping. Raises Refused.

    >>> import punto
    >>> print(punto.game("easy-six"))
    Non-Commission Easy Six Baccarat (easy-six)
    """
    if isinstance(which, Game):
        return which
    return Game(which if isinstance(which, Sheet) else load(which))


def games() -> tuple[Game, ...]:
    """The built-in games.

    >>> import punto
    >>> [game.id for game in punto.games()]
    ['commission', 'commission-insurance', 'non-commission', 'easy-six', 'da-hu-ying-xiong']
    """
    return tuple([Game(sheet) for sheet in load_all()])
