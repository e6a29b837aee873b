"""The prompt of stage 1: instructions from a versioned file, the recording inside marks."""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from string import Template

from backstory.asking.fences import Part, fenced
from backstory.asking.schemas import TEXT, Schema, closed, list_of, one_of
from backstory.capture.folding import fold
from backstory.capture.speakers import human_spans
from backstory.extract.extractor import drafts_of
from backstory.extract.model.budget import (
    ASKED_QUOTE_CHARS,
    ASKED_QUOTES,
    ASKED_STATEMENT_CHARS,
    ASKED_TITLE_CHARS,
    Budget,
)
from backstory.extract.model.shown import Shown, show
from backstory.extract.window import Window
from backstory.model.job import CallPurpose
from backstory.model.limits import THREAD_SUMMARY_CHARS_MAX
from backstory.model.turn import Turn
from backstory.model.words import Intent, Kind, Role, Speaker
from backstory.ports.model_client import ModelRequest

PROMPT_VERSION = "extract-1"
_PLACES_OF_A_WORD_MAX = 8
# The name of the turn before the window.
EARLIER = "T0"
# Of a turn's share, the user's words get more than the answer: only they ground an item.
_USER_SHARE = 2 / 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTurn:
    """A turn as the model sees it, under the name by which it quotes it."""

    label: str
    turn: Turn
    user: Shown
    answer: Shown

    def said_by(self, role: Role) -> Shown:
        """Return what one side said."""
        return self.user if role is Role.USER else self.answer


def shown_turns(window: Window, *, chars_max: int) -> tuple[ShownTurn, ...]:
    """Return the turns of a window and the one before it (EARLIER) within a bound."""
    turns = [(EARLIER, window.previous)] if window.previous is not None else []
    turns += [(f"T{number}", turn) for number, turn in enumerate(window.turns, 1)]
    share = chars_max // max(1, len(turns))
    return tuple(
        _shown_turn(label, turn, window=window, share=share)
        for label, turn in turns
        if turn is not None
    )


def _shown_turn(label: str, turn: Turn, *, window: Window, share: int) -> ShownTurn:
    is_human = turn.speaker is Speaker.HUMAN
    user_chars = int(share * _USER_SHARE)
    return ShownTurn(
        label=label,
        turn=turn,
        user=show(
            turn.user_text,
            spans=human_spans(turn.user_text) if is_human else (),
            signals=_signals(turn, window) if len(turn.user_text) > user_chars else (),
            chars_max=user_chars,
        ),
        answer=show(
            turn.answer_text,
            spans=[(0, len(turn.answer_text))] if turn.answer_text else (),
            chars_max=share - user_chars,
        ),
    )


def _signals(turn: Turn, window: Window) -> list[tuple[int, int]]:
    """Return where a long message holds signs of something lasting, the surest first."""
    sure = [
        (quote.start, quote.end)
        for draft in drafts_of(turn, window)
        for quote in draft.quotes
        if quote.turn_id == turn.id and quote.role is Role.USER
    ]
    return [*sure, *_signal_words(fold(turn.user_text))]


def _signal_words(folded: str) -> Iterator[tuple[int, int]]:
    for word in _signal_list():
        at = -1
        for _ in range(_PLACES_OF_A_WORD_MAX):
            at = folded.find(word, at + 1)
            if at < 0:
                break
            yield at, at + len(word)


@lru_cache(maxsize=1)
def _signal_list() -> tuple[str, ...]:
    words = tomllib.loads(_read("signals.toml"))
    return tuple(fold(word) for word in (*words["zh"], *words["en"]))


def extraction_request(
    turns: Sequence[ShownTurn], *, summary: str, budget: Budget
) -> ModelRequest:
    """Return the whole request for the turns shown."""
    parts = [Part(label="summary so far", text=summary[:THREAD_SUMMARY_CHARS_MAX])]
    for one in turns:
        note = ", read before: only for confirmations" if one.label == EARLIER else ""
        parts.append(Part(label=f"{one.label} user{note}", text=one.user.text))
        parts.append(Part(label=f"{one.label} assistant{note}", text=one.answer.text))
    return ModelRequest(
        purpose=CallPurpose.EXTRACT,
        system=instructions(budget),
        user=fenced(part for part in parts if part.text.strip()),
        schema=reply_schema(),
        schema_name="proposals",
        output_tokens_max=budget.output_tokens,
    )


@lru_cache(maxsize=4)
def instructions(budget: Budget) -> str:
    """Return the instructions with the kinds and limits that hold now."""
    return Template(_read(f"{PROMPT_VERSION}.md")).substitute(
        kinds=_kinds_text(),
        first_kind=next(iter(Kind)).value,
        quotes_max=ASKED_QUOTES,
        quote_chars=ASKED_QUOTE_CHARS,
        statement_chars=ASKED_STATEMENT_CHARS,
        title_chars=ASKED_TITLE_CHARS,
        candidates_max=budget.candidates_asked,
        summary_chars=budget.summary_chars_asked,
    )


def _kinds_text() -> str:
    told = tomllib.loads(_read("kinds.toml"))
    return "\n".join(
        f"- `{kind}`: {told[kind]['holds']}. Proof: {told[kind]['proof']}." for kind in Kind
    )


def _read(name: str) -> str:
    source = files("backstory.extract.model").joinpath(f"prompts/{name}")
    return source.read_text(encoding="utf-8")


def reply_schema() -> Schema:
    """Return the shape of the reply: every member required, none beside them."""
    quote = closed(turn=TEXT, role=one_of((Role.USER, Role.ASSISTANT)), text=TEXT)
    candidate = closed(
        kind=one_of(Kind),
        intent=one_of(Intent),
        title=TEXT,
        statement=TEXT,
        quotes=list_of(quote),
    )
    return closed(summary=TEXT, candidates=list_of(candidate))
