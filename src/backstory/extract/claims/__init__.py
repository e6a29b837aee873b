"""What a statement is about, in a form that two wordings of it share.

Pure but for the lexicons, which are read once. No clock, no store.
"""

import re
from collections.abc import Sequence

from backstory.capture.folding import fold
from backstory.capture.wording import is_negated, main_part, signature_of
from backstory.extract.claims.choices import choice_in, topic_in
from backstory.extract.claims.naming import affix_in, case_in
from backstory.extract.claims.numbers import number_in
from backstory.model.candidate import Claim, Quote
from backstory.model.words import Kind

__all__ = ["claim_of"]

# Beyond this a statement is a story, whose words are no key.
_SIGNATURE_CHARS_MAX = 120
_PATH = re.compile(
    r"(?<![\w/.:-])(?:\.{0,2}/)?(?:[\w.*-]+/)+[\w.*-]*|(?<![\w/.-])\*\.[a-z]{1,6}\b"
)


def claim_of(statement: str, *, kind: Kind, quotes: tuple[Quote, ...] = ()) -> Claim | None:
    """Return what the statement claims, or None where no two wordings could be told to agree.

    A claim of a slot of the lexicon ("database") takes the place of an earlier one with
    another value. Any other claim has its own words as the subject and "yes" as its value:
    only the same words, or their denial, meet it. The value is empty where the statement
    names a slot without filling it, as a retraction does.
    """
    del quotes  # The statement holds every word that a quote may add.
    if kind is Kind.DISCUSSION_CONTEXT:
        return None
    text = statement.replace("’", "'").replace("‘", "'")
    plain = fold(text)
    paths = _paths(text)
    found = _slot_claim(text, plain) or _topic_claim(plain) or _content_claim(text)
    if found is None:
        return None
    return Claim(
        subject=found.subject,
        attribute=found.attribute,
        value=found.value,
        is_negative=found.is_negative,
        paths=paths,
    )


def _slot_claim(text: str, plain: str) -> Claim | None:
    return affix_in(text, plain) or case_in(plain) or number_in(plain) or choice_in(text, plain)


def _topic_claim(plain: str) -> Claim | None:
    """Return the slot that is named and not filled, where nothing else is said of it."""
    topic = topic_in(plain)
    return None if topic is None else Claim(subject=topic)


def _content_claim(text: str) -> Claim | None:
    subject = " ".join(signature_of(main_part(text)))
    if not subject or len(subject) > _SIGNATURE_CHARS_MAX:
        return None
    return Claim(subject=subject, value="yes", is_negative=is_negated(text))


def _paths(text: str) -> tuple[str, ...]:
    found = {match.group() for match in _PATH.finditer(text)}
    return tuple(sorted({path.strip("./") for path in found if _is_path(path)}))


def _is_path(path: str) -> bool:
    """Whether it is a path and not "and/or", "CI/CD" or a type of content."""
    parts: Sequence[str] = [part for part in path.split("/") if part]
    has_mark = any(mark in path for mark in ".*_-")
    is_folder = path.endswith("/")
    return path.startswith("*.") or (bool(parts) and (is_folder or has_mark or len(parts) > 2))
