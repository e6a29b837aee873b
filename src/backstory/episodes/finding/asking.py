"""What is asked of the project's story: a question or a change, taken apart. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from backstory.episodes.finding.words import counted_words
from backstory.episodes.messages.parts import parse_message, without_hashes
from backstory.segment.terms import search_terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Words with their weights, paths, and the text in which a quoted title would stand."""

    words: dict[str, float]
    paths: tuple[str, ...]
    spoken: str  # every term in order, between blanks


def about_change(message: str, paths: Sequence[str], *, and_titles: bool = False) -> Asked:
    """Ask what matters for a change, from its message and files.

    Trailers and hashes are left out: they say who and where, not what about. `and_titles`
    leaves out the subjects quoted behind hashes too.
    """
    parts = parse_message(message)
    subject = without_hashes(parts.subject, and_titles=and_titles)
    body = without_hashes(parts.body, and_titles=and_titles)
    return _asked(subject, body, paths=paths)


def about_question(text: str, paths: Sequence[str] = ()) -> Asked:
    """Ask what matters for a question and the files at hand."""
    return _asked(text, "", paths=paths)


def _asked(subject: str, body: str, *, paths: Sequence[str]) -> Asked:
    counts = counted_words(subject, body)
    spoken = " ".join([*search_terms(subject), "|", *search_terms(body)])
    return Asked(
        words=_weights(counts),
        paths=tuple(dict.fromkeys(paths)),
        spoken=f" {spoken} ",
    )


def _weights(counts: dict[str, int]) -> dict[str, float]:
    """Return the weight of each term asked for: said twice is a little more than said once."""
    return {term: n * 2.2 / (n + 1.2) for term, n in counts.items()}
