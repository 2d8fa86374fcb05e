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


class NamedActs:
    """Every act but the opening. Without `by` patrons act for themselves, and the House does the rest."""

    def _give(self, _kind: str, _by: Actor | str | None, **fields: Any) -> tuple[Event, ...]:
        raise NotImplementedError

    def announce_insurance(self, patron: str, *, by: Actor | str | None = None) -> tuple[Event, ...]:
        """At a live table, record within the first window that a patron told the Dealer to insure later in the round."""
        return self._give("announce-insurance", by, patron=patron)

    def answer_squeeze(self, consent: bool, *, by: Actor | str | None = None) -> tuple[Event, ...]:
        """Give the House's answer to a squeeze request."""
        return self._give("answer-squeeze", by, consent=consent)

    def ask_squeeze(self, patron: str, what: SqueezeOf | str, *, by: Actor | str | None = None) -> tuple[Event, ...]:
        """Ask to squeeze a card, or to see Banker's third card before Player's is opened."""
        return self._give("ask-squeeze", by, patron=patron, what=what)

    def assign_position(
        self, person: str, position: Role | str | None = None, *, by: Actor | str | None = None
    ) -> tuple[Event, ...]:
        """Let someone who is on duty act in another position; without a position, in their own again."""
        return self._give("assign-position", by, person=person, position=position)

    def burn_cards(self, card: Card | str | None = None, *, by: Actor | str | None = None) -> tuple[Event, ...]:
        """Burn the first card of a new shoe, which is named, and as many unseen cards as it counts."""
        return self._give("burn-cards", by, card=card)

    def change_insurance(
        self, patron: str, offered: bool, agreed: bool = False, *, by: Actor | str | None = None
    ) -> tuple[Event, ...]:
        """Between rounds, offer insurance at a private table or offer it no more, as a patron asks."""
        return self._give("change-insurance", by, patron=patron, offered=offered, agreed=agreed)

    def change_limits(
        self, minimum_cents: int, differential_cents: int, sides: Sequence[Any] = (), *, by: Actor | str | None = None
    ) -> tuple[Event, ...]:
        """Between rounds, change the limits of the table."""
        return self._give(
            "change-limits", by, minimum_cents=minimum_cents, differential_cents=differential_cents, sides=sides
        )

    def check_decks(self, count: int, *, by: Actor | str | None = None) -> tuple[Event, ...]:
        """Record that the decks for the next shoe were checked, with the number of cards found."""
        return self._give("check-decks", by, count=count)

    def choose(self, patron: str, option: Option | str, *, by: Actor | str | None = None) -> tuple[Event, ...]:
        """A patron's choice."""
        return self._give("choose", by, patron=patron, option=option)

    def close_bets(self, reason: str | None = None, *, by: Actor | str | None = None) -> tuple[Event, ...]:
        """Call that betting has ended."""
        return self._give("close-bets", by, reason=reason)

    def close_table(self, *, by: Actor | str | None = None) -> tuple[Event, ...]:
        """Close the table between rounds."""
        return self._give("close-table", by)

    def come_on_duty(self, *, by: Actor | str | None = None) -> tuple[Event, ...]:
        """Come on duty at the table."""
        return self._give("come-on-duty", by)

    def correct_cards(
        self, cards: Sequence[Card] | str, reason: str, *, by: Actor | str | None = None
    ) -> tuple[Event, ...]:
        """Correct cards that were read or entered wrongly."""
        return self._give("correct-cards", by, cards=cards, reason=reason)

    def correct_round(
        self, round: int, cards: Sequence[Card] | str, reason: str, *, by: Actor | str | None = None
    ) -> tuple[Event, ...]:
        """Correct a settled round that was recorded wrongly."""
        return self._give("correct-round", by, round=round, cards=cards, reason=reason)

    def count_shoe(self, count: int, *, by: Actor | str | None = None) -> tuple[Event, ...]:
        """Record the count of all cards of a shoe after its last round."""
        return self._give("count-shoe", by, count=count)

    def cut_card(self, *, by: Actor | str | None = None) -> tuple[Event, ...]:
        """Report that the cut card came out of a shoe that is read one card at a time."""
        return self._give("cut-card", by)

    def deal(
        self,
        card: Card | str | None = None,
        reading: int | None = None,
        place: int | None = None,
        *,
        by: Actor | str | None = None,
    ) -> tuple[Event, ...]:
        """Deal the next card."""
        return self._give("deal", by, card=card, reading=reading, place=place)

    def decide(
        self,
        decision: Decision | str,
        reason: str = "",
        cards: Sequence[Card] | str = (),
        bets: Sequence[Any] = (),
        odds: Odds | str | None = None,
        account: str | None = None,
        amount_cents: int | None = None,
        *,
        by: Actor | str | None = None,
    ) -> tuple[Event, ...]:
        """Decide the open case."""
        return self._give(
            "decide",
            by,
            decision=decision,
            reason=reason,
            cards=cards,
            bets=bets,
            odds=odds,
            account=account,
            amount_cents=amount_cents,
        )

    def decline_insurance(self, patron: str, *, by: Actor | str | None = None) -> tuple[Event, ...]:
        """Say no to the insurance on offer."""
        return self._give("decline-insurance", by, patron=patron)

    def go_off_duty(self, *, by: Actor | str | None = None) -> tuple[Event, ...]:
        """Go off duty."""
        return self._give("go-off-duty", by)

    def insure(
        self, patron: str, box: int, on: str, stake_cents: int, *, by: Actor | str | None = None
    ) -> tuple[Event, ...]:
        """Insure a hand in the open window, or add to that insurance."""
        return self._give("insure", by, patron=patron, box=box, on=on, stake_cents=stake_cents)

    def leave(self, patron: str, absent: bool = False, *, by: Actor | str | None = None) -> tuple[Event, ...]:
        """Let a patron leave."""
        return self._give("leave", by, patron=patron, absent=absent)

    def load_shoe(
        self,
        cards: Sequence[Card] | str = (),
        cut: int | None = None,
        commitment: str | None = None,
        salt: str | None = None,
        *,
        by: Actor | str | None = None,
    ) -> tuple[Event, ...]:
        """Load a shoe."""
        return self._give("load-shoe", by, cards=cards, cut=cut, commitment=commitment, salt=salt)

    def open_bets(self, *, by: Actor | str | None = None) -> tuple[Event, ...]:
        """Call for bets."""
        return self._give("open-bets", by)

    def open_card(
        self, place: int, card: Card | str | None = None, *, by: Actor | str | None = None
    ) -> tuple[Event, ...]:
        """Open a card that was dealt face down."""
        return self._give("open-card", by, place=place, card=card)

    def pass_squeeze(self, patron: str, place: int, *, by: Actor | str | None = None) -> tuple[Event, ...]:
        """Give up the squeeze of the card at a place, which counts from 1."""
        return self._give("pass-squeeze", by, patron=patron, place=place)

    def place_bet(
        self, patron: str, box: int, on: str, stake_cents: int, *, by: Actor | str | None = None
    ) -> tuple[Event, ...]:
        """Place a new bet."""
        return self._give("place-bet", by, patron=patron, box=box, on=on, stake_cents=stake_cents)

    def place_bets(
        self, patron: str, box: int, stakes: Sequence[Any], *, by: Actor | str | None = None
    ) -> tuple[Event, ...]:
        """Let a patron's bets in a box stand as `stakes` says."""
        return self._give("place-bets", by, patron=patron, box=box, stakes=stakes)

    def put_right(
        self, box: int | None = None, patron: str | None = None, on: str | None = None, *, by: Actor | str | None = None
    ) -> tuple[Event, ...]:
        """Reject the excess of a box, or ask the patron of a low bet to raise or withdraw it; without a box, all of it."""
        return self._give("put-right", by, box=box, patron=patron, on=on)

    def raise_bet(
        self, patron: str, box: int, on: str, add_cents: int, *, by: Actor | str | None = None
    ) -> tuple[Event, ...]:
        """Add to a placed bet."""
        return self._give("raise-bet", by, patron=patron, box=box, on=on, add_cents=add_cents)

    def record_bet(
        self, patron: str, box: int, on: str, stake_cents: int, reason: str = "", *, by: Actor | str | None = None
    ) -> tuple[Event, ...]:
        """At a live table, record the chips on a spot of the layout, whatever the limits."""
        return self._give("record-bet", by, patron=patron, box=box, on=on, stake_cents=stake_cents, reason=reason)

    def recover(self, *, by: Actor | str | None = None) -> tuple[Event, ...]:
        """After a technical interruption, conclude or void the round by the sheet, or refer it."""
        return self._give("recover", by)

    def replace_shoe(self, reason: str, *, by: Actor | str | None = None) -> tuple[Event, ...]:
        """Take the shoe out of play."""
        return self._give("replace-shoe", by, reason=reason)

    def report(
        self, situation: str, facts: Facts | Mapping[str, Any] | None = None, *, by: Actor | str | None = None
    ) -> tuple[Event, ...]:
        """Report an incident."""
        return self._give("report", by, situation=situation, facts=facts)

    def resume_play(self, *, by: Actor | str | None = None) -> tuple[Event, ...]:
        """Let rounds begin again."""
        return self._give("resume-play", by)

    def return_low_bet(
        self, box: int | None = None, patron: str | None = None, on: str | None = None, *, by: Actor | str | None = None
    ) -> tuple[Event, ...]:
        """Return a bet below the minimum whose patron was asked and neither raised nor withdrew it; without a box, all."""
        return self._give("return-low-bet", by, box=box, patron=patron, on=on)

    def settle(self, *, by: Actor | str | None = None) -> tuple[Event, ...]:
        """Settle the finished round."""
        return self._give("settle", by)

    def shuffle_cards(self, *, by: Actor | str | None = None) -> tuple[Event, ...]:
        """Record that the cards for the next shoe were shuffled."""
        return self._give("shuffle-cards", by)

    def sit(self, patron: str, box: int, *, by: Actor | str | None = None) -> tuple[Event, ...]:
        """Seat a patron at a box."""
        return self._give("sit", by, patron=patron, box=box)

    def stand(self, patron: str, box: int, *, by: Actor | str | None = None) -> tuple[Event, ...]:
        """Let a patron stand behind a box and bet on it together with the seated patron."""
        return self._give("stand", by, patron=patron, box=box)

    def suspend_play(self, reason: str, *, by: Actor | str | None = None) -> tuple[Event, ...]:
        """Let no round begin until play is resumed."""
        return self._give("suspend-play", by, reason=reason)

    def withdraw_bet(
        self, patron: str, box: int, on: str, take_cents: int | None = None, *, by: Actor | str | None = None
    ) -> tuple[Event, ...]:
        """Take back part of a placed bet, or all of it (None)."""
        return self._give("withdraw-bet", by, patron=patron, box=box, on=on, take_cents=take_cents)
