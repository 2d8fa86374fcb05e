"""The acts of a table as methods, for editors to complete. Written by `python -m tests.docs.named_acts`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from punto.rules.cards import Card
from punto.rules.money import Odds
from punto.rules.sheet import Role
from punto.table.act import Event
from punto.table.actor import Actor
from punto.table.values import Decision, Facts, Option, SqueezeOf

By = Actor | str | None
Cards = Sequence[Card] | str
Events = tuple[Event, ...]


class NamedActs:
    """Every act but the opening. Without `by` patrons act for themselves, and the House does the rest."""

    def _give(self, kind: str, given: dict[str, Any]) -> Events:
        raise NotImplementedError

    def announce_insurance(self, patron: str, *, by: By = None) -> Events:
        """At a live table, record within the first window that a patron told the Dealer to insure later in the round."""
        return self._give("announce-insurance", locals())

    def answer_squeeze(self, consent: bool, *, by: By = None) -> Events:
        """Give the House's answer to a squeeze request."""
        return self._give("answer-squeeze", locals())

    def ask_squeeze(self, patron: str, what: SqueezeOf | str, *, by: By = None) -> Events:
        """Ask to squeeze a card, or to see Banker's third card before Player's is opened."""
        return self._give("ask-squeeze", locals())

    def assign_position(self, person: str, position: Role | str | None = None, *, by: By = None) -> Events:
        """Let someone who is on duty act in another position; without a position, in their own again."""
        return self._give("assign-position", locals())

    def burn_cards(self, card: Card | str | None = None, *, by: By = None) -> Events:
        """Burn the first card of a new shoe, which is named, and as many unseen cards as it counts."""
        return self._give("burn-cards", locals())

    def change_insurance(self, patron: str, offered: bool, agreed: bool = False, *, by: By = None) -> Events:
        """Between rounds, offer insurance at a private table or offer it no more, as a patron asks."""
        return self._give("change-insurance", locals())

    def change_limits(
        self, minimum_cents: int, differential_cents: int, sides: Sequence[Any] = (), *, by: By = None
    ) -> Events:
        """Between rounds, change the limits of the table."""
        return self._give("change-limits", locals())

    def check_decks(self, count: int, *, by: By = None) -> Events:
        """Record that the decks for the next shoe were checked, with the number of cards found."""
        return self._give("check-decks", locals())

    def choose(self, patron: str, option: Option | str, *, by: By = None) -> Events:
        """A patron's choice."""
        return self._give("choose", locals())

    def close_bets(self, reason: str | None = None, *, by: By = None) -> Events:
        """Call that betting has ended."""
        return self._give("close-bets", locals())

    def close_table(self, *, by: By = None) -> Events:
        """Close the table between rounds."""
        return self._give("close-table", locals())

    def come_on_duty(self, *, by: By = None) -> Events:
        """Come on duty at the table."""
        return self._give("come-on-duty", locals())

    def correct_cards(self, cards: Cards, reason: str, *, by: By = None) -> Events:
        """Correct cards that were read or entered wrongly."""
        return self._give("correct-cards", locals())

    def correct_round(self, round: int, cards: Cards, reason: str, *, by: By = None) -> Events:
        """Correct a settled round that was recorded wrongly."""
        return self._give("correct-round", locals())

    def count_shoe(self, count: int, *, by: By = None) -> Events:
        """Record the count of all cards of a shoe after its last round."""
        return self._give("count-shoe", locals())

    def cut_card(self, *, by: By = None) -> Events:
        """Report that the cut card came out of a shoe that is read one card at a time."""
        return self._give("cut-card", locals())

    def deal(
        self, card: Card | str | None = None, reading: int | None = None, place: int | None = None, *, by: By = None
    ) -> Events:
        """Deal the next card."""
        return self._give("deal", locals())

    def decide(
        self,
        decision: Decision | str,
        reason: str = "",
        cards: Cards = (),
        bets: Sequence[Any] = (),
        odds: Odds | str | None = None,
        account: str | None = None,
        amount_cents: int | None = None,
        *,
        by: By = None,
    ) -> Events:
        """Decide the open case."""
        return self._give("decide", locals())

    def decline_insurance(self, patron: str, *, by: By = None) -> Events:
        """Say no to the insurance on offer."""
        return self._give("decline-insurance", locals())

    def go_off_duty(self, *, by: By = None) -> Events:
        """Go off duty."""
        return self._give("go-off-duty", locals())

    def insure(self, patron: str, box: int, on: str, stake_cents: int, *, by: By = None) -> Events:
        """Insure a hand in the open window, or add to that insurance."""
        return self._give("insure", locals())

    def leave(self, patron: str, absent: bool = False, *, by: By = None) -> Events:
        """Let a patron leave."""
        return self._give("leave", locals())

    def load_shoe(
        self,
        cards: Cards = (),
        cut: int | None = None,
        commitment: str | None = None,
        salt: str | None = None,
        *,
        by: By = None,
    ) -> Events:
        """Load a shoe."""
        return self._give("load-shoe", locals())

    def open_bets(self, *, by: By = None) -> Events:
        """Call for bets."""
        return self._give("open-bets", locals())

    def open_card(self, place: int, card: Card | str | None = None, *, by: By = None) -> Events:
        """Open a card that was dealt face down."""
        return self._give("open-card", locals())

    def pass_squeeze(self, patron: str, place: int, *, by: By = None) -> Events:
        """Give up the squeeze of the card at a place, which counts from 1."""
        return self._give("pass-squeeze", locals())

    def place_bet(self, patron: str, box: int, on: str, stake_cents: int, *, by: By = None) -> Events:
        """Place a new bet."""
        return self._give("place-bet", locals())

    def place_bets(self, patron: str, box: int, stakes: Sequence[Any], *, by: By = None) -> Events:
        """Let a patron's bets in a box stand as `stakes` says."""
        return self._give("place-bets", locals())

    def put_right(
        self, box: int | None = None, patron: str | None = None, on: str | None = None, *, by: By = None
    ) -> Events:
        """Reject the excess of a box, or ask the patron of a low bet to raise or withdraw it; without a box, all of it."""
        return self._give("put-right", locals())

    def raise_bet(self, patron: str, box: int, on: str, add_cents: int, *, by: By = None) -> Events:
        """Add to a placed bet."""
        return self._give("raise-bet", locals())

    def record_bet(
        self, patron: str, box: int, on: str, stake_cents: int, reason: str = "", *, by: By = None
    ) -> Events:
        """At a live table, record the chips on a spot of the layout, whatever the limits."""
        return self._give("record-bet", locals())

    def recover(self, *, by: By = None) -> Events:
        """After a technical interruption, conclude or void the round by the sheet, or refer it."""
        return self._give("recover", locals())

    def replace_shoe(self, reason: str, *, by: By = None) -> Events:
        """Take the shoe out of play."""
        return self._give("replace-shoe", locals())

    def report(self, situation: str, facts: Facts | Mapping[str, Any] | None = None, *, by: By = None) -> Events:
        """Report an incident."""
        return self._give("report", locals())

    def resume_play(self, *, by: By = None) -> Events:
        """Let rounds begin again."""
        return self._give("resume-play", locals())

    def return_low_bet(
        self, box: int | None = None, patron: str | None = None, on: str | None = None, *, by: By = None
    ) -> Events:
        """Return a bet below the minimum whose patron was asked and neither raised nor withdrew it; without a box, all."""
        return self._give("return-low-bet", locals())

    def settle(self, *, by: By = None) -> Events:
        """Settle the finished round."""
        return self._give("settle", locals())

    def shuffle_cards(self, *, by: By = None) -> Events:
        """Record that the cards for the next shoe were shuffled."""
        return self._give("shuffle-cards", locals())

    def sit(self, patron: str, box: int, *, by: By = None) -> Events:
        """Seat a patron at a box."""
        return self._give("sit", locals())

    def stand(self, patron: str, box: int, *, by: By = None) -> Events:
        """Let a patron stand behind a box and bet on it together with the seated patron."""
        return self._give("stand", locals())

    def suspend_play(self, reason: str, *, by: By = None) -> Events:
        """Let no round begin until play is resumed."""
        return self._give("suspend-play", locals())

    def withdraw_bet(self, patron: str, box: int, on: str, take_cents: int | None = None, *, by: By = None) -> Events:
        """Take back part of a placed bet, or all of it (None)."""
        return self._give("withdraw-bet", locals())
