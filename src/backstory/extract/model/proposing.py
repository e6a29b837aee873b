"""From turns to a model's drafts; what fails is split, shrunk or given up by itself."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from backstory.asking.checking import Answered, Reading, ask_checked
from backstory.asking.splitting import GiveUp, Shrink, Split, Wait, after_failure
from backstory.capture.redact import redact
from backstory.extract.model.budget import Budget
from backstory.extract.model.prompt import EARLIER, ShownTurn, extraction_request, shown_turns
from backstory.extract.model.reply import SaidCandidate, SaidQuote, read_reply
from backstory.extract.window import Window
from backstory.model.candidate import Draft, Quote
from backstory.model.ids import TurnId
from backstory.model.limits import THREAD_SUMMARY_CHARS_MAX
from backstory.model.turn import Turn
from backstory.model.words import Role
from backstory.ports.model_client import Failure, ModelClient


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenUp:
    """A turn about which no model's reply could be used, and the last failure."""

    turn_id: TurnId
    failure: Failure


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What a model made of a window. Its drafts are for the gate; nothing in them is believed.

    `waiting` is set where the model cannot be asked now; then the turns that are in `seen` are
    done and the others are not.
    """

    drafts: tuple[Draft, ...]
    summary: str
    seen: tuple[TurnId, ...]
    given_up: tuple[GivenUp, ...] = ()
    problems: tuple[str, ...] = ()
    waiting: Failure | None = None


def propose(
    window: Window, client: ModelClient, *, summary: str = "", budget: Budget | None = None
) -> Proposal:
    """Ask a model about a window, in as few calls as work.

    A reply that cannot be used gets one repair turn; a batch that still fails is halved until
    the turn at fault stands alone, and what is too long is halved in turns, then in what is
    shown of a turn. The thread summary grows along the way. Secrets never reach the model.
    """
    return _Asking(window, client, summary, budget or Budget()).run()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """Turns to ask about in one call, and how much of them is shown."""

    turns: tuple[Turn, ...]
    chars_max: int
    has_previous: bool = True


class _Asking:
    def __init__(self, window: Window, client: ModelClient, summary: str, budget: Budget) -> None:
        self._window = window
        self._client = client
        self._summary = summary
        self._budget = budget
        self._drafts: list[Draft] = []
        self._seen: list[TurnId] = []
        self._given_up: list[GivenUp] = []
        self._problems: list[str] = []

    def run(self) -> Proposal:
        waiting: list[_Part] = []
        if self._window.turns:
            whole = _Part(turns=self._window.turns, chars_max=self._budget.input_chars)
            waiting.append(whole)
        while waiting:
            part = waiting.pop()
            failure = self._ask_about(part)
            if failure is None:
                continue
            rest = self._after(failure, part)
            if rest is None:
                return self._proposal(waiting=failure)
            # The last one in is asked first: the order of the turns is kept.
            waiting += reversed(rest)
        return self._proposal()

    def _after(self, failure: Failure, part: "_Part") -> "list[_Part] | None":
        """Return what is to be asked about instead, or None where nothing can be asked now."""
        match after_failure(failure, part.turns, shown_chars_max=part.chars_max):
            case Split(halves=halves):
                return [replace(part, turns=half) for half in halves]
            case Shrink(chars_max=smaller):
                return [replace(part, chars_max=smaller)]
            case GiveUp() if self._before(part) is not None:
                # The turn before it may be at fault: each turn is shown twice.
                return [replace(part, has_previous=False)]
            case GiveUp():
                self._seen += [turn.id for turn in part.turns]
                self._given_up += [GivenUp(turn_id=t.id, failure=failure) for t in part.turns]
                return []
            case Wait():
                return None

    def _before(self, part: "_Part") -> Turn | None:
        return self._window.before(part.turns[0]) if part.has_previous else None

    def _ask_about(self, part: "_Part") -> Failure | None:
        window = Window(turns=part.turns, previous=self._before(part))
        shown = shown_turns(window, chars_max=part.chars_max)
        answered = ask_checked(
            self._client,
            extraction_request(shown, summary=self._summary, budget=self._budget),
            read=lambda text: _read_and_located(text, shown, model=self._client.model),
        )
        if isinstance(answered, Failure):
            return answered
        self._take(answered)
        self._seen += [turn.id for turn in part.turns]
        return None

    def _take(self, answered: Answered["_Located"]) -> None:
        self._drafts += answered.value.drafts
        self._problems += answered.problems
        if answered.value.summary is not None:
            summary = redact(answered.value.summary).text
            self._summary = summary[:THREAD_SUMMARY_CHARS_MAX]

    def _proposal(self, *, waiting: Failure | None = None) -> Proposal:
        return Proposal(
            drafts=tuple(self._drafts),
            summary=self._summary,
            seen=tuple(self._seen),
            given_up=tuple(self._given_up),
            problems=tuple(self._problems),
            waiting=waiting,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Located:
    summary: str | None
    drafts: tuple[Draft, ...]


def _read_and_located(text: str, shown: Sequence[ShownTurn], *, model: str) -> Reading[_Located]:
    reading = read_reply(text)
    if reading.value is None:
        return Reading(value=None, problems=reading.problems)
    drafts: list[Draft] = []
    problems = list(reading.problems)
    for candidate in reading.value.candidates:
        quotes = [_located(quote, shown) for quote in candidate.quotes]
        missing = [quote for quote in quotes if isinstance(quote, str)]
        if not missing and all(quote.turn.strip() == EARLIER for quote in candidate.quotes):
            missing = [f"{EARLIER} was read before: quote a later turn too"]
        if missing:
            problems += [f"{candidate.statement[:80]!r}: {problem}" for problem in missing]
        else:
            found = tuple(quote for quote in quotes if isinstance(quote, Quote))
            drafts.append(_draft(candidate, found, model=model))
    return Reading(
        value=_Located(summary=reading.value.summary, drafts=tuple(drafts)),
        problems=tuple(problems),
    )


def _located(quote: SaidQuote, shown: Sequence[ShownTurn]) -> Quote | str:
    turn = next((one for one in shown if one.label == quote.turn.strip()), None)
    if turn is None:
        labels = ", ".join(one.label for one in shown)
        return f"no turn {quote.turn!r} was shown, only {labels}"
    for role in _roles_to_try(quote.role):
        found = turn.said_by(role).find(quote.text)
        if found is not None and role is quote.role:
            return Quote(
                role=role,
                start=found.start,
                end=found.end,
                text=found.text,
                turn_id=turn.turn.id,
            )
        if found is not None:
            return f"the {role.value} said {quote.text[:60]!r} in {turn.label}, not the other"
    return f"{turn.label} {quote.role.value} does not say {quote.text[:60]!r} word for word"


def _roles_to_try(role: Role) -> Iterator[Role]:
    yield role
    yield Role.ASSISTANT if role is Role.USER else Role.USER


def _draft(candidate: SaidCandidate, quotes: tuple[Quote, ...], *, model: str) -> Draft:
    return Draft(
        kind=candidate.kind,
        statement=candidate.statement,
        quotes=quotes,
        intent=candidate.intent,
        title=candidate.title,
        proposer=f"model:{model}",
    )
