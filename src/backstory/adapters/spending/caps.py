"""How much may be spent: for one call, one session and one day. Pure."""

from dataclasses import dataclass

from backstory.model.job import Usage
from backstory.model.limits import DAY_MS
from backstory.ports.model_client import ModelRequest

# At most about 1.2 tokens for a character of Chinese (three bytes), 0.4 for one of English.
_TOKENS_PER_BYTE = 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """The most that is spent; None where there is no cap.

    The defaults are conservative: a call holds the largest input that is ever shown and its
    reply; a day holds some 60 usual calls, which is a long day's conversation.
    """

    call_tokens: int | None = 48_000
    session_tokens: int | None = 250_000
    day_tokens: int | None = 500_000
    day_nano_usd: int | None = 2_000_000_000  # two US dollars


# For a model on this machine, which costs nobody anything.
NO_CAPS = Caps(call_tokens=None, session_tokens=None, day_tokens=None, day_nano_usd=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What was spent in a stretch of time or a session."""

    tokens: int = 0
    nano_usd: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Capped:
    """A call that is not made. `until_ms` is when it may be, None where never as it is."""

    cap: str  # "call", "session", "day" or "day-price": the setting's name
    message: str
    until_ms: int | None


def expected_tokens(request: ModelRequest) -> int:
    """Return the most that a request can be expected to take, its longest reply included."""
    size = len((request.system + request.user).encode(errors="replace"))
    return int(size * _TOKENS_PER_BYTE) + request.output_tokens_max


def day_start_ms(now_ms: int) -> int:
    """Return when the current day began: days are UTC, so that a cap does not move with travel."""
    return now_ms - now_ms % DAY_MS


def capped_by(
    caps: Caps, request: ModelRequest, *, today: Spent, session: Spent, now_ms: int
) -> Capped | None:
    """Return the cap that forbids a call, or None where it may be made.

    A call may begin while anything is left; what it takes beyond the cap is bounded by the cap
    for one call.
    """
    tomorrow_ms = day_start_ms(now_ms) + DAY_MS
    expected = expected_tokens(request)
    if caps.call_tokens is not None and expected > caps.call_tokens:
        told = f"the call may take {expected} tokens; the cap for one is {caps.call_tokens}"
        return Capped(cap="call", message=told, until_ms=None)
    of_day = capped_today(caps, today=today, now_ms=now_ms)
    if of_day is not None:
        return of_day
    if caps.session_tokens is not None and session.tokens >= caps.session_tokens:
        told = f"this session's cap of {caps.session_tokens} tokens is reached"
        return Capped(cap="session", message=told, until_ms=tomorrow_ms)
    return None


def capped_today(caps: Caps, *, today: Spent, now_ms: int) -> Capped | None:
    """Return the cap of the day that forbids every call until tomorrow, or None."""
    tomorrow_ms = day_start_ms(now_ms) + DAY_MS
    if caps.day_tokens is not None and today.tokens >= caps.day_tokens:
        told = f"today's cap of {caps.day_tokens} tokens is reached"
        return Capped(cap="day", message=told, until_ms=tomorrow_ms)
    if caps.day_nano_usd is not None and today.nano_usd >= caps.day_nano_usd:
        told = f"today's cap of {_dollars(caps.day_nano_usd)} is reached"
        return Capped(cap="day-price", message=told, until_ms=tomorrow_ms)
    return None


def _dollars(nano_usd: int) -> str:
    return f"${nano_usd / 1_000_000_000:.2f}"


def estimated_usage(request: ModelRequest, reply_text: str) -> Usage:
    """Return a guess for a server that counts no tokens."""
    size = len((request.system + request.user).encode(errors="replace"))
    reply = len(reply_text.encode(errors="replace"))
    return Usage(tokens_in=int(size * _TOKENS_PER_BYTE), tokens_out=int(reply * _TOKENS_PER_BYTE))
