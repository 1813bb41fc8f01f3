# All that has to be there: git, make, and Python 3.11 or later with venv. The rest comes into .venv.
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.complete
PYTHONS := $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11
SUITABLE := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))
TOO_OLD := No Python 3.11 or later with venv found (tried: $(strip $(PYTHONS))). Install one, or name it: make PYTHON=/path/to/python3
DATA ?= .boardroom
PYTEST := $(BIN)/pytest -n 2

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help up test test-all lint check bench goldens openapi lock venv

help: ## show these lines
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "  make %-9s %s\n", $$1, $$2 }'

up: $(STAMP) ## start everything and print its address (PORT=8123 for another port, DATA=folder for other data)
	@$(BIN)/boardroom up --data "$(DATA)"

test: $(STAMP) ## run the tests, on servers of their own
	@$(PYTEST)

test-all: $(STAMP) ## run the tests that take longer or need more, too
	@$(PYTEST) -m ""

lint: $(STAMP) ## ruff, mypy, and the import contracts
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache

check: $(STAMP) ## lint, then test
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory test

bench: $(STAMP) ## measure, one JSON object a line
	@$(BIN)/python -m tests.bench

goldens: $(STAMP) ## record the whole games that are missing in tests/golden (remove a file to record it anew)
	@$(BIN)/python -m tests.rules.new_corp_order.goldens

openapi: $(STAMP) ## write openapi.yaml anew from the app
	@$(BIN)/python -m service.api.document > openapi.yaml.new && mv openapi.yaml.new openapi.yaml

lock: $(STAMP) ## choose the versions of all dependencies anew (asks the package index)
	@$(BIN)/python -m venv $(VENV)/lock && $(VENV)/lock/bin/pip install --quiet uv
	@$(VENV)/lock/bin/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --python-version 3.11 \
		--group dev pyproject.toml --output-file deploy/requirements.lock

venv: $(STAMP) ## only make .venv

$(STAMP): deploy/requirements.lock
	@found=; for each in $(PYTHONS); do \
		if "$$each" -c '$(SUITABLE)' 2>/dev/null; then found=$$each; break; fi; done; \
	if [ -z "$$found" ]; then echo "$(TOO_OLD)" >&2; exit 1; fi; \
	echo "Making $(VENV) with $$("$$found" --version) (once, takes about a minute) ..."; \
	"$$found" -m venv --clear $(VENV)
	@PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip install -qq --require-hashes -r deploy/requirements.lock
	@PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip install -qq --no-deps --no-build-isolation --editable .
	@touch $@
