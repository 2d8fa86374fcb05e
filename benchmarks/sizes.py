"""What each extra fetches and takes on the disk, as a table: `make sizes`. Each has a folder of its own."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
MIB = 1 << 20
ELSEWHERE = {"gpu"}
"""Extras that do not install on every machine."""


def main() -> None:
    """Print a row for each extra, and one for what `make run` installs."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    print("| installed | packages | fetched, MB | on the disk, MB |\n|---|---|---|---|")
    for extra in sorted(set(extras) - ELSEWHERE):
        print(_row(f"`punto[{extra}]`", _requirements(extras, extra)))
    print(_row("`make run`", ["--require-hashes", "-r", str(ROOT / "requirements" / "run.txt")]))
    print(_row("while pages are built", ["--require-hashes", "-r", str(ROOT / "requirements" / "pages.txt")]))


def _requirements(extras: dict[str, list[str]], extra: str) -> list[str]:
    """The requirements of an extra and of those that it names."""
    found: dict[str, None] = {}
    for requirement in extras[extra]:
        inner = requirement.removeprefix("punto[").rstrip("]").split(",") if requirement.startswith("punto[") else ()
        found |= dict.fromkeys([each for name in inner for each in _requirements(extras, name)] or [requirement])
    return list(found)


def _row(name: str, requirements: list[str]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        wheels, installed = Path(folder) / "wheels", Path(folder) / "installed"
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "download", "--dest", str(wheels), *requirements], check=True, stderr=subprocess.DEVNULL)
        files = [str(wheel) for wheel in sorted(wheels.iterdir())]
        subprocess.run([*pip, "install", "--no-deps", "--no-compile", "--target", str(installed), *files], check=True)
        return f"| {name} | {len(files)} | {_size(wheels):,.0f} | {_size(installed):,.0f} |"


def _size(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / MIB


if __name__ == "__main__":
    main()
