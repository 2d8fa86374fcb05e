"""The `punto` command, also as `python -m punto`."""

from __future__ import annotations

import sys

from punto.extras import ExtraMissingError, naming_extras
from punto.rules.refusals import RefusedError


def main() -> None:
    """Run the command. If a part of Punto is not installed, one line says which extra to install; the status is 2."""
    try:
        with naming_extras():
            from punto.cli.main import main as run

            run()
    except ExtraMissingError as missing:
        from punto.cli.output import fail

        fail(RefusedError(missing.refusal), as_json="--json" in sys.argv)


if __name__ == "__main__":
    main()
