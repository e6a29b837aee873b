"""Files that other programs read lie where they should, whatever a run is called."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backstory.adapters.views import write_run_view

HOSTILE = [
    "../../etc/passwd",
    "/etc/passwd",
    "..",
    ".",
    "",
    "a/b",
    "a\\b",
    "c:x",
    "CON",
    "nul.txt",
]


@pytest.mark.case("C82")
@pytest.mark.parametrize("run_id", [*HOSTILE, "com1", "运行一", "\U0001f680", "x" * 300])
def test_a_run_of_any_name_has_a_file_in_its_folder(tmp_path: Path, run_id: str) -> None:
    written = write_run_view(tmp_path / "view", run_id, run={"task": run_id})

    assert written.resolve().parent == (tmp_path / "view" / "sessions").resolve()
    assert json.loads(written.read_text(encoding="utf-8"))["task"] == run_id
    assert written.stem.upper().partition(".")[0] not in {"CON", "NUL", "COM1"}


@pytest.mark.case("C82")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(run_id=st.text(st.characters(exclude_categories=["Cs"]), max_size=120))
def test_no_name_leads_out_of_the_folder(tmp_path: Path, run_id: str) -> None:
    written = write_run_view(tmp_path, run_id, run={})

    assert written.resolve().parent == (tmp_path / "sessions").resolve()


@pytest.mark.case("C82")
def test_a_link_that_lies_there_is_replaced_and_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text("mine")
    (tmp_path / "sessions").mkdir()
    (tmp_path / "sessions" / "1.json").symlink_to(outside)

    written = write_run_view(tmp_path, "1", run={"task": "a"})

    assert outside.read_text() == "mine"
    assert not written.is_symlink()
