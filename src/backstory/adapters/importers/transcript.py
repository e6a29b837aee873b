"""Reading one transcript from where it was left, in bounded memory."""

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from backstory.adapters.importers.assembly import Assembly, At
from backstory.adapters.importers.formats import Format, Reader
from backstory.adapters.importers.lines import Line, read_lines
from backstory.adapters.importers.report import Fault, FileReport
from backstory.adapters.importers.turns import BadLineError, ImportedTurn, Place
from backstory.model.limits import HOUR_MS
from backstory.ports.store_rows import Cursor

# A session that wrote nothing for so long is over; the same idle time ends an episode.
SETTLED_AFTER_MS = HOUR_MS
_BEGINNING_BYTES = 4096
_ENDING_BYTES = 512
_PROGRESS_EVERY_BYTES = 4 * 1024 * 1024


class Transcript:
    """One file and how far it was read.

    A file that is not the one read before (shorter, or with another beginning, or with other
    bytes before the cursor) is read from its start; source keys keep turns from coming twice.
    """

    def __init__(
        self, path: Path, form: Format, *, cursor: Cursor | None, now_ms: int, is_final: bool
    ) -> None:
        status = path.stat()
        self.path = path
        self.form = form
        self.size = status.st_size
        self.report = FileReport(path=path, host=form.host)
        written_ms = status.st_mtime_ns // 1_000_000
        self._is_settled = is_final or now_ms - written_ms >= SETTLED_AFTER_MS
        beginning = Place(carry={"file": path.stem, "at_ms": written_ms})
        self.end = beginning
        if cursor is not None:
            is_same = cursor.host == form.host and _is_same_file(path, cursor)
            self.end = _place_of(cursor) if is_same else beginning
            self.report.is_restarted = not is_same
        self._bad_before = self.end.bad_lines
        self._assembly = Assembly(form.host, self.end.carry)
        self._assembly.at = At(self.end.offset, self.end.line, self.end.bad_lines)
        self._reader: Reader = form.reader(self._assembly)

    def turns(self, *, on_progress: Callable[[int, int], None]) -> Iterator[ImportedTurn]:
        """Yield the turns that are complete, in the order of the file.

        `end` is then the place to read on from. `on_progress` is told bytes read and in all.
        """
        start = told = self.end.offset
        for line in read_lines(
            self.path, offset=start, number=self.end.line, wants=self._reader.wants
        ):
            if not self._take(line):
                break
            end = line.offset + line.size
            self._assembly.at = At(end, line.number, self._bad_before + self.report.bad_lines)
            if self._assembly.closed:
                yield from self._drained()
            if end - told >= _PROGRESS_EVERY_BYTES:
                told = end
                on_progress(told, max(self.size, told))
        read = self._assembly.at.offset
        self.report.bytes_read = read - start
        self._finish()
        yield from self._drained()
        on_progress(read, max(self.size, read))

    def cursor_at(self, place: Place) -> Cursor:
        """Return what is kept of a place."""
        return Cursor(
            path=path_key(self.path),
            host=self.form.host,
            fingerprint=_fingerprint(self.path, place.offset),
            byte_offset=place.offset,
            line=place.line,
            bad_lines=place.bad_lines,
            carry=json.dumps(dict(place.carry), ensure_ascii=True),
        )

    def _take(self, line: Line) -> bool:
        """Read one line; False where it is still being written."""
        is_partial = not line.is_ended and not self._is_settled
        if not line.is_whole:
            if not is_partial:
                self.report.name_oversized_line(_oversized(line, self._reader))
            return not is_partial
        try:
            self._reader.read(line.body)
        except BadLineError as error:
            if is_partial and not self.form.is_markdown:
                return False
            self.report.name_bad_line(
                Fault(line=line.number, byte_offset=line.offset, reason=str(error))
            )
        return True

    def _drained(self) -> Iterator[ImportedTurn]:
        while self._assembly.closed:
            turn = self._assembly.closed.popleft()
            self.report.sessions.add(turn.host_key)
            yield turn

    def _finish(self) -> None:
        self._reader.finish()
        self.report.is_waiting = self._assembly.is_waiting() and not self._is_settled
        self.end = self._assembly.finish(is_settled=self._is_settled)
        self.report.skipped.update(self._assembly.skipped)


def path_key(path: Path) -> str:
    """Return the name under which a file's cursor is kept, whatever bytes its path has."""
    return os.fsencode(os.path.realpath(path)).decode("utf-8", "backslashreplace")


def _oversized(line: Line, reader: Reader) -> Fault:
    head = bytes(line.body)
    what = "may be a prompt" if reader.wants(head) else "is no prompt"
    shown = head[:80].decode("utf-8", "replace")
    reason = f"{line.size} bytes are more than is read of one line; it {what}: {shown}…"
    return Fault(line=line.number, byte_offset=line.offset, reason=reason)


def _place_of(cursor: Cursor) -> Place:
    carry = json.loads(cursor.carry)
    return Place(
        offset=cursor.byte_offset, line=cursor.line, bad_lines=cursor.bad_lines, carry=carry
    )


def _is_same_file(path: Path, cursor: Cursor) -> bool:
    return _fingerprint(path, cursor.byte_offset) == cursor.fingerprint


def _fingerprint(path: Path, offset: int) -> str:
    """Return what tells a file that was read up to an offset.

    It is a hash of the beginning and of the bytes before the offset; a file that has grown
    since keeps it, and one that ends before the offset has another.
    """
    ending_at = max(0, offset - _ENDING_BYTES)
    with path.open("rb") as file:
        beginning = file.read(min(_BEGINNING_BYTES, offset))
        file.seek(ending_at)
        ending = file.read(offset - ending_at)
    digest = hashlib.sha256(beginning)
    digest.update(ending)
    return f"sha256:{digest.hexdigest()[:32]}:{len(beginning)}:{len(ending)}"
