"""Blanking words in the rows that hold them, for `erase`."""

from collections.abc import Sequence
from dataclasses import dataclass

import apsw

from backstory.model.ids import ItemId
from backstory.store.rows import only_row
from backstory.store.upkeep.blanking import blank_json, blank_span, filler

# Where words may have been copied to, as they were said or as JSON: table, column, is JSON.
_PLACES = (
    ("turn", "user_text", False),
    ("turn", "answer_text", False),
    ("turn", "error", False),
    ("event", "text", False),
    ("event", "payload", True),
    ("thread", "summary", False),
    ("job", "payload", True),
    ("job", "last_error", False),
    ("job", "diagnosis", False),
    ("change", "reason", False),
    ("change", "before", True),
    ("revision", "reason", False),
    ("evidence", "text", False),
    ("candidate", "statement", False),
    ("candidate", "title", False),
    ("candidate", "synopsis", False),
    ("candidate", "aliases", True),
    ("candidate", "keywords", True),
    ("candidate", "claim", True),
    ("candidate", "quotes", True),
    ("candidate", "reasons", True),
    ("episode_summary", "objective", False),
    ("episode_summary", "decisions", True),
    ("episode_summary", "changes", True),
    ("episode_summary", "problems", True),
    ("episode_summary", "keywords", True),
    ("todo", "text", False),
    ("setting", "value", True),  # of a host's run; what is no JSON there is one word
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A place in a turn or an event."""

    source: str
    role: str
    start: int
    end: int

    def overlaps(self, other: "Span") -> bool:
        """Whether both hold one character at least in common."""
        return (
            (self.source, self.role) == (other.source, other.role)
            and self.start < other.end
            and other.start < self.end
        )


def words_of(connection: apsw.Connection, spans: Sequence[Span]) -> set[str]:
    """Return what stands in the spans, verbatim."""
    return {_text_of(connection, span)[span.start : span.end] for span in spans}


def _text_of(connection: apsw.Connection, span: Span) -> str:
    row = only_row(
        connection,
        """
        SELECT CASE :role WHEN 'user' THEN user_text ELSE answer_text END
          FROM turn
         WHERE id = :id AND :role <> 'event'
         UNION ALL
        SELECT text FROM event WHERE id = :id AND :role = 'event'
        """,
        bindings={"id": span.source, "role": span.role},
    )
    return str(row[0]) if row else ""


def blank_sources(connection: apsw.Connection, spans: Sequence[Span]) -> None:
    """Put a filler in the place of each span in what was said."""
    for span in spans:
        text = blank_span(_text_of(connection, span), start=span.start, end=span.end)
        # One statement for each side of a turn, so that none is built from text.
        connection.execute(
            """
            UPDATE turn SET user_text = :text WHERE id = :id AND :role = 'user';
            UPDATE turn SET answer_text = :text WHERE id = :id AND :role = 'assistant';
            UPDATE event SET text = :text WHERE id = :id AND :role = 'event';
            """,
            {"id": span.source, "role": span.role, "text": text},
        )


def requote(connection: apsw.Connection, spans: Sequence[Span]) -> tuple[ItemId, ...]:
    """Bring quotes in line with what was blanked in their sources, and return whose they are."""
    rows = connection.execute(
        """
        SELECT item_id, number, coalesce(turn_id, event_id), role, start_char, end_char, text
          FROM evidence
        """
    ).fetchall()
    touched: dict[ItemId, None] = {}
    for item_id, number, source, role, start, end, text in rows:
        own = Span(source=str(source), role=str(role), start=_int(start), end=_int(end))
        quoted = _requoted(connection, str(text), own=own, spans=spans)
        if quoted != text:
            touched[ItemId(str(item_id))] = None
            connection.execute(
                "UPDATE evidence SET text = :text WHERE item_id = :item_id AND number = :number",
                {"text": quoted, "item_id": item_id, "number": number},
            )
    return tuple(touched)


def _requoted(connection: apsw.Connection, text: str, *, own: Span, spans: Sequence[Span]) -> str:
    if len(text) == own.end - own.start:
        return _text_of(connection, own)[own.start : own.end]
    # Where a secret was replaced, places in the quote are not those in the turn.
    return filler(len(text)) if any(own.overlaps(span) for span in spans) else text


def _int(value: object) -> int:
    assert isinstance(value, int), "the column is an integer in a strict table"
    return value


def blank_everywhere(connection: apsw.Connection, needles: Sequence[str]) -> None:
    """Blank the needles wherever they were copied to, word for word."""
    for table, column, is_json in _PLACES:
        if is_json:
            _blank_json_column(connection, table, column=column, needles=needles)
        else:
            _blank_text_column(connection, table, column=column, needles=needles)


def _blank_text_column(
    connection: apsw.Connection, table: str, *, column: str, needles: Sequence[str]
) -> None:
    # The names are from the list above, never from a user.
    sql = f"""
        UPDATE "{table}"
           SET "{column}" = replace("{column}", :needle, :filler)
         WHERE instr("{column}", :needle)
        """  # noqa: S608
    for needle in needles:
        connection.execute(sql, {"needle": needle, "filler": filler(len(needle))})


def _blank_json_column(
    connection: apsw.Connection, table: str, *, column: str, needles: Sequence[str]
) -> None:
    # JSON writes one word in several ways, so it is read before it is searched; all but one of
    # them begin with a backslash, and of many thousands few texts hold one.
    named = {f"needle{number}": needle for number, needle in enumerate(needles)}
    held = "".join(f' OR instr("{column}", :{name})' for name in named)
    sql = f"""
        SELECT DISTINCT "{column}"
          FROM "{table}"
         WHERE (instr("{column}", char(92)){held}) AND json_valid("{column}")
        """  # noqa: S608
    texts = connection.execute(sql, named).fetchall()
    for (text,) in texts:
        blanked = blank_json(str(text), needles)
        if blanked != blank_json(str(text), ()):
            connection.execute(
                f'UPDATE "{table}" SET "{column}" = :new WHERE "{column}" = :old',  # noqa: S608
                {"new": blanked, "old": text},
            )
