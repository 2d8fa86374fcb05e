"""What the house answers: a reply to each command, and refusals that can travel between processes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from punto.rules.money import money
from punto.rules.refusals import Code, RecordCode, Refusal
from punto.service.refusals import HouseCode
from punto.table.refusals import TableCode

KEY_LENGTH = 128
_KEY = re.compile(rf"[!-~]{{1,{KEY_LENGTH}}}")


class Reply(NamedTuple):
    """The answer to a command: up to which record it took the log and its events, or why it was refused.

    `data` is what else was asked for, such as a ticket.
    """

    seq: int = 0
    events: Sequence[Mapping[str, Any]] = ()
    refused: Refusal | None = None
    data: Mapping[str, Any] = MappingProxyType({})


def refuse(code: Code, message: str, rule: str | None = None) -> Reply:
    """A reply that refuses."""
    return Reply(refused=Refusal(code, message, rule))


KEY_REUSED = Refusal(HouseCode.KEY_REUSED, "this idempotency key was used before for something else")


def short_of(cents: int) -> Refusal:
    """Why a patron who lacks so much cannot do something."""
    return Refusal(HouseCode.FUNDS_SHORT, f"the credit is {money(cents)} short of this")


def canonical(data: object) -> str:
    """Plain data as one line of JSON that is the same wherever it is written."""
    return msgspec.json.encode(data, order="sorted").decode()


def hash_body(data: object) -> str:
    """The hash by which a repeated request is known from another one with the same key."""
    return hashlib.sha256(canonical(data).encode()).hexdigest()


def reference(kind: str, person: str, key: str) -> str:
    """The reference of a purchase or cash-out in the ledger: another for each key of a person, however long."""
    return f"{kind}/{person}/{hashlib.sha256(key.encode()).hexdigest()[:32]}"


def refuse_key(key: object) -> Refusal | None:
    """Why something cannot be an idempotency key."""
    if isinstance(key, str) and _KEY.fullmatch(key):
        return None
    message = f"an idempotency key is 1 to {KEY_LENGTH} printable ASCII characters without spaces"
    return Refusal(HouseCode.KEY_INVALID, message)


def write_refusal(refusal: Refusal) -> dict[str, str | None]:
    """A refusal as plain data."""
    return {"code": refusal.code.value, "rule": refusal.rule, "message": refusal.message}


_CODES: dict[str, Code] = {code.value: code for codes in (RecordCode, TableCode, HouseCode) for code in codes}


def read_refusal(data: Mapping[str, Any]) -> Refusal:
    """A refusal that another process gave."""
    return Refusal(_CODES[data["code"]], data["message"], data["rule"])
