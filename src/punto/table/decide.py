"""Decide: a command and a state give events or one refusal. Each command is one short function.

Two tables (`roles.AUTHORITY`, `phases.LEGAL`) check first who may give a command, and when. Then each function checks
in the order of precedence of `TABLE_REFUSALS`. `choices` runs the same checks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from punto.rules.cards import DECK, most_copied
from punto.rules.hands import Hand
from punto.rules.refusals import Refusal
from punto.rules.sheet import AskedBy, Role, Ruling
from punto.rules.tableau import INITIAL_CARDS, next_hand
from punto.table import commands as c
from punto.table import events as e
from punto.table.betting import (
    announce_insurance,
    forgoing_patrons,
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
from punto.table.bounds import Input, InputType, Way
from punto.table.corrections import correct_round
from punto.table.duty import assign_position, come_on_duty, go_off_duty, in_position
from punto.table.facts import EXCESS_BETS, EXCESS_CARD, MISREAD_CARD, OVER_MAXIMUM
from punto.table.incidents import correct_cards, decide_case, open_case, recover_round, refer, report
from punto.table.limits import boxes_to_check, is_above_maximum
from punto.table.opening import change_insurance, change_limits, open_table
from punto.table.phases import LEGAL, Phase
from punto.table.play import (
    Draft,
    EventsOrRefusal,
    announce,
    close_case,
    open_round,
    open_settings,
    refuse_copies,
    refuse_held,
    settle_round,
    shoe_in_play,
)
from punto.table.refusals import (
    CardNotGiven,
    CardNotNext,
    CutCardKnown,
    NoChoiceOpen,
    NotPermitted,
    NotYours,
    RaisePending,
    ReadingRepeated,
    ReasonMissing,
    RoundMismatch,
    ShoeEmpty,
    ShoeFinished,
    ShoeInvalid,
    ShoeMissing,
    ShoeStays,
    SqueezeNotAsked,
    SqueezeNotHighest,
    SqueezeNotOffered,
    SqueezePending,
    SqueezeRepeated,
    SqueezeTooLate,
    TableNotOpen,
    WrongPhase,
)
from punto.table.roles import AUTHORITY
from punto.table.seats import sitter
from punto.table.state import Shoe, State


def decide(state: State, command: c.Command) -> EventsOrRefusal:
    """The events of a command, or its refusal. The state does not change; `evolve` applies the events."""
    if state.duty and (by := in_position(state, command.by)) is not command.by:
        command = replace(command, by=by)
    kind, by = type(command), command.by
    if _is_for_another(command):
        return NotYours(rule=state.sheet.authority.bets_for_patrons_rule)
    if isinstance(command, c.Deal) and (repeat := _refuse_repeat(state, command)):
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
    if state.shoe is not None and not state.shoe_is_over:
        return ShoeStays(state.shoe.number, rule=_carried_rule(state))
    cards = open_settings(state).decks * len(DECK)
    cut = Input("cut", InputType.NUMBER, required=False, refused="shoe-invalid", minimum=0, maximum=cards)
    return (Way(inputs=(cut,)),)


def _load_shoe(state: State, command: c.LoadShoe) -> EventsOrRefusal:
    if isinstance(ways := ways_to_load(state), Refusal):
        return ways
    decks = open_settings(state).decks
    count = len(command.cards) or decks * len(DECK)
    copied = bool(command.cards) and most_copied(command.cards)[1] > decks
    if copied or (command.cut is not None and not 0 <= command.cut <= count):
        return ShoeInvalid(decks, count, rule=state.sheet.decks.rule if copied else None)
    return (
        e.ShoeLoaded(command.by, state.shoes + 1, count, command.cut, command.commitment, command.cards, command.salt),
    )


def refuse_cut_card(state: State) -> Refusal | None:
    """Why the cut card cannot be reported now."""
    shoe = state.shoe
    if shoe is None or shoe.removed:
        return ShoeMissing()
    return CutCardKnown() if shoe.cut is not None or shoe.last_round is not None else None


def _cut_card(state: State, command: c.CutCard) -> EventsOrRefusal:
    return refuse_cut_card(state) or (_cut_drawn(state, command.by),)


def _cut_drawn(state: State, by: c.Actor) -> e.CutCardDrawn:
    """Before a round's first card, the cut card makes that round the last of the shoe; later, the next round."""
    first = state.round is not None and not state.round.cards
    return e.CutCardDrawn(by, shoe_in_play(state).number, state.rounds if first else state.rounds + 1)


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
    return bool(state.shoe and state.shoe.carried) and state.round is None and not state.shoe_is_over


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
    return ShoeFinished(shoe.number) if state.shoe_is_over else None


def _open_bets(state: State, command: c.OpenBets) -> EventsOrRefusal:
    if refusal := refuse_opening(state):
        return refusal
    shoe, call, number = shoe_in_play(state), state.sheet.play.open, state.rounds + 1
    return (e.BetsOpened(command.by, number, shoe.number, shoe.last_round == number, call.says, call.rule),)


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


def ways_to_deal(state: State) -> tuple[Way, ...] | Refusal:
    """The input for the next card: the card that was read. It is optional where the card is known."""
    shoe = shoe_in_play(state)
    if not shoe.left:
        return ShoeEmpty()
    if shoe.carried or shoe.order:
        return (Way(inputs=(Input("card", InputType.CARD, required=False, refused="card-not-next"),)),)
    decks = open_settings(state).decks
    gone = tuple([card for card, copies in shoe.seen.items() if copies >= decks])
    card = Input("card", InputType.CARD, missing="card-not-given", refused="card-copies", excluded=gone)
    minimum = None if shoe.reading is None else shoe.reading + 1
    reading = Input("reading", InputType.NUMBER, required=False, refused="reading-repeated", minimum=minimum)
    return (Way(inputs=(card, reading)),)


def _deal(state: State, command: c.Deal) -> EventsOrRefusal:
    """Deal the next card, with the cut card before it if that is its place, and announce what follows."""
    shoe, round_, by = shoe_in_play(state), open_round(state), command.by
    if (gap := _gap(state, command)) is not None:
        return gap
    if isinstance(ways := ways_to_deal(state), Refusal):
        return ways
    carried = bool(shoe.carried)
    card = shoe.carried[0] if carried else shoe.order[shoe.drawn] if shoe.order else command.card
    if card is None:
        return CardNotGiven()
    if command.card is not None and command.card != card:
        return CardNotNext(command.card)
    if not (carried or shoe.order) and (refusal := refuse_copies(state, (card,), ())):
        return refusal
    draft = Draft(state)
    if shoe.cut is not None and shoe.last_round is None and not carried and shoe.drawn >= shoe.cut:
        draft.add(_cut_drawn(state, by))
    hand = next_hand(round_.cards)
    assert hand is not None  # noqa: S101 — a complete round is in another phase
    if hand is Hand.PLAYER and (patrons := forgoing_patrons(state)):
        forgone_rule = state.sheet.insurance.forgone_rule if state.sheet.insurance else None
        draft.add(e.InsuranceForgone(by, round_.number, patrons, forgone_rule or ""))
    place = len(round_.cards) + 1
    play = state.sheet.play
    rule = play.initial_cards_rule if state.phase is Phase.INITIAL_CARDS else play.table_of_play_rule
    face_down = open_settings(state).face_down
    draft.add(e.CardDealt(by, round_.number, shoe.number, place, card, hand, rule, face_down, carried, command.reading))
    announce(draft, by)
    return tuple(draft.events)


def _refuse_repeat(state: State, command: c.Deal) -> Refusal | None:
    """Refuse a reading that an electronic shoe repeats, in any phase: it deals no card."""
    last = _last_reading(state.shoe, command)
    if last is None or command.reading is None or command.reading > last or state.phase is Phase.NOT_OPEN:
        return None
    return ReadingRepeated(command.reading) if command.by.may_act_as(Role.DEALER) else None


def _last_reading(shoe: Shoe | None, command: c.Deal) -> int | None:
    """The last reading of the shoe, if it counts readings and the command carries one."""
    return None if shoe is None or shoe.order or command.reading is None else shoe.reading


def _gap(state: State, command: c.Deal) -> EventsOrRefusal | None:
    """If a reading was lost, hold the round until someone with authority corrects the cards."""
    last = _last_reading(state.shoe, command)
    if last is None or command.reading is None or command.reading == last + 1 or shoe_in_play(state).carried:
        return None
    draft, expected = Draft(state), last + 1
    open_case(draft, command.by, MISREAD_CARD, c.NO_FACTS)
    to, got = Role.PIT_SUPERVISOR, command.reading
    draft.add(e.CorrectionAsked(command.by, draft.case.number, to, expected, got, command.card))
    return tuple(draft.events)


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


# ------------------------------------------------------------------------------------------- squeeze


def refuse_squeeze(state: State, patron: str, what: c.SqueezeOf) -> Refusal | None:
    """Why a patron cannot ask for a squeeze. The sheet names who may, and the card must still be to come."""
    sheet, insurance, round_ = state.sheet, state.sheet.insurance, open_round(state)
    if what.waives:
        by_rule = (insurance.waiver_by, insurance.waiver_rule) if insurance else None
    else:
        by_rule = (sheet.play.squeeze.by, sheet.play.squeeze.rule) if sheet.play.squeeze else None
    if by_rule is None or not open_settings(state).face_down:
        return SqueezeNotOffered(what, rule=by_rule and by_rule[1])
    asked_by, rule = AskedBy(by_rule[0]), by_rule[1]
    before_third = state.phase in {Phase.INITIAL_CARDS, Phase.FIRST_WINDOW, Phase.PLAYER_THIRD}
    comes = len(round_.cards) < INITIAL_CARDS or next_hand(round_.cards) is Hand.PLAYER
    if what.waives and not (before_third and comes):
        return SqueezeTooLate(what, rule=rule)
    if not _may_ask(state, patron, asked_by):
        return SqueezeNotHighest(asked_by, rule=rule)
    if round_.request is not None:
        return SqueezePending(rule=rule)
    if (patron, what, len(round_.cards)) in round_.requests:
        return SqueezeRepeated(rule=rule)
    return None


def _ask_squeeze(state: State, command: c.AskSqueeze) -> EventsOrRefusal:
    what, sheet = command.what, state.sheet
    if refusal := refuse_squeeze(state, command.patron, what):
        return refusal
    rule = sheet.insurance.waiver_rule if what.waives and sheet.insurance else None
    if rule is None and sheet.play.squeeze:
        rule = sheet.play.squeeze.rule
    return (e.SqueezeAsked(command.by, open_round(state).number, command.patron, what, rule or ""),)


def _may_ask(state: State, patron: str, asked_by: AskedBy) -> bool:
    bets = [bet for bet in open_round(state).bets.values() if bet.patron not in open_round(state).away]
    if asked_by is AskedBy.ANY_PATRON:
        return any(bet.patron == patron for bet in bets)
    seated = [bet for bet in bets if bet.patron == sitter(state, bet.box)]
    highest = max([bet.stake_cents for bet in seated], default=0)
    return any(bet.patron == patron and bet.stake_cents == highest for bet in seated)


def _answer_squeeze(state: State, command: c.AnswerSqueeze) -> EventsOrRefusal:
    request, number = open_round(state).request, open_round(state).number
    if request is None:
        return SqueezeNotAsked()
    waives = command.consent and request.what.waives
    return (e.SqueezeAnswered(command.by, number, request.patron, request.what, command.consent, waives, request.rule),)


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
    c.Deal: _deal,
    c.AskSqueeze: _ask_squeeze,
    c.AnswerSqueeze: _answer_squeeze,
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
}
