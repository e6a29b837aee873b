"""What an assistant's answer offers to be decided: one proposal, options, or an either-or."""

import re
from dataclasses import dataclass

from backstory.capture.folding import fold
from backstory.extract.language.clauses import Sentence, read_prose
from backstory.extract.language.lexicon import lexicon

_LABEL = re.compile(
    r"(?:(?:方案|选项|option|plan|approach|choice)\s{0,2}([一二三四五六1-6a-f])(?![a-z0-9])\s*[:.)]?\s*"
    r"|(?<![\w.])[(]?([1-6a-f])[.)、:](?!\d)\s*|([①-⑥])\s*)"
)
_OPTION_END = re.compile(r"[。;\n]|\.(?=\s|$)")
_CIRCLED = "①②③④⑤⑥"
_NUMERALS = {
    **{circled: str(number) for number, circled in enumerate(_CIRCLED, 1)},
    "一": "1",
    "二": "2",
    "三": "3",
    "四": "4",
    "五": "5",
    "六": "6",
}
_LEAD = re.compile(
    r"^(?:(?:我(?:的)?)?(?:建议|提议|想法|推荐|方案)(?:是|为|:)?"
    r"|我(?:会|想)?(?:倾向|推荐)(?:于)?|可以考虑"
    r"|(?:i(?:'d| would)?|my) (?:suggest(?:ion)?|propos(?:e|al)|recommend(?:ation)?)(?: is|:)?"
    r"|(?:my )?(?:proposal|suggestion|recommendation)\s*:"
    r"|we could|how about|let's|i would|i'd)\s*[:,]?\s*"
)
_BARE_QUESTION_CHARS = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One of several things offered: its label and its place in the answer."""

    label: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What an answer puts up for decision. At least one of its parts is set."""

    answer: str
    start: int  # the proposing sentence, without its lead
    end: int
    options: tuple[Option, ...]
    recommended: str | None  # the label of the option that the answer favours
    is_either_or: bool
    ends_with_other_question: bool

    def confirmed_by_yes(self) -> tuple[int, int] | None:
        """Return the span that a bare yes confirms: the one proposal or the favoured option."""
        if not self.options:
            return (self.start, self.end)
        favoured = (o for o in self.options if o.label == self.recommended)
        return next(((option.start, option.end) for option in favoured), None)

    @property
    def text(self) -> str:
        """The words of the proposal."""
        return self.answer[self.start : self.end]


def offer_in(answer: str) -> Offer | None:
    """Return what an answer offers, or None if it only reports, asks or offers a single step."""
    sentences = read_prose(answer).sentences
    words = lexicon()
    options = options_in(answer)
    offering = [s for s in sentences if _is_offering(s)]
    either = next(
        (s for s in sentences if "?" in s.mark and words.has("either_or", s.plain + "?")), None
    )
    if either is not None and not options:
        return _offer(answer, either, options=(), is_either_or=True, sentences=sentences)
    if not offering and not options:
        return None
    best = offering[-1] if offering else sentences[0]
    if _is_single_step(best) and not options:
        return None
    return _offer(answer, best, options=options, is_either_or=False, sentences=sentences)


def options_in(answer: str) -> tuple[Option, ...]:
    """Return the labelled options of an answer: at least two, counted from the first label."""
    # Folding would turn a circled digit into a bare one, which alone is no label.
    folded = fold(answer)
    plain = "".join(a if a in _CIRCLED else f for a, f in zip(answer, folded, strict=True))
    matches = list(_LABEL.finditer(plain))
    options: list[Option] = []
    for index, match in enumerate(matches):
        label = match.group(1) or match.group(2) or match.group(3)
        label = _NUMERALS.get(label, label)
        if any(option.label == label for option in options) or not _follows(options, label):
            continue
        stop = matches[index + 1].start() if index + 1 < len(matches) else len(plain)
        end = _OPTION_END.search(plain, match.end(), stop)
        options.append(
            Option(
                label=label, start=match.start(), end=_trim(plain, end.start() if end else stop)
            )
        )
    return tuple(options) if len(options) >= 2 else ()


def _follows(options: list[Option], label: str) -> bool:
    if not options:
        return label in {"1", "a"}
    return ord(label) == ord(options[-1].label) + 1


def _trim(text: str, end: int) -> int:
    while end > 0 and text[end - 1] in " ,、(和与\n":
        end -= 1
    return end


def _is_offering(sentence: Sentence) -> bool:
    words = lexicon()
    is_bare = "?" in sentence.mark and sentence.end - sentence.start <= _BARE_QUESTION_CHARS
    if words.has("advice", sentence.plain):
        return False
    return words.has("proposes", sentence.plain) and not (
        is_bare and not words.has("tech", sentence.plain)
    )


def _is_single_step(sentence: Sentence) -> bool:
    words = lexicon()
    if not words.has("one_step", sentence.plain):
        return False
    return not (
        words.has("proposes_firmly", sentence.plain)
        and words.has("lasting_proposal", sentence.plain)
    )


def _offer(
    answer: str,
    sentence: Sentence,
    *,
    options: tuple[Option, ...],
    is_either_or: bool,
    sentences: tuple[Sentence, ...],
) -> Offer:
    folded = fold(answer[sentence.start : sentence.end])
    lead = _LEAD.match(folded)
    last = sentences[-1]
    asks = "?" in last.mark and last is not sentence
    return Offer(
        answer=answer,
        start=sentence.start + (lead.end() if lead and lead.end() < len(folded) else 0),
        end=sentence.end,
        options=options,
        recommended=_recommended(sentences, options),
        is_either_or=is_either_or,
        ends_with_other_question=asks and not lexicon().has("asks_approval", last.plain),
    )


def _recommended(sentences: tuple[Sentence, ...], options: tuple[Option, ...]) -> str | None:
    labels = {option.label for option in options}
    for sentence in reversed(sentences):
        match = lexicon().find("recommends", sentence.plain)
        if match and options:
            named = re.search(
                r"([一二三四五六]|(?<![a-z0-9])[1-6a-f](?![a-z0-9]))",
                sentence.plain[match.end() :],
            )
            if named and _NUMERALS.get(named.group(1), named.group(1)) in labels:
                return _NUMERALS.get(named.group(1), named.group(1))
    return None
