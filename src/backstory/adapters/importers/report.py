"""What an import did, or would do: counts, and everything that was left out by name."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

_NAMED_MAX = 100  # more are counted, not listed


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A line that could not be taken: where it stands and why."""

    line: int
    byte_offset: int
    reason: str


@dataclass(slots=True, kw_only=True)
class FileReport:
    """What one file gave. `skipped` counts records that are no turn, by class."""

    path: Path
    host: str
    sessions: set[str] = field(default_factory=set)
    turns_new: int = 0
    turns_known: int = 0
    human_turns_new: int = 0
    events_new: int = 0
    bad_lines: int = 0
    oversized_lines: int = 0
    faults: list[Fault] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    bytes_read: int = 0
    is_waiting: bool = False  # the last turn's answer is still to come
    is_restarted: bool = False  # the file was rewritten since it was read last
    passed_over_because: str | None = None

    def name_bad_line(self, fault: Fault) -> None:
        """Count a line that is not what its format says."""
        self.bad_lines += 1
        self._name(fault)

    def name_oversized_line(self, fault: Fault) -> None:
        """Count a line too large to read."""
        self.oversized_lines += 1
        self._name(fault)

    def _name(self, fault: Fault) -> None:
        if len(self.faults) < _NAMED_MAX:
            self.faults.append(fault)


@dataclass(slots=True, kw_only=True)
class ImportReport:
    """What an import of several files gave."""

    files: list[FileReport] = field(default_factory=list)
    is_dry_run: bool = False

    @property
    def turns_new(self) -> int:
        """How many turns were recorded."""
        return sum(file.turns_new for file in self.files)

    @property
    def turns_known(self) -> int:
        """How many turns were recorded before."""
        return sum(file.turns_known for file in self.files)

    @property
    def events_new(self) -> int:
        """How many events were recorded."""
        return sum(file.events_new for file in self.files)

    @property
    def bad_lines(self) -> int:
        """How many lines were not what their format says."""
        return sum(file.bad_lines for file in self.files)

    @property
    def oversized_lines(self) -> int:
        """How many lines were too large to read."""
        return sum(file.oversized_lines for file in self.files)

    @property
    def sessions(self) -> int:
        """How many sessions were read."""
        return len({(file.host, key) for file in self.files for key in file.sessions})

    @property
    def skipped(self) -> Counter[str]:
        """How many records were no turn, by class."""
        total: Counter[str] = Counter()
        for file in self.files:
            total.update(file.skipped)
        return total
