"""The figures of the README are those that the demo and the benchmarks give."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from docs.blocks import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
ATTACKS = {
    "linkage by columns and terms": "linkage",
    "linkage by rare phrases, 50 words of a record known": "linkage-rare",
    "linkage by all words, 50 words of a record known": "linkage-words",
    "singling out by one word": "singling-out-word",
    "singling out by two words": "singling-out-pair",
}


def is_rounded(shown: str, share: float) -> bool:
    """Whether a percentage is that share, with as many digits as are shown."""
    digits = len(shown.partition(".")[2])
    return abs(float(shown) - 100 * share) <= 0.5 * 10**-digits + 1e-9


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    from sfumato.cli.app import app

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("demo"))
        patch.setenv("COLUMNS", "140")
        done = CliRunner().invoke(app, ["demo"])
        figures = json.loads(Path("demo-release.private", "figures.json").read_text("utf-8"))
    assert done.exit_code == 0
    return figures, done.output


def test_the_attacks_are_those_of_the_demo(demo):
    demo, printed = demo
    found = {one["name"]: one for one in demo["attacks"]}
    for title, name in ATTACKS.items():
        row = re.search(rf"\| {title} \| (\S+)% \| (\S+)% \| (\S+)% \|", README)
        assert row, title
        one = found[name]
        assert re.search(rf"^{name} +{row[1]}% ", printed, re.MULTILINE), (title, "raw table")
        assert is_rounded(row[2], one["success"]), (title, one["success"])
        assert is_rounded(row[3], one["control"]), (title, one["control"])
        assert one["verdict"] == ("perhaps above" if name == "singling-out-pair" else "near")
    shares = re.search(r"them: (\S+)% of the direct ones .* and (\S+)% of the others are", README)
    entities = demo["evaluation"]["entities"]
    assert is_rounded(shares[1], entities["direct_recall"])
    assert is_rounded(shares[2], entities["quasi_recall"])
    changed = re.search(r"(\S+)% of the characters of the\s+notes are changed", README)
    assert is_rounded(changed[1], demo["loss"]["changed_share"])


def _rows(name):
    lines = (ROOT / "docs" / "results" / f"{name}.csv").read_text("utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("# ")))


def test_the_times_are_those_recorded():
    terms = {row["what"]: row["measured"] for row in _rows("terms_speed")}
    patterns = {(row["data"], row["n"], row["method"]): row for row in _rows("patterns_speed")}
    recorded = {
        "redact": float(terms["publish the whole list, k = 5, `published`"].removesuffix(" s")),
        "sanitize": float(patterns["SYN, k=8", "20,000,000", "tpm"]["CPU s"]),
    }
    for verb, seconds in recorded.items():
        row = re.search(rf"\| `{verb}`, [^|]+ \| ([\d.]+) s \| `python benchmarks", README)
        assert float(row[1]) == round(seconds, 1)
