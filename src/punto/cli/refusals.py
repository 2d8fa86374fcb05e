"""The refusals of commands, besides those of the rules, a shoe or a simulation."""

from __future__ import annotations

from dataclasses import dataclass

from punto.rules.refusals import Refusal


@dataclass(frozen=True, slots=True)
class FileUnreadable(Refusal):
    """A file is missing, cannot be read, or is not UTF-8 text."""

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
    """An option was given instead of a file."""

    given: str


@dataclass(frozen=True, slots=True)
class OutputTwice(Refusal):
    """Two outputs are directed to standard output."""


@dataclass(frozen=True, slots=True)
class InputOutput(Refusal):
    """The output cannot be written (a full disk), or the input ended early."""

    detail: str


@dataclass(frozen=True, slots=True)
class DeviceUnknown(Refusal):
    """Cards are not dealt from such a device."""

    given: str
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeviceOption(Refusal):
    """An option that a shuffler has no use for: every round is dealt from the full set."""

    given: str


@dataclass(frozen=True, slots=True)
class GameMissing(Refusal):
    """No game is named."""


@dataclass(frozen=True, slots=True)
class SituationMissing(Refusal):
    """Cards or a phase are given without a situation."""


@dataclass(frozen=True, slots=True)
class PhaseUnknown(Refusal):
    """`--phase` is not a phase of a table."""

    given: str
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PhaseNotReached(Refusal):
    """With the given cards the table is not in the given phase, but in `reached`."""

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
    """The head file is missing, or not named."""

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
    """The salt and order of the shoe are not published yet."""


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
    """An error of a store or a server, with its own code and message."""

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
    DeviceUnknown,
    DeviceOption,
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
"""The refusals of the commands themselves."""
