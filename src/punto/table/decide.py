"""Decide: a command and a state give events or one refusal. Each command is one short function.

Two tables (`roles.AUTHORITY`, `phases.LEGAL`) check first who may give a command, and when. Then each function checks
in the order of precedence of `TABLE_REFUSALS`. `choices` runs the same checks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from punto.rules.refusals import Refusal
from punto.table import commands as c
from punto.table import events as e
from punto.table.betting import place_bet, place_bets, raise_bet, record_bet, refuse_bet_now, withdraw_bet
from punto.table.corrections import correct_round
from punto.table.dealing import deal, open_card, refuse_repeat
from punto.table.duty import assign_position, come_on_duty, go_off_duty, in_position
from punto.table.facts import EXCESS_BETS, EXCESS_CARD, OVER_MAXIMUM
from punto.table.incidents import correct_cards, decide_case, open_case, recover_round, refer, report
from punto.table.insuring import announce_insurance, insure, refuse_insurance_now
from punto.table.limits import boxes_to_check, is_above_maximum
from punto.table.opening import change_insurance, change_limits, open_table, resume_play, suspend_play
from punto.table.phases import LEGAL, Phase
from punto.table.places import leave, sit, stand
from punto.table.play import (
    Draft,
    EventsOrRefusal,
    close_case,
    open_round,
    refuse_held,
    settle_round,
    shoe_in_play,
)
from punto.table.refusals import (
    BurnPending,
    NoChoiceOpen,
    NotPermitted,
    NotYours,
    PlaySuspended,
    RaisePending,
    RoundMismatch,
    ShoeFinished,
    ShoeMissing,
    TableNotOpen,
    WrongPhase,
)
from punto.table.roles import AUTHORITY
from punto.table.shoe_life import (
    burn_cards,
    burn_is_due,
    check_decks,
    count_shoe,
    full_set,
    load_shoe,
    replace_shoe,
    report_cut_card,
    shuffle_cards,
)
from punto.table.squeezing import answer_squeeze, ask_squeeze, pass_squeeze
from punto.table.state import State, set_is_renewed


def decide(state: State, command: c.Command) -> EventsOrRefusal:
    """The events of a command, or its refusal. The state does not change; `evolve` applies the events."""
    if (by := in_position(state, command.by)) is not command.by:
        command = replace(command, by=by)
    kind, by = type(command), command.by
    if _is_for_another(command):
        return NotYours(rule=state.sheet.authority.bets_for_patrons_rule)
    if isinstance(command, c.Deal) and (repeat := refuse_repeat(state, command)):
        return repeat
    return refuse_kind(state, by, kind) or _refuse_round(state, command) or _DECIDE[kind](state, command)


def _is_for_another(command: c.Command) -> bool:
    """Whether a patron acts for someone else."""
    by, is_patrons = command.by, AUTHORITY[type(command)] is None
    return is_patrons and by.role is None and isinstance(command, c.PatronCommand) and by.person != command.patron


def refuse_authority(state: State, by: c.Actor, kind: type[c.Command]) -> Refusal | None:
    """Why someone can never give a command of this kind, in the position in which they act."""
    role = AUTHORITY[kind]
    return None if role is None or in_position(state, by).may_act_as(role) else NotPermitted(role)


def refuse_kind(state: State, by: c.Actor, kind: type[c.Command]) -> Refusal | None:
    """Why someone cannot give a command of this kind now, whatever its target."""
    if refusal := refuse_authority(state, by, kind):
        return refusal
    phase = state.phase
    if kind in LEGAL[phase]:
        return None
    if phase is Phase.NOT_OPEN:
        return TableNotOpen()
    if issubclass(kind, c.BetCommand | c.PlaceBets) and kind is not c.Insure:
        return refuse_bet_now(state, withdraws=kind is c.WithdrawBet)
    if state.case is not None:
        return refuse_held(state.case)
    if kind is c.Insure:
        return refuse_insurance_now(state)
    if kind is c.Deal:
        # No card is due. If one left the shoe all the same, it must be reported.
        excess = state.sheet.irregularities.get(EXCESS_CARD)
        rule = excess.rule if excess else state.sheet.play.table_of_play_rule
        return WrongPhase(c.kind_of(kind), phase, EXCESS_CARD, rule=rule)
    return WrongPhase(c.kind_of(kind), phase)


def _refuse_round(state: State, command: c.Command) -> Refusal | None:
    number = command.round if isinstance(command, _FOR_A_ROUND) else None
    if number is None or (state.round is not None and state.round.number == number):
        return None
    return RoundMismatch(number, state.round.number if state.round else None)


_FOR_A_ROUND = (c.PlaceBet, c.RaiseBet, c.WithdrawBet, c.PlaceBets, c.Insure, c.Choose)
"""Commands that may name the round they are meant for."""


# ------------------------------------------------------------------------------------------- the table


def _close_table(state: State, command: c.CloseTable) -> EventsOrRefusal:
    return (e.TableClosed(command.by, keeps=True),)


# ------------------------------------------------------------------------------------------- the round


def refuse_opening(state: State) -> Refusal | None:
    """Why a round cannot begin."""
    if state.suspended is not None:
        return PlaySuspended(state.suspended)
    shoe = state.shoe
    if shoe is None:
        return ShoeMissing()
    if state.shoe_is_over and not set_is_renewed(state):
        return ShoeFinished(shoe.number)
    return BurnPending() if burn_is_due(state) else None


def _open_bets(state: State, command: c.OpenBets) -> EventsOrRefusal:
    if refusal := refuse_opening(state):
        return refusal
    draft = Draft(state)
    if state.shoe_is_over:
        draft.add(full_set(state, command.by))
    shoe, call, number = shoe_in_play(draft.state), state.sheet.play.open, state.rounds + 1
    draft.add(e.BetsOpened(command.by, number, shoe.number, shoe.last_round == number, call.says, call.rule))
    return tuple(draft.events)


def refuse_closing(state: State) -> Refusal | None:
    """Why bets cannot close. The bet of a patron who walked away is settled as it is."""
    asked = [spot for spot in open_round(state).asked if spot.patron not in open_round(state).away]
    if not asked:
        return None
    boxes = tuple(sorted({spot.box for spot in asked}))
    return RaisePending(boxes, rule=state.sheet.limits.minimum_rule if state.sheet.limits else None)


def _close_bets(state: State, command: c.CloseBets) -> EventsOrRefusal:
    call = state.sheet.play.close
    number, warnings = open_round(state).number, boxes_to_check(state)
    return refuse_closing(state) or (e.BetsClosed(command.by, number, call.says, call.rule, warnings),)


def _settle(state: State, command: c.Settle) -> EventsOrRefusal:
    """Settle by the rules. If they do not cover bets over the limits, someone must decide first."""
    draft, round_ = Draft(state), open_round(state)
    over_maximum = any(is_above_maximum(draft.settings, bet) for bet in round_.bets.values())
    held = OVER_MAXIMUM if over_maximum and not round_.sides_lifted else None
    if held is None and not settle_round(draft, command.by):
        held = EXCESS_BETS
    if held is not None:
        open_case(draft, command.by, held, c.NO_FACTS)
        refer(draft, command.by)
    return tuple(draft.events)


# ------------------------------------------------------------------------------------------- incidents


def refuse_choice(state: State, patron: str) -> Refusal | None:
    """Why a patron has no choice to make."""
    if state.case is not None and patron in state.case.patrons:
        return None
    return NoChoiceOpen(rule=state.sheet.authority.options_rule)


def _choose(state: State, command: c.Choose) -> EventsOrRefusal:
    if refusal := refuse_choice(state, command.patron):
        return refusal
    draft, authority = Draft(state), state.sheet.authority
    case = draft.case
    take_back = command.option is c.Option.TAKE_BACK
    rule = authority.take_back_rule if take_back else case.continue_rule
    draft.add(e.OptionChosen(command.by, case.number, command.patron, command.option, rule))
    if take_back:
        bets = [bet for bet in draft.round.bets.values() if bet.patron == command.patron]
        lines = tuple([e.Returned(bet, e.ReturnReason.OPTION, rule) for bet in bets])
        draft.add(e.BetsReturned(command.by, draft.round.number, lines))
    if not draft.case.patrons:
        close_case(draft, command.by)
    return tuple(draft.events)


_DECIDE: dict[type[c.Command], Callable[[State, Any], EventsOrRefusal]] = {
    c.OpenTable: open_table,
    c.CloseTable: _close_table,
    c.LoadShoe: load_shoe,
    c.CutCard: report_cut_card,
    c.ReplaceShoe: replace_shoe,
    c.Sit: sit,
    c.Stand: stand,
    c.Leave: leave,
    c.PlaceBet: place_bet,
    c.RaiseBet: raise_bet,
    c.WithdrawBet: withdraw_bet,
    c.PlaceBets: place_bets,
    c.RecordBet: record_bet,
    c.Insure: insure,
    c.OpenBets: _open_bets,
    c.CloseBets: _close_bets,
    c.Deal: deal,
    c.AskSqueeze: ask_squeeze,
    c.AnswerSqueeze: answer_squeeze,
    c.Settle: _settle,
    c.Report: report,
    c.Choose: _choose,
    c.Decide: decide_case,
    c.CorrectCards: correct_cards,
    c.Recover: recover_round,
    c.ComeOnDuty: come_on_duty,
    c.GoOffDuty: go_off_duty,
    c.AssignPosition: assign_position,
    c.CorrectRound: correct_round,
    c.AnnounceInsurance: announce_insurance,
    c.ChangeLimits: change_limits,
    c.ChangeInsurance: change_insurance,
    c.OpenCard: open_card,
    c.PassSqueeze: pass_squeeze,
    c.CheckDecks: check_decks,
    c.ShuffleCards: shuffle_cards,
    c.BurnCards: burn_cards,
    c.CountShoe: count_shoe,
    c.SuspendPlay: suspend_play,
    c.ResumePlay: resume_play,
}
