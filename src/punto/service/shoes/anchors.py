"""Anchors: signed heads of a log, to be printed or kept on another machine.

Whoever has an anchor can show later that the log up to there is still the same, with the public key alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from punto.service.shoes.house_key import HouseKey, tail_text
from punto.store.errors import RefusedStoreError
from punto.store.heads import Heads
from punto.store.records import Sign, Tail

_FORMAT = "punto-anchor-1"


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where the streams of a store ended, under the public key of the house that signed it."""

    heads: Heads
    public_key: str
    at_ms: int

    def verifier(self) -> Sign:
        """A check that gives back the signature of a tail if it is the house's, and nothing if it is not."""
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(self.public_key))

        def verify(tail: Tail) -> str:
            kind, _, signature = (tail.signature or "").partition(":")
            try:
                key.verify(bytes.fromhex(signature), tail_text(self.heads.store, tail))
            except (InvalidSignature, ValueError):
                return ""
            return f"{kind}:{signature}" if kind == "ed25519" else ""

        return Sign(verify)


def write_anchor(key: HouseKey, store: str, tails: Iterable[Tail], at_ms: int) -> str:
    """An anchor as one line of JSON, signed."""
    said = {
        "format": _FORMAT,
        "store": store,
        "at_ms": at_ms,
        "public_key": key.public,
        "streams": {tail.stream: [tail.seq, tail.hash] for tail in tails if tail.seq},
    }
    return json.dumps(said | {"signature": key.sign(_text(said))}, sort_keys=True)


def read_anchor(path: Path) -> Anchor:
    """The anchor in a file; a RefusedStoreError says why it is none."""
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        signature = bytes.fromhex(said.pop("signature"))
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(said["public_key"])).verify(signature, _text(said))
        streams = {name: (int(seq), str(hash_)) for name, (seq, hash_) in said["streams"].items()}
        return Anchor(Heads(str(said["store"]), streams), str(said["public_key"]), int(said["at_ms"]))
    except OSError as error:
        raise RefusedStoreError("anchor-unreadable", f"cannot read {path}: {error.strerror}") from None
    except (InvalidSignature, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        message = f"{path} is not an anchor, or was changed after it was signed"
        raise RefusedStoreError("anchor-unreadable", message) from None


def _text(said: dict[str, object]) -> bytes:
    return json.dumps(said, sort_keys=True, separators=(",", ":")).encode()
