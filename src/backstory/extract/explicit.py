"""What a person asks outright to be remembered, through a command of its own. Pure."""

from dataclasses import replace
from typing import TypeGuard

from backstory.extract.claims import claim_of
from backstory.extract.extractor import extract
from backstory.extract.gate import candidate_from, places_in, veto_reasons
from backstory.extract.window import Window
from backstory.model.candidate import Candidate, Draft, Quote, Reason, Refused, Verdict
from backstory.model.limits import QUOTE_CHARS_MAX
from backstory.model.turn import Turn
from backstory.model.words import Kind, Role

PROPOSER = "rule:remember"
_QUESTION_MARKS = ("?", "？")


def explicit(turn: Turn, *, kind: Kind | None) -> tuple[Verdict, ...]:
    """Return what a turn that is one request to remember proposes.

    The request itself is the signal of a lasting wish. What the rules find in the text is
    taken as they find it, also where the weight of its words speaks against it; what they refuse
    (a question, something off the record) stays refused unless the person named a kind; and a
    plain statement is taken as it stands.
    """
    found = extract(Window(turns=(turn,)))
    accepted = tuple(verdict for verdict in found if isinstance(verdict, Candidate))
    if accepted:
        return tuple(_of_kind(candidate, kind) for candidate in accepted)
    doubted = tuple(verdict.draft for verdict in found if _is_only_doubted(verdict))
    if doubted and len(doubted) == len(found):
        return tuple(_of_kind(candidate_from(draft), kind) for draft in doubted)
    if found and kind is None:
        return found
    draft = _as_it_stands(turn, kind or Kind.PROJECT_FACT)
    if kind is None and (reasons := _why_no_statement(turn.user_text)):
        return (Refused(draft=draft, reasons=reasons),)
    return (candidate_from(draft),)


def _is_only_doubted(verdict: Verdict) -> TypeGuard[Refused]:
    return isinstance(verdict, Refused) and {one.slug for one in verdict.reasons} == {"doubtful"}


def _of_kind(candidate: Candidate, kind: Kind | None) -> Candidate:
    if kind is None:
        return candidate
    return replace(candidate, kind=kind, claim=claim_of(candidate.statement, kind=kind))


def _why_no_statement(text: str) -> tuple[Reason, ...]:
    """Return why nothing in a text states anything; nothing where a clause of it does.

    Without its mark a question is taken for a statement: "how to deploy: see the wiki" begins
    like one.
    """
    refused = {"off-record"}
    if text.rstrip().endswith(_QUESTION_MARKS):
        refused.add("question")
    found = [
        [reason for reason in veto_reasons(place, frozenset()) if reason.slug in refused]
        for place in places_in(text)
    ]
    return tuple(found[0]) if found and all(found) else ()


def _as_it_stands(turn: Turn, kind: Kind) -> Draft:
    text = turn.user_text
    start = len(text) - len(text.lstrip())
    end = min(len(text.rstrip()), start + QUOTE_CHARS_MAX)
    quote = Quote(role=Role.USER, start=start, end=end, text=text[start:end], turn_id=turn.id)
    return Draft(kind=kind, statement=text[start:end], quotes=(quote,), proposer=PROPOSER)
