"""What a model advised: read tolerantly as a whole, strictly operation by operation."""

import json
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from backstory.asking.checking import Reading
from backstory.asking.reading import entries_of, json_in
from backstory.model import limits

# A reason is for the change log; it is cut, not refused.
_REASON_CHARS_MAX = 400
_Word = Literal["create", "revise", "supersede", "retract", "reject"]
_Name = Annotated[str, Field(min_length=1, max_length=16)]
_Alias = Annotated[str, Field(max_length=limits.ALIAS_CHARS_MAX)]


class _ReadOperation(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    candidate: _Name
    operation: _Word
    items: Annotated[tuple[_Name, ...], Field(max_length=limits.RELATED_OFFERED_MAX)] = ()
    aliases: Annotated[tuple[_Alias, ...], Field(max_length=limits.ITEM_ALIASES_MAX)] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidOperation:
    """A well-formed piece of advice; its names have not been looked up."""

    candidate: str
    word: str
    items: tuple[str, ...]
    aliases: tuple[str, ...]
    reason: str


def read_reply(text: str) -> Reading[tuple[SaidOperation, ...]]:
    """Read a reply. One malformed operation is a problem by itself and takes no other with it."""
    found = json_in(text)
    if found is None:
        return Reading(value=None, problems=("there is no JSON object in the reply",))
    entries = entries_of(found, "operations", single="operation")
    if entries is None:
        return Reading(value=None, problems=('the JSON has no member "operations"',))
    operations: list[SaidOperation] = []
    problems: list[str] = []
    for number, entry in enumerate(entries[: limits.OPERATIONS_PER_BATCH_MAX]):
        read = _read_operation(entry)
        if isinstance(read, SaidOperation):
            operations.append(read)
        else:
            problems += [f"operations[{number}].{problem}" for problem in read]
    return Reading(value=tuple(operations), problems=tuple(problems))


def _read_operation(entry: object) -> SaidOperation | list[str]:
    try:
        # By way of JSON, for only then does strict mode take a list for a tuple.
        read = _ReadOperation.model_validate_json(json.dumps(entry))
    except ValidationError as error:
        return [_told(problem["loc"], problem["msg"]) for problem in error.errors()[:4]]
    return SaidOperation(
        candidate=read.candidate.strip(),
        word=read.operation,
        items=tuple(dict.fromkeys(name.strip() for name in read.items)),
        aliases=read.aliases,
        reason=read.reason.strip()[:_REASON_CHARS_MAX],
    )


def _told(place: tuple[int | str, ...], message: str) -> str:
    return f"{'.'.join(map(str, place))}: {message}"
