"""Writing what a hook answers, in the form of the host that reads it.

A form is strict: Codex throws away an answer with a key that it does not know, and Cursor one
that is too long. So each host has its own, and none gets the union of all.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from backstory.adapters.hosts.calls import Happening, HostCall
from backstory.model.limits import HOOK_CHARS_MAX

_Fields = dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a hook has to say: text for the model, and a line for the person."""

    context: str = ""
    notice: str = ""


NOTHING = Answer()


def takes_context(call: HostCall) -> bool:
    """Whether text for the model reaches it when this is answered."""
    moments = _CONTEXT_AT.get(call.dialect, frozenset())
    return call.happening in moments


def written(call: HostCall, answer: Answer) -> str:
    """Return an answer as its host reads it; "" where it reads none.

    A text that is too long is left out whole: cut, its fence would stay open.
    """
    form = _FORMS.get(call.dialect)
    if form is None:
        return ""
    is_shown = takes_context(call) and 0 < len(answer.context) <= HOOK_CHARS_MAX
    fields = form(call, answer.context if is_shown else "", answer.notice)
    return json.dumps(fields, ensure_ascii=False) + "\n"


def _as_claude(call: HostCall, context: str, notice: str) -> _Fields:
    fields: _Fields = {}
    if context:
        fields["hookSpecificOutput"] = {"hookEventName": call.event, "additionalContext": context}
    return fields | ({"systemMessage": notice} if notice else {})


def _as_cursor(call: HostCall, context: str, _notice: str) -> _Fields:
    fields: _Fields = {"additional_context": context} if context else {}
    return fields | ({"continue": True} if call.happening is Happening.PROMPT else {})


def _as_copilot(_call: HostCall, context: str, _notice: str) -> _Fields:
    return {"additionalContext": context} if context else {}


def _as_cline(_call: HostCall, context: str, notice: str) -> _Fields:
    return {"cancel": False, "contextModification": context, "errorMessage": notice}


def _as_opencode(_call: HostCall, context: str, notice: str) -> _Fields:
    return {"context": context, "notice": notice}


_FORMS: Mapping[str, Callable[[HostCall, str, str], _Fields]] = {
    "claude_code": _as_claude,
    "codex": _as_claude,
    "gemini": _as_claude,
    "vscode": _as_claude,
    "cursor": _as_cursor,
    "copilot": _as_copilot,
    "cline": _as_cline,
    "opencode": _as_opencode,
}
_BOTH = frozenset({Happening.SESSION_START, Happening.PROMPT})
_CONTEXT_AT: Mapping[str, frozenset[Happening]] = {
    **dict.fromkeys(("claude_code", "codex", "gemini", "cursor", "cline", "opencode"), _BOTH),
    "copilot": _BOTH,
    "vscode": frozenset({Happening.SESSION_START}),
}
