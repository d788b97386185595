# Two commands for everybody: `make serve` plays, `make test` tests. Both make their own environment.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LOCK := $(VENV)/lock/bin/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-header
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help serve test check unit prove format bench bench-yatzy lock hooks clean
help:
	@echo "make serve    start Kasta on this machine"
	@echo "make test     everything that must pass"
	@echo "make prove    the proofs that take minutes"
	@echo "make format   put the code in shape"
	@echo "make bench    measure; figures go to bench/results.md by hand"
	@echo "make lock     renew requirements/*.txt from pyproject.toml"
	@echo "make hooks    run the quick checks before every commit"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Kasta needs Python 3.11 or newer.")'
	$(PYTHON) -m venv $(VENV)

# Playing needs less than testing: each target has its own lock and its own stamp.
$(VENV)/.run: requirements/run.txt pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --require-hashes -r requirements/run.txt
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: requirements/dev.txt $(VENV)/.run
	$(BIN)/pip install --quiet --require-hashes -r requirements/dev.txt
	@touch $@

serve: $(VENV)/.run
	@$(BIN)/kasta serve

test: check unit

check: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

unit: $(VENV)/.dev
	$(BIN)/pytest -n 2

prove: $(VENV)/.dev
	$(BIN)/pytest -n 2 -m prove

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.dev
	$(BIN)/python bench/rules.py

# The rival is measured beside us, and never among what Kasta needs.
bench-yatzy: $(VENV)/.dev
	test -x $(VENV)/rival/bin/python || $(PYTHON) -m venv $(VENV)/rival
	$(VENV)/rival/bin/pip install --quiet yatzy-solver==1.0.0
	$(BIN)/python bench/yatzy.py --rival $(VENV)/rival/bin/python

lock:
	$(PYTHON) -m venv $(VENV)/lock && $(VENV)/lock/bin/pip install --quiet uv
	$(LOCK) --upgrade --group build -o requirements/run.txt
	$(LOCK) --upgrade --group dev --constraint requirements/run.txt -o requirements/dev.txt

hooks: $(VENV)/.dev
	$(BIN)/pre-commit install

clean:
	rm -rf $(VENV) dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
