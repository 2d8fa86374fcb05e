"""A process whose kernel refuses every sync from some moment on: `fsync` and `fdatasync` fail with an I/O error.

The refusal is a seccomp filter, which needs no privilege and spares nobody in the process: SQLite meets it as it would
meet a broken disk.
"""

from __future__ import annotations

import asyncio
import ctypes
import errno
import platform
import struct
import sys
from pathlib import Path

from punto.store.errors import BrokenStoreError
from punto.store.opening import open_store
from tests.contract.places import bet, bought

# The machine's audit name, and its numbers for fsync and fdatasync.
MACHINES = {"x86_64": (0xC000003E, 74, 75), "aarch64": (0xC00000B7, 82, 83)}
SECCOMP = {"x86_64": 317, "aarch64": 277}
_ALLOW, _FAIL = 0x7FFF0000, 0x00050000


def break_syncs() -> None:
    """From now on no thread of this process can sync."""
    machine = platform.machine()
    arch, fsync, fdatasync = MACHINES[machine]
    program = [
        (0x20, 0, 0, 4),  # load the architecture
        (0x15, 0, 4, arch),
        (0x20, 0, 0, 0),  # load the number of the call
        (0x15, 1, 0, fsync),
        (0x15, 0, 1, fdatasync),
        (0x06, 0, 0, _FAIL | errno.EIO),
        (0x06, 0, 0, _ALLOW),
    ]
    code = b"".join(struct.pack("HBBI", *step) for step in program)
    steps = ctypes.create_string_buffer(code, len(code))

    class Program(ctypes.Structure):
        _fields_ = (("len", ctypes.c_ushort), ("filter", ctypes.c_void_p))

    filter_ = Program(len(program), ctypes.cast(steps, ctypes.c_void_p))
    libc = ctypes.CDLL(None, use_errno=True)
    every_thread = 1
    if libc.prctl(38, 1, 0, 0, 0) or libc.syscall(SECCOMP[machine], 1, every_thread, ctypes.byref(filter_)):
        raise OSError(ctypes.get_errno(), "no seccomp here")


async def main(address: str, head: str) -> None:
    """Bet until the disk breaks; then the store must say that it is broken, and go on saying so."""
    store = await open_store(address, head=Path(head))
    await store.append(bought("ann", 10_000))
    await store.append(bet(1, after=0))
    sys.stdout.write("acknowledged 1\n")
    try:
        break_syncs()
    except OSError:
        sys.stdout.write("no seccomp\n")
        return
    for number in (2, 3):
        try:
            await store.append(bet(number, after=None))
        except BrokenStoreError as error:
            sys.stdout.write(f"broken {error.code}\n")
        else:
            sys.stdout.write(f"acknowledged {number}\n")
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
