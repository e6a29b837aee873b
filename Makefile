# `make demo` and `make test` are all that a fresh clone needs.

.PHONY: help setup demo test check fast docs clean

help:           ## say what there is
	@grep -hE '^[a-z]+:.*##' Makefile | sed 's/:.*##/\t/' | expand -t 10

setup:          ## make .venv with everything that development needs
	@scripts/setup dev

demo:           ## show Backstory at work on a bundled conversation, in a temporary project
	@scripts/setup run
	@.venv/bin/backstory demo
	@scripts/story

test: setup     ## install what the tests need, then run every check
	@.venv/bin/python scripts/check

check:          ## run every check
	@.venv/bin/python scripts/check

fast:           ## run the checks that take seconds: no process tests, no packaging
	@.venv/bin/python scripts/check fast

docs: setup     ## write the generated pages of docs/reference anew
	@.venv/bin/python scripts/reference

clean:          ## remove what was made here: .venv and caches
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
