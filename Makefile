# Each target makes the virtual environment it needs; the second run finds it ready.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
NPM := $(shell command -v npm)
PARAGRAPH := src/arctag/data/paragraph.txt
OUT := demo-output
# what the tests install; `make test EXTRAS=test,spacy` does without torch, a browser's driver and what builds the site, and
# skips the tests that need them
EXTRAS ?= test,train,spacy,browser,docs
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

# a process of tests for each core, and one thread in each: more would only wait for each other
export OMP_NUM_THREADS ?= 1

.DEFAULT_GOAL := help
.PHONY: help demo test test-full lint lint-page page-tools types docs check model clean

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 20

demo: $(VENV)/.installed-base ## parse a paragraph, draw it here and on a page, and show its labels
	@mkdir -p $(OUT)
	@echo "== A paragraph, parsed by the English model: $(OUT)/paragraph.conllu"
	$(BIN)/arctag parse $(PARAGRAPH) -o $(OUT)/paragraph.conllu
	@head -n 12 $(OUT)/paragraph.conllu
	@echo "== The graph of its last sentence but one"
	$(BIN)/arctag draw $(OUT)/paragraph.conllu --sentence paragraph-p2-s1
	@echo "== The same graph as one label per word"
	$(BIN)/arctag encode $(OUT)/paragraph.conllu -e hierarchical --sentence paragraph-p2-s1
	@echo "== All of them on a page: $(OUT)/paragraph.html"
	$(BIN)/arctag draw $(OUT)/paragraph.conllu -o $(OUT)/paragraph.html
	@echo "== Done: open $(OUT)/paragraph.html in a browser"

test: $(VENV)/.installed-test ## run the tests, all but the long ones
	$(BIN)/python -m pytest -n auto -m "not full" $(ARGS)

test-full: $(VENV)/.installed-full ## run all tests
	$(BIN)/python -m pytest -n auto $(ARGS)

lint: $(VENV)/.installed-lint lint-page ## check style, layout and which module imports which
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports

# the page needs no Node, but what checks its JavaScript does; without npm it is not checked
lint-page: page-tools ## check the JavaScript and CSS of the page, if npm is there
ifeq ($(NPM),)
	@echo "npm is not installed: the JavaScript of the page is not checked"
else
	tools/node_modules/.bin/biome lint --config-path=tools --error-on-warnings src/arctag/serve/page
	tools/node_modules/.bin/tsc -p tools
endif

page-tools: $(if $(NPM),tools/node_modules/.installed) ## install what checks the page, axe-core for the tests included

tools/node_modules/.installed: tools/package.json
	cd tools && npm install --silent
	@touch $@

types: $(VENV)/.installed-lint ## check types
	$(BIN)/mypy

docs: $(VENV)/.installed-test ## write the reference pages in docs/ from the code, and build the site: build/site/index.html
	$(BIN)/python docs/make/make_all.py
	$(BIN)/python docs/make/make_site.py

model: $(VENV)/.installed-test ## train and export the English models, in build/english (use a GPU)
	experiments/english/recipe.sh build/english

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
	$(PIP) -e '.[$(EXTRAS)]'
	@touch $@ $(VENV)/.installed-base

$(VENV)/.installed-full: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) -e '.[$(EXTRAS),test-full]'
	@touch $@ $(VENV)/.installed-base $(VENV)/.installed-test

$(VENV)/.installed-lint: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) -e '.[$(EXTRAS),lint]'
	@touch $@ $(VENV)/.installed-base $(VENV)/.installed-test
