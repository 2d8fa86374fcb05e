"""Why a command cannot do its job, besides what the rules, a shoe or a simulation refuse."""

from __future__ import annotations

from dataclasses import dataclass

from punto.rules.refusals import Refusal


@dataclass(frozen=True, slots=True)
class FileUnreadable(Refusal):
    """A file is not there, may not be read, or is not UTF-8 text."""

    file: str = ""
    stream: str = ""
    problem: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class FileEmpty(Refusal):
    """A file or standard input holds no record, round or command."""

    content: str
    file: str = ""
    stream: str = ""


@dataclass(frozen=True, slots=True)
class FileUnwritable(Refusal):
    """A file cannot be written."""

    file: str
    problem: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class OptionUnknown(Refusal):
    """Something that looks like an option stands where a file should."""

    given: str


@dataclass(frozen=True, slots=True)
class OutputTwice(Refusal):
    """Two things are asked for on standard output."""


@dataclass(frozen=True, slots=True)
class InputOutput(Refusal):
    """The output takes no more (a full disk), or the input breaks off."""

    detail: str


@dataclass(frozen=True, slots=True)
class GameMissing(Refusal):
    """No game is named."""


@dataclass(frozen=True, slots=True)
class SituationMissing(Refusal):
    """Cards or a phase are given, and no situation."""


@dataclass(frozen=True, slots=True)
class PhaseUnknown(Refusal):
    """`--phase` is not a phase of a table."""

    given: str
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PhaseNotReached(Refusal):
    """The table is not in the phase asked for with the cards given, but in `reached`."""

    phase: str
    dealt: int
    reached: str


@dataclass(frozen=True, slots=True)
class OpenTableMissing(Refusal):
    """A file of commands never opens a table."""

    file: str = ""
    stream: str = ""


@dataclass(frozen=True, slots=True)
class ThreadsInvalid(Refusal):
    """`--threads` is not 1 to 256."""

    threads: int
    maximum: int


@dataclass(frozen=True, slots=True)
class Interrupted(Refusal):
    """A simulation was stopped before it had counted a round."""


@dataclass(frozen=True, slots=True)
class ThresholdInvalid(Refusal):
    """`--threshold` is not a number."""

    given: str


@dataclass(frozen=True, slots=True)
class PortInvalid(Refusal):
    """A port is not 0 to 65535."""

    port: int
    maximum: int


@dataclass(frozen=True, slots=True)
class OriginInvalid(Refusal):
    """`--origin` is not the origin of a page."""

    given: str


@dataclass(frozen=True, slots=True)
class DatabaseUnreadable(Refusal):
    """A database cannot be reached, read or made."""

    folder: str
    detail: str


@dataclass(frozen=True, slots=True)
class HeadMissing(Refusal):
    """The file that keeps the heads is not there, or not named."""

    file: str = ""


@dataclass(frozen=True, slots=True)
class KeyMissing(Refusal):
    """There is no key of shoes at `--key`."""

    file: str


@dataclass(frozen=True, slots=True)
class CommitmentInvalid(Refusal):
    """`--commitment` is not 64 hexadecimal digits."""


@dataclass(frozen=True, slots=True)
class ShoeNotOpen(Refusal):
    """A published shoe whose salt and order are not out yet."""


@dataclass(frozen=True, slots=True)
class PatronsInvalid(Refusal):
    """`--patrons` is below 1."""

    given: int


@dataclass(frozen=True, slots=True)
class SecondsInvalid(Refusal):
    """`--seconds` is below 1."""

    given: int


@dataclass(frozen=True, slots=True)
class AddressInvalid(Refusal):
    """An address is not that of a server."""

    given: str


@dataclass(frozen=True, slots=True)
class Unreachable(Refusal):
    """The server or the bus cannot be reached, or the address is taken."""

    detail: str


@dataclass(frozen=True, slots=True)
class Usage(Refusal):
    """A command or an option is not one of `punto`'s, or its value cannot be read."""

    detail: str


@dataclass(frozen=True, slots=True)
class Reported(Refusal):
    """What a store or a server said, by its own code and in its own words."""

    reported: str
    detail: str

    @property
    def code(self) -> str:
        """The code that was reported."""
        return self.reported


COMMAND_REFUSALS: tuple[type[Refusal], ...] = (
    FileUnreadable,
    FileEmpty,
    FileUnwritable,
    OptionUnknown,
    OutputTwice,
    InputOutput,
    GameMissing,
    SituationMissing,
    PhaseUnknown,
    PhaseNotReached,
    OpenTableMissing,
    ThreadsInvalid,
    Interrupted,
    ThresholdInvalid,
    PortInvalid,
    OriginInvalid,
    DatabaseUnreadable,
    HeadMissing,
    KeyMissing,
    CommitmentInvalid,
    ShoeNotOpen,
    PatronsInvalid,
    SecondsInvalid,
    AddressInvalid,
    Unreachable,
    Usage,
)
"""What the commands themselves refuse."""
