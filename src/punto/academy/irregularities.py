"""Drills of irregularities: what is seen at a table in play is reported, and the table's answer is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from random import Random

from punto.academy.drill import Drill, Said, Step
from punto.academy.limits import DIFFERENTIAL
from punto.academy.stage import BOSS, CLOSE_BETS, TRAINEE, Stage, amount, one, paragraph, several
from punto.rules.cards import write_cards
from punto.rules.money import Cents
from punto.rules.refusals import Refused
from punto.rules.sheet import Role, Ruling, Sheet
from punto.table import acts
from punto.table.phases import Phase
from punto.table.rulings.procedures import ReportWay
from punto.table.rulings.situations import EXCESS_CARD, NOT_ENOUGH_CARDS, situations
from punto.table.values import Facts, Returned
from punto.table.ways import InputType

TRIES = 40
"""Tables on which a situation is looked for before another one is."""


def irregularity(sheet: Sheet, random: Random) -> Drill:
    """A situation that the table accepts as it stands: which paragraph, who decides, what next, who gets options."""
    for tried in count():
        if tried % TRIES == 0:
            wanted = random.choice(situations(sheet))
        try:
            stage = _stage(sheet, random, wanted)
            ways = [way for way in stage.ways(acts.Report) if way.situation == wanted and not way.is_past]
            if ways and (drill := report_drill(stage, random.choice(ways))):
                return drill
        except Refused:
            continue  # such a table cannot be: another one
    raise AssertionError("a table accepts some report")


def _stage(sheet: Sheet, random: Random, situation: str) -> Stage:
    """A table after a round, somewhere in the next."""
    face_down, patrons = random.random() < 0.3, random.randint(1, 3)
    stage = Stage(sheet, random, patrons, DIFFERENTIAL, face_down=face_down)
    stage.open_round(most=30)
    stage.give(CLOSE_BETS)
    stage.deal()
    stage.give(acts.Settle(TRAINEE))
    if situation == NOT_ENOUGH_CARDS:
        ends = random.sample(stage.cards, random.randint(1, 4))
        stage.give(acts.ReplaceShoe(BOSS, situation), acts.LoadShoe(BOSS, tuple(ends), cut=0))
        stage.cards = ends
    outside = (30_00, 2_700_00) if stage.layout else (500_00,)
    stage.give(acts.OpenBets(TRAINEE))
    for patron in stage.boxes:
        cents = random.choice((stage.stake(30), *outside))
        stage.bet(patron, random.choice(stage.originals), Cents(cents))
    if random.random() < 0.85:
        stage.give(CLOSE_BETS)
        stage.deal(min(random.choice((0, 2, 4, 5, 6)), len(stage.cards)))
        if stage.state.phase is Phase.RESULT and random.random() < 0.5:
            stage.give(acts.Settle(TRAINEE))
    return stage


def report_drill(stage: Stage, way: ReportWay) -> Drill | None:
    """The drill of a report in one of the ways that the table offers; None if it refuses these facts."""
    facts, story = _facts(stage, way)
    report = acts.Report(TRAINEE, way.situation, facts)
    if not (events := stage.would(report)):
        return None
    said = Said("seen", situation=report.situation)
    steps = [Step(Said("report"), "report", ()), *answer_steps(stage, report, events)]
    return Drill(stage.state, tuple(steps), (said, *story), report)


def answer_steps(stage: Stage, report: acts.Report, events: Sequence[acts.Event]) -> list[Step]:
    """The table's answer to a report: the paragraph, who decides, the ruling, the options, what goes back."""
    sheet, on_sheet = stage.sheet, stage.sheet.irregularities.get(report.situation)
    asks = acts.IncidentReferred | acts.ApprovalAsked | acts.OrderAsked
    says = next(event for event in events if isinstance(event, acts.IncidentRuled | asks))
    asked = [event.to for event in events if isinstance(event, asks)]
    decides = asked[0] if asked else on_sheet.decides if on_sheet else sheet.authority.decides_otherwise
    steps = [paragraph(stage, Said("ruling-rule"), says.rule)]
    new_shoe = on_sheet.new_shoe.rule if on_sheet and on_sheet.new_shoe else None
    steps.append(one(Said("who-decides"), decides, Role, "role", says.rule, new_shoe))
    if isinstance(says, acts.IncidentRuled):
        others = sorted({each.ruling for each in sheet.irregularities.values()} - {says.ruling})
        options = sorted([right := says.finding or says.ruling, *stage.random.sample(others, min(4, len(others)))])
        steps.append(one(Said("ruling"), right, options, "rulings", says.rule))
    patrons = list(dict.fromkeys([bet.patron for bet in stage.placed]))
    if patrons:
        offered = next((event for event in events if isinstance(event, acts.OptionsOffered)), None)
        options_rule = on_sheet.options.rule if on_sheet and on_sheet.options else None
        rules = (offered.rule, offered.continue_rule, offered.take_back_rule) if offered else (options_rule,)
        steps.append(several(Said("who-chooses"), offered.patrons if offered else (), patrons, "plain", *rules))
        patron = stage.random.choice(patrons)
        proposed = [each for event in events if isinstance(event, acts.ConfirmationAsked) for each in event.events]
        lines = [line for each in (*events, *proposed) for line in each.bet_lines() if line.bet.patron == patron]
        back = sum([line.returned_cents for line in lines if isinstance(line, Returned)])
        steps.append(amount(Said("back-at-once", patron=patron), back, *[line.rule for line in lines]))
    return steps


def _facts(stage: Stage, way: ReportWay) -> tuple[Facts, list[Said]]:
    """Facts that fill a way to report, and how the trainee is told of them."""
    random, facts = stage.random, way.facts
    story = []
    if way.about:
        story.append(Said("fact-about", facts.box, facts.patron, facts.on, facts.hand, facts.window))
    flag = next((each for each in way.inputs if each.type is InputType.FLAG), None)
    if flag is not None:
        can = "true" in flag.allowed if flag.allowed else random.random() < 0.6
        facts = replace(facts, reconstructible=can)
        story.append(Said("fact-reconstructible" if can else "fact-not-reconstructible"))
    for each in way.inputs:
        if not each.is_required(facts.reconstructible):
            continue
        match each.type:
            case InputType.CARDS:
                on_sheet = stage.sheet.irregularities.get(way.situation or "")
                at_once = on_sheet is not None and on_sheet.ruling is Ruling.ORDER_CARDS
                out = tuple(stage.cards[: 2 if at_once else way.situation == EXCESS_CARD])
                cards = out if at_once else (*stage.state.known_cards, *out)
                facts = replace(facts, cards=cards)
                code = "fact-at-once" if at_once else "fact-cards"
                story.append(Said(code, cards=write_cards(cards)))
            case InputType.CLAIMS:
                claim = random.choice(each.claims)
                facts = replace(facts, claims=(claim,))
                story.append(Said("fact-claim", claim.box, claim.patron, hand=claim.hand))
            case InputType.NUMBER if each.allowed:
                facts = replace(facts, hand_count=int(random.choice(each.allowed)))
                story.append(Said("fact-count", n=facts.hand_count, hand=facts.hand))
            case InputType.NUMBER:
                facts = replace(facts, round=each.maximum)
                story.append(Said("fact-round", n=each.maximum))
            case InputType.TEXT:
                facts = replace(facts, note="…")
    return facts, story
