"""How fast recall is in process, beside a bare FTS5 MATCH over the same terms.

    python bench/recall_speed.py [--json] [--items 1000,10000] [--questions 200]

Takes about ten seconds; 100,000 items take minutes, most of them to be stored.
Every store holds made-up items: words of a Zipf-like vocabulary (two in three English-looking,
one in three Chinese), titles of four to six words, texts of twelve to thirty, three keywords
and a path. Questions take two to four words of one item, with words around them as people
write them; one in five asks for words that no item holds, one in ten has a slip in a word.
Both sides answer the same questions in the same run, on a warm cache, one after the other.
The bare side is the floor: one FTS5 table of the same terms, `MATCH` of the same terms joined
by OR, `ORDER BY rank LIMIT 5`; it reads no item, judges nothing and cannot abstain.
"""

import argparse
import itertools
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
from made_items import a_made_item

from backstory.index.stage import index_entries
from backstory.model.item import Item
from backstory.model.recall import Question
from backstory.ports.store_rows import NewItem
from backstory.recall.answer import recall
from backstory.segment.terms import search_terms
from backstory.store import open_store

NOW_MS = 1_760_000_000_000
_SYLLABLES = (
    *("ba", "co", "di", "fu", "ga", "he", "ji", "ko", "lu", "ma", "ne", "po", "qui", "ra"),
    *("se", "ti", "vo", "wa", "xe", "yo", "zu", "tra", "ple", "sto", "cri"),
)
_AROUND = (
    "what did we decide about {}?",
    "how do we handle {}",
    "{}",
    "为什么用 {}",
    "{} 怎么处理？",
    "where is {}",
)


class Vocabulary:
    """Made-up words, the n-th of them about n times rarer than the first."""

    def __init__(self, chance: random.Random, size: int) -> None:
        self._chance = chance
        self._words = [self._word(number) for number in range(size)]
        self._weights = list(itertools.accumulate(1 / (rank + 8) for rank in range(size)))

    def _word(self, number: int) -> str:
        if number % 3 == 2:
            return "".join(chr(self._chance.randrange(0x4E00, 0x4E00 + 2500)) for _ in range(2))
        return "".join(self._chance.choices(_SYLLABLES, k=2 + number % 3))

    def words(self, count: int) -> list[str]:
        """Return so many words, the common ones more often."""
        return self._chance.choices(self._words, cum_weights=self._weights, k=count)


def made_items(chance: random.Random, vocabulary: Vocabulary, *, count: int) -> Iterator[Item]:
    for number in range(count):
        words = vocabulary.words(chance.randrange(12, 31))
        yield a_made_item(
            f"i{number:07}",
            " ".join(words),
            title=" ".join(words[: chance.randrange(4, 7)]),
            keywords=tuple(words[:3]),
            paths=(f"src/{words[-1]}/{words[-2]}.py",),
            at_ms=NOW_MS,
        )


def made_questions(chance: random.Random, items: list[Item], *, count: int) -> list[str]:
    return [
        _question(chance, chance.choice(items).revision.statement.split()) for _ in range(count)
    ]


def _question(chance: random.Random, words: list[str]) -> str:
    picked = chance.sample(words, k=chance.randrange(2, 5))
    dice = chance.random()
    if dice < 0.2:
        picked = [word[::-1] + "zq" for word in picked]
    elif dice < 0.3 and len(picked[0]) > 4:
        picked[0] = picked[0][:2] + picked[0][3] + picked[0][2] + picked[0][4:]
    return chance.choice(_AROUND).format(" ".join(picked))


def timed(ask: Callable[[str], object], questions: list[str]) -> dict[str, float]:
    """Return wall times, and processor times beside them: on a busy machine these tell more."""
    wall, busy = [], []
    for question in questions:
        begin, begin_busy = time.perf_counter(), time.process_time()
        ask(question)
        wall.append((time.perf_counter() - begin) * 1000)
        busy.append((time.process_time() - begin_busy) * 1000)
    wall.sort()
    busy.sort()
    last = int(len(questions) * 0.95) - 1
    return {
        "p50_ms": round(statistics.median(wall), 3),
        "p95_ms": round(wall[last], 3),
        "max_ms": round(wall[-1], 3),
        "cpu_p50_ms": round(statistics.median(busy), 3),
        "cpu_p95_ms": round(busy[last], 3),
    }


def measure(size: int, *, count: int, folder: Path) -> dict[str, object]:
    chance = random.Random(size)
    vocabulary = Vocabulary(chance, 20_000 + size // 5)
    items = list(made_items(chance, vocabulary, count=size))
    store = open_store(folder / f"{size}.db", now_ms=NOW_MS)
    begin = time.perf_counter()
    for start in range(0, size, 5_000):
        with store.writing() as tables:
            for item in items[start : start + 5_000]:
                tables.items.add(
                    NewItem(item=item, evidence=()), batch="b", actor="bench", now_ms=NOW_MS
                )
            index_entries(tables, items[start : start + 5_000])
    built = time.perf_counter() - begin
    bare = _bare(folder / f"{size}.fts", items)
    questions = made_questions(chance, items, count=count)

    def ask(text: str) -> object:
        with store.reading() as tables:
            return recall(tables, Question(text=text), now_ms=NOW_MS)

    def ask_bare(text: str) -> object:
        expression = " OR ".join(f'"{term}"' for term in search_terms(text)) or '""'
        return bare.execute(
            "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT 5", (expression,)
        ).fetchall()

    for warm in questions[:30]:
        ask(warm)
        ask_bare(warm)
    ours, floor = timed(ask, questions), timed(ask_bare, questions)
    store.close()
    return {
        "items": size,
        "recall": ours,
        "bare_fts5": floor,
        "ratio_p50": round(ours["p50_ms"] / floor["p50_ms"], 2),
        "ratio_p95": round(ours["p95_ms"] / floor["p95_ms"], 2),
        "stored_per_second": round(size / built),
    }


def _bare(path: Path, items: list[Item]) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    connection.execute("CREATE VIRTUAL TABLE t USING fts5 (text, content = '')")
    connection.execute("BEGIN")
    connection.executemany(
        "INSERT INTO t (rowid, text) VALUES (?, ?)",
        (
            (item.seq, " ".join(search_terms(f"{item.revision.title} {item.revision.statement}")))
            for item in items
        ),
    )
    connection.execute("COMMIT")
    return connection


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure recall beside a bare FTS5 MATCH.")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--items", default="1000,10000", help="how many, with commas")
    parser.add_argument("--questions", type=int, default=200, help="questions for each size")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            measure(int(size), count=options.questions, folder=Path(folder))
            for size in options.items.split(",")
        ]
    if options.json:
        print(json.dumps({"recall_speed": rows}, indent=1))
        return
    for row in rows:
        print(row)


if __name__ == "__main__":
    main()
