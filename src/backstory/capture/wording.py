"""Words of a text in a form that two wordings of one statement share.

Pure but for its word lists, which are read once. Recall has segmentation of its own, made
for finding; this one is made for telling whether two statements say the same.
"""

import re
import tomllib
from functools import lru_cache
from importlib.resources import files

import snowballstemmer

from backstory.capture.folding import fold

# Words with their inner marks (snake_case, @decorator, c++, 3.11, a/b.py), or runs of Han.
_TOKEN = re.compile(
    r"@?[a-z0-9_]+(?:['./:@#-][a-z0-9_]+)*(?:\+\+|#)?|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
)
_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CLAUSE_END = re.compile(r"[,;!?。、\n]+|\.(?=\s|$)")
_PLAIN_WORD = re.compile(r"[a-z][a-z'-]*")
# Characters that join words in one order and not in another.
_SMALL_CHARACTERS = frozenset("里中上下在用写放加走做带要给对以为时候一个")
_CACHE_TEXTS = 50_000  # statements; some 20 MB at the worst
_CACHE_WORDS = 65_536


@lru_cache(maxsize=_CACHE_TEXTS)
def terms_of(text: str) -> tuple[str, ...]:
    """Return the informative terms of a text, in order, each once.

    English words are stemmed, Chinese becomes pairs of characters, and what is written like
    code (`_x`, `@timer`, `3.12`) stays as it is. Grammar and insistence are left out.
    """
    return _terms(text, ("grammar", "scope"))


@lru_cache(maxsize=_CACHE_TEXTS)
def core_terms_of(text: str) -> tuple[str, ...]:
    """Return `terms_of` less the verbs that stand for one another ("use", "add", "加上")."""
    return _terms(text, ("grammar", "scope", "light_verbs", "negation"))


@lru_cache(maxsize=_CACHE_TEXTS)
def signature_of(text: str) -> tuple[str, ...]:
    """Return what two wordings of the same statement share, sorted.

    These are the core terms, but for Chinese the characters: pairs change with word order.
    """
    left_out = ("grammar", "scope", "light_verbs", "negation")
    found: set[str] = set()
    for token in _TOKEN.findall(_without_han_phrases(_straight(text), left_out)):
        if _HAN.match(token):
            found.update(token)
        elif not any(token in _words(name) for name in left_out):
            found.add(stem(token))
    return tuple(sorted(found - _SMALL_CHARACTERS))


@lru_cache(maxsize=_CACHE_TEXTS)
def retracted_terms_of(text: str) -> tuple[str, ...]:
    """Return the terms of what a retraction takes back, less the words of taking back."""
    return _terms(text, ("grammar", "scope", "light_verbs", "retraction"))


def withdrawn_part(text: str) -> str:
    """Return the clauses that take something back; the rest may say why. All, if none is told."""
    clauses = _CLAUSE_END.split(_straight(text))
    taking = [clause for clause in clauses if _compiled("retraction").search(clause)]
    # "Drop the header rule, legal doesn't care": the second clause only says why.
    firmly = [clause for clause in clauses if _compiled("retraction_firm").search(clause)]
    if firmly:
        # "The Captain business, unlearn that": what is meant may stand beside.
        taking = firmly if retracted_terms_of(", ".join(firmly)) else clauses
    return ", ".join(taking or clauses)


@lru_cache(maxsize=_CACHE_TEXTS)
def main_part(text: str) -> str:
    """Return a statement without the reason, purpose or concession that follows it.

    "…, even if you don't need it" and "because it is slow" explain a rule and are no part of
    it. The whole is returned where nothing would be left.
    """
    cut = _compiled("subordinate").search(_straight(text))
    if cut is None or not core_terms_of(text[: cut.start()]):
        return text
    return text[: cut.start()].rstrip(" ,;:，；、")


def is_negated(text: str) -> bool:
    """Whether the text says what not to do, or what does not hold."""
    plain = _double_negation().sub(" ", _straight(main_part(text)))
    return _pattern("negation").search(plain) is not None


@lru_cache(maxsize=_CACHE_WORDS)
def stem(word: str) -> str:
    """Return the stem of an English word; whatever else is given stays as it is."""
    if not _PLAIN_WORD.fullmatch(word):
        return word
    stemmed: str = _stemmer().stemWord(word.removesuffix("'s"))
    return stemmed


def _terms(text: str, left_out: tuple[str, ...]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for token in _TOKEN.findall(_without_han_phrases(_straight(text), left_out)):
        if _HAN.match(token):
            found.update(dict.fromkeys(_pairs(token)))
        elif not any(token in _words(name) for name in left_out):
            found[stem(token)] = None
    return tuple(found)


def _pairs(run: str) -> list[str]:
    """Return the overlapping pairs of a run of Han; a lone character is its own."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def _straight(text: str) -> str:
    return fold(text).replace("’", "'").replace("‘", "'")


def _without_han_phrases(text: str, left_out: tuple[str, ...]) -> str:
    if not _HAN.search(text):
        return text
    # Twice: a phrase taken away may leave a head behind it.
    pattern = _han_phrases(left_out)
    return pattern.sub(" ", pattern.sub(" ", text))


@lru_cache(maxsize=8)
def _han_phrases(names: tuple[str, ...]) -> re.Pattern[str]:
    """Match what is left out. One character goes anywhere if it is grammar, else as a head.

    Inside a word it would cut the word: 用 begins a rule, but 用户 is a user.
    """
    phrases = {phrase for name in names for phrase in _lists()[name].get("zh", [])}
    grammar = set(_lists()["grammar"]["zh"])
    heads = {phrase for phrase in phrases if len(phrase) == 1} - grammar
    longest_first = sorted(phrases - heads, key=len, reverse=True)
    anywhere = "|".join(map(re.escape, longest_first))
    if not heads:
        return re.compile(anywhere)
    head = "".join(sorted(heads))
    words = "|".join(_lists()["words_with_such_a_head"]["zh"])
    return re.compile(
        rf"{anywhere}|(?<![\u3400-\u9fff])(?!{words})[{head}](?=[\u3400-\u9fff]{{2}})"
    )


@lru_cache(maxsize=16)
def _words(name: str) -> frozenset[str]:
    return frozenset(_lists()[name].get("en", []))


def _pattern(name: str) -> re.Pattern[str]:
    return _compiled(name)


@lru_cache(maxsize=8)
def _compiled(name: str) -> re.Pattern[str]:
    lists = _lists()[name]
    english = "|".join(map(re.escape, sorted(lists["en"], key=len, reverse=True)))
    chinese = "|".join(map(re.escape, sorted(lists["zh"], key=len, reverse=True)))
    return re.compile(rf"(?<![a-z'])(?:{english})(?![a-z'])|{chinese}")


def _double_negation() -> re.Pattern[str]:
    return _compiled("double_negation")


@lru_cache(maxsize=1)
def _lists() -> dict[str, dict[str, list[str]]]:
    source = files("backstory.capture").joinpath("data/wording.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def _stemmer() -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer("english")
