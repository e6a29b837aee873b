"""The prompt of stage 2: candidates and related items by short names, inside marks. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from string import Template

from backstory.asking.fences import Part, fenced
from backstory.asking.schemas import TEXT, Schema, closed, list_of, one_of
from backstory.consolidate.operations import RETIREMENTS_PER_OPERATION_MAX, Proposed
from backstory.model.item import Item
from backstory.model.job import CallPurpose
from backstory.model.limits import RELATED_OFFERED_MAX
from backstory.ports.model_client import ModelRequest

PROMPT_VERSION = "consolidate-1"
OPERATION_WORDS = ("create", "revise", "supersede", "retract", "reject")

ALIASES_ASKED = 4
ASKED_ALIAS_CHARS = 40
ASKED_REASON_CHARS = 120
_STATEMENT_CHARS_SHOWN = 500
# Characters bound tokens (see extract/model/budget.py); names, braces and marks besides.
OPERATION_TOKENS = ALIASES_ASKED * ASKED_ALIAS_CHARS + ASKED_REASON_CHARS + 60
# So many candidates are asked about at once that the reply fits into the usual output.
CANDIDATES_PER_CALL = 12
_OUTPUT_TOKENS = CANDIDATES_PER_CALL * OPERATION_TOKENS + 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """What a model is asked about, under the only names that it knows."""

    candidates: Mapping[str, Proposed]
    items: Mapping[str, Item]


def named(proposed: Sequence[Proposed], items: Sequence[Item]) -> Named:
    """Give names to at most CANDIDATES_PER_CALL candidates and RELATED_OFFERED_MAX items."""
    return Named(
        candidates={f"C{n}": one for n, one in enumerate(proposed[:CANDIDATES_PER_CALL], 1)},
        items={f"M{n}": one for n, one in enumerate(items[:RELATED_OFFERED_MAX], 1)},
    )


def consolidation_request(named: Named) -> ModelRequest:
    """Return the whole request for what was named."""
    parts = [
        Part(
            label=f"{name} candidate, {one.candidate.kind}, intent {one.candidate.intent}",
            text=one.candidate.statement[:_STATEMENT_CHARS_SHOWN],
        )
        for name, one in named.candidates.items()
    ]
    parts += [
        Part(label=f"{name} item, {item.kind}", text=_item_text(item))
        for name, item in named.items.items()
    ]
    return ModelRequest(
        purpose=CallPurpose.CONSOLIDATE,
        system=instructions(),
        user=fenced(parts),
        schema=reply_schema(named),
        schema_name="operations",
        output_tokens_max=_OUTPUT_TOKENS,
    )


def _item_text(item: Item) -> str:
    return item.revision.statement[:_STATEMENT_CHARS_SHOWN]


@lru_cache(maxsize=1)
def instructions() -> str:
    """Return the instructions with the limits that hold now."""
    source = files("backstory.consolidate.model").joinpath(f"prompts/{PROMPT_VERSION}.md")
    return Template(source.read_text(encoding="utf-8")).substitute(
        retirements_max=RETIREMENTS_PER_OPERATION_MAX,
        aliases_asked=ALIASES_ASKED,
        alias_chars=ASKED_ALIAS_CHARS,
        reason_chars=ASKED_REASON_CHARS,
    )


def reply_schema(named: Named) -> Schema:
    """Return the shape of the reply, with the names that may be used."""
    operation = closed(
        candidate=one_of(named.candidates),
        operation=one_of(OPERATION_WORDS),
        items=list_of(one_of(named.items) if named.items else TEXT),
        aliases=list_of(TEXT),
        reason=TEXT,
    )
    return closed(operations=list_of(operation))
