"""What an assistant's answer offers to be decided: one proposal, options, or an either-or."""

import re
from dataclasses import dataclass

from backstory.capture.folding import fold
from backstory.extract.language.clauses import Sentence, read_prose
from backstory.extract.language.lexicon import lexicon

_LABEL = re.compile(
    r"(?:(?:方案|选项|option|plan|approach|choice)\s{0,2}([一二三四五六1-6a-f])(?![a-z0-9])\s*[:.)]?\s*"
    r"|(?<![\w.])[(]?([1-6a-f])[.)、:](?!\d)\s*|([①-⑥])\s*"
    r"|(?<![\w])([甲乙丙丁])\s*[,:.、是)]\s*|(?<![a-z0-9_-])([a-f])\s*(?:是|就是|[,:]\s|=)\s*)"
)
_OPTION_END = re.compile(r"[。;\n]|\.(?=\s|$)")
_CIRCLED = "①②③④⑤⑥"
NUMERALS = {
    **{circled: str(number) for number, circled in enumerate(_CIRCLED, 1)},
    "一": "1",
    "二": "2",
    "三": "3",
    "四": "4",
    "五": "5",
    "六": "6",
    "甲": "1",
    "乙": "2",
    "丙": "3",
    "丁": "4",
}
_LEAD = re.compile(
    r"^(?:(?:我(?:的)?)?(?:建议|提议|想法|推荐|方案)(?:是|为|:)?"
    r"|我(?:会|想)?(?:倾向|推荐)(?:于)?|可以考虑"
    r"|(?:i(?:'d| would)?|my) (?:suggest(?:ion)?|propos(?:e|al)|recommend(?:ation)?)(?: is|:)?"
    r"|(?:my )?(?:proposal|suggestion|recommendation)\s*:"
    r"|we could|how about|let's|i would|i'd)\s*[:,]?\s*"
)
_ALTERNATIVES = re.compile(
    r"\beither\s(.{2,120}?),?\sor\s(.{2,160})"
    r"|(?:可选的?|选择|候选|备选|选项)(?:有|是|包括|就)?:?\s*"
    r"(.{1,60}?)\s?(?:和|、|或者?|与|跟|还有)\s?(.{1,60})"
    r"|要么(.{2,60}?)[,;]?\s?要么(.{2,60})|[:,]\s?(?:或者)?([^,:]{2,40}?)[,;]\s?或者(.{2,60})"
    r"|(?:options|choices|candidates|alternatives)(?: here)?(?: are|:)\s"
    r"(.{2,100}?),?\s(?:and|or)\s(.{2,100})"
    r"|one (?:option|way) is\s(.{2,100}?),?\s(?:the other|another)(?: one)? is\s(.{2,100})"
    r"|(?:一种|一个|一)是(.{2,60}?)[,;]\s?(?:另一种|另一个|二|一种|另外)是(.{2,60})",
)
_NAMED = re.compile(r"([一二三四五六甲乙丙丁]|(?<![a-z0-9])[1-6a-f](?![a-z0-9]))")
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


def offer_in(answer: str, *, asked: str = "") -> Offer | None:
    """Return what an answer offers, or None if it only reports, asks or offers a single step.

    `asked` is what the user had said: an answer to "how should we …" offers without saying so,
    and one that was to be the words of a text offers nothing.
    """
    if lexicon().has("asks_for_text", fold(asked)):
        return None
    sentences = read_prose(answer).sentences
    options = options_in(answer)
    either = next((s for s in sentences if _is_either_or(s)), None)
    if either is not None and not options:
        return _offer(answer, either, options=(), is_either_or=True, sentences=sentences)
    options = options or _alternatives(answer, sentences)
    best = _offering(sentences, asked)
    if best is None and not options:
        return None
    best = best or sentences[0]
    if _is_single_step(best) and not options:
        return None
    return _offer(answer, best, options=options, is_either_or=False, sentences=sentences)


def _is_either_or(sentence: Sentence) -> bool:
    words = lexicon()
    is_choice = "?" in sentence.mark and words.has("either_or", sentence.plain + "?")
    return is_choice and not words.has("asks_how_it_stands", sentence.plain)


def _offering(sentences: tuple[Sentence, ...], asked: str) -> Sentence | None:
    """Return the sentence that proposes, or the plain one that answers a wish for advice."""
    words = lexicon()
    offering = [s for s in sentences if _is_offering(s)]
    if offering:
        return offering[-1]
    is_wanted = words.has("asks_advice", fold(asked))
    seeks_approval = bool(sentences) and _seeks_approval(sentences[-1])
    if not (is_wanted or (seeks_approval and len(sentences) > 1)):
        return None
    plain = [s for s in sentences if "?" not in s.mark and _may_last(s)]
    return plain[-1 if seeks_approval else 0] if plain else None


def _seeks_approval(sentence: Sentence) -> bool:
    return "?" in sentence.mark and lexicon().has("asks_approval", sentence.plain)


def _may_last(sentence: Sentence) -> bool:
    words = lexicon()
    is_plan = words.has("lasting_proposal", sentence.plain) or words.has("plans", sentence.plain)
    return is_plan and not any(
        words.has(tag, sentence.plain) for tag in ("reports_done", "one_step", "advice")
    )


def _alternatives(answer: str, sentences: tuple[Sentence, ...]) -> tuple[Option, ...]:
    """Return the two things that a sentence puts side by side without labels."""
    folded = fold(answer)
    for sentence in sentences:
        match = _ALTERNATIVES.search(folded, sentence.start, sentence.end)
        if match:
            found = [number for number, text in enumerate(match.groups(), 1) if text]
            return tuple(
                Option(
                    label=str(place),
                    start=match.start(number),
                    end=_trim(folded, match.end(number)),
                )
                for place, number in enumerate(found, 1)
            )
    return ()


def options_in(answer: str) -> tuple[Option, ...]:
    """Return the labelled options of an answer: at least two, counted from the first label."""
    # Folding would turn a circled digit into a bare one, which alone is no label.
    folded = fold(answer)
    plain = "".join(a if a in _CIRCLED else f for a, f in zip(answer, folded, strict=True))
    matches = list(_LABEL.finditer(plain))
    options: list[Option] = []
    for index, match in enumerate(matches):
        label = match.group(match.lastindex or 0)
        label = NUMERALS.get(label, label)
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
    if not words.has("one_step", sentence.plain) or words.has("lasts_firmly", sentence.plain):
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
    asks = "?" in last.mark and last is not sentence and not _refers_back(last)
    return Offer(
        answer=answer,
        start=sentence.start + (lead.end() if lead and lead.end() < len(folded) else 0),
        end=sentence.end,
        options=options,
        recommended=_recommended(sentences, options),
        is_either_or=is_either_or,
        ends_with_other_question=asks and not lexicon().has("asks_approval", last.plain),
    )


def _refers_back(question: Sentence) -> bool:
    """Whether a short closing question only asks for leave to do what was proposed."""
    words = lexicon()
    is_short = question.end - question.start <= _BARE_QUESTION_CHARS
    return (
        is_short
        and words.has("refers_back", question.plain)
        and not any(words.has(tag, question.plain) for tag in ("one_step", "asks_which"))
    )


def _recommended(sentences: tuple[Sentence, ...], options: tuple[Option, ...]) -> str | None:
    labels = {option.label for option in options}
    for sentence in reversed(sentences) if options else ():
        match = lexicon().find("recommends", sentence.plain)
        named = _NAMED.search(sentence.plain, match.end()) if match else None
        if named and NUMERALS.get(named.group(1), named.group(1)) in labels:
            return NUMERALS.get(named.group(1), named.group(1))
    return None
