"""Words by which somebody changes or takes back what was said, and to what they point.

Pure but for its word lists, which are read once. Only the words are read here, those of the
statement and those around it; which item they mean is decided by the rules.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from backstory.capture.folding import fold
from backstory.capture.wording import core_terms_of

_SENTENCE_END = re.compile(r"[。！？；!?;\n]+|\.(?=\s|$)")
_CLAUSE_END = re.compile(r"[,，、。！？；!?;:：\n]+|\.(?=\s|$)")
# A sentence this long tells a story; an opener is a few words.
_BEFORE_CHARS_MAX = 60
# What is said with so few terms has no subject of its own.
_BARE_TERMS_MAX = 2


@lru_cache(maxsize=1)
def _lists() -> dict[str, dict[str, list[str]]]:
    source = files("backstory.consolidate").joinpath("data/changes.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


def _any_of(name: str, language: str) -> str:
    """Return what matches any phrase of a list."""
    return f"(?:{'|'.join(_lists()[name][language])})"


@lru_cache(maxsize=16)
def _phrases(name: str) -> re.Pattern[str]:
    """Match a phrase of a list: an English one between word bounds."""
    others = "|".join((*_lists()[name]["zh"], *_lists()[name].get("any", ())))
    return re.compile(rf"\b{_any_of(name, 'en')}\b|{others}")


@lru_cache(maxsize=1)
def _pointing_back() -> re.Pattern[str]:
    thing = rf"(?:last |previous |earlier )?{_any_of('back_thing', 'en')}?"
    english = (
        rf"(?:{_any_of('back_opening', 'en')}\s+)*{_any_of('back_verb', 'en')}"
        rf"(?: about)? (?:that|this|the last|my last) ?{thing}"
        rf"(?:\s+{_any_of('back_ending', 'en')})*"
        r"|(?:i )?(?:take|taking) (?:that|it|this) back"
    )
    the_one = rf"(?:那|这)(?:一)?(?:条|个|句|项)?{_any_of('back_thing', 'zh')}?"
    chinese = (
        rf"{_any_of('back_opening', 'zh')}*\s*"
        rf"(?:{_any_of('back_moment', 'zh')}(?:我)?(?:说|定|提|讲)?(?:的)?)?"
        rf"{the_one}\s*{_any_of('back_between', 'zh')}*{_any_of('back_verb', 'zh')}(?:吧|了|掉)*"
        rf"|{_any_of('back_verb_first', 'zh')}(?:刚才|刚刚|上面|前面)?(?:的|说的)?{the_one}吧?"
        r"|(?:刚才|上面|前面)(?:我)?说的(?:都)?(?:不算|作废|收回|当我没说)(?:数)?了?吧?"
    )
    return re.compile(rf"(?:{english})|(?:{chinese})")


@lru_cache(maxsize=1)
def _turning() -> re.Pattern[str]:
    return re.compile(
        rf"^(?:{_any_of('turn_opening', 'en')}[,\s]+)*{_any_of('turn', 'en')}"
        rf"|^{_any_of('turn_opening', 'zh')}*[,，\s]*{_any_of('turn', 'zh')}"
    )


@lru_cache(maxsize=2)
def _place(language: str) -> re.Pattern[str]:
    """Match the name of a part of a project with the word that says what it is."""
    if language == "en":
        named = rf"(?!{_any_of('no_place', 'en')}\b)([a-z][\w-]+)"
        return re.compile(rf"\b{named} {_any_of('place', 'en')}\b")
    return re.compile(rf"([\u3400-\u9fff]{{2}}|[a-z][\w-]*) ?{_any_of('place', 'zh')}")


@lru_cache(maxsize=1)
def _no_place() -> re.Pattern[str]:
    return re.compile(_any_of("no_place", "zh"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """The words that a quote stands in: its sentence, and the one right before it."""

    sentence: str = ""
    before: str = ""  # only as long as an opener or a short remark is
    lead: str = ""  # what the sentence says before the quote

    @property
    def whole(self) -> str:
        """Return both."""
        return f"{self.before} ; {self.sentence}"


def load_words() -> None:
    """Read and compile the lists. Whoever is about to write does that before."""
    for name in ("a_rule", "change", "weak_change", "number", "addition", "dismissal"):
        _phrases(name)
    for compiled in (_pointing_back, _turning, _no_place):
        compiled()
    for language in ("en", "zh"):
        _place(language)


def words_around(text: str, span: tuple[int, int]) -> Around:
    """Return what stands around a part of a text, folded."""
    start, end = span
    plain = fold(text).replace("’", "'").replace("‘", "'")
    ends = [match.end() for match in _SENTENCE_END.finditer(plain, 0, start)]
    begin = ends[-1] if ends else 0
    stop = _SENTENCE_END.search(plain, end)
    previous = plain[ends[-2] if len(ends) > 1 else 0 : begin] if ends else ""
    is_near = len(previous) <= _BEFORE_CHARS_MAX
    return Around(
        sentence=plain[begin : stop.start() if stop else len(plain)].strip(),
        before=previous.strip(" .!。！;；\n") if is_near else "",
        lead=plain[begin:start].strip(),
    )


def ends_a_sentence_and_goes_on(text: str) -> bool:
    """Whether after the end of a sentence something else is said."""
    end = _SENTENCE_END.search(text)
    return end is not None and re.search(r"\w", text[end.end() :]) is not None


def points_back(words: str) -> bool:
    """Whether a clause of a withdrawal only points: "scrap that", "这条规矩取消吧"."""
    plain = fold(words).replace("’", "'").strip(" ,.!。，！\n")
    whole = _CLAUSE_END.sub(" ", plain).strip()
    clauses = (clause.strip() for clause in _CLAUSE_END.split(plain))
    return any(_pointing_back().fullmatch(part) is not None for part in (whole, *clauses))


def names_a_rule(words: str) -> bool:
    """Whether a withdrawal that points back says that it means a rule or a choice."""
    return _phrases("a_rule").search(fold(words)) is not None


def turns_round(said: Around) -> bool:
    """Whether it opens with words that undo the last thing said: "changed my mind", "改主意了"."""
    return (
        _turning().search(said.sentence) is not None or _turning().search(said.before) is not None
    )


def says_change(said: Around) -> bool:
    """Whether words around a statement say that something is now another way."""
    return says_change_strongly(said) or _phrases("weak_change").search(said.whole) is not None


def says_change_strongly(said: Around) -> bool:
    """Whether they say it in so many words: "switch to", "改成", and not only "now"."""
    return _phrases("change").search(said.whole) is not None


def is_counted(statement: str) -> bool:
    """Whether a statement gives a number."""
    return _phrases("number").search(fold(statement)) is not None


def adds(said: Around) -> bool:
    """Whether a statement stands beside another and not in its place: "also", "另外"."""
    return _phrases("addition").search(said.sentence) is not None


def is_bare(statement: str) -> bool:
    """Whether a statement is a value and little else, or speaks of "it"."""
    plain = fold(statement)
    return (
        len(core_terms_of(statement)) <= _BARE_TERMS_MAX
        or re.match(r"(?:it|they)(?:'|’| )", plain) is not None
    )


def dismissed_in(said: Around) -> str:
    """Return the clauses around a statement that give something up, joined."""
    clauses = (clause.strip() for clause in _CLAUSE_END.split(said.whole))
    return ", ".join(clause for clause in clauses if _phrases("dismissal").search(clause))


def kept_in(statement: str) -> str:
    """Return the clauses of a statement that do not give something up; all, if each does."""
    clauses = [clause.strip() for clause in _CLAUSE_END.split(fold(statement))]
    kept = [clause for clause in clauses if clause and not _phrases("dismissal").search(clause)]
    return ", ".join(kept or clauses)


def places_in(text: str) -> frozenset[str]:
    """Return the parts of a project that a text is limited to: "reports module", "报表模块"."""
    plain = fold(text)
    english = {match.group(1) for match in _place("en").finditer(plain)}
    chinese = {
        match.group(1)
        for match in _place("zh").finditer(plain)
        if not _no_place().search(match[1])
    }
    return frozenset(english | chinese)


def is_elsewhere(words: str, item_text: str, *, is_narrow: bool) -> bool:
    """Whether words speak of another part of the project than an item does.

    With `is_narrow`, what names a part is no word on an item that does not name it: an exception
    for the reports does not end the rule for all.
    """
    named, plain = places_in(words), fold(item_text)
    if not named or any(name in plain for name in named):
        return False
    return is_narrow or bool(places_in(item_text))
