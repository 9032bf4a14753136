# make demo: runs the main job. make test: lint, types, layers, tests, documentation.
# Both first make .venv with the package and what its tests need.

PYTHON ?= python3
BIN := .venv/bin
SOURCES := $(wildcard cpp/*.hpp cpp/*.cpp cpp/*.inc cpp/checks/*.hpp cpp/checks/*.cpp cpp/checks/*.inc)

.PHONY: demo test lint chromium bench docs clean

demo: .venv/installed
	$(BIN)/sfumato demo

test: .venv/installed lint chromium
	$(BIN)/python -m pytest -q -n auto --dist loadfile

# The tests that look at pages need it; where it cannot be installed they are skipped.
chromium:
	@command -v chromium >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
	    && apt-get install -y -qq chromium >/dev/null 2>&1; } || echo "no Chromium: its tests are skipped"

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
	rm -rf .venv build demo-release demo-release.private
