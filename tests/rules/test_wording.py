"""The project speaks of itself alone, and of no machine that it was written on."""

import re

from source_tree import ROOT, files, listed

TEXT = {".py", ".md", ".toml", ".sql", ".txt", ".yml", ".yaml", ".json", ".jsonl", ".cfg", ""}
# Written in pieces, so that this file does not hold what it looks for.
NOT_OURS = {
    "a folder of one machine": re.compile("(?<![\\w.~/-])/(?:" + "work|" + "root)/"),
    "a folder outside the repository": re.compile("\\.\\./" + "shared"),
    "a number of some tracker": re.compile("\\b(?:" + "issue|pull request) #\\d+", re.IGNORECASE),
}
# Conversations made for the tests quote people who speak of such things.
QUOTED = ("tests/corpus/", "src/backstory/demo/")


def test_no_file_speaks_of_where_or_how_it_was_written() -> None:
    problems = [
        f"{path.relative_to(ROOT)}:{number}: {what}: {line.strip()[:80]}"
        for path in files()
        if path.suffix in TEXT and not path.relative_to(ROOT).as_posix().startswith(QUOTED)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for what, pattern in NOT_OURS.items()
        if pattern.search(line)
    ]

    assert not problems, listed(problems)
