"""The rule tables and their small language: which signals, where, make which kind of draft."""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from backstory.model.words import Intent, Kind

# Asks whether a tag holds in a place ("" is the clause itself).
Seen = Callable[[str, str], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A tag looked for in a place; negated, it must be absent."""

    place: str
    tag: str
    is_negated: bool

    def holds(self, seen: Seen) -> bool:
        """Whether the tag is there, or is absent if it must be."""
        return seen(self.place, self.tag) is not self.is_negated


Term = tuple[Condition, ...]  # any of them is enough


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A row of `rules.toml`: the first one whose terms all hold names the kind."""

    name: str
    kind: Kind
    terms: tuple[Term, ...]
    intent: Intent
    reach: str  # what is quoted: "clause" (neighbours joined), "each", "segment" or "sentence"
    overrides: frozenset[str]  # refusals that do not apply to it
    is_undoubted: bool  # no weight of words speaks against it


@dataclass(frozen=True, slots=True, kw_only=True)
class Veto:
    """A row of `vetoes.toml`: why a clause that carries a signal is no source all the same."""

    slug: str
    message: str
    when: tuple[Term, ...]
    unless: tuple[Term, ...]

    def applies(self, seen: Seen) -> bool:
        """Whether the refusal stands."""
        return holds(self.when, seen) and not (self.unless and holds(self.unless, seen))


def holds(terms: tuple[Term, ...], seen: Seen) -> bool:
    """Whether every term holds."""
    return all(any(condition.holds(seen) for condition in term) for term in terms)


@lru_cache(maxsize=1)
def rules() -> tuple[Rule, ...]:
    """Return the rules in their order, surest first."""
    return tuple(
        Rule(
            name=str(row["name"]),
            kind=Kind(str(row["kind"])),
            terms=_terms(row["when"]),
            intent=Intent(str(row.get("intent", "assert"))),
            reach=str(row.get("reach", "clause")),
            overrides=frozenset(_words(row.get("overrides", ()))),
            is_undoubted=bool(row.get("undoubted", False)),
        )
        for row in _rows("rules", "rule")
    )


@lru_cache(maxsize=1)
def vetoes() -> tuple[Veto, ...]:
    """Return the refusals."""
    return tuple(
        Veto(
            slug=str(row["slug"]),
            message=str(row["message"]),
            when=_terms(row["when"]),
            unless=_terms(row.get("unless", ())),
        )
        for row in _rows("vetoes", "veto")
    )


@lru_cache(maxsize=1)
def acts() -> dict[Kind, tuple[tuple[Term, ...], ...]]:
    """Return, for each kind, the ways in which a clause performs the act that it needs."""
    found: dict[Kind, list[tuple[Term, ...]]] = {kind: [] for kind in Kind}
    for row in _rows("acts_of_kinds", "act"):
        found[Kind(str(row["kind"]))].append(_terms(row["when"]))
    return {kind: tuple(ways) for kind, ways in found.items()}


def _rows(name: str, key: str) -> list[dict[str, object]]:
    source = files("backstory.extract").joinpath(f"data/{name}.toml")
    rows: list[dict[str, object]] = tomllib.loads(source.read_text(encoding="utf-8"))[key]
    return rows


def _words(value: object) -> list[str]:
    return [str(word) for word in value] if isinstance(value, (list, tuple)) else []


def _terms(value: object) -> tuple[Term, ...]:
    return tuple(
        tuple(_condition(part.strip()) for part in text.split("|")) for text in _words(value)
    )


def _condition(text: str) -> Condition:
    """Parse "head:tag" or "!head:tag"."""
    place, _, tag = text.removeprefix("!").rpartition(":")
    return Condition(place=place, tag=tag, is_negated=text.startswith("!"))
