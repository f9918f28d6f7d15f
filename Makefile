# `make run` and `make test` need nothing but Python 3.11 or newer: they set up .venv themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
NOTEBOOKS := $(wildcard notebooks/*.ipynb)

# pyright from its wheel, without asking for a newer one.
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

.PHONY: run test lint slow bench clean

run: $(STAMP)
	$(BIN)/spit quickstart

test: lint
	rm -f .coverage
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n 2 -m plain --cov --cov-report= --cov-fail-under=0 || test $$? -eq 5 # 5: none is marked
	$(BIN)/pytest -n 2 --cov --cov-append
ifneq ($(NOTEBOOKS),)
	$(BIN)/pytest -n 2 --nbmake notebooks
endif

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pyright --pythonpath $(BIN)/python

slow: $(STAMP)
	$(BIN)/pytest -n 2 -m slow

bench: $(STAMP)
	$(BIN)/spit bench

# All that was made here but runs/.
clean:
	rm -rf $(VENV) dist .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find spit_env agents train tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(STAMP): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[dev]'
	touch $@
