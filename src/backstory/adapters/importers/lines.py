"""Lines of a file as bytes, in bounded memory, each with its place."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

# Far above any line of ordinary talk; tool results and logs beyond it are passed over.
LINE_BYTES_MAX = 8 * 1024 * 1024
# A prompt of 5 million characters, the largest that a promise is made for, takes up to 30 MB
# where a host escapes every character.
PROMPT_BYTES_MAX = 32 * 1024 * 1024
HEAD_BYTES = 64 * 1024
_CHUNK_BYTES = 1024 * 1024


class Line(NamedTuple):
    """One line with its end. `body` is only the head of it where it is oversized."""

    offset: int
    number: int  # from 1
    size: int  # in bytes
    body: bytes | bytearray
    is_whole: bool = True
    is_ended: bool = True  # False for a last line whose end was not written yet

    @property
    def end(self) -> int:
        """The offset of the line after this one."""
        return self.offset + self.size


def read_lines(
    path: Path, *, offset: int, number: int, wants: Callable[[bytes], bool]
) -> Iterator[Line]:
    """Yield the lines of a file from an offset on; `number` lines stand before it.

    `wants` is shown the head of an oversized line and tells whether to read it up to
    `PROMPT_BYTES_MAX`. Never holds more than one line.
    """
    with path.open("rb", buffering=_CHUNK_BYTES) as file:
        file.seek(offset)
        while body := file.readline(LINE_BYTES_MAX):
            number += 1
            if body.endswith(b"\n") or len(body) < LINE_BYTES_MAX:
                line = _line(body, offset=offset, number=number)
            else:
                line = _oversized(file, body, offset=offset, number=number, wants=wants)
            yield line
            offset = line.end


def _line(body: bytes | bytearray, *, offset: int, number: int) -> Line:
    is_ended = body.endswith(b"\n")
    return Line(offset=offset, number=number, size=len(body), body=body, is_ended=is_ended)


def _oversized(
    file: BinaryIO, start: bytes, *, offset: int, number: int, wants: Callable[[bytes], bool]
) -> Line:
    head = start[:HEAD_BYTES]
    # Grown in place: joining parts would hold the line twice.
    whole = bytearray(start) if wants(head) else None
    size, is_ended = len(start), False
    del start
    while not is_ended and (chunk := file.readline(_CHUNK_BYTES)):
        size += len(chunk)
        is_ended = chunk.endswith(b"\n")
        if size > PROMPT_BYTES_MAX:
            whole = None
        elif whole is not None:
            whole += chunk
    if whole is not None:
        return _line(whole, offset=offset, number=number)
    return Line(
        offset=offset, number=number, size=size, body=head, is_whole=False, is_ended=is_ended
    )
