# Everything starts here; `make help` lists the targets. The first call of any of them sets up .venv by itself.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
WORKERS ?= 2
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help setup demo run test check spec arbiter reader simulate proofs client frameworks docs lock messages format clean mutants bench bench-%

help: ## List the targets
	@grep -hE '^[a-z%-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Candor needs Python 3.11 or newer; name one with: make PYTHON=/path/to/python3"; exit 1; }
	@echo "Making $(VENV) …"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.base: requirements/base.txt | $(VENV)/bin/python
	@echo "Installing what the service needs (about a minute, once) …"
	@$(PY) -m pip install --quiet --require-hashes -r requirements/base.txt
	@touch $@

$(VENV)/.dev: requirements/dev.txt $(VENV)/.base
	@echo "Installing what the tests and checks need …"
	@$(PY) -m pip install --quiet --require-hashes -r requirements/dev.txt
	@touch $@

setup: $(VENV)/.dev ## Make .venv with everything, versions pinned by hash

demo: $(VENV)/.base ## Start all of it, load a sample fleet, ask real questions, keep serving (ONCE=1 ends; DATA=file; PORT=8010)
	@$(PY) -m examples.demo $(if $(ONCE),--once) $(if $(DATA),--data "$(DATA)") $(if $(PORT),--port "$(PORT)")

run: $(VENV)/.base ## Serve: embedded PostgreSQL and Valkey, web, worker, beat (PORT=8010, default 8000)
	@$(PY) manage.py up $(if $(PORT),--port "$(PORT)")

test: $(VENV)/.dev ## Run all tests, in WORKERS parallel processes with a database each
	@# What kills processes and brokers goes last and by itself: it forks, and wants a process without history.
	@$(PY) -m pytest -n $(WORKERS) --dist loadfile --ignore tests/faults $(ARGS)
	@$(PY) -m pytest tests/faults

check: $(VENV)/.dev ## Format, lint, types, imports, migrations, the list of rules
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/lint-imports --no-cache
	$(VENV)/bin/mypy
	$(VENV)/bin/mypy --config-file candor/pyproject.toml candor
	$(PY) manage.py makemigrations --check --dry-run
	$(PY) -m tests.spec_report --check

spec: $(VENV)/.dev ## List the rules of SPEC with the tests that prove each
	@$(PY) -m tests.spec_report

bench: $(VENV)/.dev ## Measure everything that docs/benchmarks.md tells of, in some 35 minutes: bench/out/benchmarks.md
	@$(PY) -m bench.run all $(if $(DATA),--data "$(DATA)") $(if $(SEED),--seed $(SEED)) $(if $(QUICK),--quick)

bench-%: $(VENV)/.dev ## Measure (bench-relations, bench-retrieval, …; see docs/measuring.md): prints a table, then one line of JSON
	@$(PY) -m bench.run $* $(if $(DATA),--data "$(DATA)") $(if $(SEED),--seed $(SEED)) $(if $(QUICK),--quick) $(if $(MODEL),--model "$(MODEL)")

arbiter: $(VENV)/.base ## Fit the local arbiter on its labelled pairs, and write its card (SEED=)
	@OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(PY) manage.py fit_arbiter $(if $(SEED),--seed $(SEED))

reader: $(VENV)/.base ## Fit the local reader on its labelled rows, and write its card (SEED=)
	@OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(PY) manage.py fit_reader $(if $(SEED),--seed $(SEED))

client: $(VENV)/.dev ## Write the client's operations and types anew from what the service serves
	@$(PY) manage.py spectacular --format openapi-json | $(PY) -m candor.development.generate

messages: ## Compile the console's translations (needs GNU gettext)
	msgfmt --check -o console/locale/zh_Hans/LC_MESSAGES/django.mo console/locale/zh_Hans/LC_MESSAGES/django.po

format: $(VENV)/.dev ## Format the code
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

mutants: $(VENV)/.dev ## Break every wall, grant and lock in turn, and count what is noticed
	@$(PY) -m pytest -s tests/isolation/test_mutations.py tests/isolation/test_ledger.py tests/isolation/test_locks.py

simulate: $(VENV)/.dev ## Run the service under a scheduler that owns time, order, crashes and messages (SEEDS=200 FIRST=1 JOBS=2 DEFECTS=1)
	@$(PY) -m tests.simulation $(if $(SEEDS),--seeds $(SEEDS)) $(if $(FIRST),--first $(FIRST)) $(if $(JOBS),--jobs $(JOBS)) $(if $(DEFECTS),--defects)

proofs: $(VENV)/.dev ## Write the table of docs/security.md: promises, the tests that prove them, their controls
	@$(PY) -m tests.proofs_table

FRAMEWORKS := $(patsubst requirements/frameworks/%.txt,.frameworks/%/made,$(wildcard requirements/frameworks/*.txt))

frameworks: $(FRAMEWORKS) ## Make an environment for each agent framework, in which `make test` tries its adapter (1.3 GB)

.frameworks/%/made: requirements/frameworks/%.txt
	@$(PYTHON) -m venv --clear $(@D) && $(@D)/bin/pip install -q --require-hashes -r $<
	@touch $@

docs: .docs/made $(VENV)/.base ## Build the documentation site into .docs/site, every link checked
	@rm -rf .docs/pages && mkdir -p .docs/pages
	@$(PY) manage.py spectacular --format openapi-json | $(PYTHON) docs/build_reference.py .docs/pages/docs/reference
	@$(PYTHON) docs/build_site.py .docs/pages
	@cd .docs/pages && ../venv/bin/zensical build --strict
	@rm -rf .docs/site && mv .docs/pages/site .docs/site && echo "The site is in .docs/site."

.docs/made: requirements/docs.txt
	@$(PYTHON) -m venv --clear .docs/venv && .docs/venv/bin/pip install -q --require-hashes -r $<
	@touch $@

lock: ## Pin what requirements/*.in ask for, with hashes (needs uv)
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header requirements/base.in -o requirements/base.txt
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header requirements/dev.in -o requirements/dev.txt
	for one in requirements/docs.in requirements/frameworks/*.in; do \
		uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header $$one -o $${one%.in}.txt; \
	done

clean: ## Remove .venv and caches; the data in .candor stays
	rm -rf $(VENV) .docs .frameworks .mypy_cache .ruff_cache .hypothesis .import_linter_cache
