"""The secret key of a house, in a file outside its database.

It encrypts the order of shoes. A file may hold further keys for them, a line each: the last is the one in use, and the
others read the shoes from before. Numbers of tickets are made with the first, and another key, derived from it, signs
where each stream of the log ends (Ed25519): whoever writes to the database without it can add nothing that passes for
the house's own, and anyone can check a signature with the public key.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from punto.service.world import Entropy
from punto.store.errors import RefusedStoreError
from punto.store.heads import write_file
from punto.store.records import Record, Sign, Tail
from punto.store.sql import StoreSnapshot

KEY_BYTES = 32
SHOE_KEY = "shoe-key"
"""The first record of a house, and the idempotency key, under which its processes agree on the key of their shoes."""

SHOE_KEY_ADDED = "shoe-key-added"
"""The kind of record of a further key for shoes: `mark` is its fingerprint."""


def tail_text(store: str, tail: Tail) -> bytes:
    """The text that the signature of a tail covers, as a MessagePack array."""
    return msgspec.msgpack.encode((store, tail.stream, tail.seq, tail.hash))


@cache
def _memory_key(entropy: Entropy) -> bytes:
    """The key of stores in memory: one for all houses of a process, since they may share such a store."""
    return entropy(KEY_BYTES)


class HouseKey:
    """The key in a file or, for a store in memory, in the process."""

    def __init__(self, path: Path | None, entropy: Entropy = os.urandom) -> None:
        """Take the key from its file, if that is there. A RefusedStoreError says why the file is no key."""
        self.path, self._entropy = path, entropy
        self._keys = _read(path) if path else [_memory_key(entropy)]

    def make(self) -> str:
        """The fingerprint of the key, which is made with its file where there is none yet."""
        if self.path is not None and not self._keys:
            _write(self.path, [self._entropy(KEY_BYTES)], _link)
            self._keys = _read(self.path)
        if self.fingerprint is None:
            raise self.refuse()
        return self.fingerprint

    def rotate(self) -> str:
        """Add a key for the shoes to come; its fingerprint. The first key stays that of the house."""
        if self.path is None or not self._keys:
            raise self.refuse()
        _write(self.path, [*self._keys, self._entropy(KEY_BYTES)], os.replace)
        self._keys = _read(self.path)
        return _fingerprint(self._keys[-1])

    @property
    def secret(self) -> bytes:
        """The key itself; a RefusedStoreError where there is none."""
        return self.shoe_secrets[-1]

    @property
    def shoe_secrets(self) -> list[bytes]:
        """The keys of shoes, the one in use first; a RefusedStoreError where there is none."""
        if not self._keys:
            raise self.refuse()
        return self._keys[::-1]

    @property
    def fingerprint(self) -> str | None:
        """The fingerprint, which tells one key from another and gives nothing of it away; None without a key."""
        return _fingerprint(self._keys[0]) if self._keys else None

    @property
    def in_use(self) -> str | None:
        """The fingerprint of the key of the shoes to come; None without a key."""
        return _fingerprint(self._keys[-1]) if self._keys else None

    def signer(self, store: str) -> Sign:
        """The signer of the tails and records of a store, under keys derived from this one."""

        def sign(tail: Tail) -> str:
            return f"ed25519:{self.sign(tail_text(store, tail))}"

        return Sign(sign, lambda: hmac.digest(self.secret, b"punto codes of records\n" + store.encode(), "sha256"))

    def sign(self, text: bytes) -> str:
        """The Ed25519 signature of a text, in hexadecimal digits."""
        return self._private.sign(text).hex()

    def ticket_hash(self, text: str) -> bytes:
        """A hash of a text that numbers of tickets are made of, which nobody else can make."""
        return hmac.digest(self.secret, b"punto tickets\n" + text.encode(), "sha256")

    @property
    def public(self) -> str:
        """The public key of the signatures, in hexadecimal digits."""
        return self._private.public_key().public_bytes_raw().hex()

    @cached_property
    def _private(self) -> Ed25519PrivateKey:
        seed = hmac.digest(self.secret, b"punto signatures of streams", "sha256")
        return Ed25519PrivateKey.from_private_bytes(seed)

    async def check(self, snapshot: StoreSnapshot) -> None:
        """Make sure that a database was begun with this key, before every signature in it would look wrong."""
        if not self._keys and self.path is not None:
            self._keys = _read(self.path)  # another process may have made it meanwhile
        for first in [Record(*row) for row in await snapshot.page(0, 1)]:
            if first.kind == SHOE_KEY and first.body_hash != self.fingerprint:
                raise self.refuse()

    def refuse(self) -> RefusedStoreError:
        """The reason why this house cannot be opened with the key it was given."""
        if not self._keys:
            message = f"there is no key of shoes at {self.path}; name the one this database was begun with (--key)"
            return RefusedStoreError("key-missing", message)
        message = f"{self.path} is not the key that the shoes of this database are sealed with; name that one (--key)"
        return RefusedStoreError("key-wrong", message)


def _fingerprint(key: bytes) -> str:
    return hashlib.sha256(b"punto key of shoes\n" + key).hexdigest()


def _read(path: Path) -> list[bytes]:
    try:
        keys = [bytes.fromhex(line) for line in path.read_text(encoding="ascii").split("\n") if line]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise RefusedStoreError("key-unreadable", f"cannot read {path}: {error.strerror}") from None
    except ValueError:
        keys = []
    if not keys or {len(key) for key in keys} != {KEY_BYTES}:
        raise RefusedStoreError("key-unreadable", f"{path} is not a key of shoes: {2 * KEY_BYTES} hexadecimal digits")
    return keys


def _write(path: Path, keys: list[bytes], put: Callable[[str, Path], object]) -> None:
    try:
        write_file(path, "".join([f"{key.hex()}\n" for key in keys]).encode(), put)
    except OSError as error:
        raise RefusedStoreError("key-unreadable", f"cannot make {path}: {error.strerror}") from None


def _link(name: str, path: Path) -> None:
    """Give a file its name; where another process was quicker, its key is the one."""
    with contextlib.suppress(FileExistsError):
        os.link(name, path)
