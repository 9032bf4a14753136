# make demo: runs the main job. make test: lint, types, layers, and all tests: the core (make core,
# for every day), and apart from it what needs real data, a browser or an office, runs recorded
# releases, the documentation or hostile files.
# Both first make .venv with the package and what its tests need.

PYTHON ?= python3
BIN := .venv/bin
SOURCES := $(wildcard cpp/*/*.hpp cpp/*/*.cpp cpp/*/*.inc)

.PHONY: nightly load lock lowest reproducible screenshots demo test core apart lint chromium libreoffice spark bench bench-check bench-spark docs sanitize wheel clean

demo: .venv/installed
	$(BIN)/sfumato demo

test: .venv/installed lint chromium libreoffice spark core apart

core: .venv/installed
	$(BIN)/python -m pytest -q -n auto --dist loadfile -m "not apart"

apart: .venv/installed
	$(BIN)/python -m pytest -q -n auto --dist loadfile -m apart
	SFUMATO_WHEEL=1 $(BIN)/python -m pytest -q tests/apart

# dist/sfumato-*.whl for this Python and machine: whoever has it needs no compiler.
wheel: .venv/installed
	$(BIN)/python -m pip wheel -q --disable-pip-version-check --no-deps --wheel-dir dist .
	@ls dist/*.whl

# The tests that look at pages need it; where it cannot be installed they are skipped.
chromium:
	@command -v chromium >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
	    && apt-get install -y -qq chromium >/dev/null 2>&1; } || echo "no Chromium: its tests are skipped"

# The tests of .odt, .rtf and .doc, and of files that LibreOffice and PostgreSQL made.
libreoffice:
	@{ command -v soffice && ls /usr/lib/postgresql; } >/dev/null 2>&1 \
	    || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get install -y -qq \
	    libreoffice-writer-nogui libreoffice-calc-nogui postgresql >/dev/null 2>&1; } \
	    || echo "no LibreOffice or PostgreSQL: their tests are skipped"

# The tests of Spark: pyspark is a large download, and no part of the extra `dev`.
spark: .venv/installed
	@command -v java >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
	    && apt-get install -y -qq default-jre-headless >/dev/null 2>&1; } || echo "no Java: its tests are skipped"
	@$(BIN)/python -c "import pyspark" 2>/dev/null \
	    || $(BIN)/python -m pip install -q --disable-pip-version-check 'pyspark>=4,<5' \
	    || echo "no pyspark: its tests are skipped"

# docs/scale.md: the same release on one machine and on a cluster, at several sizes (SIZES=1,5,20,50).
bench-spark: .venv/installed spark
	$(BIN)/python benchmarks/spark.py --sizes $(or $(SIZES),1,5,20,50)

lint: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(filter-out %.inc,$(SOURCES))
	$(BIN)/mypy
	$(BIN)/lint-imports

# Every command that a page names beside its figures, and a summary (build/bench/summary.txt). BENCH=--quick: small
# sizes, a minute each at most, and docs/results stays as it is.
bench: .venv/installed
	$(BIN)/python benchmarks/all.py $(BENCH)

# Fails when a ratio that matters is more than 20% worse than docs/results/ratios.csv has it.
bench-check: .venv/installed
	$(BIN)/python benchmarks/check.py

# The kernels' tests on a build of its own with the compiler's sanitizers (needs gcc).
sanitize: .venv/installed
	$(BIN)/python -m pip install -q --disable-pip-version-check nanobind
	$(BIN)/python tools/sanitize.py address,undefined
	$(BIN)/python tools/sanitize.py thread tests/unit/kernels/test_external.py tests/properties/test_tagger.py

# The generated pages, then the whole site into site/: nothing is loaded from elsewhere, every link is checked.
docs: .venv/installed
	$(BIN)/python tools/make_reference.py
	$(BIN)/python tools/make_python_reference.py
	$(BIN)/python tools/make_layers_picture.py
	$(BIN)/python tools/make_results.py
	$(BIN)/python tools/make_tables.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

# The compiled core is built again when one of its sources changes.
.venv/installed: pyproject.toml CMakeLists.txt $(SOURCES)
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[dev]'
	touch $@

# The pictures of docs/studio.md, made by the tests that walk through the pages.
screenshots: .venv/installed
	SFUMATO_SCREENSHOTS=docs/studio $(BIN)/python -m pytest -q tests/browser/test_studio.py

# A hundred thousand random cases against every claim (a failure prints its seed), and 2,000 damaged files
# of every kind that is read.
nightly: .venv/installed
	SFUMATO_CASES=$(or $(CASES),100000) SFUMATO_SEED=$(or $(SEED),1000) \
	    $(BIN)/python -m pytest -q -s tests/properties/test_claims_attacked.py
	SFUMATO_FUZZ=$(or $(FUZZ),2000) $(BIN)/python -m pytest -q -n auto tests/fuzz

# Large inputs through whole commands: time, memory, verdict. SIZE=5000 megabytes by default, and a tenth of it
# beside, so that memory that grows is seen; a tenth of it as one document. Then texts made to do harm (HARM
# megabytes), how time grows with them, and how long commands show nothing. Hours; 24 GB of memory, 40 GB of disk.
SIZE ?= 5000
HARM ?= 100
load: .venv/installed
	$(BIN)/python benchmarks/load.py --megabytes $$(($(SIZE) / 10)),$(SIZE) --commands recognize,redact,generalize,pseudonymize
	$(BIN)/python benchmarks/load.py --megabytes $$(($(SIZE) / 5)) --commands occurrences
	$(BIN)/python benchmarks/load.py --megabytes $$(($(SIZE) / 5)) --commands people --memory 8GB
	$(BIN)/python benchmarks/load.py --megabytes $$(($(SIZE) / 10)) --texts "one document" --commands recognize,redact,generalize,pseudonymize
	$(BIN)/python benchmarks/load.py --megabytes $(HARM) --texts "one letter,de Bruijn,one document,empty"
	$(BIN)/python benchmarks/hostile.py
	$(BIN)/python benchmarks/silence.py
	$(BIN)/python benchmarks/load_studio.py

# The lock file with hashes, the page of licences, the bill of materials.
lock: .venv/installed
	$(BIN)/python tools/make_lock.py

# The lowest versions that pyproject.toml allows, in an environment of their own, with a part of the tests.
lowest: .venv/installed
	$(BIN)/python tools/lowest.py

# Whether two builds of the wheel are the same bytes.
reproducible: .venv/installed
	$(BIN)/python tools/reproducible.py

clean:
	rm -rf .venv build dist demo-release demo-release.private
