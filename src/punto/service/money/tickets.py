"""Numbers of tickets: 24 digits that only the house's key can make.

They are 4 digits of the house, 12 of the ticket, 6 of a keyed hash (HMAC) of both, and 2 check digits. So an error of
typing, another house's ticket and a forged one are told apart without the log, which knows what was issued and used.
"""

from __future__ import annotations

from dataclasses import dataclass

from punto.protocol.refusals import TicketForeign, TicketForged, TicketMistyped
from punto.protocol.views import TICKET_DIGITS
from punto.rules.refusals import Refusal
from punto.service.shoes.house_key import HouseKey

_HOUSE, _OWN, _CODE = 4, 12, 6
_CHECKED = 97  # ISO 7064: finds every wrong digit and every two that changed places


@dataclass(frozen=True)
class TicketNumbers:
    """The numbers of one house."""

    _key: HouseKey

    def number(self, request: str) -> str:
        """The number of the ticket of a request."""
        begun = self._house + self._digits(f"ticket {request}", _OWN)
        return _with_check(begun + self._digits(f"code {begun}", _CODE))

    def refuse(self, number: str) -> Refusal | None:
        """The refusal of a number that this house has not made."""
        if len(number) != TICKET_DIGITS or not number.isdecimal() or number != _with_check(number[:-2]):
            return TicketMistyped()
        if number[:_HOUSE] != self._house:
            return TicketForeign()
        begun, code = number[: _HOUSE + _OWN], number[_HOUSE + _OWN : -2]
        return None if code == self._digits(f"code {begun}", _CODE) else TicketForged()

    @property
    def _house(self) -> str:
        return self._digits("house", _HOUSE)

    def _digits(self, text: str, count: int) -> str:
        return f"{int.from_bytes(self._key.ticket_hash(text)) % 10**count:0{count}}"


def _with_check(digits: str) -> str:
    return f"{digits}{_CHECKED + 1 - int(digits) * 100 % _CHECKED:02}"
