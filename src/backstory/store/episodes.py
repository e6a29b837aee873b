"""Stretches of development."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import apsw

from backstory.model.episode import Episode, HeldLesson, ReasonedDecision, Summary, Todo
from backstory.model.ids import EpisodeId, ItemId
from backstory.model.words import Author, Kind, Status
from backstory.ports.story import LeftOpen
from backstory.store.raw.withdrawing import WITHDRAWN, withdraw_model
from backstory.store.rows import LAST_CHARACTER

_LESSONS = frozenset({Kind.TOOL_LESSON, Kind.FAILURE_LESSON})
# An item's kind and statement.
_Said = tuple[Kind, str]


class SqliteEpisodes:
    """The episode, episode_summary and todo tables."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def add(self, episode: Episode, *, now_ms: int) -> None:
        """Store a new episode with its first summary and what it left open.

        It gets the next number, unless it brings one.
        """
        summary = episode.summary
        self._connection.execute(
            """
            INSERT INTO episode (seq, id, branch, tickets, started_at_ms, ended_at_ms, summary,
                                 origin)
            VALUES (:seq, :id, :branch, :tickets, :started_at_ms, :ended_at_ms, :summary,
                    :origin)
            """,
            {
                "seq": episode.seq or None,
                "id": episode.id,
                "origin": episode.origin,
                "branch": episode.branch,
                "tickets": _json(episode.tickets),
                "started_at_ms": episode.started_at_ms,
                "ended_at_ms": episode.ended_at_ms,
                "summary": summary.number,
            },
        )
        self._add_summary(episode.id, summary, now_ms=now_ms)
        self._connection.executemany(
            """
            INSERT INTO todo (episode_id, number, text, is_open, closed_by)
            VALUES (?, ?, ?, ?, ?)
            """,
            [
                (episode.id, number, todo.text, int(todo.is_open), todo.closed_by)
                for number, todo in enumerate(summary.todos, 1)
            ],
        )

    def _add_summary(self, episode_id: EpisodeId, summary: Summary, *, now_ms: int) -> None:
        self._connection.execute(
            """
            INSERT INTO episode_summary (episode_id, number, objective, decisions, changes,
                                         problems, keywords, author, created_at_ms)
            VALUES (:episode_id, :number, :objective, :decisions, :changes,
                    :problems, :keywords, :author, :created_at_ms)
            """,
            {
                "episode_id": episode_id,
                "number": summary.number,
                "objective": summary.objective,
                "decisions": _json(_decisions(summary)),
                "changes": _json(summary.changes),
                "problems": _json(summary.problems),
                "keywords": _json(summary.keywords),
                "author": summary.author,
                "created_at_ms": now_ms,
            },
        )

    def get(self, episode_id: EpisodeId) -> Episode | None:
        """Return an episode with its current summary."""
        found = self.many([episode_id])
        return found[0] if found else None

    def many(self, episode_ids: Sequence[EpisodeId]) -> tuple[Episode, ...]:
        """Return those that exist, in the order asked for."""
        found = {episode.id: episode for episode in self._read(json.dumps(list(episode_ids)))}
        return tuple(found[name] for name in episode_ids if name in found)

    def listed(self) -> tuple[Episode, ...]:
        """Return every episode that was not forgotten, oldest first, but those of commits."""
        return tuple(self._read(None))

    def within(self, start_ms: int, end_ms: int, *, limit: int) -> tuple[EpisodeId, ...]:
        """Return the episodes that were going on in a time, newest first."""
        rows = self._connection.execute(
            """
            SELECT id, started_at_ms, seq
              FROM episode
             WHERE started_at_ms >= :start_ms AND started_at_ms < :end_ms
               AND coalesce(ended_at_ms, started_at_ms) >= :start_ms
               AND status <> 'forgotten'
             UNION ALL
            SELECT id, started_at_ms, seq
              FROM episode INDEXED BY episode_lasting
             WHERE started_at_ms < min(:start_ms, :end_ms) AND ended_at_ms > started_at_ms
               AND ended_at_ms >= :start_ms
               AND status <> 'forgotten'
             ORDER BY 2 DESC, 3 DESC
             LIMIT :limit
            """,
            {"start_ms": start_ms, "end_ms": end_ms, "limit": limit},
        )
        return tuple(EpisodeId(row[0]) for row in rows)

    def newest(self, *, limit: int) -> tuple[EpisodeId, ...]:
        """Return the episodes that began last, newest first, but those that hold a todo alone."""
        rows = self._connection.execute(
            """
            SELECT id
              FROM episode
             WHERE status <> 'forgotten' AND origin <> 'todo'
             ORDER BY started_at_ms DESC, seq DESC
             LIMIT :limit
            """,
            {"limit": limit},
        )
        return tuple(EpisodeId(row[0]) for row in rows)

    def find(self, prefix: str) -> tuple[EpisodeId, ...]:
        """Return the ids that begin so, eight at the most."""
        rows = self._connection.execute(
            """
            SELECT id
              FROM episode
             WHERE id >= :prefix AND id < :prefix || :last AND status <> 'forgotten'
             ORDER BY id
             LIMIT 8
            """,
            {"prefix": prefix, "last": LAST_CHARACTER},
        )
        return tuple(EpisodeId(row[0]) for row in rows)

    def open_by_hand(self) -> Episode | None:
        """Return the episode that a person began and has not ended."""
        row = self._connection.execute(
            """
            SELECT id
              FROM episode
             WHERE origin = 'manual' AND ended_at_ms IS NULL AND status <> 'forgotten'
             ORDER BY seq DESC
             LIMIT 1
            """
        ).fetchone()
        return None if row is None else self.get(EpisodeId(row[0]))

    def add_summary(self, episode_id: EpisodeId, summary: Summary, *, now_ms: int) -> None:
        """Put a new revision of the summary in front; todos stay as they are."""
        row = self._connection.execute(
            "SELECT max(number) + 1 FROM episode_summary WHERE episode_id = :id",
            {"id": episode_id},
        ).fetchone()
        assert row is not None
        self._add_summary(episode_id, replace(summary, number=row[0]), now_ms=now_ms)
        self._connection.execute(
            "UPDATE episode SET summary = :number WHERE id = :id",
            {"number": row[0], "id": episode_id},
        )

    def end(self, episode_id: EpisodeId, *, at_ms: int) -> None:
        """Note when an episode ended."""
        self._connection.execute(
            "UPDATE episode SET ended_at_ms = :at_ms WHERE id = :id",
            {"at_ms": at_ms, "id": episode_id},
        )

    def set_status(self, episode_id: EpisodeId, status: Status) -> None:
        """Mark an episode active, stale or forgotten."""
        self._connection.execute(
            "UPDATE episode SET status = :status WHERE id = :id",
            {"status": status, "id": episode_id},
        )

    def todos(self, *, limit: int, with_done: bool = False) -> tuple[LeftOpen, ...]:
        """Return what is left open, newest first."""
        rows = self._connection.execute(
            """
            SELECT t.episode_id, t.number, t.text, t.is_open, t.closed_by
              FROM todo AS t
              JOIN episode AS e ON e.id = t.episode_id
             WHERE e.status <> 'forgotten' AND (t.is_open = 1 OR :with_done)
               AND t.text <> :withdrawn
             ORDER BY e.started_at_ms DESC, e.seq DESC, t.number
             LIMIT :limit
            """,
            {"limit": limit, "with_done": with_done, "withdrawn": WITHDRAWN},
        )
        return tuple(
            LeftOpen(
                episode_id=EpisodeId(row[0]),
                number=row[1],
                todo=Todo(text=row[2], is_open=bool(row[3]), closed_by=row[4]),
            )
            for row in rows
        )

    def by_people(self) -> tuple[EpisodeId, ...]:
        """Return the episodes whose summary is a person's now. Reads every summary."""
        rows = self._connection.execute(
            """
            SELECT e.id
              FROM episode_summary AS s
              JOIN episode AS e ON e.id = s.episode_id AND e.summary = s.number
             WHERE s.author = 'human' AND e.status <> 'forgotten'
             ORDER BY e.seq
            """
        )
        return tuple(EpisodeId(row[0]) for row in rows)

    def add_todo(self, episode_id: EpisodeId, text: str) -> int:
        """Note one more thing left open, and return its number."""
        row = self._connection.execute(
            """
            INSERT INTO todo (episode_id, number, text, is_open)
            VALUES (:id, (SELECT coalesce(max(number), 0) + 1 FROM todo WHERE episode_id = :id),
                    :text, 1)
            RETURNING number
            """,
            {"id": episode_id, "text": text},
        ).fetchone()
        assert row is not None
        return int(row[0])

    def withdraw_model(self, episode_id: EpisodeId, *, todos: Sequence[int]) -> bool:
        """Delete what a model said of an episode, and these todos; tell if there was anything."""
        return withdraw_model(self._connection, episode_id, todos=todos)

    def close_todo(
        self, episode_id: EpisodeId, number: int, *, closed_by: EpisodeId | None = None
    ) -> bool:
        """Close a todo, and return whether it was open."""
        self._connection.execute(
            """
            UPDATE todo
               SET is_open = 0, closed_by = :closed_by
             WHERE episode_id = :id AND number = :number AND is_open = 1
            """,
            {"closed_by": closed_by, "id": episode_id, "number": number},
        )
        return self._connection.changes() == 1

    def reopen_todo(self, episode_id: EpisodeId, number: int) -> bool:
        """Open a todo again, and return whether it was closed. One that was withdrawn stays so."""
        self._connection.execute(
            """
            UPDATE todo
               SET is_open = 1, closed_by = NULL
             WHERE episode_id = :id AND number = :number AND is_open = 0 AND text <> :withdrawn
            """,
            {"id": episode_id, "number": number, "withdrawn": WITHDRAWN},
        )
        return self._connection.changes() == 1

    def _read(self, ids: str | None) -> list[Episode]:
        rows = self._connection.execute(
            """
            SELECT e.id, e.seq, e.branch, e.tickets, e.started_at_ms, e.ended_at_ms,
                   s.objective, s.decisions, s.changes, s.problems, s.keywords, s.author, s.number,
                   (SELECT json_group_array(json_array(t.text, t.is_open, t.closed_by)
                                            ORDER BY t.number)
                      FROM todo AS t
                     WHERE t.episode_id = e.id),
                   e.origin, e.status,
                   (SELECT json_group_array(json_array(c.sha, c.is_merged))
                      FROM recorded_commit AS c
                     WHERE c.episode = e.seq)
              FROM (SELECT seq FROM episode WHERE :ids IS NULL AND origin <> 'commit'
                     UNION
                    SELECT e.seq
                      FROM json_each(:ids) AS t
                      CROSS JOIN episode AS e ON e.id = t.value) AS wanted
              CROSS JOIN episode AS e ON e.seq = wanted.seq
              JOIN episode_summary AS s ON s.episode_id = e.id AND s.number = e.summary
             WHERE e.status <> 'forgotten'
             ORDER BY e.seq
            """,
            {"ids": ids},
        ).fetchall()
        named = {one[2] for row in rows for one in json.loads(str(row[7])) if len(one) > 2}
        said = self._said(sorted(named)) if named else {}
        return [_episode_from(row, said) for row in rows]

    def _said(self, item_ids: Sequence[str]) -> Mapping[str, _Said]:
        """Return what the items say that may be seen, with their kinds."""
        rows = self._connection.execute(
            """
            SELECT i.id, i.kind, i.statement
              FROM json_each(:ids) AS t
              CROSS JOIN item_now AS i ON i.id = t.value
             WHERE i.status IN ('active', 'stale')
            """,
            {"ids": _json(item_ids)},
        )
        return {str(row[0]): (Kind(row[1]), str(row[2])) for row in rows}


def _decisions(summary: Summary) -> list[list[str]]:
    """Return decisions as they are stored: what an item says is the item's name and no words."""
    plain = [[d.decision, d.reason] for d in summary.decisions if d.item_id is None]
    named = [d.item_id for d in summary.decisions if d.item_id is not None]
    return plain + [["", "", item_id] for item_id in (*named, *_ids(summary.lessons))]


def _ids(lessons: Sequence[HeldLesson]) -> list[ItemId]:
    return [lesson.item_id for lesson in lessons]


def _decisions_from(stored: list[list[str]], said: Mapping[str, _Said]) -> list[ReasonedDecision]:
    found = [ReasonedDecision(decision=one[0], reason=one[1]) for one in stored if len(one) == 2]
    for one in stored:
        kind, statement = said.get(one[2] if len(one) > 2 else "", (None, ""))
        if kind is not None and kind not in _LESSONS:
            found.append(ReasonedDecision(decision=statement, item_id=ItemId(one[2])))
    return found


def _lessons_from(stored: list[list[str]], said: Mapping[str, _Said]) -> list[HeldLesson]:
    return [
        HeldLesson(text=said[one[2]][1], item_id=ItemId(one[2]))
        for one in stored
        if len(one) > 2 and one[2] in said and said[one[2]][0] in _LESSONS
    ]


# What apsw hands over: the types of the columns are proved by STRICT tables and CHECKs.
def _episode_from(row: tuple[Any, ...], said: Mapping[str, _Said]) -> Episode:
    stored = json.loads(row[7])
    summary = Summary(
        objective=row[6],
        decisions=tuple(_decisions_from(stored, said)),
        lessons=tuple(_lessons_from(stored, said)),
        changes=tuple(json.loads(row[8])),
        problems=tuple(json.loads(row[9])),
        todos=tuple(
            Todo(text=text, is_open=bool(is_open), closed_by=closed_by)
            for text, is_open, closed_by in json.loads(row[13])
        ),
        keywords=tuple(json.loads(row[10])),
        author=Author(row[11]),
        number=row[12],
    )
    return Episode(
        id=EpisodeId(row[0]),
        seq=row[1],
        summary=summary,
        branch=row[2],
        tickets=tuple(json.loads(row[3])),
        started_at_ms=row[4],
        ended_at_ms=row[5],
        origin=row[14],
        is_stale=row[15] == "stale",
        commits=tuple(sha for sha, _ in json.loads(row[16])),
        is_merged=all(is_merged for _, is_merged in json.loads(row[16])),
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
