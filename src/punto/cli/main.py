"""The `punto` command: its language, its commands, and how an error of its user ends it."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from typing import Annotated, Literal

from cyclopts import CycloptsError, Parameter

import punto.cli.commands.figures
import punto.cli.commands.house
import punto.cli.commands.rules  # noqa: F401 — they declare themselves
from punto.cli.declare import PURPOSES
from punto.cli.declare import app as app
from punto.cli.output import LANGUAGE, fail, language_of, sentence
from punto.texts import LANGUAGES

PURPOSES["The command"]["completion"] = "punto completion bash"
app.meta.suppress_keyboard_interrupt = False


@app.command
def completion(
    shell: Annotated[Literal["bash", "zsh", "fish"], Parameter(help="The shell to complete for.")],
    /,
) -> None:
    """Write a script for your shell that completes commands, options and their values."""
    sys.stdout.write(app.generate_completion(prog_name="punto", shell=shell))


@app.meta.default
def start(
    *tokens: Annotated[str, Parameter(show=False, allow_leading_hyphen=True)],
    lang: Annotated[
        Literal["en", "zh-Hans"] | None, Parameter(help="The language to speak; by default that of the environment.")
    ] = None,
) -> int | None:
    """Choose the language, then run the command."""
    if lang is not None:
        LANGUAGE.set(lang)
    status: int | None = app(tokens, exit_on_error=False, print_error=False)
    return status


def main() -> None:
    """Run the command line. A user's error gives a sentence and an exit status, never a traceback."""
    as_json = "--json" in sys.argv
    LANGUAGE.set(language_of(os.environ, sys.argv))
    if len(sys.argv) == 1 or not {"--help", "-h"}.isdisjoint(sys.argv):
        from punto.cli.help import arrange

        arrange(app)
    if sys.stdout is None:  # there is no standard output
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if isinstance(sys.stdout, TextIOWrapper):
        # A terminal that cannot show a suit gets a question mark, not a traceback.
        sys.stdout.reconfigure(errors="replace")
    try:
        status = app.meta(sys.argv[1:], exit_on_error=False, print_error=False) or 0
        sys.stdout.flush()
    except CycloptsError as error:
        from punto.cli.refusals import Usage
        from punto.cli.usage import sentence_of
        from punto.rules.refusals import Refused

        says = sentence_of(error, LANGUAGES[0] if as_json else LANGUAGE.get())
        fail(Refused(Usage(says)), as_json=as_json)
    except OSError as error:
        # The reader has gone (as with `| head`), or the disk is full: flush nothing more into that output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if not isinstance(error, BrokenPipeError):
            from punto.cli.refusals import InputOutput

            broken = InputOutput(error.strerror or str(error))
            sys.stderr.write(f"punto: {sentence(broken)} [{broken.code}]\n")
        sys.exit(1 if isinstance(error, BrokenPipeError) else 2)
    except Exception as error:
        from punto.cli.refusals import refused

        if told := refused(error):
            fail(told, as_json=as_json)
        raise
    sys.exit(status)


if __name__ == "__main__":
    main()
