"""Many saves of one file in a short time are one. Pure, and bounded for any number of files."""

from collections import OrderedDict
from collections.abc import Iterable

from backstory.model.limits import MINUTE_MS

# Saving again within a minute goes on with the same piece of work; after ten it is told again.
QUIET_MS = MINUTE_MS
SPAN_MS = 10 * MINUTE_MS
FILES_MAX = 5_000


class Bursts:
    """Remembers which files were saved lately, the last ones of them."""

    def __init__(self) -> None:
        self._seen: OrderedDict[str, tuple[int, int]] = OrderedDict()  # began, last saved

    def begun_by(self, paths: Iterable[str], *, now_ms: int) -> list[str]:
        """Return those of the saved files with which a burst begins."""
        begun = []
        for path in paths:
            began_ms, last_ms = self._seen.pop(path, (None, 0))
            if began_ms is None or now_ms - last_ms > QUIET_MS or now_ms - began_ms > SPAN_MS:
                began_ms = now_ms
                begun.append(path)
            self._seen[path] = (began_ms, now_ms)
        while len(self._seen) > FILES_MAX:
            self._seen.popitem(last=False)
        return begun
