"""Which of what a model said of an episode is kept: only what the material proves. Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from backstory.capture.redact import redact
from backstory.episodes.keywords import KEYWORDS_MAX
from backstory.episodes.messages.parts import hashes
from backstory.episodes.model.claims import Shown
from backstory.episodes.model.material import Material, Source, SourceKind
from backstory.episodes.model.reply import Said, SaidQuote
from backstory.episodes.summaries import (
    DECISIONS_MAX,
    OBJECTIVE_CHARS_MAX,
    PROBLEMS_MAX,
    SOLVED,
    TODOS_MAX,
)
from backstory.model.episode import ReasonedDecision
from backstory.segment.terms import search_terms

# A decision is a person's: said by them, or written into history.
_DECIDING = frozenset({SourceKind.USER, SourceKind.MESSAGE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """An exact piece of a shown text."""

    source: Source
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedProblem:
    """A problem with its solution, and what proves it."""

    problem: str
    solution: str
    proofs: tuple[Proof, ...]

    @property
    def told(self) -> str:
        """Both, as a summary tells them."""
        return f"{self.problem}{SOLVED}{self.solution}" if self.solution else self.problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What is kept. `dropped` counts what is not, by reason; an objective may be among it."""

    objective: str = ""
    decisions: tuple[ReasonedDecision, ...] = ()
    changes: tuple[str, ...] = ()
    problems: tuple[CheckedProblem, ...] = ()
    todos: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)


def hashes_in(said: Said) -> tuple[str, ...]:
    """Return every commit that a reply names: the caller knows which of them there are."""
    return tuple(dict.fromkeys(sha for text in _sentences(said) for sha in hashes(text)))


def checked(said: Said, material: Material, *, known: frozenset[str]) -> Checked:
    """Compare a reply with the material, entry by entry. `known` are commits that exist."""
    check = _Check(material, known)
    objective = redact(said.objective).text[:OBJECTIVE_CHARS_MAX]
    return Checked(
        objective=objective if check.passes(objective) else "",
        decisions=tuple(check.decisions(said))[:DECISIONS_MAX],
        changes=tuple(dict.fromkeys(check.changes(said))),
        problems=tuple(check.problems(said))[:PROBLEMS_MAX],
        todos=tuple(check.todos(said))[:TODOS_MAX],
        keywords=tuple(check.keywords(said))[:KEYWORDS_MAX],
        dropped=dict(check.dropped),
    )


class _Check:
    """One reply being checked, and what was dropped of it so far."""

    def __init__(self, material: Material, known: frozenset[str]) -> None:
        self._shown = Shown(material, known=known)
        self._sources = {source.label: source for source in material.sources}
        self.dropped: Counter[str] = Counter()

    def passes(self, *sentences: str) -> bool:
        """Whether every sentence checks; the first reason is counted where one does not."""
        for sentence in filter(None, sentences):
            wrong = self._shown.wrong_with(sentence)
            if wrong:
                self.dropped[wrong] += 1
                return False
        return True

    def decisions(self, said: Said) -> Iterator[ReasonedDecision]:
        for one in said.decisions:
            decision, reason = redact(one.decision).text, redact(one.reason).text
            proofs = self._proofs(one.quotes, kinds=_DECIDING)
            if not any(_shares_words(decision, proof.text) for proof in proofs):
                self.dropped["no-quote"] += 1
            elif self.passes(decision):
                kept = reason if reason and self.passes(reason) else ""
                yield ReasonedDecision(decision=decision, reason=kept)

    def problems(self, said: Said) -> Iterator[CheckedProblem]:
        for one in said.problems:
            problem, solution = redact(one.problem).text, redact(one.solution).text
            proofs = self._proofs(one.quotes)
            if not proofs:
                self.dropped["no-quote"] += 1
            elif self.passes(problem):
                kept = solution if solution and self.passes(solution) else ""
                yield CheckedProblem(problem=problem, solution=kept, proofs=proofs)

    def todos(self, said: Said) -> Iterator[str]:
        for one in said.todos:
            text = redact(one.text).text
            if not any(_shares_words(text, proof.text) for proof in self._proofs(one.quotes)):
                self.dropped["no-quote"] += 1
            elif self.passes(text):
                yield text

    def changes(self, said: Said) -> Iterator[str]:
        for path in said.changes:
            if self._shown.changed(path):
                yield path
            else:
                self.dropped["unknown-file"] += 1

    def keywords(self, said: Said) -> Iterator[str]:
        for word in dict.fromkeys(said.keywords):
            if self._shown.anchors(word) and redact(word).text == word:
                yield word
            else:
                self.dropped["not-in-the-texts"] += 1

    def _proofs(
        self, quotes: Sequence[SaidQuote], *, kinds: frozenset[SourceKind] = frozenset(SourceKind)
    ) -> tuple[Proof, ...]:
        """Return the quotes that stand word for word in the text that they name."""
        found = []
        for quote in quotes:
            source = self._sources.get(quote.source.partition(",")[0].strip())
            if source is None or source.kind not in kinds or not quote.text.strip():
                continue
            if quote.text in source.text:
                found.append(Proof(source=source, text=quote.text))
        return tuple(found)


def _shares_words(sentence: str, quote: str) -> bool:
    """Whether a sentence speaks of what its quote speaks of."""
    return bool(set(search_terms(sentence)) & set(search_terms(quote)))


def _sentences(said: Said) -> Iterator[str]:
    yield said.objective
    for decision in said.decisions:
        yield from (decision.decision, decision.reason)
    for problem in said.problems:
        yield from (problem.problem, problem.solution)
    yield from (todo.text for todo in said.todos)
