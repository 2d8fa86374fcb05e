"""A table, its staff and its patrons: opened and closed, on duty, seated, standing, gone."""

from __future__ import annotations

from dataclasses import replace

from tests.simulation.auditor.games import GAMES
from tests.simulation.auditor.log import Event, Log
from tests.simulation.auditor.people import Actor
from tests.simulation.auditor.state import Settings, sides_of


class Floor(Log):
    """The events around the rounds."""

    def on_table_opened(self, event: Event) -> None:
        state = self.state
        if state.is_open:
            self.wrong("the table is open already")
        if event["game"] not in GAMES:
            raise AssertionError(f"nobody knows the game {event['game']}")
        before = state.settings
        settings = state.settings = Settings.of(event)
        state.is_open = True
        state.limits.append(settings)
        if not 4 <= settings.decks <= self.game.most_decks:
            self.wrong(f"the sheet allows no {settings.decks} decks")
        if settings.without_insurance and not self.game.forgone:
            self.wrong("the sheet lets no table run without insurance")
        asked = event.get("asked_by") or (before is not None and before.without_insurance)
        if settings.without_insurance and not asked:
            self.wrong("nobody asked for a table without insurance")
        gone = {patron for box, patron in [*state.seats.items(), *state.standing] if box > settings.boxes}
        self._remove(gone)
        if before and (before.decks, before.live, before.shuffler) != (
            settings.decks,
            settings.live,
            settings.shuffler,
        ):
            state.shoe = None
            if state.carried:
                self.wrong(f"{state.carried} were carried, and got lost")

    def on_table_closed(self, _event: Event) -> None:
        state = self.state
        if state.round is not None:
            self.wrong("the table was closed in a round")
        state.is_open, state.duty, state.suspended = False, {}, False

    def on_limits_changed(self, event: Event) -> None:
        if self.state.round is not None:
            self.wrong("limits were changed within a round")
        settings = self.state.now
        limits = settings.limits._replace(minimum=event["minimum_cents"], differential=event["differential_cents"])
        self.state.settings = replace(settings, limits=limits, sides=sides_of(event))
        self.state.limits.append(self.state.settings)

    def on_insurance_changed(self, event: Event) -> None:
        if self.state.round is not None:
            self.wrong("insurance was changed within a round")
        places = [*self.state.seats.items(), *self.state.standing]
        others = {patron for _, patron in places} - {event["patron"]}
        if not event["offered"] and {*event.get("agreed", ())} != others:
            self.wrong(f"{sorted(others)} are present, and not all agreed to no insurance")
        self.state.settings = replace(self.state.now, without_insurance=not event["offered"])

    def on_play_suspended(self, _: Event) -> None:
        self.state.suspended = True

    def on_play_resumed(self, _: Event) -> None:
        self.state.suspended = False

    def on_staff_on_duty(self, _: Event) -> None:
        self.state.duty[self._actor.person] = (self._actor.own, self._actor.own)

    def on_staff_off_duty(self, _: Event) -> None:
        self.state.duty.pop(self._actor.person, None)

    def on_position_assigned(self, event: Event) -> None:
        person, position = event["person"], event["position"]
        if person not in self.state.duty:
            self.wrong(f"{person} is not on duty", "I8")
        elif position != self.state.duty[person][0] and not Actor(f"{self._actor.own}:x").at_least(position):
            self.wrong(f"{event['by']} cannot assign the position {position}", "I8")
        if person == self._actor.person:
            self.wrong(f"{person} assigned their own position", "I8")
        self.state.duty[person] = (event["own"], position)

    def on_patron_seated(self, event: Event) -> None:
        state, box, patron = self.state, event["box"], event["patron"]
        if state.seats.get(box, patron) != patron:
            self.wrong(f"{state.seats[box]} sits at box {box}")
        if not 1 <= box <= state.now.boxes:
            self.wrong(f"there is no box {box}")
        if any(sits == patron and at != box for at, sits in state.seats.items()):
            self.wrong(f"{patron} sits at another box")
        state.seats[box] = patron
        state.standing.discard((box, patron))
        self._back(patron)

    def on_patron_stood(self, event: Event) -> None:
        if self.state.now.seated_only and not self.game.ruled:
            self.wrong("somebody stands behind a box where only those who sit may bet")
        self.state.standing.add((event["box"], event["patron"]))
        self._back(event["patron"])

    def _back(self, patron: str) -> None:
        if self.state.round:
            self.state.round.away.discard(patron)

    def on_patron_left(self, event: Event) -> None:
        patron, round_ = event["patron"], self.state.round
        if round_ and any(spot[1] == patron for spot in round_.stakes):
            round_.away.add(patron)
            round_.walked.add(patron)
            self._end_squeezes({patron})
        else:
            self._remove({patron})
