"""What a model said of an episode: read tolerantly as a whole, strictly entry by entry."""

import json
from dataclasses import dataclass
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from backstory.asking.checking import Reading
from backstory.asking.reading import Json, json_in

_ENTRIES_MAX = 24
_Text = Annotated[str, Field(min_length=1, max_length=600)]
_Maybe = Annotated[str, Field(max_length=600)]


class SaidQuote(BaseModel):
    """A quote as the model gave it: nobody has looked whether it stands there."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    source: _Text
    text: _Text


_Quotes = Annotated[tuple[SaidQuote, ...], Field(max_length=8)]


class SaidDecision(BaseModel):
    """A decision that the model read out of the material."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    decision: _Text
    reason: _Maybe = ""
    quotes: _Quotes = ()


class SaidProblem(BaseModel):
    """A problem, and how it was solved if it was."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    problem: _Text
    solution: _Maybe = ""
    quotes: _Quotes = ()


class SaidTodo(BaseModel):
    """Something that was left."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    text: _Text
    quotes: _Quotes = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A whole reply; nothing in it has been compared with the material."""

    objective: str
    decisions: tuple[SaidDecision, ...]
    changes: tuple[str, ...]
    problems: tuple[SaidProblem, ...]
    todos: tuple[SaidTodo, ...]
    keywords: tuple[str, ...]


_Entry = TypeVar("_Entry", bound=BaseModel)


def read_reply(text: str) -> Reading[Said]:
    """Read a reply. One malformed entry is a problem by itself and takes no other with it."""
    found = json_in(text)
    if not isinstance(found, dict) or "objective" not in found:
        problem = 'the JSON object has no member "objective"'
        return Reading(value=None, problems=(problem,))
    problems: list[str] = []
    objective = found["objective"]
    if not isinstance(objective, str) or not objective.strip():
        problems.append("objective: it must be one sentence")
    said = Said(
        objective=objective.strip() if isinstance(objective, str) else "",
        decisions=_entries(found, "decisions", shape=SaidDecision, problems=problems),
        changes=_texts(found, "changes"),
        problems=_entries(found, "problems", shape=SaidProblem, problems=problems),
        todos=_entries(found, "todos", shape=SaidTodo, problems=problems),
        keywords=_texts(found, "keywords"),
    )
    return Reading(value=said, problems=tuple(problems))


def _entries(
    found: Json, name: str, *, shape: type[_Entry], problems: list[str]
) -> tuple[_Entry, ...]:
    read: list[_Entry] = []
    for number, entry in enumerate(_listed(found, name)):
        try:
            # By way of JSON, for only then does strict mode take a list as a tuple.
            read.append(shape.model_validate_json(json.dumps(entry)))
        except ValidationError as error:
            told = [f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()[:2]]
            problems.append(f"{name}[{number}]: {'; '.join(told)}")
    return tuple(read)


def _texts(found: Json, name: str) -> tuple[str, ...]:
    return tuple(one.strip() for one in _listed(found, name) if isinstance(one, str) and one)


def _listed(found: Json, name: str) -> list[object]:
    entries = found.get(name) if isinstance(found, dict) else None
    return entries[:_ENTRIES_MAX] if isinstance(entries, list) else []
