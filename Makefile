# Each target works by itself from a clean clone: Python >= 3.11, git and a package index are all it takes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready

.PHONY: help demo test lint types layers pages bench lock clean

help:  ## List the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

$(STAMP): requirements-dev.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements-dev.txt
	$(BIN)/python -m pip install --quiet --no-deps --editable .
	touch $@

demo: $(STAMP)  ## The main job on a real repository: a false "done" caught, an honest one passed
	examples/rate-limiter/demo.sh $(abspath $(BIN)/backcheck)

test: $(STAMP)  ## The whole suite
	$(BIN)/python -m pytest -n auto

lint: $(STAMP)  ## Style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)  ## Strict types
	$(BIN)/mypy

layers: $(STAMP)  ## Who may import whom
	$(BIN)/lint-imports

pages: $(STAMP)  ## Renew the reference pages that are made from the code
	$(BIN)/python bench/pages.py --write

bench: $(STAMP)  ## The measurements (scripts in bench/), quick ones
	for script in start absent scenarios own_contracts says boundaries hostile_results hostile_measures placeholder secret_scan hook run_cost; do $(BIN)/python -m bench.$$script; done

lock:  ## Renew uv.lock and requirements-dev.txt from pyproject.toml
	uv lock
	uv export --quiet --all-extras --group dev --no-emit-project --format requirements-txt -o requirements-dev.txt

clean:  ## Remove what the targets made
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
