"""A diff is shrunk to what says something, within its bound, whatever it holds."""

from hypothesis import given
from hypothesis import strategies as st

from backstory.episodes.model.shrinking import DIFF_CHARS_MAX, paths_in, shrunk

DIFF = """diff --git a/uv.lock b/uv.lock
--- a/uv.lock
+++ b/uv.lock
@@ -1 +1 @@
-old
+new
diff --git a/src/pool.py b/src/pool.py
--- a/src/pool.py
+++ b/src/pool.py
@@ -1,3 +1,4 @@
+import os
+
-    moved = 1
+    moved = 1
+def bounded(queue):
+    return queue[:10]
"""


def test_definitions_stay_and_generated_files_imports_and_moves_go() -> None:
    assert shrunk(DIFF).splitlines() == [
        "src/pool.py (+5 -1)",
        "+def bounded(queue):",
        "+    return queue[:10]",
    ]
    assert paths_in(DIFF) == ("uv.lock", "src/pool.py")


@given(st.lists(st.text(max_size=300), max_size=60))
def test_bound_holds_for_all_texts(lines: list[str]) -> None:
    head = "diff --git a/a b/a\n@@ -1 +1 @@\n"

    assert len(shrunk(head + "\n".join(f"+{line}" for line in lines))) <= DIFF_CHARS_MAX
