"""What `--explain` shows: who answered by which lane, and what removed the others. Pure."""

from backstory.model.item import Item
from backstory.model.recall import Trace
from backstory.model.words import Lane
from backstory.recall.choosing import Chosen
from backstory.recall.weighing.judging import Candidate, Judged

# Entries that share a word and did not pass: the closest of them explain an empty answer.
_REMOVED_MAX = 50


def trace_of(chosen: Chosen, judged: Judged) -> tuple[Trace, ...]:
    """Return a row for each entry that was considered, those that answered first."""
    kept = {c.found.entry_id for c in chosen.kept}
    reasons = {c.found.entry_id: reason for c, reason in chosen.hidden}
    others = [c for c in judged.passed if c.found.entry_id not in kept]
    removed = sorted(judged.removed, key=lambda pair: (-pair[0].covered, pair[0].entry_id))
    return (
        *(_row(c, None) for c in chosen.kept),
        *(_row(c, reasons.get(c.found.entry_id, "better ones fill the answer")) for c in others),
        *(
            Trace(entry_id=found.entry_id, title="", lanes=(Lane.TERMS.value,), removed_by=reason)
            for found, reason in removed[:_REMOVED_MAX]
        ),
    )


def _row(candidate: Candidate, removed_by: str | None) -> Trace:
    return Trace(
        entry_id=candidate.found.entry_id,
        title=_title(candidate),
        lanes=(candidate.lane.value,),
        removed_by=removed_by,
    )


def _title(candidate: Candidate) -> str:
    entry = candidate.entry
    if isinstance(entry, Item):
        return entry.revision.title
    return entry.summary.objective if entry is not None else ""
