"""Secrets found by the detectors of `detect-secrets`, which is the optional extra `audit`."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

from backstory.model.errors import UsageError

_LINE_CHARS_MAX = 4_000  # longer lines are pasted data, on which patterns take very long
# A line that is scanned by itself is searched for random text without asking how random it is:
# every word is named then, and only what is longer than words are tells something.
_RANDOM = "High Entropy String"
_RANDOM_CHARS_MIN = 20


class Detectors:
    """Looks for secrets in texts. Raises `UsageError` where the extra is not installed."""

    def __init__(self) -> None:
        try:
            from detect_secrets.core.scan import scan_line  # noqa: PLC0415 - an extra
            from detect_secrets.settings import default_settings  # noqa: PLC0415
        except ImportError as error:
            raise UsageError(
                "the deep scan needs the extra: pip install 'backstory[audit]'"
            ) from error
        self._scan: Callable[[str], Iterator[object]] = scan_line
        self._settings: Callable[[], AbstractContextManager[object]] = default_settings

    def types_in(self, text: str) -> tuple[str, ...]:
        """Return what sorts of secrets a text holds, never the secrets."""
        lines = [line[:_LINE_CHARS_MAX] for line in text.splitlines()]
        with self._settings():
            found = [one for line in lines for one in self._scan(line) if not _is_mere_word(one)]
        return tuple(dict.fromkeys(str(getattr(one, "type", "secret")) for one in found))


def _is_mere_word(secret: object) -> bool:
    is_random = str(getattr(secret, "type", "")).endswith(_RANDOM)
    return is_random and len(str(getattr(secret, "secret_value", ""))) < _RANDOM_CHARS_MIN
