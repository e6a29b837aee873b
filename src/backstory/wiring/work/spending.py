"""What the model of a project has cost, and which cap it has reached."""

from collections.abc import Sequence

from backstory.adapters.models.choosing import chosen_model
from backstory.adapters.spending.caps import NO_CAPS, Caps, Spent, capped_today, day_start_ms
from backstory.model.answers import ModelReport
from backstory.model.errors import ModelAddressError
from backstory.model.job import Job
from backstory.model.words import JobKind
from backstory.ports.store import Tables
from backstory.ports.store_rows import Grouping
from backstory.wiring.desk import Desk
from backstory.wiring.work.starting import rest_of

# How the message of a session's cap begins (adapters.spending.caps).
_SESSION_CAP = "this session's cap"


def model_report(tables: Tables, desk: Desk, *, jobs: Sequence[Job]) -> ModelReport | None:
    """Return what status tells of the model, or None where none is asked."""
    if not desk.choices.asks_model:
        return None
    now_ms = desk.clock()
    since_ms = day_start_ms(now_ms)
    tokens, nano_usd = tables.calls.spent(since_ms=since_ms)
    today = Spent(tokens=tokens, nano_usd=nano_usd)
    capped = capped_today(_caps(desk), today=today, now_ms=now_ms)
    return ModelReport(
        name=desk.choices.model_name,
        calls_today=sum(
            one.calls for one in tables.calls.expenses(Grouping.DAY, since_ms=since_ms)
        ),
        tokens_today=tokens,
        nano_usd_today=nano_usd,
        waiting_turns=sum(tables.turns.threads_unasked().values()),
        capped=_session_capped(jobs) if capped is None else capped.message,
        silent_until_ms=rest_of(tables, model=desk.choices.model_name, now_ms=now_ms),
    )


def _caps(desk: Desk) -> Caps:
    try:
        chosen = chosen_model(desk.choices)
    except ModelAddressError:
        return NO_CAPS  # nothing can be asked; the waiting job tells why
    return NO_CAPS if chosen is None else chosen.caps


def _session_capped(jobs: Sequence[Job]) -> str | None:
    errors = (job.last_error or "" for job in jobs if job.kind is JobKind.PROPOSE)
    return next((error for error in errors if error.startswith(_SESSION_CAP)), None)
