"""The machine's own clock and source of names."""

import base64
import secrets
import time

_ID_BYTES = 8  # 64 random bits: no clash within one project's lifetime


def system_clock() -> int:
    """Return now in milliseconds UTC."""
    return time.time_ns() // 1_000_000


def new_id(prefix: str) -> str:
    """Return a new name such as `m_k3f9x2…`: lower-case letters and digits, easy to type."""
    letters = base64.b32encode(secrets.token_bytes(_ID_BYTES)).decode().rstrip("=").lower()
    return f"{prefix}_{letters}"
