"""One table of scenario × game → paragraph: what several sheets rule, and where each of them rules it.

A row is a scenario, a function of the same name in `settling` (tables of bets, settled and played) or `playing`.
A cell holds the paragraph that names the test. Further paragraphs in a cell are cited along the way: the function is
given all of them, and tables of bets that write `{row}` mean the last.

An empty cell: the sheet has nothing of the kind. A dash: the sheet is silent, and house practice cites no paragraph.
`decision`: the sheet is silent, and the Shift Manager decides; the row is then named by the situation. A function may
serve several situations, which its rows name after a colon.
What one sheet alone rules is in `test_one_sheet_settled` and `test_one_sheet_at_a_table`; `test_examined_again` has
lines of its own, each with what it comes to in every sheet.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType

from punto.rules.loader import GAMES

INSTEAD = ("decision", "no-report")

TABLE = """
                                | commission   | commission-insurance | non-commission | easy-six    | da-hu-ying-xiong

table-of-play-is-mandatory      | 1.1          | 1                    | 1              | 1           | 1.1
wager-has-no-rule-of-its-own    | 1.2          |                      |                |             | 1.2
shoe-of-whole-decks             | 1.3          |                      |                |             | 1.4
dealer-is-lowest-authority      | 1.4          |                      |                |             | 1.5
differential-either-way         | 1.5          |                      |                |             | 1.6
shuffler-at-a-table             | 1.6          |                      |                |             | 1.7
no-shuffler-in-this-sheet       |              | 3.4                  | 3.4            | 3.4         |
hand-is-the-cards-dealt-to-it   | 1.7          |                      |                |             | 1.8
house-is-the-other-side         | 1.8          | 1                    | 1              | 1           | 1.9
insurance-before-a-third-card   |              | 1                    |                |             | 1.10
natural-in-two-cards            | 1.9          | 1                    | 1              | 1           | 1.11
banker-pays-half-on-6           |              |                      | 1              | 1           | 1.12
original-bets                   | 1.10         |                      |                |             | 1.13
pit-employees-by-rank           | 1.11         |                      |                |             | 1.14
acting-in-another-position      | 1.11         | -                    | -              | -           | 1.14
every-act-names-both-positions  | 1.11         | -                    | -              | -           | 1.14
whoever-bets-is-settled         | 1.12         |                      |                |             | 1.15
pair                            | 1.13         | 1 3.4                | 1 3.4          | 1 3.4       |
point-total-is-the-last-digit   | 1.14         |                      |                |             | 1.16
reconstruction                  | 1.15         |                      |                |             | 1.17
round-begins-with-the-call      | 1.16         |                      |                |             | 1.18
opened-again-as-it-was-closed   | -            | -                    | -              | -           | -
seated-patron-first             | 1.17         |                      |                |             | 1.19
standing-patron-shares-the-box  | 1.18         |                      |                |             | 1.21
seat-read-when-it-matters       | 1.17         |                      |                |             | 1.19
odd-cent-by-the-seat-at-settlement | 1.17      |                      |                |             | 1.19
sitter-who-walked-away-is-not-seated | 1.17    |                      |                |             | 1.19
standing-bet-needs-a-seated-patron | 1.18      |                      |                |             | 1.21
standing-bet-behind-an-empty-box |             | -                    |                | -           |
tie                             | 1.19         | 1 3.9                | 1 3.8          | 1 3.8       | 1.22
void-has-no-result              | 1.20 5.15    |                      |                |             | 1.26 5.16

layouts                         | 2.1.1        | 2.1.1                |                | 2.1.1       | 2.1.1
boxes                           | 2.1.1        | 2.1.2                |                | 2.1.2       | 2.1.1
betting-areas                   |              | 2.1.3                |                | 2.1.3       |
decks                           | 2.2.1        | 2.2.1                | 2.2.1          | 2.2.1       | 2.2.1
life-of-a-shoe                  | 2.2.1        | 2.2.1                | 2.2.1          | 2.2.1       | 2.2.1

nearest-to-9-wins               | 3.1          |                      |                |             | 3.1
card-values                     | 3.2          | 3.8                  | 3.7            | 3.7         | 3.2
card-values                     | 3.2.1        |                      |                |             | 3.2.1
card-values                     | 3.2.2        |                      |                |             | 3.2.2
card-values                     | 3.2.3        |                      |                |             | 3.2.3
call-opens-bets                 | 3.3          | 3.1                  | 3.1            | 3.1         | 3.3
limits-are-shown                | 3.4          |                      |                |             | 3.4
limits-at-the-opening           | 3.4          |                      |                |             | 3.4
limits-change-with-the-next-call | 3.4         | -                    | -              | -           | 3.4
stake-is-the-patrons-duty       | 3.5          |                      |                |             | 3.5
stake-to-put-right              | 3.5 3.4      |                      |                |             | 3.5 3.4
close-tells-what-to-check       | 3.5 5.1 5.2 1.18 |                  |                |             | 3.5 5.1 5.2 1.21
side-bet-over-its-maximum       | 3.5 5.17     |                      |                |             | 3.5 5.18
balance-taken-at-a-table        | 3.6          |                      |                |             | 3.6
bets-offered                    | 3.7          | 3.3                  | 3.3            | 3.3         | 3.7
second-call-closes-bets         | 3.8          | 3.2                  | 3.2            | 3.2         | 3.8
highest-seated-bet-squeezes     | 3.9          |                      |                |             | 3.9
squeeze-only-face-down          | 3.9          |                      |                |             | 3.9
squeeze-once-a-card             | 3.9          |                      |                |             | 3.9
first-squeeze-request-stays   | 3.9          |                      |                |             | 3.9
squeezer-opens-the-card         | 3.9          | 4.1.5                |                |             | 3.9
squeeze-is-passed               | 3.9          | 4.1.5                |                |             | 3.9
squeeze-is-passed-before-its-card | 3.9        | 4.1.5                |                |             | 3.9
squeezed-card-is-named-by-the-dealer | 3.9     | 4.1.5                |                |             | 3.9
squeeze-not-in-this-sheet       |              |                      | -              | -           |
any-bettor-squeezes             |              | 4.1.5                |                |             |
four-cards                      | 3.10         | 3.4                  | 3.4            | 3.4         | 3.10
four-cards-in-turn              | 3.10         | 3.4                  | 3.4            | 3.4         | 3.10
banker-alone                    | 3.11         | 3.6                  | 3.5            | 3.5         | 3.13
table-of-play                   | 3.12         | 3.7                  | 3.6            | 3.6         | 3.15
third-cards                     | 3.12         | 3.7                  | 3.6            | 3.6         | 3.15
higher-total                    | 3.13         | 3.8                  | 3.7            | 3.7         | 3.16
tie-returned                    | 3.14         | 3.9                  | 3.8            | 3.8         | 3.17

insurance-window                |              | 3.5                  |                |             | 3.12
insurance-windows-at-a-table    |              | 3.5                  |                |             | 3.12
hands-insured-at-a-table        |              | 3.5.1                |                |             | 3.12.1
insurance-cap                   |              | 3.5.2                |                |             | 3.12.2
insurance-cap-at-a-table        |              | 3.5.2                |                |             | 3.12.2
insurance-needs-original-bet    |              | 4.1.4                |                |             | 3.11
insurance-taken-at-a-table      |              | 3.5 4.1.4            |                |             | 3.11
insurance-pay-table             |              | 4.1.3                |                |             | 4.1.2
insurance-pays-its-odds         |              | 4.1.3                |                |             | 4.1.2
insurance-for-every-last-card   |              | 4.1.3                |                |             | 4.2.1
insurance-lost                  |              | 4.1.4                |                |             | 4.1.2
insurance-returned              |              | 3.9                  |                |             | 4.2.1
insurance-paid-on-a-9-9-tie     |              | 4.1.3                |                |             | 4.2.1
first-waiver-request-is-kept    |              | 4.1.5                |                |             | 3.14
waiver-once-a-card              |              | 4.1.5                |                |             | 3.14
waiver-by-policy-of-the-table   |              | 4.1.5                |                |             | 3.14
waiver-only-where-banker-draws-in-any-case |   | 4.1.5                |                |             | 3.14

commission-of-five-per-cent     | 4.1.1        | 4.1.1                |                |             |
pay-table                       | 4.1.2        | 4.1.2                | 4.1.1          | 4.1.1       | 4.1.1

nothing-is-over                 | 5.1 5.1.1    |                      |                |             | 5.1 5.1.1
pro-rata-down-to-the-minimum    | 5.1.1        |                      |                |             | 5.1.1
small-bet-not-scaled            | 5.1.2        |                      |                |             | 5.1.2
no-differential-to-scale-to     |              | -                    | -              | -           |
below-minimum                   | 5.2          | decision             | decision       | decision    | 5.2
below-minimum-stands            | 5.2.1        |                      |                |             | 5.2.1
walk-away                       | 5.3          | -                    | -              | -           | 5.3.1
walked-away-withdraws-nothing   | 5.3          | -                    | -              | -           | 5.3
technical-interruption          | 5.4 5.4.2    | decision             | decision       | decision    | 5.4 5.4.2
established-outcome-concluded   | 5.4.1        |                      |                |             | 5.4.1
no-outcome-is-void              | 5.4.2        |                      |                |             | 5.4.2
earlier-rounds-stand            | 5.5 5.5.1    | 5.1 5.1.1            | 5.1 5.1.1      | 5.1 5.1.1   | 5.5 5.5.1
voids:foreign-card              | 5.5.1 5.15   | 5.1.1 5.1.1          | 5.1.1 5.1.1    | 5.1.1 5.1.1 | 5.5.1 5.16
known-shoe:foreign-card         | 5.5.1        | 5.1.1                | 5.1.1          | 5.1.1       | 5.5.1
void-waits-for-a-second-person  | 5.5.1        | 5.1.1                | 5.1.1          | 5.1.1       | 5.5.1
voids:deck-count                | 5.5.2 5.15   | decision             | decision       | decision    | 5.5.2 5.16
known-shoe:deck-count           | 5.5.2        |                      |                |             | 5.5.2
end-count-disagrees             | 5.5.2        | -                    | -              | -           | 5.5.2
wrong-number-reconstructible    | 5.5.3        |                      |                |             | 5.5.3
number-is-counted               | 5.5.3        | 5.1.2                | 5.1.2          | 5.1.2       | 5.5.3
shoe-runs-out                   | 5.5.4        | 5.1.3                | 5.1.3          | 5.1.3       | 5.5.4
enough-cards-are-left           | 5.5.4 3.12   | 5.1.3 3.7            | 5.1.3 3.6      | 5.1.3 3.6   | 5.5.4 3.15
voids:not-shuffled              | 5.5.5 5.15   | decision             | decision       | decision    | 5.5.5 5.16
known-shoe:not-shuffled         | 5.5.5        |                      |                |             | 5.5.5
late-bet                        | 5.6          | 5.2                  | 3.2            | 5.2         | 5.6
excess-card                     | 5.7          | decision             | decision       | decision    | 5.7
carried-card-keeps-its-shoe     | 5.7          |                      |                |             | 5.7
cards-wait-for-a-second-person  | 5.7          |                      |                |             | 5.7
card-no-round-takes             | 5.7          | 3.7                  | 3.6            | 3.6         | 5.7
excess-card-options             | 5.7.1 5.12.2 |                      |                |             | 5.7.1 5.12.2
wrong-area                      | 5.8          | decision             | decision       | decision    | 5.8
wrong-area-options              | 5.8.1 5.8    |                      |                |             | 5.8.1 5.8
wrong-area-beyond-repair        | 5.8.2 5.12.1 |                      |                |             | 5.8.2 5.12.1
dealt-face-up                   | 5.9          | decision             | decision       | decision    | 5.9
simultaneous-cards              | 5.10         | decision             | decision       | decision    | 5.10
two-at-once-between-rounds      | 5.10.2 5.17  |                      |                |             | 5.10.2 5.18
simultaneous-cards-options      | 5.10.1       |                      |                |             | 5.10.1
shoe-replaced                   | 5.10.2       |                      |                |             | 5.10.2
late-error                      | 5.11         | 5.1.2 -              | 5.1.2 -        | 5.1.2 -     | 5.11
other-dealing-error             | 5.12         | decision             | decision       | decision    | 5.12
going-on-as-it-is               | 5.12.1       |                      |                |             | 5.12.1
going-on-reconstructed          | 5.12.2       |                      |                |             | 5.12.2
taking-the-bets-back            | 5.12.3       |                      |                |             | 5.12.3
chips-of-a-standing-patron-are-recorded | 5.13 |                      |                |             | 5.14
changes-nothing:misplaced-bet   | 5.13         | decision             | decision       | decision    | 5.14
card-keyed-last-is-undone       | 5.14         | -                    | -              | -           | 5.15
changes-nothing:display-mistake | 5.14         | decision             | decision       | decision    | 5.15
void-returns-every-bet          | 5.15 5.5.1   |                      |                |             | 5.16 5.5.1
bet-for-patron                  | 5.16         | decision             | decision       | decision    | 5.17
anything-else                   | 5.17         | decision             | decision       | decision    | 5.18
"""


@dataclass(frozen=True, slots=True)
class Case:
    """One cell of the table; of a line, where lines are numbered."""

    game: str
    scenario: str
    rules: tuple[str | None, ...]
    instead: str = ""
    """What the table does where the sheet has nothing of the kind: `decision` or `no-report`."""
    line: int | None = None

    @property
    def function(self) -> str:
        return self.instead or self.scenario.partition(":")[0]

    @property
    def situation(self) -> str:
        return self.scenario.partition(":")[2]

    @property
    def id(self) -> str:
        numbered = f"{self.line}-" if self.line else ""
        return f"{numbered}{self.game}-{self.rules[0] or 'silent'}-{self.scenario}"

    @property
    def place(self) -> tuple[int, ...]:
        """Where the paragraph stands: game by game in the order of the sheet, and last what a sheet is silent on."""
        return GAMES.index(self.game), *(map(int, self.rules[0].split(".")) if self.rules[0] else (99,))

    def play(self, scenarios: Mapping[str, Callable[..., None]]) -> None:
        """Play the scenario, or what the table does instead."""
        if self.instead:
            scenarios[self.instead](self.game, self.situation or self.scenario)
        else:
            scenarios[self.function](self.game, *[self.situation] * bool(self.situation), *self.rules)


def functions(*modules: ModuleType) -> dict[str, Callable[..., None]]:
    """The scenarios of these modules, by the names that rows give them."""
    found = [each for module in modules for each in inspect.getmembers(module, inspect.isfunction)]
    names = {module.__name__ for module in modules}
    return {name.replace("_", "-"): each for name, each in found if each.__module__ in names}


def read(table: str) -> Iterator[Case]:
    """The cells of a table that say something. A line without cells numbers the rows under it."""
    line, games = None, list[str]()
    for row in filter(None, table.splitlines()):
        scenario, *cells = [cell.strip() for cell in row.split("|")]
        if not cells:
            line = int(scenario.split()[0])
        elif not scenario:
            games = cells
        for game, cell in zip(games, cells if scenario else (), strict=bool(cells and scenario)):
            instead = cell if cell in INSTEAD else ""
            if rules := tuple(None if word in ("-", instead) else word for word in cell.split()):
                yield Case(game, scenario, rules, instead, line)


CASES = sorted(read(TABLE), key=lambda case: case.place)  # a stable order: rows of one paragraph stay as they stand
_CITED = {(case.game, case.scenario): case.rules[-1] for case in CASES}


def cited(game: str, scenario: str) -> str:
    """The paragraph that the game cites in a scenario."""
    rule = _CITED[game, scenario]
    assert rule is not None, f"{game} is silent on {scenario}"
    return rule
