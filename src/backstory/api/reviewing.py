"""The part of the library for what an agent says, and for what waits for a person."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from backstory import consolidate, index, record
from backstory.adapters.importers.memories import Proposal
from backstory.api.keeping import Keeping, remembered_from
from backstory.extract import Window
from backstory.extract.entrusted import (
    PRIVATE,
    Wish,
    check_wish,
    quote_of,
    refused,
    unproved,
)
from backstory.jobs import writing_after
from backstory.model.answers import Offered, Remembered
from backstory.model.candidate import (
    Candidate,
    Draft,
    Quote,
    Reason,
    Refused,
    StoredCandidate,
    Verdict,
)
from backstory.model.errors import UsageError
from backstory.model.ids import CandidateId, ThreadId
from backstory.model.limits import (
    AGENT_WAITING_MAX,
    DAY_MS,
    QUOTE_CHARS_MAX,
    STATEMENT_CHARS_MAX,
)
from backstory.model.turn import Turn
from backstory.model.words import CandidateState, Kind, Role, TurnState
from backstory.ports.store import Tables
from backstory.wiring.sources.offering import IMPORT, offer
from backstory.wiring.story.summed import withdraw_retracted

AGENT = "agent"
# Nothing but a person's approval proves these.
_UNPROVED_SLUGS = {AGENT, IMPORT}
# An agent quotes the conversation that it is in; that one may go on after a week's pause.
_RECENT_MS = 7 * DAY_MS
_TURNS_SEARCHED = 500
_UNPROVED = Reason(
    slug="agent", message="only the agent said it: no recent message of yours holds its words"
)
_NOT_PASSED = Reason(
    slug="agent", message="an agent wants it remembered, and your words alone do not say it"
)
_NO_SESSION = Reason(slug="session", message="from which session is unknown: none was named")


class Reviewing(Keeping):
    """Take an agent's word; list, approve and discard what waits."""

    def entrust(
        self,
        statement: str,
        *,
        user_words: str = "",
        kind: Kind | str | None = None,
        agent: str = "",
        session: str | None = None,
    ) -> Remembered:
        """Take what an agent wants remembered; its word alone makes nothing memory.

        Where `user_words`, by default the statement itself, are an exact part of a message that a
        user wrote here of late, and the gate passes the statement on them, it is remembered like
        everything else. If not, it waits for a person, who is shown why, and is nowhere else to
        be found. What was forgotten, taken back or asked not to be kept stays out. `session` is
        the client's own name for its session, and "" where it has none, which the person is told;
        None is for whoever knows of no sessions. Raises `UsageError` for a statement that is
        empty or too long, and where too much waits already.
        """
        wish = _wish(self._desk.taken(statement), user_words, kind=kind, agent=agent)
        desk = self._desk
        heard = partial(_heard, wish=wish, now_ms=desk.clock())
        with writing_after(desk.store, heard, again=_heard_again) as (tables, found):
            verdict = found.verdict
            if isinstance(verdict, Candidate):
                return self._kept(tables, verdict, found=found)
            because: tuple[Reason, ...] = (_UNPROVED,)
            if verdict is not None:
                if any(reason.slug in PRIVATE for reason in verdict.reasons):
                    return self._refuse(tables, refused(wish, verdict))
                because = (_NOT_PASSED, *verdict.reasons)
            held = unproved(wish, found.quote)
            return self._hold(tables, held, because=because, session=session, shelf=found.shelf)

    def offer(self, proposals: Sequence[Proposal], *, is_dry_run: bool = False) -> Offered:
        """Let statements of other programs wait for a person; none becomes memory by itself.

        They carry no words that a user was heard to say, so that only a person's approval can
        prove them. What was offered before, whatever became of it, is not offered again.
        """
        return offer(self._desk, proposals, is_dry_run=is_dry_run)

    def waiting(self) -> tuple[StoredCandidate, ...]:
        """Return the proposals that a person is to approve."""
        with self._desk.store.reading() as tables:
            return tuple(stored for stored, _ in tables.candidates.waiting())

    def approve(self, candidate_id: str) -> Remembered:
        """Let a waiting proposal become memory. What an agent said is the person's word then."""
        desk, shelf_of = self._desk, consolidate.Shelf
        with writing_after(desk.store, shelf_of, again=shelf_of.caught_up) as (tables, shelf):
            now_ms = desk.clock()
            name = CandidateId(candidate_id)
            quotes = self._adopted(tables, name, now_ms=now_ms)
            touched = consolidate.approve(
                tables, name, ids=desk.ids, now_ms=now_ms, shelf=shelf, quotes=quotes
            )
            index.refresh(tables, touched)
            withdraw_retracted(tables, touched)
            return remembered_from(tables, [name])

    def discard(self, candidate_id: str) -> None:
        """Refuse a waiting proposal."""
        desk = self._desk
        with desk.store.writing() as tables:
            consolidate.discard(tables, CandidateId(candidate_id), now_ms=desk.clock())

    def set_review(self, *, on: bool) -> None:
        """Let new items wait for a person's approval, or stop doing so."""
        with self._desk.store.writing() as tables:
            tables.meta.set_setting(consolidate.REVIEW_SETTING, "on" if on else "off")

    def _kept(self, tables: Tables, candidate: Candidate, *, found: "_Heard") -> Remembered:
        """Let what the gate passed be remembered like everything else."""
        now_ms = self._desk.clock()
        thread_id = None if found.window is None else found.window.turns[0].thread_id
        made = tables.candidates.add(candidate, thread_id=thread_id, now_ms=now_ms)
        return self._decided(tables, [made], shelf=found.shelf, now_ms=now_ms)

    def _hold(
        self,
        tables: Tables,
        candidate: Candidate,
        *,
        because: tuple[Reason, ...],
        session: str | None,
        shelf: consolidate.Shelf,
    ) -> Remembered:
        """Let it wait for a person, unless it is known, forgotten or waits already."""
        match consolidate.known(tables, candidate, shelf=shelf):
            case consolidate.Reject(reason=reason):
                draft = Draft(
                    kind=candidate.kind,
                    statement=candidate.statement,
                    quotes=(),
                    proposer=candidate.proposer,
                )
                return self._refuse(tables, Refused(draft=draft, reasons=(reason,)))
            case consolidate.Revise(item_id=item_id):
                return Remembered(items=tables.items.many([item_id]))
        now_ms = self._desk.clock()
        consolidate.discard_expired(tables, now_ms=now_ms)
        held = [stored for stored, _ in tables.candidates.waiting() if stored.origin == AGENT]
        same = [stored for stored in held if stored.statement == candidate.statement]
        if same:
            return Remembered(items=(), waiting=(same[0],))
        if len(held) >= AGENT_WAITING_MAX:
            raise UsageError(
                f"{len(held)} things that agents said wait already: ask the user to look at "
                "`backstory review`"
            )
        thread_id = self._thread_of(tables, session)
        made = tables.candidates.add(candidate, thread_id=thread_id, now_ms=now_ms)
        reasons = (*because, _NO_SESSION) if session == "" else because
        tables.candidates.decide(made, CandidateState.WAITING, reasons=reasons, now_ms=now_ms)
        return remembered_from(tables, [made])

    def _thread_of(self, tables: Tables, session: str | None) -> ThreadId | None:
        desk = self._desk
        if not session:
            return None
        return record.bind_thread(
            tables,
            host=desk.host,
            host_key=session,
            thread_id=ThreadId(desk.ids("t")),
            now_ms=desk.clock(),
        ).id

    def _refuse(self, tables: Tables, verdict: Refused) -> Remembered:
        made = tables.candidates.add(verdict, thread_id=None, now_ms=self._desk.clock())
        return remembered_from(tables, [made])

    def _adopted(self, tables: Tables, name: CandidateId, *, now_ms: int) -> tuple[Quote, ...]:
        """Record the person's approval of another's word, and return it as what proves it."""
        found = tables.candidates.get(name)
        stored = None if found is None else found[0]
        is_word = stored is not None and any(
            reason.slug in _UNPROVED_SLUGS for reason in stored.reasons
        )
        if stored is None or not is_word or stored.state is not CandidateState.WAITING:
            return ()
        turn = self._said(tables, stored.statement, now_ms=now_ms, origin="approved")
        end = min(len(turn.user_text), QUOTE_CHARS_MAX)
        text = turn.user_text[:end]
        return (Quote(role=Role.USER, start=0, end=end, text=text, turn_id=turn.id),)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Heard:
    """Where the user said what an agent quotes, and what the gate says of it."""

    shelf: consolidate.Shelf
    last_seq: int  # of the turns that were looked through
    quote: Quote | None = None
    window: Window | None = None
    verdict: Verdict | None = None


def _heard(tables: Tables, *, wish: Wish, now_ms: int) -> _Heard:
    """Look for the latest turn in which the user said these words, and judge the wish."""
    shelf, last_seq = consolidate.Shelf(tables), tables.turns.last_seq()
    for turn in _recent(tables, now_ms=now_ms):
        quote = quote_of(turn, wish.user_words)
        if quote is not None:
            window = _window(tables, turn)
            verdict = check_wish(wish, quote, window=window)
            return _Heard(
                shelf=shelf, last_seq=last_seq, quote=quote, window=window, verdict=verdict
            )
    return _Heard(shelf=shelf, last_seq=last_seq)


def _heard_again(before: _Heard, tables: Tables) -> _Heard | None:
    """Return the same with the items as they are now, where nothing more was said."""
    window = before.window
    is_same = window is None or _window(tables, window.turns[0]) == window
    if tables.turns.last_seq() != before.last_seq or not is_same:
        return None
    return None if before.shelf.caught_up(tables) is None else before


def _wish(statement: str, words: str, *, kind: Kind | str | None, agent: str) -> Wish:
    if not statement.strip():
        raise UsageError("there is nothing to remember: the statement is empty")
    if len(statement) > STATEMENT_CHARS_MAX:
        raise UsageError(
            f"the statement has {len(statement)} characters, {STATEMENT_CHARS_MAX} at the most"
        )
    wanted = Kind(kind) if kind else None
    if wanted is not None and not wanted.is_factual:
        raise UsageError("a discussion belongs to a conversation and cannot be written")
    proposer = f"{AGENT}:{agent}" if agent else AGENT
    said = words.strip() or statement
    return Wish(statement=statement, user_words=said, kind=wanted, proposer=proposer)


def _recent(tables: Tables, *, now_ms: int) -> Iterator[Turn]:
    """Yield the last turns, newest first."""
    last = tables.turns.last_seq()
    turns = tables.turns.page(after_seq=max(0, last - _TURNS_SEARCHED), limit=_TURNS_SEARCHED)
    for turn in reversed(turns):
        if turn.said_at_ms >= now_ms - _RECENT_MS:
            yield turn


def _window(tables: Tables, turn: Turn) -> Window:
    before = tables.turns.before(turn)
    is_whole = before is not None and before.state is TurnState.COMPLETED
    return Window(turns=(turn,), previous=before if is_whole else None)
