"""Patron studies: many patrons, each at their own table, play the same plan; the results of their money.

Patrons do not share shoes. Each starts with a new shoe and gets new shoes as they run out. Money is whole cents, and
wins are rounded down to the cent, as at a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from punto.analysis.counting import distribution
from punto.analysis.insurance import cells
from punto.rules.bets import LOSES, RETURNED, OfferedBet
from punto.rules.composition import Composition
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.outcome import PAIRS, PLAYS
from punto.rules.reasons import quoted
from punto.rules.refusals import BetNotOffered, Refused
from punto.rules.sheet import Sheet
from punto.simulation import kernel, streams
from punto.simulation.counts import MAX_ROUNDS
from punto.simulation.plans import LevelPlan, OwnPlan, OwnPolicy, Patron, Policy, call_own, find_plan, find_policy
from punto.simulation.refusals import FunctionInvalid, PatronInvalid
from punto.simulation.shoe import SimulatedShoe

Cents = npt.NDArray[np.int64]
BATCH = 16_384
"""Patrons studied at a time, so that memory grows only with the result of each patron."""
CHECKPOINTS = 100
SHOES_A_PATRON = 1 << 24
MAX_STAKE_CENTS = 10**12
MAX_PATRON_ROUNDS = 10**10


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a study: the bet, the money, the rounds, the patrons, the plan and the insurance policy.

    `maximum_stake_cents` is the table's maximum. A stake is never more than that, or than the patron has. A patron with
    less than one unit is ruined and bets no more. The constructor raises Refused.
    """

    sheet: Sheet
    shoe: SimulatedShoe
    bet: OfferedBet
    plan: LevelPlan | OwnPlan
    policy: Policy
    bankroll_cents: int
    unit_cents: int
    rounds: int
    patrons: int
    maximum_stake_cents: int = MAX_STAKE_CENTS
    seed: int = 0

    def __post_init__(self) -> None:
        for right, problem in (
            (0 < self.unit_cents <= self.bankroll_cents, "bankroll-below-unit"),
            (self.unit_cents <= self.maximum_stake_cents, "maximum-below-unit"),
            (self.bankroll_cents <= MAX_STAKE_CENTS, "bankroll-too-large"),
            (self.rounds > 0 and self.patrons > 0, "no-patron-or-round"),
            (self.rounds * self.patrons <= MAX_PATRON_ROUNDS, "patron-rounds-too-many"),
        ):
            if not right:
                raise Refused(PatronInvalid(problem))


def terms_of(
    sheet: Sheet,
    shoe: SimulatedShoe,
    bet: str,
    plan: str | OwnPlan,
    insurance: str | OwnPolicy,
    *,
    maximum_stake_cents: int | None,
    **numbers: int,
) -> Terms:
    """The terms of a study by names: the id of a bet, a plan and a policy. Raises Refused."""
    if bet not in sheet.bets:
        raise Refused(BetNotOffered(bet, tuple(sheet.bets)))
    if insurance != "never" and not (sheet.insurance and sheet.bets[bet].hand):
        raise Refused(PatronInvalid("bet-not-insurable" if sheet.insurance else "no-insurance", bet))
    maximum = MAX_STAKE_CENTS if maximum_stake_cents is None else maximum_stake_cents
    policy = find_policy(insurance)
    return Terms(sheet, shoe, sheet.bets[bet], find_plan(plan), policy, maximum_stake_cents=maximum, **numbers)


@dataclass(frozen=True, slots=True)
class StudyResult:
    """The result of each patron: one element for each patron in every array.

    `ruined_at` is the round after which less than a unit was left, 0 for patrons who were not ruined. Runs count
    decided bets in a row; a returned bet neither ends nor extends one. `path` has the bankroll after each of
    `path_rounds`.
    """

    terms: Terms
    final_cents: Cents
    ruined_at: Cents
    longest_win: Cents
    longest_loss: Cents
    staked_cents: Cents
    insured_cents: Cents
    insurance_net_cents: Cents
    path: Cents = field(repr=False)
    path_rounds: Cents

    @property
    def net_cents(self) -> Cents:
        """The net of each patron."""
        return self.final_cents - self.terms.bankroll_cents


def study(terms: Terms, report: Callable[[int], None] = lambda _: None) -> StudyResult:
    """Run the study. The same terms and seed give the same result. A patron's result does not depend on the others."""
    tables = _Tables.of(terms)
    batches = []
    for first in range(0, terms.patrons, BATCH):
        patrons = _Patrons(terms, tables, min(BATCH, terms.patrons - first))
        for codes, starts in _rounds(terms, first, patrons):
            patrons.play(codes, starts)
            report(first * terms.rounds + int(patrons.played.sum()))
        batches.append(patrons)

    names = ("bankroll", "ruined_at", "longest_win", "longest_loss", "staked", "insured", "insurance_net", "path")
    columns = [np.concatenate([getattr(batch, name) for batch in batches], axis=-1) for name in names]
    columns.append(np.arange(len(batches[0].path)) * batches[0].every)
    return StudyResult(terms, *columns)


def _rounds(terms: Terms, first: int, patrons: _Patrons) -> Iterator[tuple[npt.NDArray[np.uint32], Cents]]:
    """Rounds for every patron of a batch, one at a time, until all have played enough."""
    keys = streams.keys(terms.seed, kernel.SEED_WORDS)
    count = len(patrons.played)
    groups = -(-count // kernel.LANES)
    blocks = (first // kernel.LANES + np.arange(groups)) * SHOES_A_PATRON
    codes = np.empty((groups, MAX_ROUNDS, kernel.LANES), np.uint32)
    starts = np.empty((groups, MAX_ROUNDS, kernel.LANES), np.uint8)
    shoe = 0
    while patrons.played.min() < terms.rounds:
        most = kernel.record_blocks(keys, blocks + shoe, terms.shoe.as_array(), codes, starts)
        for number in range(most):
            yield codes[:, number].reshape(-1)[:count], starts[:, number].reshape(-1)[:count].astype(np.int64)
        shoe += 1


# ------------------------------------------------------------------------------------------- what pays


@dataclass(frozen=True, slots=True)
class _Cover:
    """Insurance on the patron's hand in one window, by 10 × Player's + Banker's points; `share` is 0 if none.

    `forgoes` is true at an offer that forgoes the round if nothing is staked on it.
    """

    win: Cents
    stake: Cents
    share: Cents
    shares: Cents
    tie_wins: npt.NDArray[np.bool_]
    forgoes: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Tables:
    """The sheet's payoffs as arrays over kernel codes and points."""

    payoff: npt.NDArray[np.uint8]
    win: Cents
    stake: Cents
    hand_result: npt.NDArray[np.int8]
    """1 where the patron's hand wins, -1 where it loses, 0 on a tie; by totals."""
    covers: tuple[_Cover, _Cover] | None

    @classmethod
    def of(cls, terms: Terms) -> _Tables:
        by_code = np.frombuffer(terms.bet.payoffs, np.uint8).reshape(PLAYS, PAIRS).T.reshape(-1)
        odds = [line.odds for line in terms.bet.pays]
        totals = np.arange(100)
        sign = np.sign(totals // 10 - totals % 10) * (1 if terms.bet.hand is Hand.PLAYER else -1)
        return cls(
            np.append(by_code, RETURNED).astype(np.uint8),
            np.array([0, 0, *[each.win for each in odds]], np.int64),
            np.array([1, 1, *[each.stake for each in odds]], np.int64),
            sign.astype(np.int8),
            _covers(terms) if terms.sheet.insurance and terms.bet.hand else None,
        )


def _covers(terms: Terms) -> tuple[_Cover, _Cover] | None:
    insurance, hand = terms.sheet.insurance, terms.bet.hand
    if insurance is None or hand is None:
        return None
    offers = cells(insurance, distribution(Composition(terms.shoe.counts)))
    covers = []
    for window in Window:
        win, stake, share, shares = (np.ones(100, np.int64) for _ in range(4))
        share[:] = 0
        tie_wins, forgoes = (np.zeros(100, np.bool_) for _ in range(2))
        for cell in offers:
            offer, place = cell.offer, 10 * cell.player + cell.banker
            if offer.window is not window or offer.hand is not hand:
                continue
            part = terms.policy(cell)
            win[place], stake[place] = offer.odds.win, offer.odds.stake
            share[place], shares[place] = part.numerator, part.denominator
            tie_wins[place] = offer.tie_wins_rule is not None
            forgoes[place] = insurance.forgone_rule is not None and window is Window.FOUR_CARDS
        covers.append(_Cover(win, stake, share, shares, tie_wins, forgoes))
    return covers[0], covers[1]


# ------------------------------------------------------------------------------------------- the patrons


class _Patrons:
    """A batch of patrons; one element for each patron in every array."""

    def __init__(self, terms: Terms, tables: _Tables, count: int) -> None:
        self._terms, self._tables = terms, tables
        self.bankroll = np.full(count, terms.bankroll_cents, np.int64)
        self.played, self.ruined_at, self.staked, self.insured, self.insurance_net = (
            np.zeros(count, np.int64) for _ in range(5)
        )
        self._run, self.longest_win, self.longest_loss = (np.zeros(count, np.int64) for _ in range(3))
        self._levels = np.zeros(count, np.int64)
        self._own = [Patron(terms.unit_cents, terms.bankroll_cents) for _ in range(count)]
        if isinstance(terms.plan, LevelPlan):
            self._own = []
        self.every = -(-terms.rounds // CHECKPOINTS)
        self.path = np.full((terms.rounds // self.every + 1, count), terms.bankroll_cents, np.int64)

    def play(self, codes: npt.NDArray[np.uint32], starts: Cents) -> None:
        """One round at every table that has one."""
        terms, tables = self._terms, self._tables
        dealt = (codes != kernel.UNUSED) & (self.played < terms.rounds)
        betting = dealt & (self.ruined_at == 0)
        stakes = np.where(betting, np.minimum(self._asked(betting), terms.maximum_stake_cents), 0)
        stakes = np.minimum(stakes, self.bankroll)
        payoff = tables.payoff[codes]
        wins, loses = (payoff > RETURNED) & (stakes > 0), (payoff == LOSES) & (stakes > 0)
        net = np.where(wins, stakes * tables.win[payoff] // tables.stake[payoff], np.where(loses, -stakes, 0))
        self.staked += stakes
        insurance = self._insurance(stakes, codes, starts)
        self.insurance_net += insurance
        self.bankroll += net + insurance
        self.played += dealt
        self._count_runs(wins, loses)
        self._move(betting, stakes, net + insurance, wins, loses)
        ruined = betting & (self.bankroll < terms.unit_cents)
        self.ruined_at[ruined] = self.played[ruined]
        marked = np.flatnonzero(dealt & (self.played % self.every == 0))
        self.path[self.played[marked] // self.every, marked] = self.bankroll[marked]

    def _asked(self, betting: npt.NDArray[np.bool_]) -> Cents:
        plan = self._terms.plan
        if isinstance(plan, LevelPlan):
            unit = self._terms.unit_cents
            return np.minimum(plan.units(self._levels), MAX_STAKE_CENTS // unit) * unit
        stakes = np.zeros(len(betting), np.int64)
        for place in np.flatnonzero(betting):
            stake = call_own(plan, self._own[place])
            if type(stake) is not int or not 0 <= stake <= MAX_STAKE_CENTS:
                raise Refused(FunctionInvalid("stake-impossible", getattr(plan, "__name__", "plan"), quoted(stake)))
            stakes[place] = stake
        return stakes

    def _insurance(self, stakes: Cents, codes: npt.NDArray[np.uint32], starts: Cents) -> Cents:
        """The net of insurance in both windows, within the cap and the patron's bankroll."""
        covers = self._tables.covers
        if covers is None:
            return np.zeros_like(stakes)
        first, second = covers
        play = (codes % PLAYS).astype(np.int64)
        totals, drawn = play // 4, play % 4
        result = self._tables.hand_result[totals]
        purse = self.bankroll - stakes
        early = stakes * first.stake[starts] // first.win[starts] * first.share[starts] // first.shares[starts]
        early = np.minimum(early, purse)
        seen = 10 * (totals // 10) + starts % 10
        could = stakes * first.stake[starts] // first.win[starts] > 0
        open_late = (drawn == 3) & ~(first.forgoes[starts] & could & (early == 0))
        room = stakes * first.stake[starts] - early * first.win[starts]
        late = room * second.stake[seen] // (second.win[seen] * first.stake[starts])
        late = np.where(open_late, late * second.share[seen] // second.shares[seen], 0)
        late = np.minimum(late, purse - early)
        self.insured += early + late
        return _paid(first, starts, early, result) + _paid(second, seen, late, result)

    def _count_runs(self, wins: npt.NDArray[np.bool_], loses: npt.NDArray[np.bool_]) -> None:
        """Update the runs. A run is one number, positive for wins and negative for losses."""
        self._run = np.where(
            wins, np.maximum(self._run, 0) + 1, np.where(loses, np.minimum(self._run, 0) - 1, self._run)
        )
        self.longest_win = np.maximum(self.longest_win, self._run)
        self.longest_loss = np.maximum(self.longest_loss, -self._run)

    def _move(
        self,
        betting: npt.NDArray[np.bool_],
        stakes: Cents,
        net: Cents,
        wins: npt.NDArray[np.bool_],
        loses: npt.NDArray[np.bool_],
    ) -> None:
        plan = self._terms.plan
        if isinstance(plan, LevelPlan):
            moved = np.where(loses, plan.lost(self._levels), self._levels)
            self._levels = np.where(wins, plan.won(self._levels), moved)
            return
        for place in np.flatnonzero(betting):
            patron = self._own[place]
            patron.round = int(self.played[place])
            patron.bankroll_cents = int(self.bankroll[place])
            if stakes[place]:
                patron.stake_cents, patron.net_cents = int(stakes[place]), int(net[place])
                patron.won = True if wins[place] else False if loses[place] else None


def _paid(cover: _Cover, place: Cents, insured: Cents, result: npt.NDArray[np.int8]) -> Cents:
    """Insurance wins when the hand loses, loses when it wins, and is returned on a tie unless the row says it wins."""
    won = (result < 0) | ((result == 0) & cover.tie_wins[place])
    paid = insured * cover.win[place] // cover.stake[place]
    return np.where(won, paid, np.where(result > 0, -insured, 0))
