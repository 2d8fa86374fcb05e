"""Drills of the limits: what may be placed, what is over, and what goes back to whom."""

from __future__ import annotations

from random import Random

from punto.academy.drill import Drill, Said, Step
from punto.academy.rounds import settled
from punto.academy.stage import CLOSE_BETS, MINIMUM, TRAINEE, UNIT, Stage, amount, grant, one, paragraph, several
from punto.rules.money import Cents
from punto.rules.refusals import Refusal
from punto.rules.sheet import Role, Sheet
from punto.table import acts
from punto.table.engine import decide
from punto.table.values import BoxProblem, spot_of

DIFFERENTIAL = Cents(2_000_00)
STANDING = ("Ivo", "Jing")


def limit(sheet: Sheet, random: Random) -> Drill:
    """A bet that somebody asks for while bets are open; or boxes over the Differential that were seen too late."""
    if sheet.boxes.layouts and random.random() < 0.5:
        return _seen_late(sheet, random)
    stage = Stage(sheet, random, random.randint(1, 3), DIFFERENTIAL)
    stage.give(acts.OpenBets(TRAINEE))
    for patron in list(stage.boxes):
        if random.random() < 0.8:
            stage.bet(patron, random.choice(stage.originals), stage.stake(35))
    crowd(stage)
    shown, (command, story) = stage.state, wish(stage)
    return Drill(shown, tuple(request_steps(stage, command, bounds=True)), (story,))


def crowd(stage: Stage) -> None:
    """Let others stand behind seated patrons, and bet there if those do; not at terminals."""
    boxes, behind = list(stage.boxes.values()), {bet.box for bet in stage.placed}
    for name in STANDING if stage.layout else ():
        if stage.random.random() < 0.7:
            stage.boxes[name] = box = stage.random.choice(boxes)
            stage.give(acts.Stand(TRAINEE, name, box))
            if box in behind:
                cents = stage.random.choice((Cents(30_00), stage.stake(20), stage.stake(20)))
                stage.bet(name, stage.random.choice(stage.originals), cents)


def wish(stage: Stage) -> tuple[acts.PlaceBet | acts.RaiseBet, Said]:
    """A bet that a patron asks for: within the limits, below the minimum, or over the Differential."""
    offered = [(act, way) for act in (acts.PlaceBet, acts.RaiseBet) for way in stage.bet_ways(act)]
    act, way = stage.random.choice([each for each in offered if each[1].on in stage.originals])
    assert way.patron  # noqa: S101 — the stage names the patron
    most = max(way.amount.maximum_cents, UNIT)
    cents = stage.random.choice((MINIMUM - 20_00, MINIMUM, most, most + UNIT, most + 150_00, stage.stake(30)))
    command = act(stage.asker(way.patron), way.patron, way.box, way.on, Cents(cents))
    return command, Said(f"wants-to-{command.kind}", way.box, way.patron, way.on, amount_cents=cents)


def request_steps(
    stage: Stage, command: acts.PlaceBet | acts.RaiseBet | acts.WithdrawBet, *, bounds: bool = False
) -> list[Step]:
    """The answer to a patron's wish: granted, or by which paragraph not; its bounds; and who must give way."""
    answer = decide(stage.state, command)
    steps = [grant(stage, Said("grant", patron=command.patron), answer)]
    if bounds:
        of = (command.patron, command.box, command.on)
        way = next(way for way in stage.bet_ways(type(command)) if (way.patron, way.box, way.on) == of)
        rules = [getattr(stage.sheet.limits, name, None) for name in ("excess_rule", "balance_rule")]
        most = 0 if way.amount.is_empty else way.amount.maximum_cents
        steps.append(amount(Said("most-to-add", command.box, command.patron, command.on), most, *rules))
    moved = [] if isinstance(answer, Refusal) else answer.events
    back = {spot_of(each.bet): each for each in moved if isinstance(each, acts.BetDisplaced)}
    for bet in [bet for bet in stage.placed if bet.patron != command.patron and bet.box == command.box]:
        event = back.get(spot_of(bet))
        about = Said("displaced", bet.box, bet.patron, bet.on, amount_cents=bet.stake_cents)
        back_cents, rule = (event.returned_cents, event.rule) if event else (0, None)
        steps.append(amount(about, back_cents, stage.sheet.boxes.seated_rule, rule))
    return steps


def _seen_late(sheet: Sheet, random: Random) -> Drill:
    """Chips outside the limits: what to put right, and what is in play once bets have closed."""
    stage = Stage(sheet, random, random.randint(2, 3), DIFFERENTIAL)
    stage.give(acts.OpenBets(TRAINEE))
    for patron in list(stage.boxes):
        stage.bet(patron, random.choice(stage.originals), Cents(random.choice((30_00, 500_00, 2_600_00, 3_700_00))))
    crowd(stage)
    shown = stage.state
    (way,) = stage.ways(acts.CloseBets)
    steps, boxes = list[Step](), sorted({bet.box for bet in stage.placed})
    over = BoxProblem.OVER_DIFFERENTIAL if sheet.limits else BoxProblem.ABOVE_MAXIMUM
    for problem, name in ((over, "excess_rule"), (BoxProblem.BELOW_MINIMUM, "minimum_rule")):
        wrong = {warning.box for warning in way.warnings if warning.problem is problem}
        steps.append(several(Said(problem), wrong, boxes, "box", getattr(sheet.limits, name, None)))
    steps.append(grant(stage, Said("may-close"), decide(stage.state, acts.CloseBets(TRAINEE))))
    stage.give(CLOSE_BETS)
    stage.deal()
    events = stage.would(acts.Settle(TRAINEE))
    if referred := next((event for event in events if isinstance(event, acts.IncidentReferred)), None):
        steps.append(one(Said("who-decides"), referred.to, Role, "role", referred.rule))
    parts = [line for line in settled(stage) if line.in_play_rule is not None]
    for line in parts:
        said = Said("not-in-play", line.bet.box, line.bet.patron, line.bet.on, amount_cents=line.bet.stake_cents)
        steps.append(amount(said, line.bet.stake_cents - line.in_play_cents, line.in_play_rule))
    if parts:
        steps.append(paragraph(stage, Said("pro-rata-rule"), random.choice(parts).in_play_rule))
    return Drill(shown, tuple(steps), (Said("seen-late"),))
