# make run    the playground: emulated platforms, the real daemon, a page in your browser
# make test   everything, long tests at short size      make soak   the full numbers
# make check  style, types, import contracts, house rules, in seconds
# make bench  the budgets, measured                     make cover  tests with coverage
# make venv   the virtual environment for developers    make lock   new lock files (needs the package index)
#
# Without VENV, .venv is made and filled from the lock files, by hash, when they change. A VENV of your own is used as it is.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help run test soak check bench cover venv lock clean

VENV ?= .venv
PYTHON ?= python3
BIN := $(VENV)/bin
ARGS ?=
# Tests wait more than they compute: three side by side keep two cores busy. A file's tests stay together.
SIDE_BY_SIDE ?= 3

ifeq ($(VENV),.venv)
RUN := $(VENV)/.ready-run
DEV := $(VENV)/.ready-dev
endif

help:
	@sed -n 's/^# \?//p' Makefile | sed '/^$$/q'

run: $(RUN)
	@exec $(BIN)/dragoman playground $(ARGS)

test: $(DEV)
	$(BIN)/python -m pytest -n $(SIDE_BY_SIDE) --dist loadfile $(ARGS)

soak: $(DEV)
	SOAK=1 $(BIN)/python -m pytest $(ARGS)

bench: $(DEV)
	@$(BIN)/python -m bench $(ARGS)

cover: $(DEV)
	$(BIN)/python -m pytest --cov --cov-report=term:skip-covered $(ARGS)

check: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo | sed '/^Contracts$$/,$$!d'
	$(BIN)/python -m pytest tests/house

venv: $(DEV)

# What `--no-build-isolation` needs (setuptools) is in the lock, so the lock is all that is fetched.
.venv/.ready-run: requirements.lock pyproject.toml
	@PYTHON=$(PYTHON) tools/venv.sh .venv requirements.lock
	@touch $@

.venv/.ready-dev: requirements-dev.lock pyproject.toml
	@PYTHON=$(PYTHON) tools/venv.sh .venv requirements-dev.lock
	@touch $@ .venv/.ready-run

# One lock for all platforms and Python 3.11 to 3.13, hashes for every wheel, no address of any index.
LOCK := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	--no-emit-index-url --no-emit-find-links --no-annotate

lock:
	$(LOCK) pyproject.toml --extra all --extra playground --group build -o requirements.lock
	$(LOCK) pyproject.toml --extra all --extra playground --group build --group dev -c requirements.lock -o requirements-dev.lock

clean:
	rm -rf .venv .mypy_cache .ruff_cache .import_linter_cache .pytest_cache
