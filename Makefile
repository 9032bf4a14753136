# make demo: runs the main job. make test: lint, types, layers, tests, documentation.
# Both first make .venv with the package and what its tests need.

PYTHON ?= python3
BIN := .venv/bin
SOURCES := $(wildcard cpp/*.hpp cpp/*.cpp cpp/*.inc cpp/checks/*.hpp cpp/checks/*.cpp cpp/checks/*.inc)

.PHONY: demo test lint bench docs clean

demo: .venv/installed
	$(BIN)/sfumato demo

test: .venv/installed lint
	$(BIN)/python -m pytest -q

lint: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/installed
	$(BIN)/python benchmarks/suppress_speed.py
	$(BIN)/python benchmarks/verify_speed.py
	$(BIN)/python benchmarks/external_speed.py

docs: .venv/installed
	$(BIN)/python tools/make_reference.py

# The compiled core is built again when one of its sources changes.
.venv/installed: pyproject.toml CMakeLists.txt $(SOURCES)
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[dev]'
	touch $@

clean:
	rm -rf .venv build demo-release
