"""Events as people read them: one line each, a settlement one line for each bet."""

from __future__ import annotations

from collections.abc import Iterator

from punto.cli.output import faces, said
from punto.rules.money import money
from punto.rules.settlement import Bet, Line
from punto.rules.words import counted
from punto.table import events as e


def tell(event: e.Event) -> Iterator[str]:
    """The lines of an event, with its paragraph where it has one."""
    rule = getattr(event, "rule", None)
    mark = f" [cyan]{rule}[/]" if rule else ""
    for place, line in enumerate(_lines(event)):
        yield line if place else line + mark


def _lines(event: e.Event) -> Iterator[str]:
    match event:
        case e.TableOpened():
            extras = [name for name in ("live", "face_down", "second_person") if getattr(event, name)]
            notes = "".join(f", {name.replace('_', ' ')}" for name in extras)
            limits = f"minimum {money(event.minimum_cents)}, Differential {money(event.differential_cents)}"
            size = f"{event.boxes} box{'es' * (event.boxes != 1)}, {counted(event.decks, 'deck')}"
            yield f"[bold]table {said(event.table)}[/]: {event.game}, {size}, {limits}{notes}"
            if event.notice:
                yield f"notice: {event.notice}"
        case e.TableClosed():
            yield "[bold]table closed[/]"
        case e.ShoeLoaded():
            known = "its order is known" if event.cards else "cards are read as they come"
            yield f"shoe {event.shoe}: {counted(event.count, 'card')}, {known}"
        case e.CutCardDrawn():
            yield f"cut card: round {event.last_round} is the last of the shoe"
        case e.ShoeRemoved():
            yield f"shoe {event.shoe} goes out of play: {said(event.reason)}"
        case e.PatronSeated():
            yield f"{said(event.patron)} sits at box {event.box}"
        case e.PatronStood():
            yield f"{said(event.patron)} stands behind box {event.box}"
        case e.PatronLeft():
            yield f"{said(event.patron)} leaves" + ("; the bets stay and are settled" if event.bets_stay else "")
        case _:
            yield from _bet_lines(event)


def _bet_lines(event: e.Event) -> Iterator[str]:
    match event:
        case e.BetPlaced():
            lies = " (as it lies)" if event.as_it_lies else ""
            yield f"{_bet(event.bet)} {money(event.bet.stake_cents)}{lies}"
        case e.BetRaised():
            yield f"{_bet(event.bet)} raised by {money(event.added_cents)} to {money(event.bet.stake_cents)}"
        case e.BetWithdrawn():
            yield f"{_bet(event.bet)} withdraws {money(event.returned_cents)}"
        case e.BetDisplaced():
            yield f"{_bet(event.bet)} gives way at the Differential: {money(event.returned_cents)} goes back"
        case e.RaiseAsked():
            yield f"{_bet(event.bet)} must be raised to {money(event.minimum_cents)} or withdrawn"
        case e.BetsReturned():
            yield "bets go back"
            yield from (_returned(line) for line in event.lines)
        case _:
            yield from _round_lines(event)


def _round_lines(event: e.Event) -> Iterator[str]:
    match event:
        case e.BetsOpened():
            last = ", the last of the shoe" if event.last_of_shoe else ""
            yield f"[bold]round {event.round}{last}: “{event.says}”[/]"
        case e.BetsClosed():
            yield f"[bold]“{event.says}”[/]"
        case e.CardDealt():
            carried = ", carried from the round before" if event.carried else ""
            yield f"card {event.place}: {faces([event.card])} to {event.hand.title()}{carried}"
        case e.InsuranceOffered():
            offers = ", ".join(f"{offer.hand.title()} at {offer.odds}" for offer in event.offers)
            yield f"insurance on offer ({event.window}): {offers}"
        case e.SqueezeAsked():
            yield f"{said(event.patron)} asks for a squeeze: {event.what}"
        case e.SqueezeAnswered():
            waived = "; the second insurance window is waived for all" if event.waives_second_window else ""
            yield f"the House {'consents' if event.consent else 'does not consent'}{waived}"
        case e.ResultDeclared():
            yield f"[bold]{event.winner.title()}[/], {event.player_points} to {event.banker_points}"
        case e.RoundSettled():
            yield "settled"
            yield from (_line(line) for line in event.lines)
            yield from (_returned(line) for line in event.returned)
            yield f"  House {money(event.house_cents)}"
        case e.RoundVoided():
            yield f"[bold red]void[/]: {said(event.reason)}"
            yield from (_returned(line) for line in event.lines)
        case e.RoundAdjusted():
            yield f"[bold red]round {event.round} {'void' if event.void else 'corrected'}[/]: {said(event.reason)}"
            for line in event.lines:
                yield f"  {_bet(line.bet)} {money(line.correction_cents)} {_mark(line.rule)}"
        case e.RoundClosed():
            yield f"round {event.round} is over"
        case _:
            yield from _case_lines(event)


def _case_lines(event: e.Event) -> Iterator[str]:
    match event:
        case e.IncidentReported():
            note = f": {event.facts.note}" if event.facts.note else ""
            yield f"[yellow]case {event.case}[/]: {said(event.says + note)}"
        case e.IncidentRuled():
            yield f"ruling: {said(event.says)}"
        case e.IncidentReferred():
            yield f"held: the {event.to.spoken} or above decides"
        case e.OrderAsked():
            yield f"held: the {event.to.spoken} or above gives the order of {faces(event.cards)}"
        case e.ApprovalAsked():
            yield f"held: the {event.to.spoken} or above must approve"
        case e.CorrectionAsked():
            yield f"held: reading {event.expected} is missing; the {event.to.spoken} or above says which cards lie"
        case e.CardsRelaid():
            carried = f"; carried on: {faces(event.carried)}" if event.carried else ""
            burned = f"; of no use any more: {faces(event.burned)}" if event.burned else ""
            yield f"cards in order: {faces(event.after) or 'none'}{carried}{burned}"
        case e.OptionsOffered():
            yield f"held: options for {said(', '.join(event.patrons))}"
        case e.OptionChosen():
            yield f"{said(event.patron)} chooses: {event.option}"
        case e.InsuranceClaimed():
            names = ", ".join(f"{claim.patron} on {claim.hand.title()}" for claim in event.claims)
            yield f"meant to insure in the {event.window} window: {said(names)}"
        case e.ConfirmationAsked():
            yield "held: a second person must confirm"
        case e.DecisionMade():
            yield f"{said(event.by.text)} decides: {event.decision}" + (
                f", {said(event.reason)}" if event.reason else ""
            )
        case e.LimitsLifted():
            yield "the bets are settled as they lie"
        case e.CaseClosed():
            yield f"[yellow]case {event.case}[/] closed"


def _bet(bet: Bet) -> str:
    return f"{said(bet.patron)}, box {bet.box}, {bet.on}" + (f" ({bet.window})" if bet.window else "")


def _mark(rule: str | None) -> str:
    return f"[cyan]{rule}[/]" if rule else ""


def _line(line: Line) -> str:
    odds = f" at {line.odds}" if line.odds else ""
    part = f", {money(line.in_play_cents)} in play {_mark(line.in_play_rule)}" if line.in_play_rule else ""
    stake = f"{money(line.bet.stake_cents)}{part}"
    return f"  {_bet(line.bet)} {stake}: {line.result}{odds}, {money(line.returned_cents)} back {_mark(line.rule)}"


def _returned(line: e.Returned) -> str:
    return f"  {_bet(line.bet)} {money(line.returned_cents)} back ({line.why}) {_mark(line.rule)}"
