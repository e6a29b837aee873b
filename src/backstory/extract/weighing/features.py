"""What is weighed of a clause: its words, the words around it and the signals it carries. Pure.

A feature is a short text: `c:from now on` is in the clause, `h:we decide` before it, `n:以后` in
its sentence; `kc:we>use>code` says of what classes its words are; `g:must_strictly` is a signal
of the lexicon, `r:liking` a rule, `v:question` a refusal, `s:@asked` structure.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Set

from backstory.extract.context import Place
from backstory.extract.rules import holds, rules, vetoes
from backstory.extract.weighing.tokens import runs_of
from backstory.extract.weighing.word_classes import class_runs_of

# Where words are looked for: prefix, place of the rule tables, longest run of words, longest
# run of Han characters.
_VIEWS = (
    ("c", "", 3, 4),
    ("h", "head", 2, 3),
    ("t", "tail", 2, 3),
    ("b", "before", 2, 2),
    ("a", "after", 2, 2),
    ("m", "message", 1, 2),
    ("n", "sentence", 2, 3),
)
# Where classes of words are looked for: prefix, place, longest run of classes.
_CLASS_VIEWS = (
    ("kc", "", 3),
    ("kh", "head", 2),
    ("kt", "tail", 2),
    ("kb", "before", 2),
    ("ka", "after", 2),
    ("km", "message", 1),
    ("kn", "sentence", 2),
)
# How much a feature counts beside one of the clause itself, by its prefix.
SHARES = {
    "h": 0.6, "t": 0.5, "n": 0.5, "b": 0.4, "a": 0.4, "m": 0.3,
    "kc": 0.8, "kh": 0.5, "kt": 0.4, "kn": 0.5, "kb": 0.3, "ka": 0.3, "km": 0.3,
}  # fmt: skip
SIGNAL = "g"  # of the lexicon, in the clause itself
_STRUCTURE = (
    "@asked", "@item", "@headed", "@short", "@first", "@han", "@continued", "@quotes", "@only",
)  # fmt: skip
ANY_RULE = "any"
_LENGTH_STEP = 12  # characters

Known = Mapping[str, Set[str]]


def features_of(
    place: Place, signals: Iterable[str], *, known: Known | None = None
) -> frozenset[str]:
    """Return the features of a clause, and those of the given signals that it carries.

    Where it is said which runs of words are known (prefix → runs), others are left out, which
    saves naming what nobody asks for.
    """
    found = {f"s:{name}" for name in _structure(place)}
    for prefix, runs in _runs_at(place):
        asked = runs if known is None else runs & known.get(prefix, frozenset())
        found.update(f"{prefix}:{run}" for run in asked)
    stops = [veto.slug for veto in vetoes() if veto.applies(place.seen)]
    found.update(f"v:{slug}" for slug in stops)
    found.update(f"r:{name}" for name in _rules_at(place, stops))
    found.update(f"{SIGNAL}:{tag}" for tag in signals if place.seen("", tag))
    return frozenset(found)


def _runs_at(place: Place) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the runs of words and of classes around a clause, with the prefix of each place."""
    for prefix, where, words_max, han_max in _VIEWS:
        for text in place.texts(where):
            yield prefix, runs_of(text, words_max=words_max, han_max=han_max)
    for prefix, where, length_max in _CLASS_VIEWS:
        for text in place.texts(where):
            yield prefix, class_runs_of(text, length_max=length_max)


def _rules_at(place: Place, stops: Collection[str]) -> Iterator[str]:
    """Yield the first rule that holds at a clause and that no refusal stops."""
    for rule in rules():
        if holds(rule.terms, place.seen) and rule.overrides.issuperset(stops):
            yield rule.name
            yield ANY_RULE
            return


def _structure(place: Place) -> Iterator[str]:
    clause, sentence, sentences = place.clause, place.sentence, place.view.message.sentences
    yield from (tag for tag in _STRUCTURE if place.seen("", tag))
    yield f"length{min(6, len(clause.plain) // _LENGTH_STEP)}"
    yield f"mark{sentence.mark.strip()[:1]}"
    yield f"clauses{min(4, len(sentence.clauses))}"
    yield f"sentences{min(5, len(sentences))}"
    yield f"begins{place.sentence_index == 0}"
    yield f"ends{place.sentence_index == len(sentences) - 1}"
    if clause.is_head:
        yield "head"
