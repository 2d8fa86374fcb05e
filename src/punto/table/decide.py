"""Decide: a command and a state give events or one refusal. Each command is one short function.

Two tables (`roles.AUTHORITY`, `phases.LEGAL`) check first who may give a command, and when. Then each function checks
in the order of precedence of `TABLE_REFUSALS`. `choices` runs the same checks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from punto.rules.cards import DECK, most_copied
from punto.rules.refusals import Refusal
from punto.rules.sheet import Role, Ruling
from punto.table import commands as c
from punto.table import events as e
from punto.table.betting import (
    announce_insurance,
    insure,
    leave,
    place_bet,
    raise_bet,
    record_bet,
    refuse_bet_now,
    refuse_insurance_now,
    sit,
    stand,
    withdraw_bet,
)
from punto.table.bounds import ANY, Input, InputType, Way
from punto.table.corrections import correct_round
from punto.table.dealing import cut_drawn, deal, open_card, refuse_repeat
from punto.table.duty import assign_position, come_on_duty, go_off_duty, in_position
from punto.table.facts import EXCESS_BETS, EXCESS_CARD, OVER_MAXIMUM
from punto.table.incidents import correct_cards, decide_case, open_case, recover_round, refer, report
from punto.table.limits import boxes_to_check, is_above_maximum
from punto.table.opening import change_insurance, change_limits, open_table
from punto.table.phases import LEGAL, Phase
from punto.table.play import (
    Draft,
    EventsOrRefusal,
    close_case,
    open_round,
    open_settings,
    refuse_held,
    settle_round,
    shoe_in_play,
)
from punto.table.refusals import (
    BurnPending,
    CutCardKnown,
    NoChoiceOpen,
    NoCutCard,
    NotPermitted,
    NotYours,
    RaisePending,
    ReasonMissing,
    RoundMismatch,
    ShoeFinished,
    ShoeInvalid,
    ShoeMissing,
    ShoeStays,
    TableNotOpen,
    WrongPhase,
)
from punto.table.roles import AUTHORITY
from punto.table.shoe_life import (
    burn_cards,
    burn_is_due,
    burned,
    check_decks,
    count_shoe,
    full_set,
    has_shuffler,
    shuffle_cards,
)
from punto.table.squeezing import answer_squeeze, ask_squeeze
from punto.table.state import State, set_is_renewed


def decide(state: State, command: c.Command) -> EventsOrRefusal:
    """The events of a command, or its refusal. The state does not change; `evolve` applies the events."""
    if state.duty and (by := in_position(state, command.by)) is not command.by:
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


def refuse_kind(state: State, by: c.Actor, kind: type[c.Command]) -> Refusal | None:
    """Why someone cannot give a command of this kind now, whatever its target."""
    role = AUTHORITY[kind]
    if role is not None and not by.may_act_as(role):
        return NotPermitted(role)
    phase = state.phase
    if kind in LEGAL[phase]:
        return None
    if phase is Phase.NOT_OPEN:
        return TableNotOpen()
    if issubclass(kind, c.BetCommand) and kind is not c.Insure:
        return refuse_bet_now(state, withdraws=kind is c.WithdrawBet)
    if state.case is not None and phase is Phase.HELD:
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


_FOR_A_ROUND = (c.PlaceBet, c.RaiseBet, c.WithdrawBet, c.Insure, c.Choose)
"""Commands that may name the round they are meant for."""


# ------------------------------------------------------------------------------------------- the table and its shoe


def _close_table(state: State, command: c.CloseTable) -> EventsOrRefusal:
    return (e.TableClosed(command.by, keeps=True),)


def ways_to_load(state: State) -> tuple[Way, ...] | Refusal:
    """The input to load a shoe, or why the current shoe stays. Carried cards leave the table with their shoe."""
    if state.shoe is not None and (not state.shoe_is_over or _drops_cards(state)):
        return ShoeStays(state.shoe.number, rule=_carried_rule(state))
    if has_shuffler(state):
        return ANY
    cards = open_settings(state).decks * len(DECK)
    cut = Input("cut", InputType.NUMBER, required=False, refused="shoe-invalid", minimum=0, maximum=cards)
    return (Way(inputs=(cut,)),)


def _load_shoe(state: State, command: c.LoadShoe) -> EventsOrRefusal:
    if isinstance(ways := ways_to_load(state), Refusal):
        return ways
    if command.cut is not None and has_shuffler(state):
        return NoCutCard(rule=state.sheet.play.shuffler_rule)
    decks = open_settings(state).decks
    count = len(command.cards) or decks * len(DECK)
    copied = bool(command.cards) and most_copied(command.cards)[1] > decks
    if copied or (command.cut is not None and not 0 <= command.cut <= count):
        return ShoeInvalid(decks, count, rule=state.sheet.decks.rule if copied else None)
    virtual = bool(command.cards)
    loaded = e.ShoeLoaded(
        command.by,
        state.shoes + 1,
        count,
        command.cut,
        command.commitment,
        command.cards,
        command.salt,
        checked=virtual or state.decks_checked,
        shuffled=virtual or state.cards_shuffled or has_shuffler(state),
    )
    draft = Draft(state)
    draft.add(loaded)
    if virtual and burn_is_due(draft.state):
        draft.add(burned(draft.state, command.by, command.cards[0]))
    return tuple(draft.events)


def refuse_cut_card(state: State) -> Refusal | None:
    """Why the cut card cannot be reported now."""
    shoe = state.shoe
    if shoe is None or shoe.removed:
        return ShoeMissing()
    if has_shuffler(state):
        return NoCutCard(rule=state.sheet.play.shuffler_rule)
    return CutCardKnown() if shoe.cut is not None or shoe.last_round is not None else None


def _cut_card(state: State, command: c.CutCard) -> EventsOrRefusal:
    return refuse_cut_card(state) or (cut_drawn(state, command.by),)


def refuse_replacement(state: State, by: c.Actor) -> Refusal | None:
    """Why someone cannot replace the shoe. During a round, only a ruling allows it.

    The sheet uses carried cards in the next round, so only the role that decides otherwise may discard them.
    """
    ruled, shoe = _may_be_replaced(state), state.shoe
    role, rule = ruled or (Role.DEALER, None)
    if _drops_cards(state):
        role, rule = state.sheet.authority.decides_otherwise, _carried_rule(state)
    if not by.may_act_as(role):
        return NotPermitted(role, rule=rule)
    if shoe is None or shoe.removed:
        return ShoeMissing()
    return ShoeStays(shoe.number) if state.round is not None and ruled is None else None


def _replace_shoe(state: State, command: c.ReplaceShoe) -> EventsOrRefusal:
    if refusal := refuse_replacement(state, command.by):
        return refusal
    ruled = _may_be_replaced(state)
    rule = state.sheet.authority.otherwise_rule if _drops_cards(state) else ruled and ruled[1]
    if not command.reason.strip():
        return ReasonMissing(rule=rule)
    return (e.ShoeRemoved(command.by, shoe_in_play(state).number, rule, command.reason),)


def _drops_cards(state: State) -> bool:
    """Whether cards are carried to the next round, so that a new shoe would drop them."""
    goes_on = not state.shoe_is_over or set_is_renewed(state)
    return bool(state.shoe and state.shoe.carried) and state.round is None and goes_on


def _may_be_replaced(state: State) -> tuple[Role, str] | None:
    """The role that a ruling of this round, or of the open case between rounds, lets replace the shoe; and its rule."""
    if state.round is not None:
        return state.round.replace_shoe
    irregularity = state.sheet.irregularities.get(state.case.situation) if state.case else None
    new_shoe = irregularity.new_shoe if irregularity else None
    return (new_shoe.by, new_shoe.rule) if new_shoe and new_shoe.by else None


def _carried_rule(state: State) -> str | None:
    """The paragraph by which carried cards are used in the next round; None if there are none."""
    if state.shoe is None or not state.shoe.carried:
        return None
    reconstruct = (each.rule for each in state.sheet.irregularities.values() if each.ruling is Ruling.RECONSTRUCT)
    return next(reconstruct, state.sheet.authority.otherwise_rule)


# ------------------------------------------------------------------------------------------- the round


def refuse_opening(state: State) -> Refusal | None:
    """Why a round cannot begin."""
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
    case, authority = state.case, state.sheet.authority
    refusal = refuse_choice(state, command.patron)
    if refusal is not None or case is None:
        return refusal or NoChoiceOpen()
    draft = Draft(state)
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
    c.LoadShoe: _load_shoe,
    c.CutCard: _cut_card,
    c.ReplaceShoe: _replace_shoe,
    c.Sit: sit,
    c.Stand: stand,
    c.Leave: leave,
    c.PlaceBet: place_bet,
    c.RaiseBet: raise_bet,
    c.WithdrawBet: withdraw_bet,
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
    c.CheckDecks: check_decks,
    c.ShuffleCards: shuffle_cards,
    c.BurnCards: burn_cards,
    c.CountShoe: count_shoe,
}
