"""Small bugs, put into the house one at a time: a simulation that does not find them proves nothing.

A bug is a function of the production code with a few words of its source replaced. The words must be there exactly
once, so that a bug which no longer fits the code fails a test. `python -m tests.simulation.bugs` plants each bug and
looks for a seed that finds it, the one that did so before first. A seed stands for another world whenever the
simulation draws something new, so that the known ones change with it.
"""

from __future__ import annotations
import __future__

import argparse
import importlib
import inspect
import re
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
PATCHES = """\
third-card 12: Banker draws by the points of Player's third card and one more.
@ rules.tableau:_drawing
- banker, cards[INITIAL_CARDS].points if
+ banker, (cards[INITIAL_CARDS].points + 1) % 10 if
rounded-up 21: A payout is rounded up to the cent.
@ rules.money:Odds.pays
- stake * self.win // self.stake
+ -(-stake * self.win // self.stake)
push-lost 1: A bet that is returned, as by a tie, gives nothing back.
@ rules.settlement:settle_bets
- payoff.net_odds.pays(in_play), in_play_rule
+ payoff.net_odds.pays(in_play) or -in_play, in_play_rule
insurance-total 21: The second insurance window goes by Player's two cards, without the third.
@ rules.insurance:totals_in_window
- (*cards[0:INITIAL_CARDS:2], *cards[INITIAL_CARDS:])
+ cards[0:INITIAL_CARDS:2]
insurance-cap 6: Insurance may be a unit above what the original bet allows.
@ rules.insurance:maximum_insurance
- // (odds.win * scale)
+ // (odds.win * scale) + 100
differential 21: The Differential of a box may be passed by one unit.
@ table.limits:differential_room
- maximum = settings.differential_cents - _lead
+ maximum = settings.differential_cents + settings.unit_cents - _lead
minimum 21: No stake is too small.
@ table.limits:refuse_stake
- cents < amount.minimum_cents
+ cents <= 0
displaced-first 17: At the Differential the oldest standing bet gives way, not the newest.
@ table.limits:_on_side
- bets[::-1]
+ bets
late-bet 21: A bet is accepted after the call of no more bets.
@ table.engine:refuse_kind
- if state.phase in kind.during:
+ if state.phase in kind.during or (kind.kind == 'place-bet' and state.phase is Phase.INITIAL_CARDS):
authority 6: Anyone may change the limits of a table.
@ table.engine:refuse_authority
- role is None or
+ role is None or kind.kind == 'change-limits' or
for-another 6: A patron may act for another.
@ table.engine:_refuse_first
- != by.person:
+ is None:
same-person 3: Whoever proposed a correction may confirm it.
@ table.rulings.cases:is_second
- by.person == proposer or
+ not by.person or
two-in-a-seat 21: A patron may sit where another sits.
@ table.acts.places:refuse_sit
- if state.seats.get(box) not in {None, patron}:
+ if not box:
any-squeezer 1: A patron with a squeeze may open any closed card.
@ table.acts.cards:_refuse_patron
- own and place in (None, *own)
+ own or round_.squeezers
card-again 12: Every card of a shoe of known order is the one before the next.
@ table.acts.cards:Deal.decide
- shoe.order[shoe.drawn] if
+ shoe.order[max(shoe.drawn - 1, 0)] if
cut-card-late 12: The cut card is noticed one card late.
@ table.acts.cards:Deal.decide
- shoe.drawn >= shoe.cut
+ shoe.drawn > shoe.cut
forgone-forgotten 42: Whoever let the first insurance window pass may insure in the second.
@ table.acts.insurance:has_forgone
- (patron in round_.walked or patron in round_.forgone)
+ patron in round_.walked
void-forgets 21: A void returns every bet but the first.
@ table.rulings.void:void_round
- for bet in state.round.bets.values()]
+ for bet in [*state.round.bets.values()][1:]]
house-total 21: The House's result of a round leaves out the first bet.
@ table.acts.rounds:settle_round
- for line in lines]))
-     draft.add
+ for line in lines[1:]]))
+     draft.add
take-back-all 21: A patron who takes back their bets takes back everyone's.
@ table.rulings.options:Choose.decide
- for bet in draft.round.bets.values() if bet.patron == self.patron]
+ for bet in draft.round.bets.values()]
recovery-voids 15: After an interruption a round is void although a bet was decided.
@ table.rulings.interruption:_conclude_or_void
- if is_established(draft.state.sheet, draft.round.known):
+ if len(draft.round.known) > 6:
standing-order 2: The standing order concludes rounds in which nothing was decided.
@ table.automatic:_decision
- concluded = established and
+ concluded =
posting-lost 1: A bet that is returned at the settlement is not posted.
@ table.acts.rounds:RoundSettled.money
- ended(self.bet_lines())
+ ended([line for line in self.bet_lines() if line.result is not Result.RETURNED])
void-twice 21: A void returns each stake twice, and so does every return before the settlement.
@ table.acts.bets:EndsBets.money
- return ended(self.lines)
+ return tuple([each._replace(returned_cents=2 * each.returned_cents) for each in ended(self.lines)])
corrected-twice 12: A correction moves twice the difference.
@ table.corrections.adjusted:RoundAdjusted.money
- line.before_cents, line.after_cents, line.bet
+ line.before_cents, 2 * line.after_cents - line.before_cents, line.bet
collects-all 2: All credit of a patron who owes something is collected.
@ ledger.moves:collectable
- max(min(credit_cents, -owed_cents), 0)
+ max(credit_cents, 0) if owed_cents else 0
debt-ignored 14: Cash is paid out although something is owed.
@ service.money.cashier:Cashier._cash_out
- if owed_cents := await self._debts.collect(by.id):
+ if (owed_cents := await self._debts.collect(by.id)) < 0:
@ store.batches:rows_of
- and funds[unit.empty]:
+ and funds[unit.empty] > 0:
answer-first 21: Commands are answered before they are committed.
@ service.tables.runner:Runner._append
- balances = (await self._store.append(batch)).balances
+ [self._answer(job, refused or self.host.audience.reply_to(job.person, events))
+  for job, refused, events in decided.answers]; balances = (await self._store.append(batch)).balances
unknown-is-done 1: A commit of unknown outcome counts as done.
@ service.tables.runner:Runner._append
-             if found is None:
-                 return jobs
-             balances = found
+             balances = found or {}
unknown-is-refused 21: Commands of a commit of unknown outcome are refused for good.
@ service.tables.runner:Runner._append
-             found = await balances_after(
+             [self._answer(job, Reply(refused=FundsShort(Cents(0)))) for job in jobs]
+             found = await balances_after(
body-not-compared 21: A key that was used for another command gets the answer of that one.
@ service.tables.runner:Runner._answer_stored
- if stored.body_hash != job.body_hash:
+ if not stored.body_hash:
retry-new-key 1: A command that nobody answered is sent again under a new key.
@ service.tables.command_router:CommandRouter.carry_out
-             pass
+             key += '+'
repeated-ask 21: A forwarded command that arrives twice is carried out twice.
@ service.tables.command_router:CommandRouter.answer
- ask.key, ask.body_hash
+ f'{ask.key}#{runner.host.followed.seq}', ask.body_hash
reply-short 21: The reply to a command leaves out its last event.
@ service.viewing.audience:TableAudience.reply_to
- recorded[-1].seq - first + 1]
+ recorded[-1].seq - first]
fence 3: The store lets an owner write whose table was taken over, after whatever the new one wrote.
@ store.batches:rows_of
-     if batch.fence != tail.fence:
-         raise errors.FencedOutError(batch.stream, batch.fence, tail.fence)
-     if batch.after is not None and batch.after != tail.seq:
+     if batch.fence < tail.fence - 1:
+         raise errors.FencedOutError(batch.stream, batch.fence, tail.fence)
+     if batch.after is not None and batch.after > tail.seq:
taken-not-run 21: A table that was taken over is not run.
@ service.cluster.lease_manager:LeaseManager._take
- runner.start()
+ pass
gap-unnoticed 1: A gap in the news of a table is not noticed.
@ service.tables.table_host:TableHost._hear_events
- if seq != last + 1 or event == _NULL or
+ if event == _NULL or
clock-jump 179: The time of betting goes by the clock on the wall.
@ service.tables.schedule:Schedule.restart
- self._paced_at = self._clock.steady_ms()
+ self._offset = getattr(self, '_offset', self._clock.now_ms() - self._clock.steady_ms())
+     self._paced_at = self._clock.now_ms() - self._offset
no-snapshot 15: Readers get no snapshot after a gap.
@ service.tables.table_host:TableHost.catch_up
- self.audience.show_all()
+ pass
event-missed 21: A reader who comes back misses the first event since.
@ service.viewing.audience:TableAudience._since
- return self._recent[len(self._recent) - missing :]
+ return self._recent[len(self._recent) - missing :][1:]
closed-card-shown 21: Closed cards are shown with the others.
@ table.state:RoundInPlay.visible
- each.card if each.is_open else None for
+ each.card for
squeeze-told 21: The points tell a card that is still being squeezed.
@ service.viewing.table_views:_points
-     cards = state.visible_cards
+     cards = state.visible_cards
+     if state.round:
+         cards = (*state.round.cards, *[each.card for each in state.round.waiting])
lines-of-others 21: Patrons see what became of the bets of others.
@ service.viewing.event_views:EventViews._restrict
- tuple(lines.get(who, ())) if who is not None else ()
+ getattr(whole, name) if who is not None else ()
"""
"""All bugs: the name, the seed that is known to find it, and what is wrong; then for each function that is changed its
place, as `@ module:function` or `@ module:Class.method`, the words that go, and those that come."""


@dataclass(frozen=True)
class Change:
    """Words of one function, and what stands in their place."""

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


@dataclass(frozen=True)
class Bug:
    """A planted bug."""

    name: str
    seed: int
    says: str
    changes: tuple[Change, ...]

    @contextmanager
    def planted(self) -> Iterator[None]:
        """Have the bug for a while. Whoever imported a function that is changed has it changed, too."""
        with ExitStack() as stack:
            for change in self.changes:
                function, code = change.function(), change.code()
                stack.callback(setattr, function, "__code__", function.__code__)
                function.__code__ = code
            yield


def _read(patches: str) -> Iterator[Bug]:
    for text in re.split(r"^(?=[a-z])", patches, flags=re.MULTILINE)[1:]:
        head, *changed = re.split(r"^@ ", text, flags=re.MULTILINE)
        about, _, says = head.strip().partition(": ")
        name, seed = about.split()
        yield Bug(name, int(seed), says, tuple([_change(each) for each in changed]))


def _change(text: str) -> Change:
    where, *lines = text.splitlines()
    old, new = ("\n".join([line[2:] for line in lines if line.startswith(sign)]) for sign in "-+")
    return Change(where, old, new)


BUGS = {bug.name: bug for bug in _read(PATCHES)}


def find(bug: Bug, seeds: Iterable[int]) -> tuple[int, str] | None:
    """The first of these seeds with a problem, and the problem; None if there is none."""
    from tests.simulation.scenario import run  # not before it is needed: that the bugs fit needs no house

    for seed in seeds:
        if problems := run(seed, bug.planted()).problems:
            return seed, problems[0]
    return None


def main() -> int:
    """Plant bugs one at a time. Returns 1 if one is not found."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation.bugs", description=__doc__)
    parser.add_argument("--bug", action="append", choices=sorted(BUGS), help="one bug; all without it")
    parser.add_argument("--known", action="store_true", help="only the seed that is known to find each bug")
    options = parser.parse_args()
    missed = 0
    for bug in [BUGS[name] for name in options.bug or BUGS]:
        began = time.perf_counter()
        found = find(bug, [bug.seed, *(() if options.known else range(1, MOST_SEEDS + 1))])
        missed += found is None
        said = f"seed {found[0]}: {found[1]}" if found else "nothing"
        print(f"{bug.name}: {said[:300]} ({time.perf_counter() - began:.0f} s)", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
