"""Small bugs, put into the house one at a time: a simulation that does not find them proves nothing.

A bug is a function of the production code with a few words of its source replaced. The words must be there exactly
once, so that a bug which no longer fits the code fails a test. `python -m tests.simulation.bugs` plants each bug and
looks for a seed that finds it, the one that did so before first; without a bug (`--none`) no seed may find anything.
A seed stands for another world whenever the simulation draws something new, so that the known ones change with it.
"""

from __future__ import annotations
import __future__

import argparse
import importlib
import inspect
import sys
import textwrap
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

MOST_SEEDS = 200
"""Within how many seeds each bug must be found."""
FIRST_SEED = 1


@dataclass(frozen=True)
class Change:
    """Words of one function, and what stands in their place. `where` is `module:function` or `module:Class.method`."""

    where: str
    old: str
    new: str

    def function(self) -> FunctionType:
        """The function that is changed. A property's is the one that reads it."""
        module, _, path = self.where.partition(":")
        found: Any = importlib.import_module(f"punto.{module}")
        for name in path.split("."):
            found = vars(found)[name]
        found = found.fget if isinstance(found, property) else getattr(found, "__func__", found)
        assert isinstance(found, FunctionType), self.where
        return found

    def code(self) -> CodeType:
        """The function's code with the words replaced."""
        function = self.function()
        source = textwrap.dedent(inspect.getsource(function))
        if source.count(self.old) != 1:
            raise LookupError(f"{self.where} has {source.count(self.old)} times: {self.old}")
        flags, changed = __future__.annotations.compiler_flag, source.replace(self.old, self.new)
        whole = compile(changed, f"<bug in {self.where}>", "exec", flags, dont_inherit=True)
        return next(
            each for each in whole.co_consts if isinstance(each, CodeType) and each.co_name == function.__name__
        )

    @contextmanager
    def planted(self) -> Iterator[None]:
        """Change the function for a while. Whoever imported it has it changed, too."""
        function, code = self.function(), self.code()
        before, function.__code__ = function.__code__, code
        try:
            yield
        finally:
            function.__code__ = before


@dataclass(frozen=True)
class Bug:
    """A planted bug: what is wrong, what changes, and the seed that is known to find it."""

    name: str
    says: str
    changes: tuple[Change, ...]
    seed: int

    @contextmanager
    def planted(self) -> Iterator[None]:
        """Have the bug for a while."""
        with ExitStack() as stack:
            for change in self.changes:
                stack.enter_context(change.planted())
            yield


def _bug(name: str, says: str, where: str, old: str, new: str, *more: Change, seed: int) -> Bug:
    return Bug(name, says, (Change(where, old, new), *more), seed)


ALL: tuple[Bug, ...] = (
    # ------------------------------------------------------------------------------- the rules
    _bug(
        "third-card",
        "Banker draws by the points of Player's third card and one more.",
        "rules.tableau:_drawing",
        "[cards[INITIAL_CARDS].points if",
        "[(cards[INITIAL_CARDS].points + 1) % 10 if",
        seed=12,
    ),
    _bug(
        "rounded-up",
        "A payout is rounded up to the cent.",
        "rules.money:Odds.pays",
        "stake * self.win // self.stake",
        "-(-stake * self.win // self.stake)",
        seed=21,
    ),
    _bug(
        "push-lost",
        "A bet that is returned, as by a tie, gives nothing back.",
        "rules.settlement:settle_bets",
        "payoff.net_odds.pays(in_play), in_play_rule",
        "payoff.net_odds.pays(in_play) or -in_play, in_play_rule",
        seed=1,
    ),
    _bug(
        "insurance-total",
        "The second insurance window goes by Player's two cards, without the third.",
        "rules.insurance:totals_in_window",
        "(*cards[0:INITIAL_CARDS:2], *cards[INITIAL_CARDS:])",
        "cards[0:INITIAL_CARDS:2]",
        seed=21,
    ),
    _bug(
        "insurance-cap",
        "Insurance may be a unit above what the original bet allows.",
        "rules.insurance:maximum_insurance",
        "// (odds.win * scale)",
        "// (odds.win * scale) + 100",
        seed=2,
    ),
    # ------------------------------------------------------------------------------- the table
    _bug(
        "differential",
        "The Differential of a box may be passed by one unit.",
        "table.limits:differential_room",
        "maximum = limits.differential_cents - _lead",
        "maximum = limits.differential_cents + limits.unit_cents - _lead",
        seed=21,
    ),
    _bug(
        "minimum",
        "No stake is too small.",
        "table.limits:refuse_stake",
        "cents < amount.minimum_cents",
        "cents <= 0",
        seed=21,
    ),
    _bug(
        "displaced-first",
        "At the Differential the oldest standing bet gives way, not the newest.",
        "table.limits:_on_side",
        "bets[::-1]",
        "bets",
        seed=17,
    ),
    _bug(
        "late-bet",
        "A bet is accepted after the call of no more bets.",
        "table.engine:refuse_kind",
        "if state.phase in kind.during:",
        "if state.phase in kind.during or (kind.kind == 'place-bet' and state.phase is Phase.INITIAL_CARDS):",
        seed=21,
    ),
    _bug(
        "authority",
        "Anyone may change the limits of a table.",
        "table.engine:refuse_authority",
        "role is None or",
        "role is None or kind.kind == 'change-limits' or",
        seed=3,
    ),
    _bug(
        "for-another",
        "A patron may act for another.",
        "table.engine:_refuse_first",
        "!= by.person:",
        "is None:",
        seed=67,
    ),
    _bug(
        "same-person",
        "Whoever proposed a correction may confirm it.",
        "table.rulings.cases:is_second",
        "by.person == proposer or",
        "not by.person or",
        seed=12,
    ),
    _bug(
        "two-in-a-seat",
        "A patron may sit where another sits.",
        "table.acts.places:refuse_sit",
        "if state.seats.get(box) not in {None, patron}:",
        "if not box:",
        seed=21,
    ),
    _bug(
        "any-squeezer",
        "A patron with a squeeze may open any closed card.",
        "table.acts.cards:_refuse_patron",
        "own and place in (None, *own)",
        "own or round_.squeezers",
        seed=21,
    ),
    _bug(
        "card-again",
        "Every card of a shoe of known order is the one before the next.",
        "table.acts.cards:Deal.decide",
        "shoe.order[shoe.drawn] if",
        "shoe.order[max(shoe.drawn - 1, 0)] if",
        seed=12,
    ),
    _bug(
        "cut-card-late",
        "The cut card is noticed one card late.",
        "table.acts.cards:Deal.decide",
        "shoe.drawn >= shoe.cut",
        "shoe.drawn > shoe.cut",
        seed=12,
    ),
    _bug(
        "forgone-forgotten",
        "Whoever let the first insurance window pass may insure in the second.",
        "table.acts.insurance:has_forgone",
        "(patron in round_.walked or patron in round_.forgone)",
        "patron in round_.walked",
        seed=21,
    ),
    _bug(
        "void-forgets",
        "A void returns every bet but the first.",
        "table.rulings.void:void_round",
        "for bet in state.round.bets.values()]",
        "for bet in [*state.round.bets.values()][1:]]",
        seed=21,
    ),
    _bug(
        "house-total",
        "The House's result of a round leaves out the first bet.",
        "table.acts.rounds:settle_round",
        "for line in lines]))\n    draft.add",
        "for line in lines[1:]]))\n    draft.add",
        seed=21,
    ),
    _bug(
        "take-back-all",
        "A patron who takes back their bets takes back everyone's.",
        "table.rulings.options:Choose.decide",
        "for bet in draft.round.bets.values() if bet.patron == self.patron]",
        "for bet in draft.round.bets.values()]",
        seed=21,
    ),
    _bug(
        "recovery-voids",
        "After an interruption a round is void although a bet was decided.",
        "table.rulings.interruption:rule_interruption",
        "if is_established(draft.state.sheet, draft.round.known):",
        "if len(draft.round.known) > 6:",
        seed=15,
    ),
    _bug(
        "standing-order",
        "The standing order concludes rounds in which nothing was decided.",
        "table.automatic:_decision",
        "concluded = established and",
        "concluded = bool(round_.cards) and",
        seed=10,
    ),
    # ------------------------------------------------------------------------------- the ledger
    _bug(
        "posting-lost",
        "A bet that is returned at the settlement is not posted.",
        "table.acts.rounds:RoundSettled.money",
        "for line in self.lines]",
        "for line in self.lines if line.net_cents]",
        seed=1,
    ),
    _bug(
        "void-twice",
        "A void returns each stake twice.",
        "table.rulings.void:RoundVoided.money",
        "return whole_stakes(self.lines)",
        "return tuple([each._replace(returned_cents=2 * each.returned_cents) for each in whole_stakes(self.lines)])",
        seed=21,
    ),
    _bug(
        "corrected-twice",
        "A correction moves twice the difference.",
        "table.corrections.adjusted:RoundAdjusted.money",
        "line.before_cents, line.after_cents, line.bet",
        "line.before_cents, 2 * line.after_cents - line.before_cents, line.bet",
        seed=21,
    ),
    _bug(
        "collects-all",
        "All credit of a patron who owes something is collected.",
        "ledger.moves:collectable",
        "max(min(credit_cents, -owed_cents), 0)",
        "max(credit_cents, 0) if owed_cents else 0",
        seed=2,
    ),
    _bug(
        "debt-ignored",
        "Cash is paid out although something is owed.",
        "service.money.cashier:Cashier._cash_out",
        "if owed_cents:",
        "if owed_cents < 0:",
        Change("store.batches:rows_of", "and funds[unit.empty]:", "and funds[unit.empty] > 0:"),
        seed=12,
    ),
    # ------------------------------------------------------------------------------- once a key, and durable
    _bug(
        "answer-first",
        "Commands are answered before they are committed.",
        "service.tables.runner:Runner._append",
        "balances = (await self._store.append(batch)).balances",
        "[self._answer(job, refused or self.host.audience.reply_to(job.person, events))"
        " for job, refused, events in decided.answers]; balances = (await self._store.append(batch)).balances",
        seed=21,
    ),
    _bug(
        "unknown-is-done",
        "A commit of unknown outcome counts as done.",
        "service.tables.runner:Runner._append",
        "            if found is None:\n                return jobs\n            balances = found",
        "            balances = found or {}",
        seed=21,
    ),
    _bug(
        "unknown-is-refused",
        "Commands of a commit of unknown outcome are refused for good.",
        "service.tables.runner:Runner._append",
        "            found = await balances_after(",
        "            [self._answer(job, Reply(refused=FundsShort(Cents(0)))) for job in jobs]\n"
        "            found = await balances_after(",
        seed=21,
    ),
    _bug(
        "body-not-compared",
        "A key that was used for another command gets the answer of that one.",
        "service.tables.runner:Runner._answer_stored",
        "if stored.body_hash != job.body_hash:",
        "if not stored.body_hash:",
        seed=21,
    ),
    _bug(
        "retry-new-key",
        "A command that nobody answered is sent again under a new key.",
        "service.tables.command_router:CommandRouter.carry_out",
        "            pass\n",
        "            key += '+'\n",
        seed=1,
    ),
    _bug(
        "repeated-ask",
        "A forwarded command that arrives twice is carried out twice.",
        "service.tables.command_router:CommandRouter.answer",
        "ask.key, ask.body_hash",
        "f'{ask.key}#{runner.host.followed.seq}', ask.body_hash",
        seed=21,
    ),
    _bug(
        "reply-short",
        "The reply to a command leaves out its last event.",
        "service.viewing.audience:TableAudience.reply_to",
        "recorded[-1].seq - first + 1]",
        "recorded[-1].seq - first]",
        seed=21,
    ),
    # ------------------------------------------------------------------------------- several processes
    _bug(
        "fence",
        "The store lets an owner write whose table was taken over, after whatever the new one wrote.",
        "store.batches:rows_of",
        "    if batch.fence != tail.fence:\n"
        "        raise FencedOutError(batch.stream, batch.fence, tail.fence)\n"
        "    if batch.after is not None and batch.after != tail.seq:",
        "    if batch.fence < tail.fence - 1:\n"
        "        raise FencedOutError(batch.stream, batch.fence, tail.fence)\n"
        "    if batch.after is not None and batch.after > tail.seq:",
        seed=21,
    ),
    _bug(
        "taken-not-run",
        "A table that was taken over is not run.",
        "service.cluster.lease_manager:LeaseManager._take",
        "runner.start()",
        "pass",
        seed=21,
    ),
    _bug(
        "gap-unnoticed",
        "A gap in the news of a table is not noticed.",
        "service.tables.table_host:TableHost._hear_events",
        "if seq != last + 1 or event == _NULL or",
        "if event == _NULL or",
        seed=1,
    ),
    _bug(
        "clock-jump",
        "The time of betting goes by the clock on the wall.",
        "service.tables.schedule:Schedule.restart",
        "self._paced_at = self._clock.steady_ms()",
        "self._offset = getattr(self, '_offset', self._clock.now_ms() - self._clock.steady_ms())\n"
        "    self._paced_at = self._clock.now_ms() - self._offset",
        seed=19,
    ),
    # ------------------------------------------------------------------------------- what people see
    _bug(
        "no-snapshot",
        "Readers get no snapshot after a gap.",
        "service.tables.table_host:TableHost.catch_up",
        "self.audience.show_all()",
        "pass",
        seed=16,
    ),
    _bug(
        "event-missed",
        "A reader who comes back misses the first event since.",
        "service.viewing.audience:TableAudience._since",
        "return self._recent[len(self._recent) - missing :]",
        "return self._recent[len(self._recent) - missing :][1:]",
        seed=21,
    ),
    _bug(
        "closed-card-shown",
        "Closed cards are shown with the others.",
        "table.state:RoundInPlay.visible",
        "each.card if each.is_open else None for",
        "each.card for",
        seed=21,
    ),
    _bug(
        "squeeze-told",
        "The points tell a card that is still being squeezed.",
        "service.viewing.table_views:_points",
        "    cards = visible_cards(state)\n",
        "    cards = visible_cards(state)\n"
        "    if state.round:\n"
        "        cards = (*state.round.cards, *[each.card for each in state.round.waiting])\n",
        seed=21,
    ),
    _bug(
        "lines-of-others",
        "Patrons see what became of the bets of others.",
        "service.viewing.event_views:EventViews._restrict",
        "tuple(lines.get(who, ())) if who is not None else ()",
        "getattr(whole, name) if who is not None else ()",
        seed=21,
    ),
)
"""All that can be planted."""
BUGS = {bug.name: bug for bug in ALL}


# ------------------------------------------------------------------------------------------- looking for them


def problems_of(seed: int, bug: Bug | None) -> list[str]:
    """What a run of one seed finds."""
    from tests.simulation.scenario import run  # not before it is needed: that the bugs fit needs no house

    return run(seed, bug.planted() if bug else None).problems


def find(bug: Bug | None, seeds: Iterable[int]) -> tuple[int, str] | None:
    """The first of these seeds with a problem, and the problem; None if there is none."""
    for seed in seeds:
        if problems := problems_of(seed, bug):
            return seed, problems[0]
    return None


def main() -> int:
    """Plant bugs one at a time. Returns 1 if one is not found, or if anything is found without one."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation.bugs", description=__doc__)
    parser.add_argument("--bug", action="append", choices=sorted(BUGS), help="one bug; all without it")
    parser.add_argument("--seeds", type=int, default=MOST_SEEDS, help="how many seeds are tried")
    parser.add_argument("--first", type=int, default=FIRST_SEED, help="the first seed")
    parser.add_argument("--none", action="store_true", help="run the seeds without a bug")
    parser.add_argument("--known", action="store_true", help="only the seed that is known to find each bug")
    options = parser.parse_args()
    seeds, failed = range(options.first, options.first + options.seeds), 0
    for bug in [None] if options.none else [BUGS[name] for name in options.bug or BUGS]:
        known = [bug.seed] if bug else []
        began, found = time.perf_counter(), find(bug, known if options.known else [*known, *seeds])
        if (found is None) is (bug is not None):
            failed = 1
        said = f"seed {found[0]}: {found[1]}" if found else f"nothing within {options.seeds} seeds"
        print(f"{bug.name if bug else 'no bug'}: {said[:300]} ({time.perf_counter() - began:.0f} s)", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
