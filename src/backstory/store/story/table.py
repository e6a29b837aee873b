"""Commits as episodes: what is kept of them, their links, and the runs in which they are found."""

import json
from collections.abc import Mapping, Sequence

import apsw

from backstory.model.ids import EpisodeId
from backstory.ports.story import CitedFile, Entry, Form, Link, OpenTodo, RecordedCommit, Told
from backstory.store.episodes import SqliteEpisodes
from backstory.store.story.entries import entries
from backstory.store.story.forms import forms_of
from backstory.store.story.runs import Runs, last_name

_BUCKETS = 20
# A rename is followed so far back.
_EARLIER_NAMES_MAX = 8
_HEX_END = "g"


class SqliteStory:
    """The recorded_commit, episode_link, path_name, story_entry and story_posting tables."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._runs = Runs(connection)

    def size(self) -> int:
        """Return how many commits' episodes there are, forgotten ones among them.

        It is the width of their numbers, which two look-ups tell: counting would read every
        page. Episodes of another sort that began in between are counted too.
        """
        return self._number(
            """
            SELECT coalesce((SELECT max(episode) FROM story_entry), 0)
                   - coalesce((SELECT min(episode) FROM story_entry), 1) + 1
            """
        )

    def now(self) -> int:
        """Return the number that the next episode would get."""
        return 1 + self._number(
            "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'episode'"
        )

    def known(self, shas: Sequence[str]) -> frozenset[str]:
        """Return those of these commits that are recorded."""
        rows = self._connection.execute(
            """
            SELECT t.value
              FROM json_each(:shas) AS t
             WHERE EXISTS (SELECT 1 FROM recorded_commit AS c WHERE c.sha = t.value)
            """,
            {"shas": json.dumps(list(shas))},
        )
        return frozenset(str(row[0]) for row in rows)

    def numbers(self, prefixes: Sequence[str]) -> Mapping[str, int]:
        """Return the episode of each commit whose hash begins so, where exactly one does."""
        rows = self._connection.execute(
            """
            SELECT t.value, min(c.episode)
              FROM json_each(:prefixes) AS t
              CROSS JOIN recorded_commit AS c ON c.sha >= t.value AND c.sha < t.value || :end
             GROUP BY t.value
            HAVING count(DISTINCT c.sha) = 1
            """,
            {"prefixes": json.dumps(list(prefixes)), "end": _HEX_END},
        )
        return {str(row[0]): int(row[1]) for row in rows}

    def word_counts(self, terms: Sequence[str]) -> Mapping[str, int]:
        """Return how many episodes hold each of these terms."""
        counts = self._runs.counts([f"w:{term}" for term in terms])
        return {key[2:]: count for key, count in counts.items()}

    def path_counts(self, paths: Sequence[str]) -> Mapping[str, int]:
        """Return how many episodes touched each of these paths, under any earlier name too."""
        names = {path: self._names(path) for path in paths}
        counts = self._runs.counts([f"p:{name}" for all_ in names.values() for name in all_])
        found = {
            path: sum(counts.get(f"p:{name}", 0) for name in all_) for path, all_ in names.items()
        }
        return {path: count for path, count in found.items() if count}

    def with_word(self, term: str, limit: int) -> Sequence[int]:
        """Return the newest episodes that hold a term."""
        return self._runs.newest(f"w:{term}", limit)

    def with_path(self, path: str, limit: int) -> Sequence[int]:
        """Return the newest episodes that touched a path, under any earlier name too."""
        names = self._names(path)
        if len(names) == 1:
            return self._runs.newest(f"p:{path}", limit)
        held = {number for name in names for number in self._runs.newest(f"p:{name}", limit)}
        return sorted(held)[-limit:]

    def with_ticket(self, ticket: str, limit: int) -> Sequence[int]:
        """Return the newest episodes of a ticket."""
        return self._runs.newest(f"t:{ticket}", limit)

    def of_branch(self, branch: str, limit: int) -> Sequence[int]:
        """Return the newest episodes reached from a branch and not merged yet."""
        rows = self._connection.execute(
            """
            SELECT DISTINCT episode
              FROM recorded_commit INDEXED BY recorded_commit_unmerged
             WHERE is_merged = 0 AND branch = :branch
             ORDER BY episode DESC
             LIMIT :limit
            """,
            {"branch": branch, "limit": limit},
        )
        return [int(row[0]) for row in rows]

    def with_branch(self, branch: str, limit: int) -> Sequence[int]:
        """Return the newest episodes of a branch, merged or not."""
        rows = self._connection.execute(
            """
            SELECT seq
              FROM episode
             WHERE branch = :branch AND status <> 'forgotten'
             ORDER BY seq DESC
             LIMIT :limit
            """,
            {"branch": branch, "limit": limit},
        )
        return [int(row[0]) for row in rows]

    def with_name(self, path: str, limit: int) -> Sequence[int]:
        """Return the newest episodes of files or directories that are named as a path ends."""
        return self._runs.newest(f"n:{last_name(path)}", limit)

    def earlier_names(self, path: str) -> Sequence[str]:
        """Return the names that a path had before, newest first."""
        return self._names(path)[1:]

    def with_folder(self, folder: str, limit: int) -> Sequence[int]:
        """Return the newest episodes that touched anything in a directory."""
        return self._runs.beginning(f"p:{folder.rstrip('/')}/", limit)

    def entries(self, numbers: Sequence[int]) -> Sequence[Entry]:
        """Return these episodes with what they name and what names them."""
        return entries(self._connection, numbers)

    def distances(self) -> Sequence[int]:
        """Return how far back episodes referred, in doublings."""
        counts = [0] * _BUCKETS
        for doublings, count in self._connection.execute(
            """
            SELECT doublings, count(*)
              FROM episode_link INDEXED BY episode_link_doublings
             WHERE kind <> 'same_ticket'
             GROUP BY doublings
            """
        ):
            counts[min(doublings, _BUCKETS - 1)] += count
        return counts

    def add(self, told: Sequence[Told], *, links: Sequence[Link], now_ms: int) -> None:
        """Store episodes whose numbers follow the last one, with their links."""
        episodes = SqliteEpisodes(self._connection)
        for one in told:
            episodes.add(one.episode, now_ms=now_ms)
        self._connection.executemany(
            """
            INSERT INTO recorded_commit (sha, episode, tree, patch_id, branch, is_merged, author,
                                         authored_at_ms, committed_at_ms)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [_commit_row(one) for one in told],
        )
        self.link(links)
        self._connection.executemany(
            """
            INSERT INTO path_name (path, was) VALUES (?, ?)
            ON CONFLICT (path) DO UPDATE SET was = excluded.was
            """,
            [pair for one in told for pair in one.renames],
        )
        self._connection.executemany(
            "INSERT INTO story_entry (episode, title, words, paths) VALUES (?, ?, ?, ?)",
            [(one.episode.seq, one.title, _json(one.words), _json(one.paths)) for one in told],
        )
        self._runs.add(told)

    def link(self, links: Sequence[Link]) -> None:
        """Note what stored episodes say of earlier ones."""
        self._connection.executemany(
            """
            INSERT OR IGNORE INTO episode_link (episode, other, kind, doublings)
            VALUES (?, ?, ?, ?)
            """,
            [(link.episode, link.other, link.kind, link.doublings) for link in links],
        )

    def after(self, number: int, *, limit: int) -> Mapping[int, str]:
        """Return a commit of each of the next episodes that are found by words."""
        rows = self._connection.execute(
            """
            SELECT s.episode, min(c.sha)
              FROM (SELECT episode FROM story_entry
                     WHERE episode > :number
                     ORDER BY episode
                     LIMIT :limit) AS s
              JOIN recorded_commit AS c ON c.episode = s.episode
             GROUP BY s.episode
            """,
            {"number": number, "limit": limit},
        )
        return {int(row[0]): str(row[1]) for row in rows}

    def reword(self, found: Mapping[int, tuple[str, Mapping[str, float]]]) -> None:
        """Put titles and words in the place of those that episodes were found by."""
        self._connection.executemany(
            "UPDATE story_entry SET title = ?, words = ? WHERE episode = ?",
            [(title, _json(words), number) for number, (title, words) in found.items()],
        )

    def mark_merged(self, shas: Sequence[str]) -> None:
        """Note that the main line of development reaches these commits now."""
        self._connection.execute(
            """
            UPDATE recorded_commit
               SET is_merged = 1
             WHERE is_merged = 0 AND sha IN (SELECT value FROM json_each(:shas))
            """,
            {"shas": json.dumps(list(shas))},
        )

    def forms(self, numbers: Sequence[int]) -> Mapping[int, Form]:
        """Return what the rewritten forms of one commit have in common, where it is worked out."""
        return forms_of(self._connection, numbers)

    def without_patch_id(self, *, limit: int) -> tuple[str, ...]:
        """Return those of the newest so many commits whose patch-id was not worked out."""
        rows = self._connection.execute(
            """
            SELECT c.sha
              FROM (SELECT episode FROM story_entry ORDER BY episode DESC LIMIT :limit) AS newest
              CROSS JOIN recorded_commit AS c ON c.episode = newest.episode
             WHERE c.patch_id IS NULL
             ORDER BY c.episode
            """,
            {"limit": limit},
        )
        return tuple(str(row[0]) for row in rows)

    def set_patch_ids(self, patch_ids: Mapping[str, str]) -> None:
        """Keep patch-ids; "" for a commit that has none."""
        self._connection.executemany(
            "UPDATE recorded_commit SET patch_id = ? WHERE sha = ?",
            [(patch_id, sha) for sha, patch_id in patch_ids.items()],
        )

    def ids(self, numbers: Sequence[int]) -> Mapping[int, EpisodeId]:
        """Return the ids of these episodes; forgotten ones are left out."""
        rows = self._connection.execute(
            """
            SELECT e.seq, e.id
              FROM json_each(:numbers) AS t
              CROSS JOIN episode AS e ON e.seq = t.value
             WHERE e.status <> 'forgotten'
            """,
            {"numbers": json.dumps(list(numbers))},
        )
        return {int(row[0]): EpisodeId(str(row[1])) for row in rows}

    def open_todos(self, *, limit: int) -> tuple[OpenTodo, ...]:
        """Return the newest open todos, oldest of them first."""
        rows = self._connection.execute(
            """
            SELECT t.episode_id, t.number, t.text, coalesce(s.paths, n.changes),
                   coalesce(e.ended_at_ms, e.started_at_ms)
              FROM todo AS t
              JOIN episode AS e ON e.id = t.episode_id
              JOIN episode_summary AS n ON n.episode_id = e.id AND n.number = e.summary
              LEFT JOIN story_entry AS s ON s.episode = e.seq
             WHERE t.is_open = 1 AND e.status <> 'forgotten'
             ORDER BY e.seq DESC, t.number DESC
             LIMIT :limit
            """,
            {"limit": limit},
        ).fetchall()
        return tuple(
            OpenTodo(
                episode_id=EpisodeId(row[0]),
                number=row[1],
                text=row[2],
                paths=tuple(json.loads(row[3])),
                at_ms=row[4],
            )
            for row in reversed(rows)
        )

    def cited(self) -> tuple[CitedFile, ...]:
        """Return every file that was seen to be cited."""
        rows = self._connection.execute(
            "SELECT entry_id, path, revision, blob FROM cited_file ORDER BY entry_id, path"
        )
        return tuple(
            CitedFile(entry_id=row[0], path=row[1], revision=row[2], blob=row[3]) for row in rows
        )

    def cite(self, files: Sequence[CitedFile]) -> None:
        """Note what cited files are like, in place of what was noted before."""
        self._connection.executemany(
            """
            INSERT INTO cited_file (entry_id, path, revision, blob) VALUES (?, ?, ?, ?)
            ON CONFLICT (entry_id, path) DO UPDATE
               SET revision = excluded.revision, blob = excluded.blob
            """,
            [(file.entry_id, file.path, file.revision, file.blob) for file in files],
        )

    def commits(self, episode_id: EpisodeId) -> tuple[RecordedCommit, ...]:
        """Return the commits of an episode."""
        rows = self._connection.execute(
            """
            SELECT c.sha, c.tree, c.patch_id, c.branch, c.is_merged, c.author,
                   c.authored_at_ms, c.committed_at_ms
              FROM episode AS e
              JOIN recorded_commit AS c ON c.episode = e.seq
             WHERE e.id = :id
             ORDER BY c.committed_at_ms, c.sha
            """,
            {"id": episode_id},
        )
        return tuple(
            RecordedCommit(
                sha=row[0],
                tree=row[1],
                patch_id=row[2] or None,
                branch=row[3],
                is_merged=bool(row[4]),
                author=row[5],
                authored_at_ms=row[6],
                committed_at_ms=row[7],
            )
            for row in rows
        )

    def links(self, episode_id: EpisodeId) -> tuple[tuple[EpisodeId, str, bool], ...]:
        """Return the linked episodes: each with the kind, and whether it is the later one."""
        rows = self._connection.execute(
            """
            SELECT o.id, l.kind, 0
              FROM episode AS e
              JOIN episode_link AS l ON l.episode = e.seq
              JOIN episode AS o ON o.seq = l.other
             WHERE e.id = :id AND o.status <> 'forgotten'
             UNION ALL
            SELECT o.id, l.kind, 1
              FROM episode AS e
              JOIN episode_link AS l ON l.other = e.seq
              JOIN episode AS o ON o.seq = l.episode
             WHERE e.id = :id AND o.status <> 'forgotten'
            """,
            {"id": episode_id},
        )
        return tuple((EpisodeId(row[0]), row[1], bool(row[2])) for row in rows)

    def _names(self, path: str) -> list[str]:
        """Return a path and its earlier names, newest first."""
        names = [path]
        while len(names) < _EARLIER_NAMES_MAX:
            row = self._connection.execute(
                "SELECT was FROM path_name WHERE path = :path", {"path": names[-1]}
            ).fetchone()
            if row is None or row[0] in names:
                break
            names.append(row[0])
        return names

    def _number(self, statement: str) -> int:
        row = self._connection.execute(statement).fetchone()
        return int(row[0]) if row else 0


def _commit_row(told: Told) -> tuple[object, ...]:
    commit = told.commit
    return (
        *(commit.sha, told.episode.seq, commit.tree, commit.patch_id, commit.branch),
        *(int(commit.is_merged), commit.author, commit.authored_at_ms, commit.committed_at_ms),
    )


# Made once: `json.dumps` makes one for every call.
_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
