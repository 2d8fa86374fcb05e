"""Decide: a command against a state gives events or one refusal. Each command is one short function.

Who may ask and when is checked first, from two tables (`roles.AUTHORITY`, `phases.LEGAL`); then each function checks
in the order of precedence that `TableCode` states.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from punto.rules.cards import most_copied, write_cards
from punto.rules.hands import Hand
from punto.rules.refusals import Refusal
from punto.rules.sheet import AskedBy, Role, Ruling
from punto.rules.tableau import INITIAL_CARDS, next_hand
from punto.rules.words import counted
from punto.table import commands as c
from punto.table import events as e
from punto.table.betting import (
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
from punto.table.facts import EXCESS_BETS, EXCESS_CARD, MISREAD_CARD
from punto.table.irregularities import (
    answer,
    correct,
    open_case,
    refer,
    report,
    resume,
)
from punto.table.opening import open_table
from punto.table.phases import LEGAL, Phase
from punto.table.play import (
    Draft,
    announce,
    close_case,
    open_round,
    open_settings,
    refuse_copies,
    settle_round,
    shoe_in_play,
)
from punto.table.refusals import TableCode
from punto.table.roles import AUTHORITY
from punto.table.state import ANSWERS, Shoe, State, Waits

Decided = tuple[e.Event, ...] | Refusal
CARDS_IN_A_DECK = 52


def decide(state: State, command: c.Command) -> Decided:
    """The events a command leads to, or why it is not done. Nothing is changed: `evolve` does that."""
    refusal = _refuse_who(state, command) or _refuse_when(state, command)
    return refusal or _DECIDE[type(command)](state, command)


def _refuse_who(state: State, command: c.Command) -> Refusal | None:
    least = AUTHORITY[type(command)]
    if least is not None:
        if command.by.may_act_as(least):
            return None
        message = f"{c.kind_of(type(command))} is for the {least.spoken} or above, not for {command.by.text}"
        return Refusal(TableCode.NOT_PERMITTED, message)
    if command.by.role is None and command.by.person != command.patron:  # type: ignore[attr-defined]
        message = f"{command.by.person} may act only for themselves"
        return Refusal(TableCode.NOT_YOURS, message, state.sheet.authority.bets_for_patrons_rule)
    return None


def _refuse_when(state: State, command: c.Command) -> Refusal | None:
    phase, kind = state.phase, type(command)
    if kind in LEGAL[phase]:
        number = getattr(command, "round", None)
        if number is not None and (state.round is None or state.round.number != number):
            now = f"this is round {state.round.number}" if state.round else "no round is under way"
            return Refusal(TableCode.ROUND_MISMATCH, f"the command is for round {number}; {now}")
        return None
    name = c.kind_of(kind)
    if phase is Phase.NOT_OPEN:
        return Refusal(TableCode.TABLE_NOT_OPEN, f"{name} needs an open table")
    if kind in {c.PlaceBet, c.RaiseBet, c.WithdrawBet, c.RecordBet}:
        return refuse_bet_now(state, command)
    if state.case is not None and phase is Phase.HELD:
        return Refusal(TableCode.ROUND_HELD, state.case.holds)
    if kind is c.Insure:
        return refuse_insurance_now(state)
    if isinstance(command, c.Deal):
        return _refuse_card_now(state, command)
    return Refusal(TableCode.WRONG_PHASE, f"{name} does not belong to {phase}; {_legal(phase)}")


def _legal(phase: Phase) -> str:
    return "there are " + ", ".join(c.kind_of(kind) for kind in LEGAL[phase])


# ------------------------------------------------------------------------------------------- the table and its shoe


def _close_table(state: State, command: c.CloseTable) -> Decided:
    return (e.TableClosed(command.by),)


def _load_shoe(state: State, command: c.LoadShoe) -> Decided:
    """A shoe after one that is over. Cards carried out of that one go with it: they are not of the new set."""
    if state.shoe is not None and not state.shoe_is_over:
        message = f"shoe {state.shoe.number} is in play: it must be replaced first, with the reason"
        return Refusal(TableCode.SHOE_STAYS, message, _carried_rule(state))
    decks = open_settings(state).decks
    count = len(command.cards) or decks * CARDS_IN_A_DECK
    if command.cards and most_copied(command.cards)[1] > decks:
        card, copies = most_copied(command.cards)
        message = f"the order holds {card} {copies} times, and {counted(decks, 'deck')} hold it {decks}"
        return Refusal(TableCode.SHOE_INVALID, message, state.sheet.decks.rule)
    if command.cut is not None and not 0 <= command.cut <= count:
        message = f"the cut card cannot lie after {command.cut} of {counted(count, 'card')}"
        return Refusal(TableCode.SHOE_INVALID, message)
    return (
        e.ShoeLoaded(command.by, state.shoes + 1, count, command.cut, command.commitment, command.cards, command.salt),
    )


def _cut_card(state: State, command: c.CutCard) -> Decided:
    shoe = state.shoe
    if shoe is None or shoe.removed:
        return Refusal(TableCode.SHOE_MISSING, "no shoe is in play")
    if shoe.cut is not None or shoe.last_round is not None:
        return Refusal(TableCode.CUT_CARD_KNOWN, "the place of this shoe's cut card is known, or it came already")
    return (_cut_drawn(state, command.by),)


def _cut_drawn(state: State, by: c.Actor) -> e.CutCardDrawn:
    """Out before a round's first card, the cut card makes that round the last; later, the one after it."""
    first = state.round is not None and not state.round.cards
    return e.CutCardDrawn(by, shoe_in_play(state).number, state.rounds if first else state.rounds + 1)


def _replace_shoe(state: State, command: c.ReplaceShoe) -> Decided:
    """Between rounds at once; in a round only where a ruling lets someone say so.

    Cards carried to the next round are used in it by the sheet, so that to drop them is for who decides otherwise.
    """
    ruled = _may_be_replaced(state)
    role, rule = ruled or (Role.DEALER, None)
    carried = state.shoe.carried if state.shoe and state.round is None and not state.shoe_is_over else ()
    if carried:
        role, rule = state.sheet.authority.decides_otherwise, _carried_rule(state)
    if not command.by.may_act_as(role):
        why = f"{write_cards(carried)} was carried to the next round: before it, " if carried else ""
        return Refusal(TableCode.NOT_PERMITTED, f"{why}the shoe is replaced by the {role.spoken} or above", rule)
    if state.shoe is None or state.shoe.removed:
        return Refusal(TableCode.SHOE_MISSING, "no shoe is in play that could be replaced")
    if state.round is not None and ruled is None:
        return Refusal(TableCode.SHOE_STAYS, "no ruling of this round lets the shoe be replaced")
    if not command.reason.strip():
        return Refusal(TableCode.REASON_MISSING, "say why the shoe is replaced", rule)
    rule = state.sheet.authority.otherwise_rule if carried else rule
    return (e.ShoeRemoved(command.by, state.shoe.number, rule, command.reason),)


def _may_be_replaced(state: State) -> tuple[Role, str] | None:
    """Who may replace the shoe by a ruling of this round or, between rounds, by that on the open case."""
    if state.round is not None:
        return state.round.replace_shoe
    irregularity = state.sheet.irregularities.get(state.case.situation) if state.case else None
    new_shoe = irregularity.new_shoe if irregularity else None
    return (new_shoe.by, new_shoe.rule) if new_shoe and new_shoe.by else None


def _carried_rule(state: State) -> str | None:
    """The paragraph by which cards that a round did not need are used in the next, if any lie there."""
    if state.shoe is None or not state.shoe.carried:
        return None
    reconstruct = (each.rule for each in state.sheet.irregularities.values() if each.ruling is Ruling.RECONSTRUCT)
    return next(reconstruct, state.sheet.authority.otherwise_rule)


# ------------------------------------------------------------------------------------------- the round


def _open_bets(state: State, command: c.OpenBets) -> Decided:
    shoe, call, number = state.shoe, state.sheet.play.open, state.rounds + 1
    if shoe is None:
        return Refusal(TableCode.SHOE_MISSING, "no shoe is in play")
    if shoe.removed:
        return Refusal(TableCode.SHOE_FINISHED, f"shoe {shoe.number} is out of play: load a new one")
    if state.shoe_is_over:
        return Refusal(TableCode.SHOE_FINISHED, f"shoe {shoe.number} has had its last round: load a new one")
    last = shoe.last_round == number
    return (e.BetsOpened(command.by, number, shoe.number, last, call.says, call.rule),)


def _close_bets(state: State, command: c.CloseBets) -> Decided:
    round_, call = open_round(state), state.sheet.play.close
    if round_.asked:
        names = ", ".join(f"{spot.patron} on {spot.on} in box {spot.box}" for spot in sorted(round_.asked))
        rule = state.sheet.limits.minimum_rule if state.sheet.limits else None
        return Refusal(TableCode.RAISE_PENDING, f"still to raise or withdraw a bet: {names}", rule)
    return (e.BetsClosed(command.by, round_.number, call.says, call.rule),)


def _deal(state: State, command: c.Deal) -> Decided:
    """The next card, the cut card before it if it lies there, and what the card opens."""
    shoe, round_, by = shoe_in_play(state), open_round(state), command.by
    carried = bool(shoe.carried)
    if command.reading is not None and shoe.reading is not None and not carried and not shoe.order:
        if refusal := _refuse_repeat(shoe, command):
            return refusal
        if command.reading > shoe.reading + 1:
            return _gap(state, command, shoe.reading + 1)
    if not shoe.left:
        return Refusal(TableCode.SHOE_EMPTY, "the shoe has no card left: report that it cannot finish the round")
    card = shoe.carried[0] if carried else shoe.order[shoe.drawn] if shoe.order else command.card
    if card is None:
        return Refusal(TableCode.CARD_NOT_GIVEN, "this shoe is read card by card: say which card came")
    if command.card not in {None, card}:
        return Refusal(TableCode.CARD_NOT_NEXT, f"{command.card} is not the next card of the shoe")
    if not (carried or shoe.order) and (refusal := refuse_copies(state, (card,), (), open_settings(state).decks)):
        return refusal
    draft = Draft(state)
    if shoe.cut is not None and shoe.last_round is None and not carried and shoe.drawn >= shoe.cut:
        draft.add(_cut_drawn(state, by))
    hand = next_hand(round_.cards)
    assert hand is not None  # noqa: S101 — a complete round is in another phase
    place = len(round_.cards) + 1
    play = state.sheet.play
    rule = play.initial_cards_rule if state.phase is Phase.INITIAL_CARDS else play.table_of_play_rule
    face_down = open_settings(state).face_down
    draft.add(e.CardDealt(by, round_.number, shoe.number, place, card, hand, rule, face_down, carried, command.reading))
    announce(draft, by)
    return tuple(draft.events)


def _refuse_repeat(shoe: Shoe, command: c.Deal) -> Refusal | None:
    """An electronic shoe that sends a reading again has dealt nothing by it, in whatever phase it comes."""
    if command.reading is None or shoe.reading is None or command.reading > shoe.reading or shoe.order:
        return None
    card = f" ({command.card})" if command.card else ""
    return Refusal(TableCode.READING_REPEATED, f"reading {command.reading}{card} came before; it is dealt once")


def _refuse_card_now(state: State, command: c.Deal) -> Refusal:
    """No card is due: the shoe sent one again, or a card came out that the round does not take."""
    shoe, round_ = state.shoe, state.round
    if shoe is not None and (repeat := _refuse_repeat(shoe, command)):
        return repeat
    due = f"round {round_.number} has all its cards" if round_ and round_.cards else f"no card is due in {state.phase}"
    excess = state.sheet.irregularities.get(EXCESS_CARD)
    message = f"{due}: if one more did leave the shoe, report it ({EXCESS_CARD})"
    return Refusal(TableCode.WRONG_PHASE, message, excess.rule if excess else state.sheet.play.table_of_play_rule)


def _gap(state: State, command: c.Deal, expected: int) -> Decided:
    """A reading was lost: no card is taken until someone with authority says which cards lie."""
    draft = Draft(state)
    note = f"reading {expected} is missing; {command.reading} came with {command.card}"
    open_case(draft, command.by, MISREAD_CARD, c.Facts(note=note))
    got = command.reading or 0
    draft.add(
        e.CorrectionAsked(command.by, draft.case.number, Role.PIT_SUPERVISOR, expected, got, command.card),
    )
    return tuple(draft.events)


def _settle(state: State, command: c.Settle) -> Decided:
    """Lines come from the rules. Where they have none for bets over the limits, someone must decide first."""
    draft = Draft(state)
    if not settle_round(draft, command.by):
        open_case(draft, command.by, EXCESS_BETS, c.NO_FACTS)
        refer(draft, command.by)
    return tuple(draft.events)


# ------------------------------------------------------------------------------------------- squeeze


def _ask_squeeze(state: State, command: c.AskSqueeze) -> Decided:
    """A card is squeezed, or Banker's third seen first, by whom the sheet names and before the card has come."""
    sheet, what = state.sheet, command.what
    insurance = sheet.insurance
    if what.waives:
        by_rule = (insurance.waiver_by, insurance.waiver_rule) if insurance else None
    else:
        by_rule = (sheet.play.squeeze.by, sheet.play.squeeze.rule) if sheet.play.squeeze else None
    if by_rule is None or not open_settings(state).face_down:
        where = "at this table cards are dealt face up" if by_rule else f"{sheet.title} has no paragraph on it"
        return Refusal(TableCode.SQUEEZE_NOT_OFFERED, f"{what} cannot be asked for: {where}", by_rule and by_rule[1])
    asked_by, rule = by_rule
    if what.waives and state.phase not in {Phase.INITIAL_CARDS, Phase.FIRST_WINDOW, Phase.PLAYER_THIRD}:
        return Refusal(TableCode.SQUEEZE_TOO_LATE, "Player's third card is open, or will not come", rule)
    cards = open_round(state).cards
    if what.waives and len(cards) >= INITIAL_CARDS and next_hand(cards) is not Hand.PLAYER:
        return Refusal(TableCode.SQUEEZE_TOO_LATE, "Player draws no third card", rule)
    if not _may_ask(state, command.patron, AskedBy(asked_by)):
        who = "a patron with a bet" if asked_by == AskedBy.ANY_PATRON else "the seated patron with the highest bet"
        message = f"only {who} may ask"
        return Refusal(TableCode.SQUEEZE_NOT_HIGHEST, message, rule)
    first = open_round(state).request
    if first is not None:
        message = f"the request of {first.patron} ({first.what}) came first and waits for the House's answer"
        return Refusal(TableCode.SQUEEZE_PENDING, message, rule)
    if (command.patron, what, len(cards)) in open_round(state).requests:
        message = f"{command.patron} has asked for this ({what}) before, and may again once the next card is out"
        return Refusal(TableCode.SQUEEZE_REPEATED, message, rule)
    return (e.SqueezeAsked(command.by, open_round(state).number, command.patron, what, rule),)


def _may_ask(state: State, patron: str, asked_by: AskedBy) -> bool:
    bets = [bet for bet in open_round(state).bets.values() if bet.patron not in open_round(state).away]
    if asked_by is AskedBy.ANY_PATRON:
        return any(bet.patron == patron for bet in bets)
    highest = max([bet.stake_cents for bet in bets if bet.seated], default=0)
    return any(bet.seated and bet.patron == patron and bet.stake_cents == highest for bet in bets)


def _answer_squeeze(state: State, command: c.AnswerSqueeze) -> Decided:
    request, number = open_round(state).request, open_round(state).number
    if request is None:
        return Refusal(TableCode.SQUEEZE_NOT_ASKED, "nobody has asked for a squeeze")
    waives = command.consent and request.what.waives
    return (e.SqueezeAnswered(command.by, number, request.patron, request.what, command.consent, waives, request.rule),)


# ------------------------------------------------------------------------------------------- irregularities


def _report(state: State, command: c.Report) -> Decided:
    return _events(report(state, command))


def _choose(state: State, command: c.Choose) -> Decided:
    case, authority = state.case, state.sheet.authority
    if case is None or command.patron not in case.patrons:
        return Refusal(TableCode.NO_CHOICE_OPEN, f"{command.patron} has no choice to make", authority.options_rule)
    draft = Draft(state)
    take_back = command.option is c.Option.TAKE_BACK
    rule = authority.take_back_rule if take_back else case.continue_rule
    draft.add(e.OptionChosen(command.by, case.number, command.patron, command.option, rule))
    if take_back:
        bets = [bet for bet in draft.round.bets.values() if bet.patron == command.patron]
        lines = tuple([e.Returned(bet, e.Why.OPTION, rule) for bet in bets])
        draft.add(e.BetsReturned(command.by, draft.round.number, lines))
    if not draft.case.patrons:
        close_case(draft, command.by)
    return tuple(draft.events)


def _decide(state: State, command: c.Decide) -> Decided:
    case, decision = state.case, command.decision
    assert case is not None and case.waits is not None  # noqa: S101 — the phase is held
    if case.role is not None and not command.by.may_act_as(case.role):
        rule = state.sheet.authority.otherwise_rule if case.waits is Waits.DECISION else None
        message = f"case {case.number} waits for {case.waiting_for}"
        return Refusal(TableCode.NOT_PERMITTED, message, rule)
    if decision not in ANSWERS[case.waits]:
        answers = ", ".join(ANSWERS[case.waits]) or "no decision"
        message = f"case {case.number} waits for {case.waiting_for}, and takes {answers}"
        return Refusal(TableCode.DECISION_NOT_OPEN, message)
    if case.waits is Waits.CONFIRMATION and command.by.person == case.by.person:
        return Refusal(TableCode.SAME_PERSON, f"{command.by.person} proposed it: a second person confirms")
    if decision not in {c.Decision.APPROVE, c.Decision.ORDER} and not command.reason.strip():
        return Refusal(TableCode.REASON_MISSING, "a decision is recorded with its reason")
    return _events(answer(state, command))


def _correct_cards(state: State, command: c.CorrectCards) -> Decided:
    return _events(correct(state, command))


def _recover(state: State, command: c.Recover) -> Decided:
    return _events(resume(state, command))


def _events(draft: Draft | Refusal) -> Decided:
    return draft if isinstance(draft, Refusal) else tuple(draft.events)


_DECIDE: dict[type[c.Command], Callable[[State, Any], Decided]] = {
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
    c.Report: _report,
    c.Choose: _choose,
    c.Decide: _decide,
    c.CorrectCards: _correct_cards,
    c.Recover: _recover,
}
