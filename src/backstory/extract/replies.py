"""What the first words of a reply do with an offer: say yes, put off, restate, change a part."""

import re
from collections.abc import Iterator

from backstory.extract.anchors import shares_content, unanchored_words
from backstory.extract.language.clauses import Clause, Sentence
from backstory.extract.language.lexicon import lexicon
from backstory.extract.proposals import Offer

_MARKS = " \t,.!~。、…:;-–—()'\"\ufe0f\u200d🏻🏼🏽🏾🏿"
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")
# A reply is read this far: what comes later speaks of other things.
_SENTENCES_READ = 3
_ASIDE_CHARS_MAX = 24
_YES_CHARS_MAX = 160


def read_reply(sentences: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
    """Return the sentences of a message that can answer an offer: those before a question."""
    kept: list[Sentence] = []
    for sentence in sentences[:_SENTENCES_READ]:
        if "?" in sentence.mark and not is_assent(sentence.plain):
            break
        kept.append(sentence)
    return tuple(kept)


def is_put_off(sentences: tuple[Sentence, ...]) -> bool:
    """Whether the reply leaves the matter open, or asks that nothing be kept of it."""
    words = lexicon()
    first = sentences[0]
    if words.has("defers", first.plain) or words.has("off_record", first.plain):
        return True
    asides = (s for s in sentences[1:] if s.end - s.start <= _ASIDE_CHARS_MAX)
    return any(words.has("defers", s.plain) and not is_firm(first.plain) for s in asides)


def is_assent(plain: str) -> bool:
    """Whether a clause says nothing but yes, and is as short as a yes."""
    if len(plain) > _YES_CHARS_MAX:
        return False
    left, count = lexicon().pattern("assents").subn(" ", plain)
    return count > 0 and not _left_over(left)


def is_filler(plain: str) -> bool:
    """Whether a clause says nothing at all: a sound, thanks, a word of reception."""
    return not _left_over(plain)


def _left_over(plain: str) -> str:
    return lexicon().pattern("assent_filler").sub(" ", plain).strip(_MARKS)


def is_firm(plain: str) -> bool:
    """Whether a yes also binds after another question, or among other words."""
    return lexicon().has("accepts_firmly", plain)


def restates(plain: str, offer: Offer) -> bool:
    """Whether a clause takes up the offer in its own words ("then Redis it is")."""
    words = lexicon()
    lead = words.pattern("assents").match(plain)
    if not (lead or words.has("takes_up", plain)) or words.has("refuses", plain):
        return False
    left = plain[lead.end() :] if lead else plain
    taken = words.pattern("takes_up_frame").sub(" ", words.pattern("assents").sub(" ", left))
    return shares_content(taken, offer.text) and not unanchored_words(taken, offer.answer)


def assenting(clauses: tuple[Clause, ...], offer: Offer) -> int:
    """Return how many leading clauses say yes and nothing else; 0 if none of them does."""
    count, is_yes = 0, False
    for clause in clauses:
        says_yes = is_assent(clause.plain) or restates(clause.plain, offer)
        if not says_yes and not is_filler(clause.plain):
            break
        is_yes = is_yes or says_yes
        count += 1
    return count if is_yes else 0


def late_assent(clauses: tuple[Clause, ...]) -> int | None:
    """Return the place of a firm or closing yes after reasons ("they asked for it, adopt it")."""
    words = lexicon()
    for index, clause in enumerate(clauses):
        is_last = index + 1 == len(clauses)
        if is_assent(clause.plain) and (is_firm(clause.plain) or is_last):
            return index
        if any(words.has(tag, clause.plain) for tag in ("refuses", "task_lead", "hypothetical")):
            return None
    return None


def changes_in(clauses: tuple[Clause, ...], offer: Offer) -> Iterator[int]:
    """Yield the places of the clauses that ask for a part of the offer to be another way."""
    words = lexicon()
    for index, clause in enumerate(clauses):
        if words.has("defers", clause.plain) or is_assent(clause.plain):
            continue
        if _is_change(clauses, index, offer=offer):
            yield index


def _is_change(clauses: tuple[Clause, ...], index: int, *, offer: Offer) -> bool:
    words = lexicon()
    plain = clauses[index].plain
    earlier, later = clauses[:index], clauses[index + 1 :]
    took_a_part = any(words.has("accepts_part", c.plain) or is_assent(c.plain) for c in earlier)
    took_a_part = took_a_part or any(words.has("rest_stays", c.plain) for c in later)
    is_about = shares_content(plain, offer.text)
    is_task = words.has("task_lead", plain) and not (took_a_part and is_about)
    if words.has("amends", plain):
        return not is_task and (index > 0 or words.has("amends_firmly", plain))
    is_refused = any(words.has("refuses", c.plain) for c in earlier)
    if is_refused and words.has("replaces_offer", plain) and not is_task:
        return True
    if not took_a_part or not words.has("directs_part", plain):
        return False
    if is_about:
        return _is_other(plain, offer)
    near = [c.plain for c in (*earlier[-1:], *later[:1])]
    return not is_task and any(
        words.has(tag, text) for text in near for tag in ("accepts_part", "rest_stays")
    )


def _is_other(plain: str, offer: Offer) -> bool:
    """Whether a clause about the offer's matter says more than the offer did."""
    if set(_NUMBER.findall(plain)) - set(_NUMBER.findall(offer.text)):
        return True
    return bool(unanchored_words(plain, offer.answer)) or lexicon().has("refuses", plain)
