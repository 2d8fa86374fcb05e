"""The `punto` command, also as `python -m punto`. Modules are imported inside `main`, so that Ctrl-C finds it ready."""

from __future__ import annotations

import sys

INTERRUPTED = 130
"""The exit status after Ctrl-C, as shells give it."""


def main() -> None:
    """Run the command. Ctrl-C ends it with one line, from its first import on, after whatever it had to show."""
    try:
        _run()
    except KeyboardInterrupt:
        _stop()


def _run() -> None:
    """Run the command. If a part of Punto is not installed, one line says which extra to install; the status is 2."""
    from punto.extras import naming_extras

    if sys.argv[1:] == ["--version"]:  # needs nothing but Python
        from punto import __version__

        print(__version__)
        return
    try:
        with naming_extras():
            from punto.cli.main import main as run

            run()
    except ImportError as error:
        from punto.cli.output import fail
        from punto.rules.missing import ExtraMissingError

        if not isinstance(error, ExtraMissingError):
            raise
        fail(error, as_json="--json" in sys.argv)


def _stop() -> None:
    """Say that the command was stopped, and end at once: a second Ctrl-C and threads at work change nothing."""
    import os
    import signal
    from contextlib import suppress

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from punto.cli.output import say_stopped

    with suppress(OSError):  # the reader of the output may have gone too
        sys.stdout.flush()
        say_stopped()
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
