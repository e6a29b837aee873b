"""Cutting of a message into sentences and clauses, each with its exact place."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace

from backstory.capture.folding import fold
from backstory.capture.speakers import human_spans
from backstory.extract.language.bounds import (
    CLAUSES_MAX,
    EXAMINED_CHARS_MAX,
    SIGNALLED_CLAUSES_MAX,
    examined,
    is_signalled,
)
from backstory.extract.language.lexicon import lexicon
from backstory.extract.language.masks import masks_of, shadow_of

SENTENCE_CHARS_MAX = 1_200
# Longer chains of commas are lists or noise, not one sentence.
SENTENCE_CLAUSES_MAX = 24

_SENTENCE_END = re.compile(
    r"[。\n；;｡]+"
    r"|[!?]+(?=$|[\s\u2e80-\U0010ffff\"')\]~*]|\Z)"
    r"|…+|\.{2,}(?=\s|$|[\u2e80-\uffff])"
    # The number that leads a point of a list written on one line: "1) … 2) …", "1、…2、…".
    r"|(?<=\S)[ \t]+(?=[(]?[1-9][)]\s*[^\s\d])|(?<=[^\s\d。;；\n])(?=[1-9]、[^\s\d])"
    # A full stop, but for abbreviations and the numbers that lead list items.
    r"|(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\betc)"
    r"(?<!\n\d)(?<!^\d)(?<!:\d)(?<!: \d)(?<!;\d)(?<!; \d)"
    r"\.(?=\s|$|[\u2e80-\uffff]|[)\"'](?:\s|$))",
    re.MULTILINE,
)
_CLAUSE_END = re.compile(
    r"(?<!\d),|,(?!\d)|(?<=[\w\u2e80-\U0010ffff) ]):(?=\s|$|[^\x00-\x7f])|\s[-–—]{1,2}\s|——|—"
)
_ITEM = re.compile(
    r"\s*(?:[-*•·+]\s+|(?:\d{1,2}|[a-h一二三四五六七八九十]{1,2})[.)、)]\s*|[(]\d{1,2}[)]\s*|[①-⑳]\s*)"
)
_ENUMERATOR = re.compile(
    r"\s*(?:第?[一二三四五六七八九十]{1,2}[是条点]?|one|two|three|four|five|first(?:ly)?|second(?:ly)?|third(?:ly)?|last(?:ly)?|finally|其[一二三四五])\s*"
)
# Sounds of somebody who looks for words; at the beginning they may be a yes.
_HESITATION = re.compile(
    r"(?<=[\u3400-\u9fff])[呃嗯]+(?=[\u3400-\u9fff])"
    r"|(?<=[a-z] )(?:u+m+|u+h+|erm+|hm+),? (?=[a-z])"
)
_HAN_GAP = re.compile(r"(?<=[\u3400-\u9fff])[ \t\u3000]+(?=[\u3400-\u9fff!?,。])")
_SPACES = re.compile(r"\s+")
_TRIMMED = " \t\r\n,;:.。!?~、*_—–-|>\"'”“"


Span = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """The smallest stretch that can perform an act. `plain` is its folded text for matching."""

    start: int
    end: int
    plain: str
    is_head: bool  # a colon ends it: what follows is its content
    segment: int  # clauses between two adversatives share a segment


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence or list item of a message."""

    start: int
    end: int
    clauses: tuple[Clause, ...]
    mark: str  # what ended it
    line: int
    is_item: bool
    head: tuple[str, ...]  # plain text of the heads that announce it, innermost last

    @property
    def plain(self) -> str:
        """The folded text of the whole sentence."""
        marks = (": " if clause.is_head else ", " for clause in self.clauses)
        return "".join(c.plain + mark for c, mark in zip(self.clauses, marks, strict=True))[:-2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One user-role text, cut up. Only the speaker's own prose is in `sentences`."""

    text: str
    sentences: tuple[Sentence, ...]


def read_message(text: str) -> Message:
    """Cut a message into the sentences that its human wrote as prose."""
    folded = fold(text)
    masks = masks_of(text)
    shadow = shadow_of(folded, masks)
    sentences: list[Sentence] = []
    heads: list[tuple[int, str, bool]] = []
    line = 0
    for start, end in examined(_prose(text, masks.foreign), shadow):
        line += 1
        for sentence in _sentences(shadow, (start, end), line=line):
            sentences.append(_with_head(sentence, heads))
            line = sentence.line
    return Message(text=text, sentences=_bounded_ends(sentences))


def _bounded_ends(sentences: list[Sentence]) -> tuple[Sentence, ...]:
    """Return the sentences of a message, of one of too many clauses those that matter most.

    These are the first and the last ones, and those between that ask to be remembered.
    """
    if sum(len(sentence.clauses) for sentence in sentences) <= CLAUSES_MAX:
        return tuple(sentences)
    first = _within(sentences, CLAUSES_MAX // 2)
    last = _within(sentences[len(first) :][::-1], CLAUSES_MAX // 2)
    between = sentences[len(first) : len(sentences) - len(last)]
    asked = [one for one in between if any(is_signalled(c.plain) for c in one.clauses)]
    return (*first, *_within(asked, SIGNALLED_CLAUSES_MAX), *last[::-1])


def _within(sentences: list[Sentence], budget: int) -> list[Sentence]:
    taken: list[Sentence] = []
    for sentence in sentences:
        budget -= len(sentence.clauses)
        if budget < 0:
            break
        taken.append(sentence)
    return taken


def read_prose(text: str) -> Message:
    """Cut an assistant's answer into sentences; quotations in it stay readable."""
    shadow = fold(text[:EXAMINED_CHARS_MAX])
    heads: list[tuple[int, str, bool]] = []
    sentences = [_with_head(s, heads) for s in _sentences(shadow, (0, len(shadow)), line=0)]
    return Message(text=text, sentences=_bounded_ends(sentences))


def _prose(text: str, foreign: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    """Return the human spans less the foreign ones."""
    starts = [span[0] for span in foreign]
    kept: list[tuple[int, int]] = []
    for start, end in human_spans(text):
        position = start
        at = max(0, bisect_right(starts, start) - 1)
        for other_start, other_end in foreign[at:]:
            if other_start >= end:
                break
            if other_start > position:
                kept.append((position, other_start))
            position = max(position, other_end)
        if position < end:
            kept.append((position, end))
    return kept


def _sentences(shadow: str, span: Span, *, line: int) -> list[Sentence]:
    found: list[Sentence] = []
    position, end = span
    while position < end:
        match = _SENTENCE_END.search(shadow, position, min(end, position + SENTENCE_CHARS_MAX))
        stop = match.start() if match else min(end, position + SENTENCE_CHARS_MAX)
        mark = match.group() if match else ""
        found.extend(_cut(_sentence(shadow, (position, stop), mark=mark, line=line)))
        line += mark.count("\n")
        position = max(match.end() if match else stop, position + 1)
    return found


def _cut(sentence: Sentence | None) -> Iterator[Sentence]:
    """Cut a sentence of very many clauses, so that looking around in it stays cheap."""
    if sentence is None:
        return
    clauses = sentence.clauses
    for first in range(0, len(clauses), SENTENCE_CLAUSES_MAX):
        part = clauses[first : first + SENTENCE_CLAUSES_MAX]
        yield replace(sentence, start=part[0].start, end=part[-1].end, clauses=part)


def _sentence(shadow: str, span: Span, *, mark: str, line: int) -> Sentence | None:
    start, end = span
    item = _ITEM.match(shadow, start, end)
    if item:
        start = item.end()
    clauses: list[Clause] = []
    segment = 0
    for left, right, is_head in _clause_spans(shadow, (start, end)):
        plain = _plain(shadow[left:right])
        if clauses and lexicon().has("adversative", plain):
            segment += 1
        clauses.append(
            Clause(start=left, end=right, plain=plain, is_head=is_head, segment=segment)
        )
    if not clauses:
        return None
    return Sentence(
        start=clauses[0].start,
        end=clauses[-1].end,
        clauses=tuple(clauses),
        mark=mark,
        line=line,
        is_item=item is not None,
        head=(),
    )


def _clause_spans(shadow: str, span: Span) -> list[tuple[int, int, bool]]:
    cuts: list[tuple[int, int, bool]] = []
    position, end = span
    for match in _CLAUSE_END.finditer(shadow, *span):
        cuts.extend(_softly_cut(shadow, (position, match.start()), is_head=match.group() == ":"))
        position = match.end()
    cuts.extend(_softly_cut(shadow, (position, end), is_head=False))
    return cuts


def _softly_cut(shadow: str, span: Span, *, is_head: bool) -> list[tuple[int, int, bool]]:
    """Cut a run of words without marks at the words that begin a new thought."""
    cuts: list[tuple[int, int, bool]] = []
    position, end = span
    for match in lexicon().finditer("soft_break", shadow, span=span):
        if match.start() - position >= 8:
            cuts.append((position, match.start(), False))
            position = match.start()
    cuts.append((position, end, is_head))
    trimmed = ((*_trim(shadow, (left, right)), head) for left, right, head in cuts)
    return [
        (left, right, head)
        for left, right, head in trimmed
        if left < right and not _ENUMERATOR.fullmatch(shadow, left, right)
    ]


def _trim(shadow: str, span: Span) -> Span:
    start, end = span
    while start < end and shadow[start] in _TRIMMED:
        start += 1
    while end > start and shadow[end - 1] in _TRIMMED and shadow[end - 1] not in "\"'”":
        end -= 1
    return start, end


def _plain(text: str) -> str:
    """Return the text for matching: no hesitation, no spaces between Han, no mistypings."""
    text = _SPACES.sub(" ", _HAN_GAP.sub("", _HESITATION.sub("", text.replace("’", "'"))))
    return lexicon().undo_typos(text)


def _opens_list(sentence: Sentence) -> bool:
    """Whether a sentence without a colon only says that points follow."""
    last = sentence.clauses[-1].plain
    return not sentence.is_item and lexicon().has("opens_list", last)


def _with_head(sentence: Sentence, heads: list[tuple[int, str, bool]]) -> Sentence:
    """Attach the heads in force, and put this sentence's own head in force for what follows.

    A head in the middle of a line reaches over ";" to the end of its sentence; one that ends
    its line reaches over the list items below it.
    """
    own = [clause.plain for clause in sentence.clauses if clause.is_head]
    ends_line = (bool(own) and sentence.clauses[-1].is_head) or _opens_list(sentence)
    kept = [
        head for head in heads if not head[2] or sentence.is_item or sentence.line <= head[0] + 1
    ]
    inherited = tuple(text for _, text, _ in kept)
    heads[:] = kept
    is_soft = sentence.mark.strip() in {";", "；"}
    if ends_line:
        heads[:] = [(sentence.line, sentence.plain, True)]
    elif own and is_soft:
        heads[:] = [*(h for h in kept if h[2]), (sentence.line, own[-1], False)]
    elif not is_soft:
        heads[:] = [
            head
            for head in kept
            if head[2] and (sentence.is_item or lexicon().has("opens_list", head[1]))
        ]
    return Sentence(
        start=sentence.start,
        end=sentence.end,
        clauses=sentence.clauses,
        mark=sentence.mark,
        line=sentence.line,
        is_item=sentence.is_item,
        head=inherited,
    )
