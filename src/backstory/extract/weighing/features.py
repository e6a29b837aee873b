"""What is weighed of a clause: its words, the words around it and the signals it carries. Pure.

A feature is a short text: `c:from now on` is in the clause, `h:we decide` before it, `n:以后` in
its sentence; `g:must_strictly` is a signal of the lexicon, `r:liking` a rule, `v:question` a
refusal, `s:@asked` structure. Names of tools, paths, identifiers and numbers are replaced by
what they are, so that "we use Postgres" and "we use Kafka" weigh the same; English words stand
as their stems.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

import snowballstemmer

from backstory.extract.context import Place
from backstory.extract.language.lexicon import lexicon
from backstory.extract.rules import holds, rules, vetoes

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
# How much a feature counts beside one of the clause itself, by its prefix.
SHARES = {"h": 0.6, "t": 0.5, "n": 0.5, "b": 0.4, "a": 0.4, "m": 0.3}
# Where a signal of the lexicon is looked for, by prefix.
_SIGNAL_PLACES = {"g": "", "gs": "segment", "gh": "head"}
_STRUCTURE = (
    "@asked", "@item", "@headed", "@short", "@first", "@han", "@continued", "@quotes", "@only",
)  # fmt: skip
ANY_RULE = "any"
_TEXT_CHARS_MAX = 800
_LENGTH_STEP = 12  # characters

_PATH = re.compile(
    r"[\w.-]*[/\\][\w./\\*-]+"
    r"|\b[\w-]+\.(?:py|ts|js|md|json|ya?ml|toml|go|rs|java|sql|sh|txt|csv|lock)\b"
)
_NAME = re.compile(r"`[^`]*`|\b[a-z]+(?:_[a-z0-9]+)+\b|\b[a-z]+-[a-z]+-[a-z-]+\b|--[a-z][\w-]*")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_HAN_NUMBER = re.compile(
    r"[一二三四五六七八九十百两]+(?=[个条次天年月周份遍位名台行章人小分秒节])"
)
_TOKEN = re.compile(r"<[a-z]+>|[a-z]+(?:'[a-z]+)?|[\u3400-\u9fff]|[^\s\w]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_BEGIN, _END = "^", "$"

Signal = tuple[str, str]  # (prefix, tag)


def features_of(place: Place, signals: Iterable[Signal]) -> frozenset[str]:
    """Return the features of a clause, and those of the given signals that it carries."""
    found = {f"s:{name}" for name in _structure(place)}
    for prefix, where, words_max, han_max in _VIEWS:
        for text in place.texts(where):
            runs = runs_of(text, words_max=words_max, han_max=han_max)
            found.update(f"{prefix}:{run}" for run in runs)
    stops = [veto.slug for veto in vetoes() if veto.applies(place.seen)]
    found.update(f"v:{slug}" for slug in stops)
    found.update(f"r:{name}" for name in _rules_at(place, stops))
    found.update(
        f"{prefix}:{tag}" for prefix, tag in signals if place.seen(_SIGNAL_PLACES[prefix], tag)
    )
    return frozenset(found)


def _rules_at(place: Place, stops: Collection[str]) -> Iterator[str]:
    """Yield the first rule that holds at a clause and that no refusal stops."""
    for rule in rules():
        if holds(rule.terms, place.seen) and rule.overrides.issuperset(stops):
            yield rule.name
            yield ANY_RULE
            return


def every_signal() -> tuple[Signal, ...]:
    """Return each place and tag in which the lexicon can be looked up."""
    return tuple((prefix, tag) for tag in lexicon().tags() for prefix in _SIGNAL_PLACES)


@lru_cache(maxsize=2_048)
def runs_of(text: str, *, words_max: int, han_max: int) -> frozenset[str]:
    """Return the runs of words in a folded text, up to so many words or Han characters long."""
    tokens = [_BEGIN, *_tokens(text[:_TEXT_CHARS_MAX]), _END]
    found: set[str] = set()
    for start in range(len(tokens)):
        for length in range(1, han_max + 1):
            run = tokens[start : start + length]
            if len(run) < length or (length > words_max and not _is_han(run)):
                break
            if length > 1 or run[0] not in (_BEGIN, _END):
                found.add(" ".join(run))
    return frozenset(found)


def _tokens(text: str) -> Iterator[str]:
    plain = _PATH.sub(" <path> ", text)
    plain = _NAME.sub(" <name> ", plain)
    plain = lexicon().pattern("tech").sub(" <tech> ", plain)
    plain = _HAN_NUMBER.sub("#", _NUMBER.sub(" <number> ", plain))
    for token in _TOKEN.findall(plain):
        yield _stem(token) if token[0].isascii() and token[0].isalpha() else token


@lru_cache(maxsize=8_192)
def _stem(word: str) -> str:
    return str(_stemmer().stemWord(word))


@lru_cache(maxsize=1)
def _stemmer() -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer("english")


def _is_han(run: list[str]) -> bool:
    return all(token in (_BEGIN, _END) or _HAN.match(token) for token in run)


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
