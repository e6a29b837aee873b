"""What is asked of the project's story: a question or a change, taken apart. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from backstory.episodes.finding.words import counted_words
from backstory.episodes.messages.parts import hashes, parse_message, without_hashes
from backstory.model.recall import Cues
from backstory.segment.places import mentioned_paths, mentioned_tickets
from backstory.segment.terms import is_generic_word, search_terms
from backstory.segment.tokens import Part, normalise
from backstory.segment.wordlists import words

# A message tells much that is new; a question names what it is about.
_CHANGE_SHARE_MIN = 0.12
_QUESTION_SHARE_MIN = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Words with their weights, paths, and the text in which a quoted title would stand."""

    words: dict[str, float]
    paths: tuple[str, ...]
    spoken: str  # every term in order, between blanks
    share_min: float  # words alone are evidence if they carry this share of the question
    tickets: tuple[str, ...] = ()
    branch: str | None = None
    hashes: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to look for."""
        return not (self.words or self.paths or self.tickets or self.branch)


def about_change(message: str, paths: Sequence[str], *, and_titles: bool = False) -> Asked:
    """Ask what matters for a change, from its message and files.

    Trailers and hashes are left out: they say who and where, not what about. `and_titles`
    leaves out the subjects quoted behind hashes too.
    """
    parts = parse_message(message)
    subject = without_hashes(parts.subject, and_titles=and_titles)
    body = without_hashes(parts.body, and_titles=and_titles)
    return _asked(subject, body, paths=paths)


def about_question(text: str, cues: Cues) -> Asked:
    """Ask what matters for a question, and for the files, branch and ticket at hand.

    Paths, tickets and hashes that the question names are places too.
    """
    named = mentioned_tickets(text)
    plain = _without_stop_phrases(text)
    asked = _asked(plain, "", paths=[*cues.files, *mentioned_paths(text)])
    specific = {term: weight for term, weight in asked.words.items() if not _is_generic(term)}
    return replace(
        asked,
        words=specific,
        share_min=_QUESTION_SHARE_MIN,
        tickets=tuple(dict.fromkeys([*([cues.ticket] if cues.ticket else []), *named])),
        branch=cues.branch,
        hashes=hashes(text),
    )


def _asked(subject: str, body: str, *, paths: Sequence[str]) -> Asked:
    counts = counted_words(subject, body)
    spoken = " ".join([*search_terms(subject), "|", *search_terms(body)])
    return Asked(
        words=_weights(counts),
        paths=tuple(dict.fromkeys(paths)),
        spoken=f" {spoken} ",
        share_min=_CHANGE_SHARE_MIN,
    )


def _without_stop_phrases(text: str) -> str:
    """Return a question without the Chinese phrases that only ask ("为什么", "而不是")."""
    return _stop_phrases().sub(" ", normalise(text))


@lru_cache(maxsize=1)
def _stop_phrases() -> re.Pattern[str]:
    longest_first = sorted(words("stop_zh"), key=lambda phrase: (-len(phrase), phrase))
    return re.compile("|".join(map(re.escape, longest_first)))


def _is_generic(term: str) -> bool:
    """Whether a word says little about a subject ("decide", "work", "问题")."""
    if len(term) == 1:
        return True
    return is_generic_word(Part(term, term)) or term in words("generic_zh")


def _weights(counts: dict[str, int]) -> dict[str, float]:
    """Return the weight of each term asked for: said twice is a little more than said once."""
    return {term: n * 2.2 / (n + 1.2) for term, n in counts.items()}
