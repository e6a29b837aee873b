"""Faults that people met in other memory tools, and the tests that prove the right behaviour.

Each case is a class of faults, not one of them; it is told here by what is right. A test that
proves it says so itself, `@pytest.mark.case("C34")`; tests/rules/test_proofs.py keeps both sides
equal. Numbers have gaps.
"""

from proofs import read

# A case is a line with its number and sentence; its proofs stand below it, indented.
_WRITTEN = """
C34 A project that was renamed or moved keeps its memory and its id, one that was made anew is told once where its memory is, and `relink` brings it along.
    tests/flow/test_relinking.py::test_a_project_that_is_renamed_or_moved_keeps_its_memory_and_its_id
    tests/flow/test_relinking.py::test_a_memory_is_brought_along_from_one_directory_to_another
    tests/flow/test_relinking.py::test_a_directory_that_becomes_a_repository_is_told_where_its_memory_is
    tests/flow/test_relinking.py::test_a_second_clone_is_told_of_the_memory_of_the_first
    tests/flow/test_relinking.py::test_an_agent_that_begins_in_a_second_clone_is_told_once
    tests/flow/test_relinking.py::test_projects_that_have_nothing_in_common_are_not_taken_for_one
"""

# What is right where there is no such thing to go wrong: "what would be at fault: why it cannot".
NOT_APPLICABLE = {
    "C14": "A loop of restarts after an upgrade: nothing lives on to be replaced, and the version "
    "of the schema alone decides who can open a store.",
}

CASES = tuple(read(_WRITTEN))
