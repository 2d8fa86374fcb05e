"""What the pages ask of `systemctl`, for units under a folder: `systemctl.py FOLDER COMMAND UNIT…`."""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path


class Unit:
    """A service as its file and its drop-ins describe it."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name
        self.instance = name.partition("@")[2]
        file = f"{name.partition('@')[0]}@.service" if self.instance else f"{name}.service"
        units = folder / "etc" / "systemd" / "system"
        self.says: defaultdict[str, list[str]] = defaultdict(list)
        for each in (units / file, *sorted((units / f"{file}.d").glob("*.conf"))):
            for key, value in re.findall(r"^(\w+)=(.*)$", each.read_text(), re.MULTILINE):
                self.says[key] = [*self.says[key], self._expand(value)] if value else []
        self.pid_file = folder / "run" / f"{name}.pid"
        self.pid_file.parent.mkdir(exist_ok=True)

    def _expand(self, value: str) -> str:
        places = {"%S": "var/lib", "%C": "var/cache", "%d": f"run/{self.name}.credentials"}
        for sign, place in places.items():
            value = value.replace(sign, str(self.folder / place))
        return value.replace("%i", self.instance).replace("%H", "machine")

    def start(self) -> None:
        """Run a oneshot; start any other service and wait until it says that it is ready."""
        environment = {"PATH": os.environ["PATH"], "PUNTO_SERVER_PORT": os.environ["PUNTO_SERVER_PORT"]}
        environment |= dict(each.split("=", 1) for each in self.says["Environment"])
        for name in " ".join(self.says["StateDirectory"]).split():
            (self.folder / "var" / "lib" / name).mkdir(mode=0o700, parents=True, exist_ok=True)
        for each in self.says["LoadCredential"]:
            name, _, source = each.partition(":")
            credentials = self.folder / "run" / f"{self.name}.credentials"
            credentials.mkdir(exist_ok=True)
            (credentials / name).write_bytes(Path(source).read_bytes())
        if self.says["Type"] == ["oneshot"]:
            for command in self.says["ExecStart"]:
                subprocess.run(shlex.split(command), env=environment, check=True, umask=0o077)
            return
        with (
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told,
            (self.folder / f"{self.name}.log").open("w") as log,
        ):
            address = self.folder / "run" / f"{self.name}.socket"
            address.unlink(missing_ok=True)
            told.bind(str(address))
            told.settimeout(0.1)
            process = subprocess.Popen(
                shlex.split(self.says["ExecStart"][0]),
                env=environment | {"NOTIFY_SOCKET": str(address)},
                cwd=self.folder / "var" / "lib" / "punto",
                stdout=log,
                stderr=log,
                umask=0o077,
                start_new_session=True,
            )
            while True:
                try:
                    if told.recv(100) == b"READY=1":
                        break
                except TimeoutError:
                    if process.poll() is not None:
                        sys.exit(f"{self.name} failed: {(self.folder / f'{self.name}.log').read_text()}")
        self.pid_file.write_text(str(process.pid))

    def stop(self) -> None:
        """Stop a service as systemd does, and wait for its end."""
        if not self.pid_file.exists():
            return
        pid = int(self.pid_file.read_text())
        os.kill(pid, signal.SIGTERM)
        stat = Path(f"/proc/{pid}/stat")
        while stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z":
            time.sleep(0.05)
        self.pid_file.unlink()


def main(folder: Path, command: str, *names: str) -> None:
    """Do what one call asks for; what needs no service does nothing."""
    now = "--now" in names
    for name in names:
        if name.startswith("--") or name.endswith(".timer"):
            continue
        unit = Unit(folder, name.removesuffix(".service"))
        if command in {"stop", "restart"}:
            unit.stop()
        if command in {"start", "restart"} or (command == "enable" and now):
            unit.start()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
