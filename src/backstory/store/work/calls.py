"""The book of calls to models: what each was for, what came of it and what it cost."""

from typing import Any

import apsw

from backstory.model.job import Call, CallOutcome, CallPurpose, Usage
from backstory.model.limits import DAY_MS
from backstory.ports.store_rows import Expense, Grouping
from backstory.store.rows import only_row


class SqliteCalls:
    """The model_call table. A call is never changed once it is written."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def add(self, call: Call) -> None:
        """Keep a call."""
        self._connection.execute(
            """
            INSERT INTO model_call
                (at_ms, purpose, model, session, tokens_in, tokens_out, is_estimated, nano_usd,
                 outcome, duration_ms)
            VALUES
                (:at_ms, :purpose, :model, :session, :tokens_in, :tokens_out, :is_estimated,
                 :nano_usd, :outcome, :duration_ms)
            """,
            {
                "at_ms": call.at_ms,
                "purpose": call.purpose.value,
                "model": call.model,
                "session": call.session,
                "tokens_in": call.usage.tokens_in,
                "tokens_out": call.usage.tokens_out,
                "is_estimated": int(call.is_estimated),
                "nano_usd": call.nano_usd,
                "outcome": call.outcome.value,
                "duration_ms": call.duration_ms,
            },
        )

    def spent(self, *, since_ms: int, session: str | None = None) -> tuple[int, int]:
        """Return the tokens and the billionths of a US dollar spent since a time."""
        row = only_row(
            self._connection,
            """
            SELECT coalesce(sum(tokens_in + tokens_out), 0), coalesce(sum(nano_usd), 0)
              FROM model_call
             WHERE at_ms >= :since_ms AND session = :session
            """
            if session is not None
            else """
            SELECT coalesce(sum(tokens_in + tokens_out), 0), coalesce(sum(nano_usd), 0)
              FROM model_call
             WHERE at_ms >= :since_ms
            """,
            bindings={"since_ms": since_ms, "session": session}
            if session is not None
            else {"since_ms": since_ms},
        )
        return (row[0], row[1]) if row else (0, 0)

    def expenses(self, by: Grouping, *, since_ms: int = 0) -> tuple[Expense, ...]:
        """Return what calls cost since a time, summed up by day, purpose, model or session."""
        rows = self._connection.execute(
            """
            SELECT CASE :by WHEN 'day' THEN CAST(at_ms / :day_ms AS TEXT)
                            WHEN 'purpose' THEN purpose
                            WHEN 'model' THEN model
                            ELSE session END AS name,
                   count(*), sum(outcome <> 'ok'), sum(tokens_in), sum(tokens_out),
                   coalesce(sum(nano_usd), 0), sum(nano_usd IS NULL), sum(is_estimated),
                   sum(duration_ms)
              FROM model_call
             WHERE at_ms >= :since_ms
             GROUP BY name
             ORDER BY min(at_ms), name
            """,
            {"by": by.value, "day_ms": DAY_MS, "since_ms": since_ms},
        )
        return tuple(_expense_from(row) for row in rows)

    def latest(self, *, limit: int) -> tuple[Call, ...]:
        """Return the last calls, newest first."""
        rows = self._connection.execute(
            """
            SELECT at_ms, purpose, model, session, tokens_in, tokens_out, is_estimated, nano_usd,
                   outcome, duration_ms
              FROM model_call
             ORDER BY seq DESC
             LIMIT :limit
            """,
            {"limit": limit},
        )
        return tuple(_call_from(row) for row in rows)


def _expense_from(row: tuple[Any, ...]) -> Expense:
    return Expense(
        name=row[0],
        calls=row[1],
        failed=row[2],
        usage=Usage(tokens_in=row[3], tokens_out=row[4]),
        nano_usd=row[5],
        unpriced=row[6],
        estimated=row[7],
        duration_ms=row[8],
    )


def _call_from(row: tuple[Any, ...]) -> Call:
    return Call(
        at_ms=row[0],
        purpose=CallPurpose(row[1]),
        model=row[2],
        session=row[3],
        usage=Usage(tokens_in=row[4], tokens_out=row[5]),
        is_estimated=bool(row[6]),
        nano_usd=row[7],
        outcome=CallOutcome(row[8]),
        duration_ms=row[9],
    )
