"""Words by which somebody changes or takes back what was said, and to what they point. Pure.

Only the words are read here, those of the statement and those around it; which item they mean is
decided by the rules.
"""

import re
from dataclasses import dataclass

from backstory.capture.folding import fold
from backstory.capture.wording import core_terms_of

_SENTENCE_END = re.compile(r"[。！？；!?;\n]+|\.(?=\s|$)")
_CLAUSE_END = re.compile(r"[,，、。！？；!?;:：\n]+|\.(?=\s|$)")
# A sentence this long tells a story; an opener is a few words.
_BEFORE_CHARS_MAX = 60
# What is said with so few terms has no subject of its own.
_BARE_TERMS_MAX = 2

_LAST = (
    r"(?:last |previous |earlier )?(?:one|rule|bit|part|convention|preference|instruction|request"
    r"|policy|decision|choice|idea|plan)?"
)
_POINTS_EN = (
    r"(?:(?:actually|no|hmm+|wait|sorry|ok(?:ay)?|oh|well|please"
    r"|on (?:reflection|second thoughts?)|you know what|let's|you can|we can|just|and|then|so|ah"
    r"|right)\s+)*"
    r"(?:scrap|scratch|strike|forget|drop|cancel|undo|disregard|ignore|withdraw|revoke|retract"
    r"|unlearn"
    r"|never mind|nevermind|ditch|bin)"
    rf"(?: about)? (?:that|this|the last|my last) ?{_LAST}"
    r"(?:\s+(?:please|again|then|for good|altogether|entirely|after all|too|from (?:your )?memory"
    r"|from your notes))*"
    r"|(?:i )?(?:take|taking) (?:that|it|this) back"
)
_THE_ONE = r"(?:那|这)(?:一)?(?:条|个|句|项)?(?:规矩|规则|要求|约定|规定|决定|偏好|限制|习惯|话)?"
_POINTS_ZH = (
    r"(?:算了|哦|对了|嗯|呃|那|还是|等等|不对|我|请|麻烦|你|想了想|再想想)*\s*"
    r"(?:(?:刚才|刚刚|刚|上面|前面|上一|最后)(?:我)?(?:说|定|提|讲)?(?:的)?)?"
    rf"{_THE_ONE}\s*(?:就|先|还是|都|也|可以|给我)*"
    r"(?:取消|不要了|作废|撤了|撤销|撤回|撤掉|算了|收回|不算了|不算数了?|不作数了?|别记了"
    r"|删了|删掉|废了|废除|忘了|忘掉|当我没说)(?:吧|了|掉)*"
    rf"|(?:取消|撤销|撤回|收回|忘掉|忘了|删掉|作废)(?:刚才|刚刚|上面|前面)?(?:的|说的)?{_THE_ONE}吧?"
    r"|(?:刚才|上面|前面)(?:我)?说的(?:都)?(?:不算|作废|收回|当我没说)(?:数)?了?吧?"
)
_POINTS_BACK = re.compile(rf"(?:{_POINTS_EN})|(?:{_POINTS_ZH})")
# "Drop that rule" means a rule that was told; "scrap that" may mean the work just done.
_NAMES_A_RULE = re.compile(
    r"\b(?:rule|convention|preference|instruction|policy|decision|last one)\b"
    r"|规矩|规则|要求|约定|规定|决定|偏好|条"
)

_TURNS = re.compile(
    r"^(?:(?:and|ok(?:ay)?|hmm+|well|oh|so|sorry|no|actually|wait|hold on|you know what)[,\s]+)*"
    r"(?:actually,? no|hmm+,? no|no,? wait|wait,? no|scratch that|scrap that|strike that|hold on"
    r"|(?:i(?:'ve)? |we(?:'ve)? )?changed (?:my|our) minds?|on second thoughts?|on reflection"
    r"|correction|change of (?:plan|heart)s?|(?:we|i) reversed that|i take (?:that|it) back"
    r"|make (?:that|it)\b)"
    r"|^(?:哦|嗯|呃|唉|额|那)*[,，\s]*(?:改主意|改变主意|变卦|算了|不对|等等|推翻|反悔|更正"
    r"|说错|想了想|想了一下|换一下|还是)"
)
_CHANGES_STRONGLY = re.compile(
    r"\b(?:switch(?:ed|es|ing)?|mov(?:e|es|ed|ing)\b[^,.;]{0,24} to|chang(?:e|ed|ing)|instead"
    r"|rather than|replac(?:e|es|ed|ing)|revers(?:ed|ing)|back to|make (?:that|it)|correction"
    r"|on (?:reflection|second thoughts?)|actually|after all|sc?r[ai](?:p|tch) that|strike that"
    r"|hold on|wait|hmm+,? no|no longer|drop(?:ped|ping)?|ditch\w*|forget)\b"
    r"|改(?:成|为|用|到|叫|走|回|由|主意|[a-z0-9 ])|换(?:成|为|到|了|回|用|[a-z ])"
    r"|调(?:整)?(?:为|成|到)|(?:挪|移|搬|切|迁|升|降|转)(?:到|成|为|至)"
    r"|不(?:用|放|走|再|上)[^,，。]{0,16}了|还是|不对"
    r"|变了|推翻|更正|算了|反悔|switch"
)
# Words that say the same with less force, beside those above.
_CHANGES_WEAKLY = re.compile(
    r"\b(?:changes|any ?more|any longer|(?:is|are|will be|'s|'re) now|now|won't"
    r"|is (?:out|gone|dead|off)|too \w+|lower(?:ed)?|rais(?:e|ed)"
    r"|from (?:now|here|today|next \w+)(?: on)?|starting|thinking about it|turns? out|i was \w+"
    r"|it's|ages ago)\b"
    r"|改(?:放|存|在|发|了)|调(?:整)?(?:高|低)|(?:延|放宽|缩短|提前|推迟)(?:到|成|为|至)"
    r"|不(?:发|要|留|写|做|叫|选|强制)[^,，。]{0,16}了|变动|有变|搬家|现在|想了|太|没人"
)
_NUMBER = re.compile(
    r"\d|[一二两三四五六七八九十百半][个条天周月年次句段页分小]"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|hundred|half)\b"
)
_ADDS = re.compile(
    r"\b(?:also|as well|additionally|besides|plus|in addition|another)\b|\btoo$"
    r"|也(?!不|许|行|好)|另外|还要|再加|同时|外加|除了"
)
_DISMISSES = re.compile(
    r"\b(?:too \w+|(?:is|are|was) (?:out|gone|dead|off|over|done|no good)|instead of|rather than"
    r"|^not|forget|won't|no longer|never mind|enough of|not|drop(?:ping|ped)?|ditch(?:ing|ed)?"
    r"|sick of)\b"
    r"|太|算了|不(?:用|放|走|再|上|发|要|留|强制|行|合适)|没人|下线|过时|淘汰|弃用|告别|废弃"
)
_GENERIC = (
    "this|that|the|our|my|your|whole|entire|same|each|every|all|a|any|new|other"
    "|这个|本|我们|咱们|咱|该|整个|全|每个|所有|各|其他|公司|一个"
)
_PLACE_EN = re.compile(
    rf"\b(?!(?:{_GENERIC})\b)([a-z][\w-]+) (?:module|service|package|app|client|component|repo"
    r"|team|layer|subsystem|frontend|backend|pages?|environment|side)\b"
)
_PLACE_ZH = re.compile(
    r"([\u3400-\u9fff]{2}|[a-z][\w-]*) ?"
    r"(?:模块|服务(?!器|发现|端)|端(?!到|口|点)|子系统|组件|仓库|页面|小组|环境)"
)
_GENERIC_ZH = re.compile(r"这|本|我|咱|该|整|全|每|所有|各|其他|公司|一个|们|用|在")


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
    return any(_POINTS_BACK.fullmatch(part) is not None for part in (whole, *clauses))


def names_a_rule(words: str) -> bool:
    """Whether a withdrawal that points back says that it means a rule or a choice."""
    return _NAMES_A_RULE.search(fold(words)) is not None


def turns_round(said: Around) -> bool:
    """Whether it opens with words that undo the last thing said: "changed my mind", "改主意了"."""
    return _TURNS.search(said.sentence) is not None or _TURNS.search(said.before) is not None


def says_change(said: Around) -> bool:
    """Whether words around a statement say that something is now another way."""
    return says_change_strongly(said) or _CHANGES_WEAKLY.search(said.whole) is not None


def says_change_strongly(said: Around) -> bool:
    """Whether they say it in so many words: "switch to", "改成", and not only "now"."""
    return _CHANGES_STRONGLY.search(said.whole) is not None


def is_counted(statement: str) -> bool:
    """Whether a statement gives a number."""
    return _NUMBER.search(fold(statement)) is not None


def adds(said: Around) -> bool:
    """Whether a statement stands beside another and not in its place: "also", "另外"."""
    return _ADDS.search(said.sentence) is not None


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
    return ", ".join(clause for clause in clauses if _DISMISSES.search(clause))


def kept_in(statement: str) -> str:
    """Return the clauses of a statement that do not give something up; all, if each does."""
    clauses = [clause.strip() for clause in _CLAUSE_END.split(fold(statement))]
    kept = [clause for clause in clauses if clause and not _DISMISSES.search(clause)]
    return ", ".join(kept or clauses)


def places_in(text: str) -> frozenset[str]:
    """Return the parts of a project that a text is limited to: "reports module", "报表模块"."""
    plain = fold(text)
    english = {match.group(1) for match in _PLACE_EN.finditer(plain)}
    chinese = {
        match.group(1) for match in _PLACE_ZH.finditer(plain) if not _GENERIC_ZH.search(match[1])
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
