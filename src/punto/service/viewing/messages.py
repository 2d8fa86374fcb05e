"""Messages to terminals. Many read the same one, so its text is made once."""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

S = TypeVar("S", bound=msgspec.Struct, covariant=True)
_encode = msgspec.json.Encoder().encode


class Message(Generic[S]):
    """A struct of `punto.protocol.views` on its way to those who read a table."""

    __slots__ = ("_text", "struct")

    def __init__(self, struct: S) -> None:
        self.struct = struct
        self._text: str | None = None

    @property
    def text(self) -> str:
        """The message as JSON."""
        if self._text is None:
            self._text = _encode(self.struct).decode()
        return self._text


AnyMessage = Message[msgspec.Struct]
