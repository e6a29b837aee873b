"""Candidates and refusals: what somebody proposed to remember, and what became of it."""

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

import apsw

from backstory.model.candidate import (
    Candidate,
    Claim,
    Quote,
    Reason,
    Refused,
    StoredCandidate,
)
from backstory.model.errors import NotFoundError
from backstory.model.ids import CandidateId, EventId, ItemId, ThreadId, TurnId
from backstory.model.words import CandidateState, Intent, Kind, Role

# What apsw hands over: the types of the columns are proved by STRICT tables and CHECKs.
_Row = tuple[Any, ...]


class SqliteCandidates:
    """Proposals and refusals, in the order in which they were made."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def add(
        self, verdict: Candidate | Refused, *, thread_id: ThreadId | None, now_ms: int
    ) -> CandidateId:
        """Store a candidate as pending, or a refusal with its reasons."""
        candidate_id = CandidateId(f"c_{os.urandom(6).hex()}")
        values = _values_of(verdict)
        is_refused = isinstance(verdict, Refused)
        self._connection.execute(
            """
            INSERT INTO candidate (id, thread_id, generation, kind, intent, statement, title,
                                   synopsis, aliases, keywords, paths, claim, quotes, proposer,
                                   is_draft, state, reasons, created_at_ms, decided_at_ms)
            VALUES (:id, :thread_id, (SELECT generation FROM meta), :kind, :intent, :statement,
                    :title, :synopsis, :aliases, :keywords, :paths, :claim, :quotes, :proposer,
                    :is_draft, :state, :reasons, :now_ms, :decided_at_ms)
            """,
            {
                "id": candidate_id,
                "thread_id": thread_id,
                **values,
                "state": CandidateState.REFUSED if is_refused else CandidateState.PENDING,
                "now_ms": now_ms,
                "decided_at_ms": now_ms if is_refused else None,
            },
        )
        return candidate_id

    def pending(self, *, limit: int) -> tuple[tuple[StoredCandidate, Candidate], ...]:
        """Return those that consolidation has not seen yet, oldest first."""
        rows = self._connection.execute(
            """
            SELECT id, thread_id, kind, intent, statement, title, quotes, proposer, state,
                   reasons, item_id, created_at_ms, synopsis, aliases, keywords, paths, claim
              FROM candidate
             WHERE state = 'pending'
             ORDER BY seq
             LIMIT :limit
            """,
            {"limit": limit},
        )
        return tuple((_stored_from(row), _candidate_from(row)) for row in rows)

    def waiting(self) -> tuple[tuple[StoredCandidate, Candidate], ...]:
        """Return those that a person is to approve, oldest first."""
        rows = self._connection.execute(
            """
            SELECT id, thread_id, kind, intent, statement, title, quotes, proposer, state,
                   reasons, item_id, created_at_ms, synopsis, aliases, keywords, paths, claim
              FROM candidate
             WHERE state = 'waiting'
             ORDER BY seq
            """
        )
        return tuple((_stored_from(row), _candidate_from(row)) for row in rows)

    def get(self, candidate_id: CandidateId) -> tuple[StoredCandidate, Candidate | None] | None:
        """Return one, or None where there is no such id. What the gate refused is no candidate."""
        row = self._connection.execute(
            """
            SELECT id, thread_id, kind, intent, statement, title, quotes, proposer, state,
                   reasons, item_id, created_at_ms, synopsis, aliases, keywords, paths, claim,
                   is_draft
              FROM candidate
             WHERE id = :id
            """,
            {"id": candidate_id},
        ).fetchone()
        if row is None:
            return None
        return _stored_from(row), None if row[17] else _candidate_from(row)

    def decide(
        self,
        candidate_id: CandidateId,
        state: CandidateState,
        *,
        item_id: ItemId | None = None,
        reasons: Sequence[Reason] = (),
        now_ms: int,
    ) -> None:
        """Say what became of a candidate; the reasons are kept for `why`, also of an acceptance.

        Raises `NotFoundError` where there is no such candidate or it was refused before.
        """
        is_final = state in (CandidateState.ACCEPTED, CandidateState.REFUSED)
        self._connection.execute(
            """
            UPDATE candidate
               SET state = :state, item_id = :item_id, reasons = :reasons,
                   decided_at_ms = :decided_at_ms
             WHERE id = :id AND state <> 'refused'
            """,
            {
                "id": candidate_id,
                "state": state,
                "item_id": item_id,
                "reasons": _reasons_json(reasons),
                "decided_at_ms": now_ms if is_final else None,
            },
        )
        if not self._connection.changes():
            raise NotFoundError(f"there is no candidate {candidate_id} left to decide")

    def of_turn(self, turn_id: TurnId) -> tuple[StoredCandidate, ...]:
        """Return those that quote this turn, oldest first."""
        rows = self._connection.execute(
            """
            SELECT id, thread_id, kind, intent, statement, title, quotes, proposer, state,
                   reasons, item_id, created_at_ms
              FROM candidate
             WHERE EXISTS (SELECT 1
                             FROM json_each(candidate.quotes) AS quote
                            WHERE quote.value ->> 'turn_id' = :turn_id)
             ORDER BY seq
            """,
            {"turn_id": turn_id},
        )
        return tuple(_stored_from(row) for row in rows)

    def unmet_withdrawals(self, *, limit: int) -> tuple[StoredCandidate, ...]:
        """Return accepted retractions that found no item to take back, newest first."""
        rows = self._connection.execute(
            """
            SELECT id, thread_id, kind, intent, statement, title, quotes, proposer, state,
                   reasons, item_id, created_at_ms
              FROM candidate
             WHERE intent = 'retract' AND state = 'accepted' AND item_id IS NULL
             ORDER BY seq DESC
             LIMIT :limit
            """,
            {"limit": limit},
        )
        return tuple(_stored_from(row) for row in rows)

    def recent(
        self, *, limit: int, states: Sequence[CandidateState]
    ) -> tuple[StoredCandidate, ...]:
        """Return those in any of these states, newest first."""
        rows = self._connection.execute(
            """
            SELECT id, thread_id, kind, intent, statement, title, quotes, proposer, state,
                   reasons, item_id, created_at_ms
              FROM candidate
             WHERE state IN (SELECT value FROM json_each(:states))
             ORDER BY seq DESC
             LIMIT :limit
            """,
            {"limit": limit, "states": json.dumps(list(states))},
        )
        return tuple(_stored_from(row) for row in rows)

    def counts(self) -> Mapping[CandidateState, int]:
        """Return how many there are in each state."""
        rows = self._connection.execute("SELECT state, count(*) FROM candidate GROUP BY state")
        return {CandidateState(row[0]): row[1] for row in rows}


def _values_of(verdict: Candidate | Refused) -> dict[str, str | int | None]:
    if isinstance(verdict, Refused):
        return _draft_values(verdict)
    return {
        "kind": verdict.kind,
        "intent": verdict.intent,
        "statement": verdict.statement,
        "title": verdict.title,
        "synopsis": verdict.synopsis,
        "aliases": json.dumps(verdict.aliases, ensure_ascii=False),
        "keywords": json.dumps(verdict.keywords, ensure_ascii=False),
        "paths": json.dumps(verdict.paths, ensure_ascii=False),
        "claim": _claim_json(verdict.claim),
        "quotes": _quotes_json(verdict.quotes),
        "proposer": verdict.proposer,
        "reasons": "[]",
        "is_draft": 0,
    }


def _draft_values(refused: Refused) -> dict[str, str | int | None]:
    draft = refused.draft
    return {
        "kind": draft.kind,
        "intent": draft.intent,
        "statement": draft.statement,
        "title": draft.title,
        "synopsis": "",
        "aliases": "[]",
        "keywords": "[]",
        "paths": "[]",
        "claim": None,
        "quotes": _quotes_json(draft.quotes),
        "proposer": draft.proposer,
        "reasons": _reasons_json(refused.reasons),
        "is_draft": 1,
    }


def _quotes_json(quotes: Sequence[Quote]) -> str:
    return json.dumps(
        [
            {
                "role": quote.role,
                "start": quote.start,
                "end": quote.end,
                "text": quote.text,
                "turn_id": quote.turn_id,
                "event_id": quote.event_id,
            }
            for quote in quotes
        ],
        ensure_ascii=False,
    )


def _reasons_json(reasons: Sequence[Reason]) -> str:
    return json.dumps(
        [{"slug": reason.slug, "message": reason.message} for reason in reasons],
        ensure_ascii=False,
    )


def _claim_json(claim: Claim | None) -> str | None:
    if claim is None:
        return None
    return json.dumps(
        {
            "subject": claim.subject,
            "attribute": claim.attribute,
            "value": claim.value,
            "is_negative": claim.is_negative,
            "paths": claim.paths,
        },
        ensure_ascii=False,
    )


def _claim_from(text: str | None) -> Claim | None:
    if text is None:
        return None
    fields = json.loads(text)
    return Claim(
        subject=fields["subject"],
        attribute=fields["attribute"],
        value=fields["value"],
        is_negative=fields["is_negative"],
        paths=tuple(fields["paths"]),
    )


def _quote_from(fields: Mapping[str, Any]) -> Quote:
    return Quote(
        role=Role(fields["role"]),
        start=fields["start"],
        end=fields["end"],
        text=fields["text"],
        turn_id=None if fields["turn_id"] is None else TurnId(fields["turn_id"]),
        event_id=None if fields["event_id"] is None else EventId(fields["event_id"]),
    )


def _stored_from(row: _Row) -> StoredCandidate:
    return StoredCandidate(
        id=CandidateId(row[0]),
        thread_id=None if row[1] is None else ThreadId(row[1]),
        kind=Kind(row[2]),
        intent=Intent(row[3]),
        statement=row[4],
        title=row[5],
        quotes=tuple(_quote_from(fields) for fields in json.loads(row[6])),
        proposer=row[7],
        state=CandidateState(row[8]),
        reasons=tuple(Reason(**fields) for fields in json.loads(row[9])),
        item_id=row[10],
        created_at_ms=row[11],
    )


def _candidate_from(row: _Row) -> Candidate:
    stored = _stored_from(row)
    return Candidate(
        kind=stored.kind,
        statement=stored.statement,
        quotes=stored.quotes,
        intent=stored.intent,
        title=stored.title,
        synopsis=row[12],
        aliases=tuple(json.loads(row[13])),
        keywords=tuple(json.loads(row[14])),
        paths=tuple(json.loads(row[15])),
        claim=_claim_from(row[16]),
        proposer=stored.proposer,
    )
