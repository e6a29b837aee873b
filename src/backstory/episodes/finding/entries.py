"""What a commit is compared by: the words of its message, and its title. Pure."""

from collections import Counter
from collections.abc import Iterator

from backstory.episodes.finding.words import counted_words
from backstory.episodes.messages.parts import Message
from backstory.segment.terms import search_terms

# Who wrote, signed or should hear of a commit says nothing of what it is about.
_PEOPLE = ("-by", "-to", "cc")


def words_of_commit(message: Message) -> Counter[str]:
    """Return how often each term stands in a message, but for the names of people."""
    return counted_words(message.subject, "\n".join([message.body, *_notes(message)]))


def title_of_commit(message: Message) -> str:
    """Return the terms of the subject, as they stand where it is quoted."""
    return " ".join(search_terms(message.subject))


def _notes(message: Message) -> Iterator[str]:
    yield from (t.value for t in message.trailers if not t.key.endswith(_PEOPLE))
