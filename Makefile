# Two commands on a fresh machine: `make run` and `make test`. They need Python >= 3.11 and make, nothing else.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := run
.PHONY: run test quick slow check check-python check-pages bench docs pins sizes screenshots clean

PAGES := $(wildcard web/*.json web/*.ts web/*.html web/src/* web/src/*/* src/punto/texts/*.toml) hatch_build.py

run: $(VENV)/.run $(VENV)/.pages ## a house with every game at a table; prints the addresses to open (PORT=8081 for another port)
	@$(BIN)/punto serve --demo --open-door $(if $(PORT),--port $(PORT))

# The tests of the pages wait for a page half of their time: they run beside the others, and are told of after them.
test: $(VENV)/.test $(VENV)/.pages check ## everything that must hold
	@mkdir -p build
	@$(BIN)/python -m pytest -q -n 2 tests/browser > build/tests-of-pages.txt 2>&1 & pages=$$!; \
	trap "kill $$pages" INT TERM; \
	$(BIN)/python -m pytest -q -n 2 --ignore tests/browser; others=$$?; \
	wait $$pages; pages=$$?; cat build/tests-of-pages.txt; \
	exit $$((others | pages))

quick: $(VENV)/.test ## style, types, and the tests of rules, table, ledger, roads and protocol, in less than a minute
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q -n 2 tests/rulebook tests/unit

screenshots: $(VENV)/.test $(VENV)/.pages ## every state at five sizes in both languages, into screenshots/
	$(BIN)/python -m tests.browser.screenshots

slow: $(VENV)/.test ## the long campaigns that `make test` runs in a short form
	$(BIN)/python -m pytest -q -m slow

check: $(VENV)/.test $(VENV)/.pages ## style and types, and the tests of the pages' own code
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@$(MAKE) --no-print-directory -j 2 check-python check-pages

check-python: $(VENV)/.test
	$(BIN)/mypy

check-pages: $(VENV)/.test $(VENV)/.pages
	$(BIN)/python hatch_build.py check
	$(BIN)/python hatch_build.py test

docs: $(VENV)/.test ## the documentation as a site, into build/docs
	$(BIN)/python -m sphinx -q -W --keep-going docs build/docs
	@echo "open build/docs/index.html"

bench: $(VENV)/.test ## ratios against named baselines, measured in one run
	$(BIN)/python -m benchmarks

# What is installed is what is pinned: a stamp is older than its requirements only when they changed.
# uv installs ten times as fast as pip; where it cannot reach its index, as behind a mirror that only pip knows, pip does.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
UV := $(BIN)/uv pip install --quiet --python $(BIN)/python
install = $(UV) $(1) 2>/dev/null || $(PIP) $(1)

$(VENV)/.python: requirements/uv.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "punto needs Python 3.11 or newer; $(PYTHON) is `$(PYTHON) --version 2>&1`. Try: make PYTHON=python3.12"; exit 1; }
	@echo "making $(VENV) (once)"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) --require-hashes -r requirements/uv.txt
	@touch $@

$(VENV)/.run: $(VENV)/.python requirements/run.txt pyproject.toml | $(VENV)/.pages
	@echo "installing punto (once)"
	@$(call install,--require-hashes -r requirements/run.txt)
	@$(call install,--no-deps --no-build-isolation -e .)
	@touch $@

# A house needs no node: it is there while the pages are built, and then no more.
$(VENV)/.pages: $(VENV)/.python requirements/pages.txt $(PAGES)
	@$(call install,--target $(VENV)/node --require-hashes -r requirements/pages.txt)
	@PYTHONPATH=$(VENV)/node $(BIN)/python hatch_build.py
	@rm -rf $(VENV)/node
	@touch $@

$(VENV)/.test: $(VENV)/.run requirements/test.txt
	@echo "installing the checks (once)"
	@$(call install,--require-hashes -r requirements/test.txt)
	@touch $@

PINS := --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header
pins: $(VENV)/.python ## work the pinned versions out anew from requirements/*.in
	@for each in uv pages run test; do $(BIN)/uv pip compile $(PINS) requirements/$$each.in -o requirements/$$each.txt; done

sizes: $(VENV)/.python ## what each extra fetches and takes on the disk
	$(BIN)/python -m benchmarks.sizes

clean:
	rm -rf $(VENV) web/node_modules src/punto/web/static screenshots build .mypy_cache .pytest_cache .ruff_cache .hypothesis
