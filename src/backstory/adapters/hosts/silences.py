"""Why hooks left memory out of a moment: lines in a file that `status` counts.

It is a file and no table, because what is counted is often that the store could not be used.
A line holds a moment and a reason from this program, never anything that was said.
"""

import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

FILE_NAME = "passed-over"
# Some thousand lines: then it is begun anew, and the day's count with it.
_BYTES_MAX = 64 * 1024


def note(state_dir: Path, because: str, *, at_ms: int) -> None:
    """Add one moment. Where the project has no memory yet, nothing is written."""
    line = f"{at_ms}\t{' '.join(because.split())}\n".encode("utf-8", "replace")
    path = state_dir / FILE_NAME
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    try:
        if path.exists() and path.stat().st_size > _BYTES_MAX:
            flags |= os.O_TRUNC
        file = os.open(path, flags, 0o600)
    except OSError:  # there is no such directory, or it is read-only
        return
    try:
        os.write(file, line)
    except OSError:  # a full disk: the host must not notice
        pass
    finally:
        os.close(file)


def since(state_dir: Path, since_ms: int) -> Mapping[str, int]:
    """Return how often each reason was noted since a moment, the most frequent first."""
    try:
        text = (state_dir / FILE_NAME).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    found: Counter[str] = Counter()
    for line in text.splitlines():
        at, _, because = line.partition("\t")
        if at.isdigit() and int(at) >= since_ms and because:
            found[because] += 1
    return dict(found.most_common())
