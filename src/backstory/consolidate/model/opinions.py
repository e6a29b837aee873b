"""From candidates and related items to what a model advises, each piece of it checked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from backstory.asking.checking import Reading, ask_checked
from backstory.capture.redact import redact
from backstory.consolidate.advice import Opinion, advice_problem
from backstory.consolidate.model.prompt import (
    CANDIDATES_PER_CALL,
    Named,
    consolidation_request,
    named,
)
from backstory.consolidate.model.reply import SaidOperation, read_reply
from backstory.consolidate.operations import (
    Create,
    Grounds,
    Operation,
    Proposed,
    Reject,
    Retract,
    Revise,
    Supersede,
)
from backstory.model.candidate import Reason
from backstory.model.ids import CandidateId, ItemId
from backstory.model.item import Item
from backstory.model.limits import ALIAS_CHARS_MAX, ITEM_ALIASES_MAX
from backstory.ports.model_client import Failure, ModelClient


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinions:
    """What a model advised. A candidate that is not in it is decided by the rules alone."""

    by_candidate: Mapping[CandidateId, Opinion] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    failure: Failure | None = None  # why there is no more of it


def ask_for_opinions(
    proposed: Sequence[Proposed], items: Sequence[Item], *, client: ModelClient
) -> Opinions:
    """Ask a model what candidates mean for the items that may be related.

    Asked about at most CANDIDATES_PER_CALL candidates a call; a call that fails ends it, for the
    rules can decide without. What is advised was legal for the items as they were shown: whoever
    writes it verifies it anew.
    """
    found: dict[CandidateId, Opinion] = {}
    problems: list[str] = []
    for at in range(0, len(proposed), CANDIDATES_PER_CALL):
        names = named(proposed[at : at + CANDIDATES_PER_CALL], items)
        answered = ask_checked(
            client, consolidation_request(names), read=_Reader(names, client.model).read
        )
        if isinstance(answered, Failure):
            return Opinions(by_candidate=found, problems=tuple(problems), failure=answered)
        found.update(answered.value)
        problems += answered.problems
    return Opinions(by_candidate=found, problems=tuple(problems))


class _Reader:
    def __init__(self, names: Named, model: str) -> None:
        self._names = names
        self._model = model
        self._by_id: dict[ItemId, Item] = {item.id: item for item in names.items.values()}

    def read(self, text: str) -> Reading[dict[CandidateId, Opinion]]:
        reading = read_reply(text)
        if reading.value is None:
            return Reading(value=None, problems=reading.problems)
        found: dict[CandidateId, Opinion] = {}
        problems = list(reading.problems)
        for said in reading.value:
            opinion = self._opinion(said)
            if isinstance(opinion, str):
                problems.append(f"{said.candidate}: {opinion}")
            elif opinion.operation.candidate_id in found:
                problems.append(f"{said.candidate}: more than one operation for it")
            else:
                found[opinion.operation.candidate_id] = opinion
        return Reading(value=found, problems=tuple(problems))

    def _opinion(self, said: SaidOperation) -> Opinion | str:
        proposed = self._names.candidates.get(said.candidate)
        if proposed is None:
            return "there is no candidate of that name"
        unknown = [name for name in said.items if name not in self._names.items]
        if unknown:
            return f"there is no item {unknown[0]}"
        item_ids = tuple(self._names.items[name].id for name in said.items)
        operation = self._operation(said, proposed.id, item_ids=item_ids)
        if isinstance(operation, str):
            return operation
        problem = advice_problem(operation, proposed, items=self._by_id)
        return problem or Opinion(operation=operation, aliases=_clean(said.aliases))

    def _operation(
        self, said: SaidOperation, candidate_id: CandidateId, *, item_ids: tuple[ItemId, ...]
    ) -> Operation | str:
        reason = redact(said.reason).text or said.word
        grounds = Grounds(rule=f"model:{self._model}", reason=reason)
        match said.word, item_ids:
            case "create", ():
                return Create(candidate_id=candidate_id, grounds=grounds)
            case "reject", ():
                refused = Reason(slug="model-rejects", message=reason)
                return Reject(candidate_id=candidate_id, reason=refused)
            case "revise", (item_id,):
                return Revise(candidate_id=candidate_id, item_id=item_id, grounds=grounds)
            case "supersede", (_, *_):
                return Supersede(candidate_id=candidate_id, item_ids=item_ids, grounds=grounds)
            case "retract", (_, *_):
                return Retract(candidate_id=candidate_id, item_ids=item_ids, grounds=grounds)
            case word, _:
                return f"{word} does not go with {len(item_ids)} items"


def _clean(aliases: Sequence[str]) -> tuple[str, ...]:
    flat = (" ".join(redact(alias).text.split()) for alias in aliases)
    kept = (alias[:ALIAS_CHARS_MAX] for alias in flat if alias)
    return tuple(dict.fromkeys(kept))[:ITEM_ALIASES_MAX]
