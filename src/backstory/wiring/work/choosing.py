"""What becomes of turns when another model is chosen, or none: nothing is sent unasked."""

import json
from dataclasses import dataclass

from backstory.adapters.models.addresses import ModelAddress, address_of
from backstory.adapters.settings import Settings
from backstory.model.errors import ModelAddressError
from backstory.model.words import JobKind
from backstory.ports.store import Tables

# Where it is kept which model is not asked for now, and what was said before that.
_PAUSED = "model_paused"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnsLeft:
    """Turns that no model was asked about when the choice was made."""

    before: int = 0  # said before the choice: the model is asked about them only on request
    waiting: int = 0  # said for this model, which was not asked in between: it goes on with them


def paused(tables: Tables, was: Settings) -> TurnsLeft:
    """Let what waits for the model go on waiting, for this model alone."""
    previous = _address_in(was)
    if previous is not None and tables.meta.setting(_PAUSED) is None:
        kept = {
            "model": previous.name,
            "base_url": previous.base_url,
            "last_seq": tables.turns.last_seq(),
        }
        tables.meta.set_setting(_PAUSED, json.dumps(kept))
    return TurnsLeft(waiting=waiting_for_model(tables))


def chosen(tables: Tables, address: ModelAddress, *, with_history: bool, now_ms: int) -> TurnsLeft:
    """Let a model be asked about what is said from now on, and `with_history` about all before.

    The model that was asked last goes on with what waited for it; it is not asked about what was
    said while none was.
    """
    kept = json.loads(tables.meta.setting(_PAUSED) or "{}")
    tables.meta.set_setting(_PAUSED, None)
    if with_history:
        return TurnsLeft(before=_enqueued(tables, now_ms=now_ms))
    if (kept.get("model"), kept.get("base_url")) != (address.name, address.base_url):
        return TurnsLeft(before=tables.turns.mark_all_asked())
    before = tables.turns.mark_all_asked(after_seq=kept["last_seq"])
    return TurnsLeft(before=before, waiting=_enqueued(tables, now_ms=now_ms))


def waiting_for_model(tables: Tables) -> int:
    """Return how many turns wait in open jobs for a model to be asked."""
    threads = {job.subject for job in tables.jobs.listed() if job.kind is JobKind.PROPOSE}
    return sum(n for thread, n in tables.turns.threads_unasked().items() if thread in threads)


def _enqueued(tables: Tables, *, now_ms: int) -> int:
    waiting = tables.turns.threads_unasked()
    for thread_id in waiting:
        tables.jobs.enqueue(JobKind.PROPOSE, thread_id, due_at_ms=now_ms, now_ms=now_ms)
    return sum(waiting.values())


def _address_in(settings: Settings) -> ModelAddress | None:
    try:
        return address_of(settings.model, settings.model_url) if settings.model else None
    except ModelAddressError:
        return None
