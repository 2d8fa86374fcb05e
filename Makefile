# Two commands on a fresh machine: `make run` and `make test`. They need Python >= 3.11 and make, nothing else.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := run
.PHONY: run test slow check bench pins clean

run: $(VENV)/.run ## show what is there
	@$(BIN)/punto games
	@$(BIN)/punto settle examples/insured-banker.json

test: $(VENV)/.test check ## everything that must hold
	$(BIN)/python -m pytest -q -n 2

slow: $(VENV)/.test ## the long campaigns that `make test` runs in a short form
	$(BIN)/python -m pytest -q -m slow

check: $(VENV)/.test ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.test ## ratios against named baselines, measured in one run
	$(BIN)/python -m benchmarks

# What is installed is what is pinned: a stamp is older than its requirements only when they changed.
$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "punto needs Python 3.11 or newer; $(PYTHON) is `$(PYTHON) --version 2>&1`. Try: make PYTHON=python3.12"; exit 1; }
	@echo "making $(VENV) (once)"
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.run: $(VENV)/.python requirements/run.txt pyproject.toml
	@echo "installing punto (once)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/run.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.test: $(VENV)/.run requirements/test.txt
	@echo "installing the checks (once)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/test.txt
	@touch $@

pins: ## work the pinned versions out anew from requirements/*.in (needs uv)
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header requirements/run.in -o requirements/run.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header requirements/test.in -o requirements/test.txt

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis
