"""The documentation is short, complete and points at things that exist."""

import re
from pathlib import Path

import pytest

from backstory.model import words
from source_tree import ROOT, listed, pages, source

DOCS = ROOT / "docs"
FOLDERS = {"tutorial", "how-to", "reference", "explanation", "decisions"}
LINES_MAX = {"README.md": 150, "README.zh-CN.md": 150, "AGENTS.md": 120}
PAGE_LINES_MAX = 200
DECISION_LINES_MAX = 80
# Looked up, not read: as long as what it lists.
IS_GENERATED = "<!-- Made by scripts/reference"
# A sentence that is over, and another that begins; in Chinese no blank is between them.
JOINED = re.compile(r"[a-z`)][.!?] +[A-Z][a-z]|[。！？][^。！？”’）」』》`*…\s]")


def test_pages_are_short() -> None:
    long = [
        f"{path.relative_to(ROOT)}: {lines} lines"
        for path in pages()
        if IS_GENERATED not in path.read_text()
        if (lines := path.read_text().count("\n")) > lines_max(path)
    ]

    assert not long, listed(long)


def test_pages_are_of_one_of_the_known_kinds() -> None:
    assert {path.relative_to(DOCS).parts[0] for path in DOCS.rglob("*.md")} <= FOLDERS


def test_links_lead_to_files_and_headings_that_exist() -> None:
    broken = [
        f"{path.relative_to(ROOT)}: {target}"
        for path in pages()
        for target in re.findall(r"\]\(([^)\s]+)\)", without_blocks(path.read_text()))
        if not re.match(r"https?://|mailto:", target) and not leads_somewhere(path, target)
    ]

    assert not broken, listed(broken)


def test_a_line_holds_one_sentence() -> None:
    # So that a diff shows sentences. Tables and lists of words are as they are.
    joined = [
        f"{path.relative_to(ROOT)}: {line.strip()[:90]}"
        for path in pages()
        if IS_GENERATED not in path.read_text()
        for line in without_blocks(path.read_text()).splitlines()
        if not line.startswith(("|", "#", "<!--")) and JOINED.search(line)
    ]

    assert not joined, listed(joined)


def test_every_page_can_be_reached_from_the_readme() -> None:
    assert not set(DOCS.rglob("*.md")) - reached_from(ROOT / "README.md", ending=".md")


def test_every_chinese_page_can_be_reached_from_the_chinese_readme_by_way_of_such_pages() -> None:
    reached = reached_from(ROOT / "README.zh-CN.md", ending=".zh.md")

    assert not set(DOCS.rglob("*.zh.md")) - reached


@pytest.mark.parametrize(
    "word_set",
    [words.Kind, words.Status, words.Scope, words.Purpose, words.TurnState, words.EventKind],
    ids=lambda word_set: word_set.__name__,
)
def test_glossary_explains_every_word(word_set: type) -> None:
    glossary = (DOCS / "explanation/glossary.md").read_text()

    assert not [word.value for word in word_set if f"`{word.value}`" not in glossary]


def test_every_setting_and_variable_is_documented() -> None:
    page = (DOCS / "reference/settings.md").read_text()
    named = {
        name
        for module in source()
        for name in re.findall(r"\b(BACKSTORY_[A-Z_]+)\b|[A-Z]+_SETTING = \"(\w+)\"", module.text)
    }
    wanted = {variable or setting for variable, setting in named}

    assert {name for name in wanted if f"`{name}`" not in page} == set()


def test_decisions_say_their_status_first() -> None:
    for path in sorted((DOCS / "decisions").glob("*.md")):
        lines = path.read_text().splitlines()

        assert re.fullmatch(r"\d{4}-[a-z0-9-]+\.md", path.name)
        assert re.match(r"Status: (accepted|superseded by \[)", lines[2]), path.name


def lines_max(path: Path) -> int:
    """Return how long a page may be."""
    if path.parent.name == "decisions":
        return DECISION_LINES_MAX
    return LINES_MAX.get(path.relative_to(ROOT).as_posix(), PAGE_LINES_MAX)


def reached_from(readme: Path, *, ending: str) -> set[Path]:
    """Return the pages that links lead to, over pages whose names end so."""
    reached: set[Path] = set()
    waiting = [readme]
    while waiting:
        page = waiting.pop()
        if page in reached or (page != readme and not page.name.endswith(ending)):
            continue
        reached.add(page)
        targets = re.findall(r"\]\(([^)#\s]+)", without_blocks(page.read_text()))
        waiting += [(page.parent / t).resolve() for t in targets if not t.startswith("http")]
    return reached


def without_blocks(text: str) -> str:
    """Leave out what is code."""
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def leads_somewhere(page: Path, target: str) -> bool:
    """Whether a link's file exists and has the heading that it names."""
    name, _, heading = target.partition("#")
    path = (page.parent / name).resolve() if name else page
    if not heading:
        return path.exists()
    return path.is_file() and heading in {
        re.sub(r"[^\w\- ]", "", line.lstrip("# ").lower()).replace(" ", "-")
        for line in path.read_text().splitlines()
        if line.startswith("#")
    }
