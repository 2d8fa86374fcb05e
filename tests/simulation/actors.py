"""The people of the simulation: clients who ask processes of the house, patrons, staff, and those who only look."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from punto.protocol import refusals as r
from punto.rules.hands import Hand
from punto.rules.refusals import Refused
from punto.service.house import House
from punto.service.people.person import Person
from punto.service.viewing.choice_views import refuse_in_house
from punto.service.viewing.subscriptions import AnyMessage
from punto.store.errors import StoreError
from punto.table import acts
from punto.table.acts.insurance import offers_now
from punto.table.engine import _choice, in_position
from punto.table.phases import Phase
from punto.table.state import State
from punto.table.values import Waits
from punto.table.ways import Asking, Way
from tests.filling import anything
from tests.simulation import edge
from tests.simulation.fence import FencedError
from tests.simulation.filling import Body, as_body, body_of, mangled
from tests.simulation.loop import NOBODY
from tests.simulation.processes import GoneError, Process

if TYPE_CHECKING:
    from tests.simulation.scenario import Scenario

ANSWER_S = 6
"""How long a client waits for an answer."""
UNSURE = frozenset({"table-unreachable", "store-unavailable", "house-closing", "table-suspended"})
"""Refusals after which a client asks again under the same key."""
MOST_TRIES = 8


class Client:
    """Someone with a token, connected to one process at a time."""

    def __init__(self, scenario: Scenario, person: Person | None, token: str | None, luck: random.Random) -> None:
        self.scenario, self.person, self.token, self.luck = scenario, person, token, luck
        self._process: Process | None = None
        self._keys = 0

    @property
    def who(self) -> str:
        """The id in the history."""
        return self.person.id if self.person else "board"

    @property
    def role(self) -> str:
        """The role in the history."""
        return self.person.role if self.person else "public"

    def process(self) -> Process | None:
        """The process that this client is connected to; another one where that is down."""
        if self._process is None or not self._process.is_up or self.luck.random() < 0.02:
            up = [each for each in self.scenario.processes if each.is_up]
            self._process = self.luck.choice(up) if up else None
        return self._process

    def house(self) -> House | None:
        """The house as the process has it, to see what may be done."""
        process = self.process()
        return process.house if process else None

    def key(self) -> str:
        """A key for a new request."""
        self._keys += 1
        return f"{self.who}-{self._keys}"

    def ticket(self) -> Body:
        """One of the tickets that somebody found, used or not; sometimes a forged one."""
        found = self.luck.choice(self.scenario.tickets)
        if self.luck.random() < 0.1:
            found = found[::-1]
        return {"ticket": found}

    async def ask(self, call: str, body: Any, table: str | None = None, key: str | None = None) -> Any:
        """Ask, and ask again under the same key until there is an answer that says what became of it; None if none."""
        for _ in range(MOST_TRIES):
            reply = await self._ask_once(call, body, table, key)
            if reply is not None and reply.get("code") not in UNSURE:
                return reply
            if key is None or self.scenario.is_over:
                return reply
            await asyncio.sleep(self.luck.uniform(0.05, 1.5))
            if reply is None:
                self._process = None
        return None

    async def _ask_once(self, call: str, body: Any, table: str | None, key: str | None) -> Any:
        scenario, process, history = self.scenario, self.process(), self.scenario.history
        if process is None:
            return None
        asked: Body = {"who": self.who, "role": self.role, "process": process.name, "call": call, "body": body}
        asked |= {"table": table} if table is not None else {}
        asked |= {"key": key} if key is not None else {}
        n = history.ask(**asked)
        try:
            async with asyncio.timeout(ANSWER_S):
                await scenario.travel()
                reply = await process.ask(lambda house: edge.serve(house, self.token, call, table, body, key))
                await scenario.travel()
        except (TimeoutError, GoneError):
            history.add("no-answer", n=n)
            return None
        except FencedError:
            raise
        except Exception as error:
            scenario.problems.append(f"{call} of {self.who} at {table} failed: {error!r}")
            history.add("no-answer", n=n)
            return None
        history.add("answer", n=n, reply=reply)
        scenario.count(reply)
        return reply


class _SeenEvent(msgspec.Struct):
    kind: str = ""


class _Seen(msgspec.Struct):
    """What a watcher itself needs of a message."""

    seq: int | None = None
    event: _SeenEvent | None = None


_GLANCE = msgspec.json.Decoder(_Seen)


class Watcher(Client):
    """Reads one table without end, and comes back whenever the connection ends."""

    def __init__(
        self, scenario: Scenario, person: Person | None, token: str | None, luck: random.Random, table: str
    ) -> None:
        super().__init__(scenario, person, token, luck)
        self.table = table
        self._seen_seq: int | None = None

    async def run(self) -> None:
        """Read until the run is over."""
        while not self.scenario.is_over:
            if (process := self.process()) is not None:
                await self._read(process)
            await asyncio.sleep(self.luck.uniform(0.01, 0.5))
            self._process = None

    async def _read(self, process: Process) -> None:
        scenario, history = self.scenario, self.scenario.history
        history.subscriptions += 1
        line = _Line(self, history.subscriptions)
        after = self._seen_seq if self.luck.random() < 0.8 else None
        about = {"who": self.who, "role": self.role, "table": self.table, "sub": line.number}
        history.add("subscribed", process=process.name, after=after, **about)
        try:
            await process.ask(lambda house: line.serve(house, after), until_hung_up=True)
        except (GoneError, Refused, StoreError):
            pass
        except FencedError:
            raise
        except Exception as error:
            scenario.problems.append(f"a subscription of {self.who} to {self.table} failed: {error!r}")
        finally:
            line.ended = True
            history.add("unsubscribed", **about)

    def see(self, number: int, text: str) -> None:
        """Read one message."""
        message = _GLANCE.decode(text)
        if message.seq is not None:
            self._seen_seq = message.seq
        about = {"who": self.who, "role": self.role, "table": self.table, "sub": number}
        self.scenario.history.add("see", **about, message=msgspec.Raw(text.encode()))
        if message.event is not None:
            self.scenario.saw(self.table, message.event.kind)


class _Line:
    """A connection on which messages arrive in order, some time after they were sent."""

    def __init__(self, watcher: Watcher, number: int) -> None:
        self._watcher, self.number = watcher, number
        self._last = 0.0
        self._on_the_way: deque[str] = deque()
        self.ended = False

    async def serve(self, house: House, after: int | None) -> None:
        """The process's end: send what the house shows, until it ends the subscription or the token ends."""
        watcher, table = self._watcher, self._watcher.table
        person = await edge.authenticate(house, watcher.token)
        if table not in house.registry.hosts:
            raise Refused(r.TableUnknown(table))
        subscription = house.subscribe(table, person, after)
        try:
            async for message in subscription:
                if person is not None and not house.people.holding(person, watcher.token or "")():
                    return
                self._send(message)
                if watcher.luck.random() < watcher.scenario.swarm.hang_up:
                    return
                if watcher.luck.random() < watcher.scenario.swarm.slow_reader:
                    await asyncio.sleep(watcher.luck.uniform(0, 5))
        finally:
            subscription.close()

    def _send(self, message: AnyMessage) -> None:
        scenario = self._watcher.scenario
        self._last = max(self._last, scenario.loop.time() + scenario.delay())
        self._on_the_way.append(message.text)
        scenario.loop.call_at(self._last, self._arrive, context=NOBODY.context())

    def _arrive(self) -> None:
        text = self._on_the_way.popleft()
        if not self.ended:
            self._watcher.see(self.number, text)


# ------------------------------------------------------------------------------------------- those who act

PATRON_WEIGHTS = {
    "sit": 4, "stand": 2, "leave": 0.1, "place-bet": 8, "raise-bet": 2, "withdraw-bet": 1, "place-bets": 8,
    "insure": 1, "decline-insurance": 0.2, "ask-squeeze": 4, "pass-squeeze": 1, "open-card": 8, "choose": 12,
}  # fmt: skip
DEALER_WEIGHTS = {
    "load-shoe": 8, "open-bets": 6, "close-bets": 0.6, "deal": 10, "settle": 10, "open-card": 10, "answer-squeeze": 6,
    "burn-cards": 10, "check-decks": 2, "shuffle-cards": 2, "count-shoe": 2, "recover": 0.05, "decide": 4,
    "report": 0.25,
    "put-right": 4, "return-low-bet": 2,
    "correct-cards": 0.15, "cut-card": 0.05, "replace-shoe": 0.05, "record-bet": 0.2, "announce-insurance": 0.2,
    "come-on-duty": 0.2, "go-off-duty": 0.1, "place-bet": 0.5, "insure": 0.5, "sit": 0.2, "choose": 2, "leave": 0.02,
}  # fmt: skip
PIT_WEIGHTS = {
    "decide": 20, "report": 1, "correct-round": 1.5, "correct-cards": 0.5, "change-limits": 0.4, "close-table": 0.15,
    "suspend-play": 0.15, "resume-play": 6, "replace-shoe": 0.2, "answer-squeeze": 4, "recover": 0.1,
    "assign-position": 0.2, "come-on-duty": 0.3, "go-off-duty": 0.1, "change-insurance": 0.3, "choose": 2,
    "load-shoe": 0.3, "leave": 0.05,
}  # fmt: skip
DISTURBING = frozenset(
    {
        *("report", "correct-cards", "correct-round", "replace-shoe", "close-table", "suspend-play", "recover"),
        *("record-bet", "change-limits", "go-off-duty", "assign-position", "cut-card", "change-insurance"),
    }
)
"""What nobody does while the house must show that it plays again."""
STAKES = 20_000
USUAL_WEIGHT = 4
"""From here on something is done whenever it is possible."""
MOST_TICKETS = 20
"""How many times in a row someone cashes out."""
KEY_REUSED = 0.02
"""How often someone gives another command under a key that was used."""


class Actor(Client):
    """Someone who acts at tables: mostly by what `choices` allows, sometimes not."""

    drawn_to: frozenset[Phase] = frozenset()
    """The phases in which they have most to do."""

    def __init__(
        self,
        scenario: Scenario,
        person: Person,
        token: str,
        luck: random.Random,
        tables: Sequence[str],
        weights: dict[str, float],
        pause_s: tuple[float, float],
    ) -> None:
        super().__init__(scenario, person, token, luck)
        self.tables, self._weights, self._pause_s = list(tables), weights, pause_s

    async def run(self) -> None:
        """Act until the run is over."""
        while not self.scenario.is_over:
            await asyncio.sleep(self.luck.uniform(*self._pause_s))
            if (house := self.house()) is not None:
                await self.act(house, self._where(house))

    def _where(self, house: House) -> str:
        """The table at which this one acts next: mostly one where they are needed."""
        hosts = house.registry.hosts
        needed = [each for each in self.tables if each in hosts and house.followed(each).state.phase in self.drawn_to]
        return self.luck.choice(needed if needed and self.luck.random() < 0.7 else self.tables)

    async def act(self, house: House, table: str) -> None:
        """Do one thing at a table."""
        if table not in house.registry.hosts:
            return
        state = house.followed(table).state
        if await self.act_aside(state, table):
            return
        body = self._body(state)
        if body is None:
            return
        if not self.scenario.is_healed and self.luck.random() < self.scenario.swarm.mangled:
            body = mangled(body, self.luck)
        if self.luck.random() < 0.03:
            await self.ask("preview", body, table)
            return
        phase, key = state.phase.value, self.key()
        reply = await self.ask("command", body, table, key)
        if reply is not None and "code" not in reply:
            self.scenario.acted(phase, body["kind"], table, self.role)
        if not self.scenario.is_healed and self.luck.random() < KEY_REUSED:
            other = self._body(house.followed(table).state)
            if other is not None and other != body:
                await self.ask("command", other, table, key)

    async def act_aside(self, state: State, table: str) -> bool:
        """Whatever this one does beside commands; whether it was done."""
        del state, table
        return False

    def _body(self, state: State) -> Body | None:
        """A command that may be given now. Now and then one that may not."""
        assert self.person is not None
        weights = self._weights
        if self.scenario.is_healed:
            weights = {kind: weight for kind, weight in weights.items() if kind not in DISTURBING}
        elif self.luck.random() < self.scenario.swarm.illegal:
            return self._illegal(state)
        # What is seldom done is seldom thought of, or it would be done whenever nothing else is possible.
        legal = [kind for kind in weights if state.phase in acts.COMMANDS[kind].during]
        kinds = [kind for kind in legal if self.luck.random() < weights[kind] / USUAL_WEIGHT]
        asking = self._asking(state)
        while kinds:
            kind = self.luck.choices(kinds, [weights[each] for each in kinds])[0]
            kinds.remove(kind)
            if not self.person.is_patron and refuse_in_house(state, self.person, acts.COMMANDS[kind]):
                continue
            # Of all that `choices` would tell, only this one: a desk shows everything, and that takes time.
            ways = [way for way in _choice(state, acts.COMMANDS[kind], asking).ways if way.refusal is None]
            if ways := self.likely(state, ways):
                return body_of(
                    state, asking.actor, kind, self.luck.choice(ways), self.luck, self.scenario.patrons, STAKES
                )
        return None

    def likely(self, state: State, ways: list[Way]) -> list[Way]:
        """The ways that come into question, of those that are accepted."""
        del state
        return ways

    def _asking(self, state: State) -> Asking:
        """Who asks, and for whom, as `choices` has it."""
        assert self.person is not None
        actor = in_position(state, self.person.actor)
        if self.person.is_patron:
            return Asking(actor, {self.who: state.places.get(self.who, ())})
        return Asking(actor, {patron: state.places.get(patron, ()) for patron in state.places}, cash=True)

    def _illegal(self, state: State) -> Body:
        """A command of any kind, about anything and anyone."""
        assert self.person is not None
        legal = [kind for kind, command in acts.COMMANDS.items() if state.phase in command.during]
        kind = self.luck.choice(sorted(acts.COMMANDS if self.luck.random() < 0.3 else legal))
        return as_body(anything(state, self.person.actor, kind, self.luck, self.scenario.patrons, wild=True))


class Patron(Actor):
    """Takes a place, bets, buys and cashes out."""

    drawn_to = frozenset({Phase.BETTING, Phase.FIRST_WINDOW, Phase.SECOND_WINDOW, Phase.OPENING})

    async def act_aside(self, state: State, table: str) -> bool:
        """See `Actor`."""
        assert self.person is not None
        roll = self.luck.random()
        if (house := self.house()) is not None and _may_owe_soon(house, table):
            await self._hurry(table)
        elif roll < 0.04:
            await self.ask("me", None)
        elif roll < 0.07:
            amount = self.luck.choice([None, 1_000, 50_000, 10**7])
            await self._cash_out({} if amount is None else {"amount_cents": amount})
        elif roll < 0.085 and self.scenario.tickets:
            await self.ask("take-ticket", self.ticket(), key=self.key())
        elif roll < 0.10 or (roll < 0.6 and self._is_poor()):
            await self.ask("buy", {"amount_cents": self.luck.choice([20_000, 100_000])}, key=self.key())
        elif 0.6 < roll < 0.61:
            await self.ask("rounds", None, self.luck.choice(self.tables))
        elif 0.61 < roll < 0.62 and state.shoes:
            await self.ask("shoe", {"shoe": self.luck.randint(max(state.shoes - 1, 1), state.shoes)}, table)
        else:
            return False
        return True

    async def _cash_out(self, body: Body) -> None:
        self.scenario.keep_ticket(await self.ask("cash-out", body, key=self.key()))

    async def _hurry(self, table: str) -> None:
        """Cash out again and again, until what may make a debt is decided."""
        for _ in range(MOST_TICKETS):
            await self._cash_out({"amount_cents": 500})
            if (house := self.house()) is None or not _may_owe_soon(house, table):
                return

    def _where(self, house: House) -> str:
        """See `Actor`."""
        corrected = [table for table in self.tables if _may_owe_soon(house, table)]
        return corrected[0] if corrected else super()._where(house)

    def likely(self, state: State, ways: list[Way]) -> list[Way]:
        """Where all meet, only what is at the first box. Mostly bets on a hand."""
        if self.scenario.swarm.crowd is not None and state.sheet.boxes.layouts:
            ways = [way for way in ways if getattr(way, "box", None) in (None, 1)]
        on_hands = [way for way in ways if getattr(way, "on", None) in tuple(Hand)]
        return on_hands if on_hands and self.luck.random() < 0.8 else ways

    def _body(self, state: State) -> Body | None:
        """See `Actor`."""
        if not self.scenario.is_healed and self.luck.random() < self.scenario.swarm.bold:
            return self._bold(state) or super()._body(state)
        return super()._body(state)

    def _bold(self, state: State) -> Body | None:
        """Open any closed card, or insure in the second window whatever was let pass; None where there is neither."""
        round_, settings = state.round, state.settings
        if round_ is None or settings is None:
            return None
        if round_.closed_places:
            return {"kind": "open-card", "place": self.luck.choice(round_.closed_places)}
        offered = offers_now(state) if state.phase is Phase.SECOND_WINDOW else {}
        own = [spot for spot in round_.bets if spot.patron == self.who and spot.on in offered]
        if not own:
            return None
        spot, stake = self.luck.choice(own), settings.limits.unit_cents
        return {"kind": "insure", "box": spot.box, "on": f"{spot.on}-insurance", "stake_cents": stake}

    def _is_poor(self) -> bool:
        house = self.house()
        return house is not None and house.balances.get(f"patron:{self.who}", 0) < 5_000


def _may_owe_soon(house: House, table: str) -> bool:
    """Whether what may make a debt waits for a second person: a correction, or an amount that was decided."""
    case = house.followed(table).state.case if table in house.registry.hosts else None
    return case is not None and any(isinstance(each, acts.RoundAdjusted | acts.AmountDecided) for each in case.pending)


class Pit(Actor):
    """Decides, corrects, sells credits, opens and closes tables."""

    drawn_to = frozenset({Phase.HELD})

    async def act_aside(self, state: State, table: str) -> bool:
        """See `Actor`."""
        roll = self.luck.random()
        case = state.case
        if case is not None and case.waits is Waits.CHOICES and case.patrons and roll < 0.2:
            # Whoever does not choose, such as a guest whose token has ended, is let go, so that play goes on.
            leave = {"kind": "leave", "patron": self.luck.choice(sorted(case.patrons))}
            await self.ask("command", leave, table, self.key())
        elif state.phase is Phase.NOT_OPEN and roll < 0.7:
            await self.ask("set-up", self.scenario.specs[table], key=None)
        elif roll < 0.02 and self.role == "pit-manager":
            self.scenario.keep_ticket(await self.ask("issue-ticket", {"amount_cents": 10_000}, key=self.key()))
        elif roll < 0.04 and self.role == "pit-manager" and self.scenario.tickets:
            await self.ask("pay-ticket", self.ticket(), key=self.key())
        elif roll < 0.07 and self.role == "pit-manager":
            body = {"person": self.luck.choice(self.scenario.patrons), "amount_cents": 10_000}
            await self.ask("buy", body, key=self.key())
        elif roll < 0.08:
            await self.ask("snapshot", None, table)
        else:
            return False
        return True


class Admin(Client):
    """Lets guests in while others play, and ends the tokens of some again."""

    async def run(self) -> None:
        """Act until the run is over."""
        guests: list[str] = []
        while not self.scenario.is_over:
            await asyncio.sleep(self.luck.uniform(2, 8))
            if guests and self.luck.random() < 0.4:
                await self.ask("dismiss", {"person": guests.pop(0)})
            elif not self.scenario.is_healed:
                made = await self.ask("admit", {"name": f"Guest {len(guests) + 1}", "role": "patron"})
                if made is not None and "code" not in made:
                    guests.append(made["person"]["id"])
                    self.scenario.welcome(made)
