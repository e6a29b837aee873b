"""Whether a statement says no more than its evidence: content words and polarity."""

import re

from backstory.capture.folding import fold
from backstory.extract.language.lexicon import lexicon

_WORD = re.compile(r"[a-z][a-z']*|\d+(?:\.\d+)*")
_HAN_RUN = re.compile(r"[\u3400-\u9fff]+")
# English endings differ between a statement and its evidence (use, using): words agree if
# they share their first letters, four at least.
_STEM_CHARS = 4
# A Chinese statement may join words that stood apart, which makes new pairs at the seams.
_HAN_ANCHORED_MIN = 0.8


def unanchored_words(statement: str, evidence: str) -> tuple[str, ...]:
    """Return the content words of a statement that its evidence does not hold."""
    plain, proof = fold(statement), fold(evidence)
    proof_words = set(_WORD.findall(proof))
    stems = {_stem(word) for word in proof_words}
    missing = [
        word
        for word in dict.fromkeys(_WORD.findall(plain))
        if not _is_framing(word) and word not in proof_words and _stem(word) not in stems
    ]
    return (*missing, *_unanchored_pairs(plain, proof))


def _unanchored_pairs(plain: str, proof: str) -> tuple[str, ...]:
    held = {*_pairs(proof, is_free=False), *proof}
    pairs = list(dict.fromkeys(_pairs(plain, is_free=True)))
    missing = [pair for pair in pairs if pair not in held]
    if not pairs or len(missing) <= (1 - _HAN_ANCHORED_MIN) * len(pairs):
        return ()
    return tuple(missing)


def _pairs(text: str, *, is_free: bool) -> list[str]:
    if is_free:
        text = lexicon().pattern("framing").sub(" ", text)
    text = lexicon().pattern("function_character").sub(" ", text) if is_free else text
    return [run[i : i + 2] for run in _HAN_RUN.findall(text) for i in range(max(1, len(run) - 1))]


def _is_framing(word: str) -> bool:
    words = lexicon()
    return words.has("function_word", word) or words.has("framing", word)


def _stem(word: str) -> str:
    return word[:_STEM_CHARS] if word[0].isalpha() else word


def is_negative(text: str) -> bool:
    """Whether a text denies, forbids or gives something up."""
    return lexicon().has("negation", fold(text).replace("’", "'"))


def content_shared(statement: str, clause: str) -> int:
    """Return how many content words of a statement a clause holds."""
    plain, proof = fold(statement), fold(clause)
    stems = {_stem(word) for word in _WORD.findall(proof) if not _is_framing(word)}
    words = {_stem(word) for word in _WORD.findall(plain) if not _is_framing(word)}
    pairs = set(_pairs(plain, is_free=True)) & set(_pairs(proof, is_free=False))
    return len(words & stems) + len(pairs)


def shares_content(statement: str, clause: str) -> bool:
    """Whether a clause holds at least one content word of a statement."""
    return content_shared(statement, clause) > 0
