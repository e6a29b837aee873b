"""Secrets found by the detectors of `detect-secrets`, which is the optional extra `audit`."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

from backstory.model.errors import UsageError

_LINE_CHARS_MAX = 4_000  # longer lines are pasted data, on which patterns take very long


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
        found: dict[str, None] = {}
        with self._settings():
            for line in text.splitlines():
                for secret in self._scan(line[:_LINE_CHARS_MAX]):
                    found[str(getattr(secret, "type", "secret"))] = None
        return tuple(found)
