"""The wheel and the source archive: complete, and usable in an empty environment from any folder."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

import punto
from tests.e2e.command import ROOT

VERSION = punto.__version__


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, cwd=cwd)


def build(source: Path, to: Path, *targets: str) -> str:
    """Build from a source tree; what the build said."""
    chosen = [word for target in targets for word in ("-t", target)]
    done = run(sys.executable, "-m", "hatchling", "build", "-d", to, *chosen, cwd=source)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source archive."""
    folder = tmp_path_factory.mktemp("built")
    build(ROOT, folder, "wheel", "sdist")
    return folder


@pytest.fixture(scope="module")
def python(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment in which only the wheel is installed."""
    environment = tmp_path_factory.mktemp("environment")
    venv.create(environment)
    found = environment / "bin" / "python"
    wheel = built / f"punto-{VERSION}-py3-none-any.whl"
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", found)
    done = run(*pip, "install", "--quiet", "--no-index", "--no-deps", wheel, cwd=environment)
    assert done.returncode == 0, done.stderr
    return found


def test_the_wheel_settles_a_round_in_an_empty_environment(python: Path, tmp_path: Path) -> None:
    code = "import punto; print(punto.game('easy-six').settle('6h 2d Ks 3c 4c', [punto.Bet('banker', 10_00)]))"
    done = run(python, "-I", "-c", code, cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("6h 2d Ks 3c 4c = B 6-9; 1 bet, House -10.00\n", "")


def test_the_command_of_the_wheel_names_what_is_missing(python: Path, tmp_path: Path) -> None:
    done = run(python.parent / "punto", "games", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.endswith("pip install '.[cli]' [extra-missing]\n")


def test_the_wheel_carries_pages_sheets_texts_and_types(python: Path, tmp_path: Path) -> None:
    code = (
        "from importlib.resources import files; here = files('punto'); import punto\n"
        "print((here / 'web/static/index.html').is_file(), (here / 'py.typed').is_file(), len(punto.games()))"
    )
    assert run(python, "-I", "-c", code, cwd=tmp_path).stdout == "True True 5\n"


def test_the_metadata_is_complete(built: Path) -> None:
    with ZipFile(built / f"punto-{VERSION}-py3-none-any.whl") as wheel:
        metadata = wheel.read(f"punto-{VERSION}.dist-info/METADATA").decode()
        scripts = wheel.read(f"punto-{VERSION}.dist-info/entry_points.txt").decode()
    assert "punto = punto.__main__:main" in scripts
    for line in (
        f"Version: {VERSION}",
        "Requires-Python: >=3.11",
        "License-Expression: MIT",
        "Author: The Punto authors",
    ):
        assert line in metadata
    head = metadata.partition("\n\n")[0].splitlines()
    needed = [line for line in head if line.startswith("Requires-Dist:") and "extra ==" not in line]
    assert needed == []
    assert f"\n## {VERSION}" in (ROOT / "CHANGELOG.md").read_text()


def test_a_wheel_is_built_from_the_source_archive_without_node(built: Path, tmp_path: Path) -> None:
    with tarfile.open(built / f"punto-{VERSION}.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    source = tmp_path / f"punto-{VERSION}"
    assert (source / "README.md").is_file()
    assert "building the pages" not in build(source, tmp_path, "wheel")
    wheels = [ZipFile(folder / f"punto-{VERSION}-py3-none-any.whl") for folder in (built, tmp_path)]
    first, second = ({each.filename: each.CRC for each in wheel.infolist()} for wheel in wheels)
    assert first == second
