# Each target makes the virtual environment it needs; the second run finds it ready.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
SAMPLE := src/arctag/data/sample.conllu
OUT := demo-output
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.DEFAULT_GOAL := help
.PHONY: help demo test test-full lint types check clean

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 20

demo: $(VENV)/.installed-base ## diagnose, encode, decode and draw the sample treebank
	@mkdir -p $(OUT)
	@echo "== What is in the sample treebank, and what each encoding covers"
	$(BIN)/arctag diagnose $(SAMPLE)
	@echo "== Its graphs as one label per word: $(OUT)/sample.labels"
	$(BIN)/arctag encode $(SAMPLE) --encoding bits6-4 -o $(OUT)/sample.labels
	@head -n 8 $(OUT)/sample.labels
	@echo "== The labels as graphs again: $(OUT)/sample.conllu"
	$(BIN)/arctag decode $(OUT)/sample.labels -o $(OUT)/sample.conllu --like $(SAMPLE)
	@head -n 8 $(OUT)/sample.conllu
	@echo "== Two sentences here, and all of them on a page: $(OUT)/sample.html"
	$(BIN)/arctag draw $(SAMPLE) --limit 2
	$(BIN)/arctag draw $(SAMPLE) -o $(OUT)/sample.html
	@echo "== Done: open $(OUT)/sample.html in a browser"

test: $(VENV)/.installed-test ## run the tests, all but the long ones
	$(BIN)/python -m pytest -m "not full" $(ARGS)

test-full: $(VENV)/.installed-test ## run all tests
	$(BIN)/python -m pytest $(ARGS)

lint: $(VENV)/.installed-lint ## check style, layout and which module imports which
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports

types: $(VENV)/.installed-lint ## check types
	$(BIN)/mypy

check: lint types test ## everything a change must pass

clean: ## remove what was built; the virtual environment stays
	rm -rf build dist src/*.egg-info $(OUT) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# a stamp for each set of packages, so that only a change of the two files installs again
$(VENV)/.installed-base: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) -e .
	@touch $@

$(VENV)/.installed-test: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) -e '.[test,train]'
	@touch $@ $(VENV)/.installed-base

$(VENV)/.installed-lint: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) -e '.[test,train,lint]'
	@touch $@ $(VENV)/.installed-base $(VENV)/.installed-test
