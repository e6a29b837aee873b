"""The machine's own clock and source of names."""

import os
import time

# Those of RFC 4648: none is mistaken for another.
_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
# On Windows a program that is started from one without a console would open a window of its own
# (https://learn.microsoft.com/windows/win32/procthread/process-creation-flags, CREATE_NO_WINDOW).
NO_WINDOW = 0x08000000 if os.name == "nt" else 0
_ID_CHARS = 13  # 65 random bits: no clash within one project's lifetime


def system_clock() -> int:
    """Return now in milliseconds UTC."""
    return time.time_ns() // 1_000_000


def new_id(prefix: str) -> str:
    """Return a new name such as `m_k3f9x2…`: lower-case letters and digits, easy to type."""
    letters = "".join(_LETTERS[byte % len(_LETTERS)] for byte in os.urandom(_ID_CHARS))
    return f"{prefix}_{letters}"
