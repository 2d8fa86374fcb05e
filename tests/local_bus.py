"""A bus for several houses in one process."""

from __future__ import annotations

import contextlib

from punto.service.cluster.bus import Hear, NobodyAnswersError, Responder, Stop


class LocalBus:
    """Carries news and requests between houses in one process."""

    def __init__(self) -> None:
        self._heard: dict[str, list[Hear]] = {}
        self._answers: dict[str, Responder] = {}
        self.connected = True

    async def publish(self, subject: str, news: bytes) -> None:
        """Tell every listener, in order."""
        for heard in list(self._heard.get(subject, ())):
            heard(news)

    async def listen(self, subject: str, heard: Hear) -> Stop:
        """Hear what is published on a subject."""
        self._heard.setdefault(subject, []).append(heard)

        async def stop() -> None:
            with contextlib.suppress(ValueError):
                self._heard[subject].remove(heard)

        return stop

    async def request(self, subject: str, ask: bytes, timeout_ms: int) -> bytes:  # noqa: ARG002
        """Ask the one that answers on a subject, however long that takes on a busy machine."""
        if (answer := self._answers.get(subject)) is None:
            raise NobodyAnswersError(subject)
        return await answer(ask)

    async def answer(self, subject: str, answer: Responder) -> Stop:
        """Answer requests on a subject."""
        self._answers[subject] = answer

        async def stop() -> None:
            if self._answers.get(subject) is answer:
                del self._answers[subject]

        return stop

    async def close(self) -> None:
        """Nothing to leave."""
