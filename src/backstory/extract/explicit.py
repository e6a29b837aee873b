"""What a person asks outright to be remembered, through a command of its own. Pure."""

from dataclasses import replace

from backstory.extract.claims import claim_of
from backstory.extract.extractor import extract
from backstory.extract.gate import candidate_from
from backstory.extract.window import Window
from backstory.model.candidate import Candidate, Draft, Quote, Verdict
from backstory.model.limits import QUOTE_CHARS_MAX
from backstory.model.turn import Turn
from backstory.model.words import Kind, Role

PROPOSER = "rule:remember"


def explicit(turn: Turn, *, kind: Kind | None) -> tuple[Verdict, ...]:
    """Return what a turn that is one request to remember proposes.

    The request itself is the signal of a lasting wish. What the rules find in the text is
    taken as they find it; what they refuse (a question, something off the record) stays
    refused unless the person named a kind; and a plain statement is taken as it stands.
    """
    found = extract(Window(turns=(turn,)))
    accepted = tuple(verdict for verdict in found if isinstance(verdict, Candidate))
    if accepted:
        return tuple(_of_kind(candidate, kind) for candidate in accepted)
    if found and kind is None:
        return found
    return (_as_it_stands(turn, kind or Kind.PROJECT_FACT),)


def _of_kind(candidate: Candidate, kind: Kind | None) -> Candidate:
    if kind is None:
        return candidate
    return replace(candidate, kind=kind, claim=claim_of(candidate.statement, kind=kind))


def _as_it_stands(turn: Turn, kind: Kind) -> Candidate:
    text = turn.user_text
    start = len(text) - len(text.lstrip())
    end = min(len(text.rstrip()), start + QUOTE_CHARS_MAX)
    quote = Quote(role=Role.USER, start=start, end=end, text=text[start:end], turn_id=turn.id)
    return candidate_from(
        Draft(kind=kind, statement=text[start:end], quotes=(quote,), proposer=PROPOSER)
    )
