"""Sums up a commit by rule: objective, decisions with reasons, problems, what is left. Pure.

Nothing is worded anew: every sentence stands in the message, every path in the diff.
"""

from collections.abc import Iterator, Sequence

from backstory.episodes.keywords import keywords
from backstory.episodes.messages.parts import Message, bare_subject, parse_message
from backstory.episodes.messages.phrases import begins, is_one_of, place_of, says
from backstory.episodes.messages.prose import sentences
from backstory.model.episode import ReasonedDecision, Summary, Todo
from backstory.model.words import Author

DECISIONS_MAX = 5
PROBLEMS_MAX = 5
TODOS_MAX = 8
CHANGES_MAX = 200
OBJECTIVE_CHARS_MAX = 240
# Between a problem and its solution.
SOLVED = " → "

FIX_TYPES = frozenset({"fix", "bugfix", "hotfix", "security"})
_NAMED_FILES_MAX = 3


def summarize_commit(text: str, paths: Sequence[str], *, name: str = "commit") -> Summary:
    """Sum up a commit from its message and the paths it changed.

    `name` stands for the commit where the message and the changes say nothing.
    """
    message = parse_message(text)
    told = sentences(message.body)
    return Summary(
        objective=_objective(message, paths, name=name),
        decisions=tuple(_decisions(message, told))[:DECISIONS_MAX],
        changes=tuple(dict.fromkeys(paths))[:CHANGES_MAX],
        problems=tuple(_problems(message, told))[:PROBLEMS_MAX],
        todos=tuple(Todo(text=one) for one in told if says("left", one))[:TODOS_MAX],
        keywords=keywords(message, paths),
        author=Author.RULE,
    )


def _objective(message: Message, paths: Sequence[str], *, name: str) -> str:
    subject = message.subject
    if subject and not is_one_of("empty", bare_subject(subject)):
        return subject[:OBJECTIVE_CHARS_MAX]
    named = ", ".join(paths[:_NAMED_FILES_MAX])
    more = f" and {len(paths) - _NAMED_FILES_MAX} more" if len(paths) > _NAMED_FILES_MAX else ""
    changed = f"changes in {named}{more}" if named else ""
    return (": ".join(part for part in (subject, changed) if part) or name)[:OBJECTIVE_CHARS_MAX]


def _decisions(message: Message, told: Sequence[str]) -> Iterator[ReasonedDecision]:
    """Find choices and the reasons given in the same sentence or the one behind."""
    choice = bare_subject(message.subject)
    if begins("choice_start", choice) or says("choice", choice):
        reason = next((why for one in told if (why := _reason_in(one)[1])), "")
        yield ReasonedDecision(decision=choice, reason=reason)
    for place, one in enumerate(told):
        if says("left", one) or not says("choice", one):
            continue
        decision, reason = _reason_in(one)
        after = told[place + 1] if place + 1 < len(told) else ""
        if not reason and _opens_with_reason(after):
            reason = after
        if reason:
            yield ReasonedDecision(decision=decision, reason=reason)


def _reason_in(sentence: str) -> tuple[str, str]:
    """Split a sentence into what is said and why; the second is empty where no reason is given."""
    place = place_of("reason", sentence)
    if place is None:
        return sentence, ""
    head, why = sentence[: place[0]].strip(" ,;，；"), sentence[place[0] :].strip()
    if head:
        return head, why
    # "Because X, we do Y": the reason comes first and ends at the comma.
    for comma in (", ", "，"):
        first, found, rest = why.partition(comma)
        if found:
            return rest.strip(), first.strip()
    return "", why


def _opens_with_reason(sentence: str) -> bool:
    place = place_of("reason", sentence)
    return place is not None and place[0] == 0


def _problems(message: Message, told: Sequence[str]) -> Iterator[str]:
    """Find what went wrong, with the sentence behind it that tells the way out."""
    subject = bare_subject(message.subject)
    is_fix = message.type in FIX_TYPES or begins("fix_start", subject)
    if not is_fix:
        return
    wrong = [place for place, one in enumerate(told) if says("problem", one)]
    if not wrong:
        yield subject
        return
    first = wrong[0]
    solution = next((one for one in told[first + 1 :] if says("solution", one)), subject)
    yield told[first] + SOLVED + solution
