"""The prompt of a summary: instructions from a versioned file, the material inside marks. Pure."""

from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from string import Template

from backstory.asking.fences import Part, fenced
from backstory.asking.schemas import TEXT, Schema, closed, list_of
from backstory.episodes.keywords import KEYWORDS_MAX
from backstory.episodes.model.material import Material
from backstory.episodes.summaries import (
    DECISIONS_MAX,
    OBJECTIVE_CHARS_MAX,
    PROBLEMS_MAX,
    TODOS_MAX,
)
from backstory.model.job import CallPurpose
from backstory.ports.model_client import ModelRequest

PROMPT_VERSION = "summarize-1"
QUOTES_MAX = 2
CHANGES_ASKED = 20

_PATHS_SHOWN = 60
# An objective, and of each list as many entries as are asked for, with their quotes.
_OUTPUT_TOKENS = 4_000


def summary_request(material: Material) -> ModelRequest:
    """Return the whole request for an episode."""
    return ModelRequest(
        purpose=CallPurpose.SUMMARIZE,
        system=_instructions(),
        user=fenced(part for part in _parts(material) if part.text.strip()),
        schema=_reply_schema(),
        schema_name="summary",
        output_tokens_max=_OUTPUT_TOKENS,
    )


def _parts(material: Material) -> Iterator[Part]:
    for source in material.sources:
        yield Part(label=f"{source.label}, {source.kind}", text=source.text)
    yield Part(label="paths that changed", text="\n".join(material.paths[:_PATHS_SHOWN]))
    yield Part(label="essential lines of the diff", text=material.diff)


@lru_cache(maxsize=1)
def _instructions() -> str:
    source = files("backstory.episodes.model").joinpath(f"prompts/{PROMPT_VERSION}.md")
    return Template(source.read_text(encoding="utf-8")).substitute(
        objective_chars=OBJECTIVE_CHARS_MAX,
        decisions_max=DECISIONS_MAX,
        problems_max=PROBLEMS_MAX,
        todos_max=TODOS_MAX,
        keywords_max=KEYWORDS_MAX,
        changes_max=CHANGES_ASKED,
        quotes_max=QUOTES_MAX,
    )


def _reply_schema() -> Schema:
    quotes = list_of(closed(source=TEXT, text=TEXT))
    return closed(
        objective=TEXT,
        decisions=list_of(closed(decision=TEXT, reason=TEXT, quotes=quotes)),
        changes=list_of(TEXT),
        problems=list_of(closed(problem=TEXT, solution=TEXT, quotes=quotes)),
        todos=list_of(closed(text=TEXT, quotes=quotes)),
        keywords=list_of(TEXT),
    )
