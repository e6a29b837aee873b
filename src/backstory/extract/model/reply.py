"""What a model proposed: read tolerantly as a whole, strictly candidate by candidate."""

import json
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from backstory.asking.checking import Reading
from backstory.asking.reading import Json, entries_of, json_in
from backstory.model import limits
from backstory.model.words import Intent, Kind, Role

_Role = Literal["user", "assistant"]


class _ReadQuote(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    turn: Annotated[str, Field(min_length=1, max_length=16)]
    role: _Role
    text: Annotated[str, Field(min_length=1, max_length=limits.QUOTE_CHARS_MAX)]


class _ReadCandidate(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    kind: Kind
    statement: Annotated[str, Field(min_length=1, max_length=limits.STATEMENT_CHARS_MAX)]
    quotes: Annotated[tuple[_ReadQuote, ...], Field(min_length=1, max_length=limits.QUOTES_MAX)]
    intent: Intent = Intent.ASSERT
    title: Annotated[str, Field(max_length=limits.TITLE_CHARS_MAX)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidQuote:
    """A quote as the model gave it: nobody has looked whether it stands there."""

    turn: str
    role: Role
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidCandidate:
    """A well-formed proposal; nothing in it has been compared with the recording."""

    kind: Kind
    intent: Intent
    title: str
    statement: str
    quotes: tuple[SaidQuote, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A whole reply. `summary` is None where the reply had none."""

    summary: str | None
    candidates: tuple[SaidCandidate, ...]


def read_reply(text: str) -> Reading[Said]:
    """Read a reply. One malformed candidate is a problem by itself and takes no other with it."""
    found = json_in(text)
    if found is None:
        return Reading(value=None, problems=("there is no JSON object in the reply",))
    entries = entries_of(found, "candidates", single="statement")
    summary = _summary_in(found)
    if entries is None:
        if summary is None:
            return Reading(value=None, problems=('the JSON has no member "candidates"',))
        entries = []
    candidates: list[SaidCandidate] = []
    problems: list[str] = []
    for number, entry in enumerate(entries[: limits.CANDIDATES_PER_BATCH_MAX]):
        read = _read_candidate(entry)
        if isinstance(read, SaidCandidate):
            candidates.append(read)
        else:
            problems += [f"candidates[{number}].{problem}" for problem in read]
    if len(entries) > limits.CANDIDATES_PER_BATCH_MAX:
        problems.append(f"more than {limits.CANDIDATES_PER_BATCH_MAX} candidates")
    return Reading(
        value=Said(summary=summary, candidates=tuple(candidates)), problems=tuple(problems)
    )


def _summary_in(found: Json) -> str | None:
    summary = found.get("summary") if isinstance(found, dict) else None
    if not isinstance(summary, str) or not summary.strip():
        return None
    return summary.strip()[: limits.THREAD_SUMMARY_CHARS_MAX]


def _read_candidate(entry: object) -> SaidCandidate | list[str]:
    try:
        # By way of JSON, for only then does strict mode take a word of a closed set as text.
        read = _ReadCandidate.model_validate_json(json.dumps(entry))
    except ValidationError as error:
        return [_told(problem["loc"], problem["msg"]) for problem in error.errors()[:4]]
    return SaidCandidate(
        kind=read.kind,
        intent=read.intent,
        title=read.title.strip(),
        statement=read.statement.strip(),
        quotes=tuple(
            SaidQuote(turn=quote.turn, role=Role(quote.role), text=quote.text)
            for quote in read.quotes
        ),
    )


def _told(place: tuple[int | str, ...], message: str) -> str:
    return f"{'.'.join(map(str, place))}: {message}"
