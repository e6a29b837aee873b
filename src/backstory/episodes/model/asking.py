"""One episode summed up with a model: asked once, repaired once, and checked line by line."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from backstory.asking.checking import Answered, ask_checked
from backstory.episodes.keywords import KEYWORDS_MAX
from backstory.episodes.model.checking import Checked, checked, hashes_in
from backstory.episodes.model.material import Material
from backstory.episodes.model.prompt import summary_request
from backstory.episodes.model.reply import read_reply
from backstory.episodes.summaries import CHANGES_MAX, DECISIONS_MAX, PROBLEMS_MAX
from backstory.model.episode import ReasonedDecision, Summary
from backstory.model.words import Author
from backstory.ports.model_client import Failure, ModelClient


@dataclass(frozen=True, slots=True, kw_only=True)
class Summed:
    """What a model said and the program kept."""

    checked: Checked
    model: str


def sum_up(
    material: Material, client: ModelClient, *, exists: Callable[[str], bool]
) -> Summed | Failure:
    """Ask a model to sum up an episode, and keep what the material proves.

    `exists` says whether a hash names a commit of this repository.
    """
    answered = ask_checked(client, summary_request(material), read=read_reply)
    if not isinstance(answered, Answered):
        return answered
    known = frozenset(sha for sha in hashes_in(answered.value) if exists(sha))
    found = checked(answered.value, material, known=known)
    if answered.problems:
        dropped = {**found.dropped, "malformed": len(answered.problems)}
        found = replace(found, dropped=dropped)
    return Summed(checked=found, model=answered.model)


def with_model(summary: Summary, found: Checked, *, keeps_objective: bool) -> Summary:
    """Return a summary with what a model added to what the rules found; todos stay as they are.

    What was recorded stays first-hand: items, paths and mended failures are the rules'. With
    `keeps_objective` a person said what it was for.
    """
    held = [one for one in summary.decisions if one.item_id is not None]
    plain = _joined(found.decisions, [d for d in summary.decisions if d.item_id is None])
    changes = dict.fromkeys([*found.changes, *summary.changes])
    problems = dict.fromkeys([*(one.told for one in found.problems), *summary.problems])
    objective = summary.objective if keeps_objective else found.objective or summary.objective
    return replace(
        summary,
        objective=objective,
        decisions=(*plain[:DECISIONS_MAX], *held),
        changes=tuple(changes)[:CHANGES_MAX],
        problems=tuple(problems)[:PROBLEMS_MAX],
        keywords=tuple(dict.fromkeys([*found.keywords, *summary.keywords]))[:KEYWORDS_MAX],
        author=Author.MODEL,
    )


def _joined(
    first: tuple[ReasonedDecision, ...], second: list[ReasonedDecision]
) -> list[ReasonedDecision]:
    said = {one.decision for one in first}
    return [*first, *(one for one in second if one.decision not in said)]
