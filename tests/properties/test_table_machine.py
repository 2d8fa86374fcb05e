"""Random patrons, dealers and faults at tables of all five games, and what must hold after every step."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from punto.ledger.balances import Balances
from punto.ledger.bet_ledger import BetLedger
from punto.protocol.codec import parse_command, parse_event, to_json
from punto.rules.cards import DECK, Card
from punto.rules.cash import is_cash
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.loader import GAMES, load
from punto.rules.money import Cents, Odds
from punto.rules.refusals import Refusal
from punto.rules.sheet import Device, Role, Ruling
from punto.rules.tableau import next_hand
from punto.table import acts
from punto.table.act import kind_of
from punto.table.actor import Actor
from punto.table.acts.bets import BetStake
from punto.table.engine import decide, replay
from punto.table.phases import Phase, phase_of
from punto.table.refusals import TABLE_REFUSALS
from punto.table.rulings.decided_money import MONEY_DECISIONS
from punto.table.rulings.situations import SITUATIONS
from punto.table.state import Settings, State, known_cards, new_table
from punto.table.values import Burn, Claim, Decision, Facts, Option, Spot, SqueezeOf, Waits, spot_of
from punto.texts import say
from tests.round_records import RoundRecords
from tests.table_kit import DEALER, MANAGER, SHIFT, STAFF, SUPERVISOR

PATRONS = ("ann", "bo", "cy", "di")

STAKES = [Cents(cents) for cents in (0, 50, 1_000, 2_500, 10_000, 15_000, 40_000, 90_000)]


class Audit:
    """Follows the money from events alone, knowing nothing of how the table works."""

    def __init__(self) -> None:
        self.lies: dict[Spot, int] = {}
        self.patrons: Counter[str] = Counter()
        self.house = 0
        self.ended: set[tuple[int, Spot]] = set()
        self.returned: dict[tuple[int, Spot], int] = {}
        self.stakes: dict[tuple[int, Spot], int] = {}
        self.void: set[int] = set()

    def see(self, event: acts.Event) -> None:
        match event:
            case acts.BetPlaced(bet=bet):
                assert spot_of(bet) not in self.lies
                self.lies[spot_of(bet)] = bet.stake_cents
                self.patrons[bet.patron] -= bet.stake_cents
            case acts.BetRaised(bet=bet, added_cents=added):
                self.lies[spot_of(bet)] += added
                self.patrons[bet.patron] -= added
                assert self.lies[spot_of(bet)] == bet.stake_cents
            case acts.BetWithdrawn(bet=bet, returned_cents=back) | acts.BetDisplaced(bet=bet, returned_cents=back):
                assert self.lies[spot_of(bet)] == bet.stake_cents
                assert 0 < back <= bet.stake_cents
                self.lies[spot_of(bet)] -= back
                self.patrons[bet.patron] += back
                if not self.lies[spot_of(bet)]:
                    del self.lies[spot_of(bet)]
            case acts.BetsReturned(round=number, lines=lines) | acts.RoundVoided(round=number, lines=lines):
                for line in lines:
                    self.end(number, line.bet, line.returned_cents)
                if isinstance(event, acts.RoundVoided):
                    self.void.add(number)
            case acts.RoundSettled(round=number, lines=settled, returned=returned, house_cents=house):
                before = self.house
                for paid in settled:
                    self.end(number, paid.bet, paid.returned_cents)
                for line in returned:
                    self.end(number, line.bet, line.returned_cents)
                assert self.house - before == house
            case acts.BetsPaid(round=number, lines=paid_lines):
                for decided in paid_lines:
                    self.end(number, decided.bet, decided.returned_cents)
            case acts.AmountDecided(patron=patron, amount_cents=amount):
                self.patrons[patron] += amount
                self.house -= amount
            case acts.RoundAdjusted(round=number, lines=corrections):
                for each in corrections:
                    assert each.correction_cents == each.after_cents - each.before_cents
                    assert self.returned[number, spot_of(each.bet)] == each.before_cents, "a line that does not stand"
                    self.returned[number, spot_of(each.bet)] = each.after_cents
                    self.patrons[each.bet.patron] += each.correction_cents
                    self.house -= each.correction_cents
                if event.void:
                    self.void.add(number)
                    self.voided(number)
            case acts.RoundClosed(round=number):
                assert self.lies == {}, "a bet without an end"
                if number in self.void:
                    self.voided(number)

    def voided(self, number: int) -> None:
        """Every bet of a void round has returned its stake, those paid by decision before it, too."""
        back = {spot: cents for (of, spot), cents in self.returned.items() if of == number}
        assert back == {spot: cents for (of, spot), cents in self.stakes.items() if of == number}

    def end(self, number: int, bet: Any, back: int) -> None:
        spot = spot_of(bet)
        assert (number, spot) not in self.ended, "a bet ended twice"
        self.ended.add((number, spot))
        self.returned[number, spot] = back
        stake = self.stakes[number, spot] = self.lies.pop(spot)
        assert stake == bet.stake_cents
        self.patrons[bet.patron] += back
        self.house += stake - back


class Unseen:
    """Counts from events alone the cards that left the shoe and that nobody saw.

    Such cards are closed now, were closed when their round was void, or were burned.
    """

    def __init__(self) -> None:
        self.closed: set[tuple[int, int]] = set()
        self.gone = 0

    @property
    def count(self) -> int:
        return self.gone + len(self.closed)

    def see(self, event: acts.Event) -> None:
        match event:
            case acts.ShoeLoaded():
                self.closed.clear()
                self.gone = 0
            case acts.CardDealt(closed=True):
                self.closed.add((event.round, event.place))
            case acts.CardOpened():
                self.closed.remove((event.round, event.place))
            case acts.CardsBurned():
                self.gone += event.unseen
            case acts.RoundVoided():
                self.gone += len(self.closed)
                self.closed.clear()
            case acts.CardsReordered():
                self.closed.clear()


class TableMachine(RuleBasedStateMachine):
    game = GAMES[0]
    seen: ClassVar[Counter[str]] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.sheet = load(self.game)
        self.state: State = new_table(self.sheet)
        self.records = RoundRecords(self.sheet)
        self.log = self.records.log
        self.audit, self.unseen = Audit(), Unseen()
        self.bet_ledger = BetLedger("t1")
        self.balances = Balances(dict.fromkeys([f"patron:{name}" for name in PATRONS], 10**9))

    # ------------------------------------------------------------------ driving

    def give(self, command: acts.Command, *, travels: bool = True) -> bool:
        assert not travels or parse_command(to_json(command)) == command
        before = self.state
        answer = decide(self.state, self.records.supply(self.state, command))
        if isinstance(answer, Refusal):
            assert type(answer) in TABLE_REFUSALS
            assert say(answer, sheet=self.sheet)
            assert say(answer, "zh-Hans", self.sheet)
            assert answer.rule is None or answer.rule in self.sheet.paragraphs
            self.seen[answer.code] += 1
            return False
        assert before.phase in command.during
        for event in answer:
            assert parse_event(to_json(event)) == event
            self.state = self.records.evolve(self.state, event)
            self.audit.see(event)
            self.unseen.see(event)
            transfers, self.bet_ledger = self.bet_ledger.post(len(self.log), event)
            assert self.balances.apply(transfers) is None
            self.seen[kind_of(type(event))] += 1
        return True

    @initialize(
        face_down=st.booleans(),
        live=st.booleans(),
        second_person=st.booleans(),
        private=st.booleans(),
        shuffler=st.booleans(),
        burn=st.sampled_from(Burn),
        shoe=st.none() | st.integers(0, 2**64),
    )
    def open(
        self,
        face_down: bool,
        live: bool,
        second_person: bool,
        private: bool,
        shuffler: bool,
        burn: Burn,
        shoe: Any,
    ) -> None:
        layouts = self.sheet.boxes.layouts
        allowed = self.sheet.insurance is not None and self.sheet.insurance.private_table_rule is not None
        opened = acts.OpenTable(
            SUPERVISOR,
            self.game,
            Settings(
                "t1",
                4,
                Cents(2_500),
                Cents(60_000),
                Cents(50),
                layouts[-1].id if layouts else None,
                0 if layouts else 3,
                (),
                face_down,
                live,
                private and allowed,
                second_person,
            ),
        )
        if shuffler and Device.SHUFFLER in self.sheet.play.devices:
            opened = replace(opened, settings=replace(opened.settings, device=Device.SHUFFLER))
        else:
            opened = replace(opened, settings=replace(opened.settings, burn=burn))
        assert self.give(opened)
        self.closed = face_down and live
        self.virtual = shoe is not None
        self.random = self.dice(shoe or 0)
        self.load_shoe(60)
        for box, name in enumerate(PATRONS[:2], 1):
            assert self.give(acts.Sit(Actor(name), name, box))

    def load_shoe(self, count: int) -> None:
        order: tuple[Card, ...] = ()
        if self.virtual:
            cards = list(DECK * 4)
            self.random.shuffle(cards)
            order = tuple(cards[:count])
        settings = self.state.settings
        shuffler = settings is not None and settings.device is Device.SHUFFLER
        self.give(acts.CheckDecks(DEALER, 52 * 4))
        self.give(acts.ShuffleCards(DEALER))
        self.give(acts.LoadShoe(DEALER, order, None if shuffler else count - 12))
        self.give(acts.BurnCards(DEALER, self.random.choice(DECK)))

    # ------------------------------------------------------------------ an evening, one thing after another

    def dice(self, seed: int) -> Random:
        """Chances that differ from step to step, whatever the seed: hypothesis is fond of zero."""
        return Random(f"{seed}/{len(self.log)}/{sum(self.seen.values())}")

    @rule(seed=st.integers(0, 2**64), steps=st.integers(1, 40))
    def evening(self, seed: int, steps: int) -> None:
        r = self.dice(seed)
        things = [self.bet_anything, self.move, self.squeeze, self.handle_the_shoe, self.power_cut, *[self.misread] * 3]
        things += [self.correct_round, self.correct_round, self.decide_about, self.cash_on_the_layout]
        things += [self.run_the_floor, self.run_the_floor]
        for _ in range(steps):
            if r.random() < 0.75:
                self.go_on(r)
            else:
                r.choice([*things, self.decide_case, *[self.fault] * 8, *[self.decide_about] * 2])(r)
            self.money_is_conserved()
            self.the_phase_is_the_cards()
            self.the_limits_hold()
            self.the_shoe_counts()

    @rule(seed=st.integers(0, 2**64), steps=st.integers(1, 20))
    def quiet_hours(self, seed: int, steps: int) -> None:
        self.go_on(self.dice(seed), steps)

    @rule(seed=st.integers(0, 2**64))
    def trouble(self, seed: int) -> None:
        r = self.dice(seed)
        self.fault(r)
        self.decide_case(r)

    # ------------------------------------------------------------------ what people do

    def go_on(self, r: Random, steps: int = 1) -> None:
        """A round as it should go, for some steps: everybody bets, and insures what may be insured."""
        for _ in range(steps):
            by = r.choice(STAFF)
            match self.state.phase:
                case Phase.BETWEEN_ROUNDS if self.state.suspended:
                    assert self.give(acts.ResumePlay(SUPERVISOR))
                case Phase.BETWEEN_ROUNDS:
                    if r.random() < 0.3:
                        self.run_the_floor(r)
                    if not self.give(acts.OpenBets(by)):
                        self.give(acts.CountShoe(by, r.choice([60, 208])))
                        self.load_shoe(60)
                case Phase.BETTING:
                    self.everybody_bets(r)
                    if r.random() < 0.7:
                        self.give(acts.CloseBets(by))
                case Phase.RESULT:
                    if r.random() < 0.2:
                        self.somebody_meant_to_insure(r)
                    self.give(acts.Settle(by))
                case Phase.HELD:
                    self.answer(r)
                case Phase.OPENING:
                    self.open_closed(r, by)
                case _:
                    if self.state.phase in {Phase.FIRST_WINDOW, Phase.SECOND_WINDOW}:
                        self.everybody_insures(r)
                    card = None if self.virtual or (self.closed and r.random() < 0.7) else r.choice(DECK)
                    if not self.give(acts.Deal(by, card)):
                        self.give(acts.Report(by, "not-enough-cards"))

    def open_closed(self, r: Random, by: Actor) -> None:
        """Open a closed card: whoever squeezes it, or staff, who can always go on."""
        round_ = self.state.round
        assert round_ is not None
        for place in r.sample(round_.closed_places, len(round_.closed_places)):
            if place in round_.squeezers and r.random() < 0.5:
                squeezer = round_.squeezers[place]
                passes = r.random() < 0.2
                squeezes = acts.OpenCard(Actor(squeezer), place)
                self.give(acts.PassSqueeze(Actor(squeezer), squeezer, place) if passes else squeezes)
                return
            card = None if round_.at(place).card else r.choice(DECK)
            if self.give(acts.OpenCard(by, place, card)):
                return

    def everybody_bets(self, r: Random) -> None:
        ids = list(self.sheet.bets)
        for box, name in [*self.state.seats.items(), *self.state.standing]:
            for on in r.choices(ids[:2] * 3 + ids, k=r.randrange(4)):
                self.give(acts.PlaceBet(Actor(name), name, box, on, r.choice(STAKES)))
        for box, name, on, _ in self.bets():
            by = r.choice([Actor(name), Actor(name), *STAFF])
            stake = r.choice(STAKES)
            command = r.choice(
                [
                    acts.RaiseBet(by, name, box, on, stake),
                    acts.PlaceBets(by, name, box, tuple([BetStake(each, stake) for each in r.sample(ids, 2)])),
                    acts.WithdrawBet(by, name, box, on, r.choice([None, stake]), r.choice([None, self.state.rounds])),
                    acts.RecordBet(by, name, box, on, Cents(stake * 2)),
                    acts.Report(DEALER, "below-minimum", Facts(patron=name, box=box, on=on)),
                ]
            )
            if r.random() < 0.3:
                self.give(command)

        if r.random() < 0.2:  # at a live table: chips far over the Differential
            self.give(acts.RecordBet(DEALER, "ann", 1, ids[0], Cents(200_000)))
        if r.random() < 0.2:  # and a chip below the minimum
            self.give(acts.RecordBet(DEALER, "bo", 2, ids[1], Cents(500)))
            self.give(acts.Report(DEALER, "below-minimum", Facts(patron="bo", box=2, on=ids[1])))

    def somebody_meant_to_insure(self, r: Random) -> None:
        for box, name, on, _ in self.bets():
            if on in set(Hand):
                facts = Facts(window=r.choice(list(Window)), claims=(Claim(name, box, Hand(on)),))
                self.give(acts.Report(r.choice([DEALER, MANAGER, MANAGER]), "insurance-neglected", facts))

    def everybody_insures(self, r: Random) -> None:
        for spot in self.bets():
            on = r.choice(list(self.sheet.insurance_bets))
            stake = Cents(r.choice([0, 50, 500, 2_000, 20_000]))
            self.give(acts.Insure(Actor(spot.patron), spot.patron, spot.box, on, stake))
            if r.random() < 0.2:
                self.give(acts.AnnounceInsurance(DEALER, spot.patron))
                self.give(acts.DeclineInsurance(Actor(spot.patron), spot.patron))

    def bet_anything(self, r: Random) -> None:
        """Bets that mostly make no sense, by anyone at any time."""
        who, box, on = r.choice(PATRONS), r.randrange(5), r.choice([*self.sheet.bet_ids, "moon"])
        by, stake = r.choice([Actor(who), Actor("eve"), *STAFF]), r.choice([*STAKES, Cents(-1), Cents(2**60)])
        number = r.choice([None, None, self.state.rounds, 99])
        kinds: list[acts.Command] = [
            acts.PlaceBet(by, who, box, on, stake, number),
            acts.RaiseBet(by, who, box, on, stake, number),
            acts.WithdrawBet(by, who, box, on, stake, number),
            acts.PlaceBets(by, who, box, (BetStake(on, stake),), number),
            acts.RecordBet(by, who, box, on, stake),
            acts.Insure(by, who, box, on, stake, number),
        ]
        self.give(r.choice(kinds), travels=stake < 2**53)

    def move(self, r: Random) -> None:
        for _ in range(3):
            who, box = r.choice(PATRONS), r.randrange(5)
            by = Actor(who)
            self.give(
                r.choice(
                    [acts.Sit(by, who, box), acts.Stand(by, who, box), acts.Stand(by, who, 1), acts.Leave(by, who)]
                )
            )

    def run_the_floor(self, r: Random) -> None:
        """What pit staff see to beside the rounds: duty, positions, limits, insurance and pauses."""
        by, who = r.choice(STAFF), r.choice(PATRONS)
        position = r.choice([None, *Role])
        minimum, differential = r.choice([1_000, 2_500]), r.choice([500, 40_000, 60_000])
        commands = [
            r.choice([acts.ComeOnDuty(by), acts.GoOffDuty(by)]),
            acts.AssignPosition(by, r.choice(STAFF).person, position),
            r.choice([acts.SuspendPlay(by, r.choice(["an alarm", ""])), acts.ResumePlay(by)]),
            acts.ChangeLimits(by, Cents(minimum), Cents(differential)),
            acts.ChangeInsurance(by, who, r.random() < 0.5),
        ]
        self.give(r.choice(commands))

    def squeeze(self, r: Random) -> None:
        for who in PATRONS:
            self.give(acts.AskSqueeze(Actor(who), who, r.choice(list(SqueezeOf))))
        if r.random() < 0.8:
            self.give(acts.AnswerSqueeze(DEALER, r.random() < 0.7))

    def handle_the_shoe(self, r: Random) -> None:
        by = r.choice(STAFF)
        self.give(
            r.choice(
                [acts.CutCard(by), acts.ReplaceShoe(by, "worn"), acts.LoadShoe(by, (), None), acts.CloseTable(DEALER)]
            )
        )
        self.virtual = bool(self.state.shoe and self.state.shoe.order)

    # ------------------------------------------------------------------ what goes wrong

    def true_cards(self, r: Random) -> tuple[Card, ...]:
        """The cards of the round in the order they left the shoe, with up to two more that came out."""
        known, more = known_cards(self.state), r.randrange(3)
        shoe = self.state.shoe
        if shoe is not None and shoe.order:
            return (*known, *shoe.order[shoe.drawn : shoe.drawn + more])
        if self.state.round is not None:
            known = tuple(r.sample(known, len(known)))
        return (*known, *r.choices(DECK, k=more))

    def fault(self, r: Random) -> None:
        situation = r.choice([*SITUATIONS, "insurance-neglected", "simultaneous-cards", "other-dealing-error"])
        true = self.true_cards(r)
        cards = true[len(known_cards(self.state)) :] if situation == "simultaneous-cards" else true
        spot = r.choice(self.bets() or [Spot(1, "ann", "banker")])
        claims = [Claim(s.patron, s.box, Hand(s.on)) for s in self.bets() if s.on in set(Hand)]
        possible = r.choice([None, True, True, False])
        facts = Facts(
            cards=cards,
            reconstructible=possible,
            hand=r.choice([None, *Hand]),
            patron=spot.patron,
            box=spot.box,
            on=spot.on,
            window=r.choice(list(Window)),
            claims=tuple(r.sample(claims, min(len(claims), 1))),
            round=self.state.rounds - 1,
            note=r.choice(["seen by all", None]) if possible is False else None,
        )
        self.give(acts.Report(r.choice(STAFF), situation, facts))

    def bets(self) -> list[Spot]:
        if self.state.round is not None:
            return list(self.state.round.bets)
        return [spot_of(line.bet) for line in self.state.last.lines] if self.state.last else []

    def power_cut(self, r: Random) -> None:
        self.give(acts.Recover(r.choice(STAFF)))

    def misread(self, r: Random) -> None:
        shoe = self.state.shoe
        if shoe is not None and self.state.phase in {Phase.INITIAL_CARDS, Phase.BANKER_THIRD}:
            reading = (shoe.reading or 0) + r.randrange(4)
            self.give(acts.Deal(DEALER, None if self.virtual else r.choice(DECK), reading))
        else:
            self.give(acts.CorrectCards(r.choice(STAFF), self.true_cards(r), r.choice(["read wrongly", ""])))

    def correct_round(self, r: Random) -> None:
        """A settled round was recorded with other cards than lay on the table."""
        cards: list[Card] = []
        while next_hand(cards) is not None:
            cards.append(r.choice(DECK))
        number = r.randint(0, self.state.rounds)
        self.give(
            acts.CorrectRound(r.choice(STAFF), number, tuple(cards), r.choice(["keyed wrongly", "keyed wrongly", ""]))
        )

    def cash_on_the_layout(self, r: Random) -> None:
        box = r.randint(1, 3)
        stake = r.choice(STAKES)
        self.give(acts.RecordBet(DEALER, f"cash:{box}", box, r.choice(list(self.sheet.bets)), stake))

    def decide_about(self, r: Random) -> None:
        """The Shift Manager takes up any round and decides about its money."""
        number = r.choice([None, r.randint(0, self.state.rounds)])
        if not self.give(acts.Report(SHIFT, "anything-else", Facts(round=number))):
            return
        record = self.records.of(number) if number else None
        spots = [spot_of(each.bet) for each in record.bets] if record else self.bets()
        named = tuple(r.sample(spots, min(len(spots), r.randint(1, 2))))
        decision = r.choice([*Decision, *sorted(MONEY_DECISIONS) * 2])
        odds, amount = r.choice([None, *[Odds.parse("3:2")] * 3]), r.choice([None, Cents(0), *[Cents(700)] * 3])
        account = r.choice([None, "di", "di", "cash:1"])
        self.give(acts.Decide(SHIFT, decision, "by house practice", (), named, odds, account, amount))

    def decide_case(self, r: Random) -> None:
        """Any decision by anyone: most are not theirs to make."""
        if self.state.phase is not Phase.HELD and r.random() < 0.9:
            return
        reason = r.choice(["by the book", ""])
        self.give(acts.Decide(r.choice(STAFF), r.choice(list(Decision)), reason, self.true_cards(r)))
        who = r.choice(PATRONS)
        self.give(acts.Choose(Actor(who), who, r.choice(list(Option))))

    def answer(self, r: Random) -> None:
        """The answer that the case waits for: it must always be possible to give one."""
        case = self.state.case
        assert case is not None
        match case.waits:
            case Waits.CHOICES:
                name = case.patrons[0]
                by = DEALER if is_cash(name) else Actor(name)
                answered = self.give(acts.Choose(by, name, r.choice(list(Option))))
            case Waits.ORDER:
                cards = tuple(r.sample(case.facts.cards, len(case.facts.cards)))
                answered = self.give(acts.Decide(SUPERVISOR, Decision.ORDER, "as they lay", cards))
            case Waits.CORRECTION:
                right = acts.CorrectCards(SUPERVISOR, self.all_cards(), "looked at the table")
                answered = self.give(right)
            case Waits.DECISION:
                present = self.state.round is not None and case.facts.round in {None, self.state.rounds}
                in_round = [Decision.VOID, Decision.OPTIONS] if present else []
                decision = r.choice([Decision.CONTINUE, *in_round])
                answered = self.give(acts.Decide(SHIFT, decision, "by house practice"))
            case _:
                other = next(actor for actor in reversed(STAFF) if actor.person != case.by.person)
                decision = r.choice([Decision.APPROVE, Decision.DECLINE, Decision.DISPUTE])
                either = (decision, Decision.APPROVE)
                answered = any(self.give(acts.Decide(other, each, "looked at it")) for each in either)
        assert answered

    def all_cards(self) -> tuple[Card, ...]:
        """Every card of the round and those carried. For closed ones, cards of which the fewest came out."""
        round_, shoe = self.state.round, self.state.shoe
        if round_ is None or shoe is None or not round_.closed_places:
            return known_cards(self.state)
        rarest = iter(sorted(DECK, key=lambda card: shoe.seen.get(card, 0)))
        return (*[card or next(rarest) for card in round_.visible], *shoe.carried)

    # ------------------------------------------------------------------ what must hold

    @invariant()
    def money_is_conserved(self) -> None:
        assert sum(self.audit.patrons.values()) + sum(self.audit.lies.values()) + self.audit.house == 0
        held = self.balances.snapshot()
        assert sum(held.values()) == len(PATRONS) * 10**9
        assert held.get("house:t1", 0) == self.audit.house
        assert held.get("bets:t1", 0) == sum(self.audit.lies.values())
        for name in PATRONS:
            assert held[f"patron:{name}"] + held.get(f"owed:{name}", 0) == 10**9 + self.audit.patrons[name]
        bets = self.state.round.bets if self.state.round else {}
        assert {spot: bet.stake_cents for spot, bet in bets.items()} == self.audit.lies

    @invariant()
    def the_phase_is_the_cards(self) -> None:
        state = self.state
        phase = state.case.resume if state.case and state.phase is Phase.HELD else state.phase
        assert (state.phase is Phase.HELD) == (state.case is not None)
        if state.round is None:
            assert phase in {Phase.NOT_OPEN, Phase.BETWEEN_ROUNDS}
            return
        cards, waiting = state.round.cards, state.round.waiting
        assert not waiting or not waiting[0].is_open
        for place in range(len(cards)):
            assert next_hand(cards[:place]) is not None
        if phase is Phase.BETTING:
            assert cards == ()
            assert not waiting
        elif phase is Phase.FIRST_WINDOW:
            assert len(cards) == 4
        elif phase is Phase.SECOND_WINDOW:
            assert len(cards) == 5
        else:
            assert phase is phase_of(cards, len(waiting), waived=state.round.waived)

    @invariant()
    def the_limits_hold(self) -> None:
        """Where nothing is recorded as it lies: no box over the Differential, no original bet below the minimum."""
        state = self.state
        if state.round is None or state.settings is None or state.settings.live:
            return
        limits, sums = state.settings.limits, Counter[tuple[int, str]]()
        for spot, bet in state.round.bets.items():
            if spot.on in set(Hand):
                assert bet.stake_cents >= limits.minimum_cents
                sums[spot.box, spot.on] += bet.stake_cents
        # Bets may have left the round since they closed, and a Differential with them.
        if state.phase is Phase.BETTING:
            for box in range(1, 5):
                assert abs(sums[box, Hand.PLAYER] - sums[box, Hand.BANKER]) <= limits.differential_cents

    @invariant()
    def the_shoe_counts(self) -> None:
        shoe = self.state.shoe
        if shoe is not None:
            assert sum(shoe.seen.values()) + self.unseen.count == shoe.drawn <= shoe.size
            assert max(shoe.seen.values(), default=0) <= 4

    def teardown(self) -> None:
        assert replay(self.sheet, self.log) == self.state


QUICK = settings(
    max_examples=15,
    stateful_step_count=40,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)


# What the short form always reaches; the long one must reach everything.
USUAL = {
    *("table-opened", "shoe-loaded", "patron-seated", "bet-placed", "bet-raised", "bet-withdrawn", "bets-opened"),
    *("bets-closed", "card-dealt", "result-declared", "round-settled", "round-voided", "round-closed"),
    *("incident-reported", "incident-ruled", "decision-made", "case-closed"),
}


def survive(game: str, how: settings, *, everything: bool) -> None:
    seen: Counter[str] = Counter()
    machine = type("Machine", (TableMachine,), {"game": game, "seen": seen})
    run_state_machine_as_test(machine, settings=how)
    # Make sure that the walk reached everything that can happen in this game.
    assert (set(acts.EVENTS) if everything else USUAL) - set(seen) <= cannot_happen(game)
    assert sum(seen.values()) > (50_000 if everything else 5_000)


def cannot_happen(game: str) -> set[str]:
    """Events that this game's sheet does not know, and those that the machine leaves to other tests."""
    sheet = load(game)
    rulings = {each.ruling for each in sheet.irregularities.values()}
    never = {"table-closed", "approval-asked", "limits-lifted" if sheet.limits else "raise-asked"}
    if sheet.insurance is None:
        never |= {"insurance-offered", "insurance-declined"}
    if sheet.insurance is None or sheet.insurance.forgone_rule is None:
        never |= {"insurance-forgone", "insurance-announced"}
    if sheet.insurance is None or sheet.insurance.private_table_rule is None:
        never |= {"insurance-changed"}
    if sheet.insurance is None and sheet.play.squeeze is None:
        never |= {"squeeze-asked", "squeeze-answered", "squeeze-passed"}
    if Ruling.RETURN_ORIGINAL not in rulings:
        never |= {"insurance-claimed"}
    if Ruling.ORDER_CARDS not in rulings:
        never |= {"order-asked"}
    if not sheet.boxes.layouts:
        never |= {"patron-stood", "limits-lifted"}
    return never


@pytest.mark.parametrize("game", GAMES)
def test_random_play_keeps_the_invariants(game: str) -> None:
    survive(game, QUICK, everything=False)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_random_play_keeps_the_invariants_for_long(game: str) -> None:
    survive(game, settings(QUICK, max_examples=150, stateful_step_count=80), everything=True)
