"""`punto rule`: the ruling on a situation, for pit staff and trainees. It previews a report at a table."""

from __future__ import annotations

from typing import Any

from punto.cli.commands.rules import Rule
from punto.cli.narrate import Narrator, Sentence
from punto.cli.output import LANGUAGE, columns, console, faces, grid, said, write, write_refusal
from punto.cli.preview import BY, Preview, Question
from punto.cli.preview import ask as previewed
from punto.cli.refusals import PhaseUnknown, SituationMissing
from punto.rules.cards import parse_cards, write_cards
from punto.rules.established import established
from punto.rules.loader import load
from punto.rules.refusals import Refused
from punto.rules.sheet import Ruling, Sheet
from punto.rules.tableau import draw_reason, next_hand
from punto.table import acts
from punto.table.engine import choices
from punto.table.phases import IN_ROUND, Phase
from punto.table.rulings.situations import situations
from punto.table.values import Waits
from punto.table.ways import choice_of
from punto.texts import LANGUAGES, say, text

NOT_STEPS = (
    acts.IncidentReported,
    acts.IncidentRuled,
    acts.IncidentReferred,
    acts.OptionsOffered,
    acts.DecisionMade,
    acts.CaseClosed,
)
"""Events that are not listed as steps; the ruling and the options are shown separately."""


def run(ask: Rule) -> None:
    """Show the ruling on one situation, or list all."""
    sheet, language = load(ask.game), LANGUAGES[0] if ask.as_json else LANGUAGE.get()
    if ask.situation is None:
        if ask.cards or ask.phase:
            raise Refused(SituationMissing())
        listed = [in_sheet(sheet, each, language) for each in situations(sheet)]
        write(ask, data=lambda: listed, text=lambda: _list(sheet, listed))
        return
    cards = None if ask.cards is None else parse_cards(ask.cards)
    answer = answer_to(previewed(sheet, ask.situation, cards, parse_phase(ask.phase)), language)
    write(ask, data=lambda: answer, text=lambda: _show(sheet, answer))


def parse_phase(given: str | None) -> Phase | None:
    """Read a phase; a Refused lists them."""
    if given is not None and given not in [*Phase]:
        raise Refused(PhaseUnknown(given, tuple(Phase)))
    return None if given is None else Phase(given)


# ------------------------------------------------------------------------------------------- the answer


def answer_to(question: Question, language: str) -> dict[str, Any]:
    """The ruling as data, as docs/table.md describes it."""
    table, refusal = question.table, question.refusal
    answer = in_sheet(table.sheet, question.situation, language) | {"phase": table.phase}
    answer |= {"cards": None, "established": None, "decided": {}, "refused": None}
    if table.round is not None:
        decided = {on: each for on, each in established(table.sheet, table.round.visible).items() if each.conclusive}
        cards = write_cards(table.round.cards)
        answer |= {"cards": cards, "established": bool(decided), "decided": decided}
    previews = [_told(question, each, language) for each in question.previews]
    if refusal is not None:
        answer |= write_refusal(refusal, table.sheet)
        answer |= {"says": say(refusal, language, table.sheet), "rule": refusal.rule}
    else:
        answer |= {name: previews[0][name] for name in ("says", "rule", "decides")}
    return answer | {"facts": list(question.facts), "previews": previews}


def in_sheet(sheet: Sheet, situation: str, language: str) -> dict[str, Any]:
    """The sheet's ruling on a situation, in any phase."""
    irregularity, authority = sheet.irregularities.get(situation), sheet.authority
    answer = {"situation": situation, "seen": text("rule", "seen", language, sheet, situation=situation)}
    if irregularity is None:
        says = text("rule", "silent", language)
        return answer | _ruled(None, says, authority.otherwise_rule, authority.decides_otherwise)
    says = text("rulings", irregularity.ruling, language)
    return answer | _ruled(irregularity.ruling, says, irregularity.rule, irregularity.decides)


def _ruled(ruling: str | None, says: str, rule: str | None, decides: str) -> dict[str, Any]:
    return {"ruling": ruling, "says": says, "rule": rule, "decides": decides}


def _told(question: Question, preview: Preview, language: str) -> dict[str, Any]:
    """The effects of a report, with the facts that distinguish it from the others."""
    ruled = in_sheet(question.table.sheet, question.situation, language)
    for event in preview.events:
        if isinstance(event, acts.IncidentRuled):
            ruled |= {"says": text("rulings", event.finding or event.ruling, language), "rule": event.rule}
        elif isinstance(event, acts.IncidentReferred):
            ruled |= _ruled(None, text("rule", "silent", language), event.rule, event.to)
    steps, options = _steps(question, preview, language), _options(question, preview, language)
    return {
        "reconstructible": preview.facts.reconstructible,
        "hand": preview.facts.hand,
        **{name: ruled[name] for name in ("says", "rule", "decides")},
        "steps": [each._asdict() for each in steps],
        "options": [each._asdict() for each in options],
    }


def _steps(question: Question, preview: Preview, language: str) -> list[Sentence]:
    sheet, after, irregularity = question.table.sheet, preview.after, question.irregularity
    narrator = Narrator(sheet, language)
    steps = [each for event in preview.events if not isinstance(event, NOT_STEPS) for each in narrator.describe(event)]
    if after.case is not None and after.case.waits is Waits.DECISION:
        ways = choice_of(choices(after, BY), acts.Decide).ways
        decisions = [way.decision for way in ways if way.refusal is None]
        steps.append(Sentence(text("rule", "decisions", language, decisions=decisions), sheet.authority.otherwise_rule))
    elif after.round is not None and question.table.phase in IN_ROUND:
        cards = after.round.cards
        key = "card-to-come" if (hand := next_hand(cards)) else "round-complete"
        says = text("commands", key, language, reason=draw_reason(cards), hand=hand)
        steps.append(Sentence(says, sheet.deal_rules.for_card(cards)))
    forgone = sheet.insurance.forgone_rule if sheet.insurance else None
    if irregularity is not None and irregularity.ruling is Ruling.SETTLE and forgone is not None:
        steps.append(Sentence(text("rule", "forgone", language), forgone))
    if irregularity is not None and irregularity.new_shoe is not None and irregularity.new_shoe.by is not None:
        new_shoe = irregularity.new_shoe
        steps.append(Sentence(text("rule", "new-shoe", language, role=new_shoe.by), new_shoe.rule))
    return steps


def _options(question: Question, preview: Preview, language: str) -> list[Sentence]:
    table, irregularity = question.table, question.irregularity
    for event in preview.events:
        if isinstance(event, acts.OptionsOffered):
            rules = {"play-on-reconstructed" if event.reconstructed else "play-on": event.continue_rule}
            rules |= {"take-back": event.take_back_rule, "accept": table.sheet.authority.options_rule}
            return [Sentence(text("rule", key, language), rule) for key, rule in rules.items()]
    if irregularity is None or irregularity.options is None or preview.after.round is None:
        return []
    if table.phase is Phase.BETTING:
        return [Sentence(text("rule", "bets-open", language), table.sheet.play.open.rule)]
    return [Sentence(text("rule", "no-options", language), irregularity.options.rule)]


# ------------------------------------------------------------------------------------------- for people


def _show(sheet: Sheet, answer: dict[str, Any]) -> None:
    out, language, cards = console(), LANGUAGE.get(), answer["cards"]

    def words(key: str, **parameters: object) -> str:
        return text("rule", key, language, sheet, **parameters)

    out.print(
        f"[bold]{said(answer['seen'])}[/]\n[dim]{words('of-game', title=sheet.title)} · {answer['situation']}[/]\n"
    )
    out.print(words("stands", phase=answer["phase"], cards=faces(parse_cards(cards)) if cards else None))
    if answer["established"] is not None:
        bets = [words("bet-decided", on=on, decided=decided) for on, decided in answer["decided"].items()]
        out.print(words("established", bets=bets) if bets else words("not-established"))
    several = len(answer["previews"]) > 1
    for each in answer["previews"] or [answer | {"steps": [], "options": []}]:
        rows = grid(words("heading", **_case(each)) if several else "", columns("- - paragraph"))
        decides = {"says": words("decider", role=each["decides"]), "rule": None}
        parts = {"now": [each], "decides": [decides], "then": each["steps"], "patrons": each["options"]}
        for name, lines in parts.items():
            for place, line in enumerate(lines):
                rows.add_row("" if place else f"[bold]{words(name)}[/]", said(line["says"]), line["rule"] or "")
        out.print()
        out.print(rows)
    if answer["facts"]:
        out.print(f"\n{words('facts', facts=answer['facts'])}")


def _case(preview: dict[str, Any]) -> dict[str, object]:
    """The case of a preview: the hand with a wrong number of cards, or whether cards can be reconstructed."""
    hand = preview["hand"]
    return {"hand": hand, "reconstructible": None if hand else preview["reconstructible"]}


def _list(sheet: Sheet, listed: list[dict[str, Any]]) -> None:
    out, language = console(), LANGUAGE.get()
    table = grid(
        text("rule", "title", language, sheet, title=sheet.title),
        columns("situation what-it-is ruling decides paragraph"),
    )
    for row in listed:
        role = text("rule", "role", language, role=row["decides"])
        table.add_row(f"[bold]{row['situation']}[/]", said(row["seen"]), row["says"], role, row["rule"] or "—")
    out.print(table)
    out.print(f"[dim]{text('rule', 'hint', language, game=sheet.id)}[/]")
