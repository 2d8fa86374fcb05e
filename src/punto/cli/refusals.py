"""The refusals of commands, besides those of the rules, a shoe or a simulation."""

from __future__ import annotations

from punto.rules.missing import ExtraMissing as ExtraMissing
from punto.rules.refusals import Refusal, Refused, declared


class LineRefusedError(Refused):
    """A refusal with the line of the file it is about."""

    def __init__(self, refusal: Refusal, file: str, line: int) -> None:
        super().__init__(refusal)
        self.file, self.line = file, line


class SettingsRefusedError(Refused):
    """Every setting that is refused; `log_format` is how the log would have been written."""

    def __init__(self, refusals: list[Refusal], log_format: str) -> None:
        super().__init__(refusals[0])
        self.refusals, self.log_format = refusals, log_format


class FileUnreadable(Refusal):
    """A file is missing, cannot be read, or is not UTF-8 text."""

    file: str = ""
    stream: str = ""
    problem: str = ""
    detail: str = ""


class FileEmpty(Refusal):
    """A file or standard input holds no record, round or command."""

    content: str
    file: str = ""
    stream: str = ""


class FileUnwritable(Refusal):
    """A file cannot be written."""

    file: str
    problem: str = ""
    detail: str = ""


class OptionUnknown(Refusal):
    """An option was given instead of a file."""

    given: str


class OutputTwice(Refusal):
    """Two outputs are directed to standard output."""


class InputOutput(Refusal):
    """The output cannot be written (a full disk), or the input ended early."""

    detail: str


class DeviceOption(Refusal):
    """An option that a shuffler has no use for: every round is dealt from the full set."""

    given: str


class SituationMissing(Refusal):
    """Cards or a phase are given without a situation."""


class PhaseUnknown(Refusal):
    """`--phase` is not a phase of a table."""

    given: str
    known: tuple[str, ...]


class PhaseNotReached(Refusal):
    """With the given cards the table is not in the given phase, but in `reached`."""

    phase: str
    dealt: int
    reached: str


class OpenTableMissing(Refusal):
    """A file of commands never opens a table."""

    file: str = ""
    stream: str = ""


class Interrupted(Refusal):
    """A simulation was stopped before it had counted a round."""


class SettingUnknown(Refusal):
    """There is no such setting of a house; `source` is where it was given."""

    setting: str
    source: str


class SettingInvalid(Refusal):
    """A setting has a value of another kind, or one out of its range."""

    setting: str
    source: str
    given: str
    wanted: str
    known: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    like: tuple[str, ...] = ()


class SettingsUnreadable(Refusal):
    """A file with settings, or with one of them, cannot be read."""

    file: str
    detail: str


class DayStartInvalid(Refusal):
    """`--day-starts` is not a time of day."""

    given: str


class DatabaseUnreadable(Refusal):
    """A database cannot be reached, read or made."""

    folder: str
    detail: str


class HeadMissing(Refusal):
    """The head file is missing, or not named."""

    file: str = ""


class KeyMissing(Refusal):
    """There is no key of shoes at `--key`."""

    file: str


class BackupFailed(Refusal):
    """A copy of a database cannot be made or put back; `part` is the file or program that failed."""

    part: str
    detail: str


class BackupUnsound(Refusal):
    """An audit of the copy found something wrong."""

    detail: str


class RestoreOver(Refusal):
    """There is a database already where a copy is to be restored."""

    database: str


class TwoPeopleNeeded(Refusal):
    """`--by` does not name two members of staff whom the house knows."""


class CommitmentInvalid(Refusal):
    """`--commitment` is not 64 hexadecimal digits."""


class ShoeNotOpen(Refusal):
    """The salt and order of the shoe are not published yet."""


class AddressInvalid(Refusal):
    """An address is not that of a server."""

    given: str


class Unreachable(Refusal):
    """The server or the bus cannot be reached, or the address is taken."""

    detail: str


class Usage(Refusal):
    """A command or an option is not one of `punto`'s, or its value cannot be read."""

    detail: str


COMMAND_REFUSALS: tuple[type[Refusal], ...] = (ExtraMissing, *declared(globals()))
"""The refusals of the commands themselves."""


class Reported(Refusal):
    """An error of a store or a server, with its own code and message."""

    reported: str
    detail: str

    @property
    def code(self) -> str:
        """The code that was reported."""
        return self.reported


def refused(error: Exception) -> Refused | None:
    """The refusal that an error says: of the rules, a store, a house or a server; None for a bug."""
    from punto.store.errors import StoreError

    if isinstance(error, StoreError):
        return Refused(Reported(error.code, error.message))
    refusal = getattr(error, "refusal", None)
    return error if isinstance(error, Refused) else Refused(refusal) if isinstance(refusal, Refusal) else None
