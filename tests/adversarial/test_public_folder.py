"""What is public beside the data tells no more than the data: certificate, names, sizes, folder.

The attacker has this code and the list of patterns or terms, and runs the command on every original
of a small world. Originals whose released data are the same bytes must have the same public files
beside them: whatever differs there would tell them apart. Keyed hashes are taken as equal when they
are equally long: without the key they tell nothing.
"""

from __future__ import annotations

import itertools
import json
import re
import shutil
from collections import defaultdict
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.cli.app import run
from sfumato.formats.sequences import Event

pytestmark = pytest.mark.filterwarnings("ignore")
DIGEST = re.compile(r"\b[0-9a-f]{24,}\b")


def observed(folder: Path, files: dict[str, str], command: list[str]) -> dict[str, bytes] | None:
    """The files that a command leaves beside its input; None where it refused."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_text(content)
    if run([one.replace("@", f"{folder}/") for one in command]) != 0:
        return None
    found = (path for path in folder.rglob("*") if path.is_file() and ".private" not in str(path))
    left = {str(path.relative_to(folder)): path.read_bytes() for path in found}
    return {name: raw for name, raw in left.items() if name not in files}


def beside(found: dict[str, bytes], data: str) -> str:
    """All that is public except the data: names, sizes, content; keyed hashes by their length."""
    told = {name: raw for name, raw in found.items() if name != data}
    return json.dumps(
        {
            name: [len(raw), DIGEST.sub(lambda one: "x" * len(one[0]), raw.decode())]
            for name, raw in sorted(told.items())
        }
    )


def told_apart(folder: Path, world: list[dict[str, str]], command: list[str], data: str):
    """Groups of originals with the same data that something else tells apart; all groups."""
    groups: dict[bytes, dict[str, list[dict[str, str]]]] = defaultdict(lambda: defaultdict(list))
    for files in world:
        found = observed(folder, files, command)
        if found is not None:
            groups[found[data]][beside(found, data)].append(files)
    return [group for group in groups.values() if len(group) > 1], groups


KEY = "a key that the attacker has not\n"
TEXTS = ["".join(letters) for letters in itertools.product("ab", repeat=5)]


@pytest.mark.parametrize("method", ["tfs", "pfs", "tm", "tpm", "delete", "ba"])
def test_sanitize(method, tmp_path):
    """Also: how many originals fit, which no claim promises; the page of the method says so."""
    world = [{"in.txt": text, "p.txt": "aba\nbb\n", "key": KEY} for text in TEXTS]
    command = ["sanitize", "@in.txt", "--patterns", "@p.txt", "--method", method]
    command += ["--key-file", "@key", "-o", "@out.txt", "-q"]
    apart, groups = told_apart(tmp_path / "w", world, command, "out.txt")
    assert not apart
    assert len(groups) > 4


def test_sanitize_a_given_sequence(tmp_path):
    texts = ["".join(letters) for letters in itertools.product("ab#", repeat=4)]
    world = [{"in.txt": text, "p.txt": "aba\nbb\n", "key": KEY} for text in texts]
    command = ["sanitize", "@in.txt", "--patterns", "@p.txt", "--method", "replace"]
    command += ["--key-file", "@key", "-o", "@out.txt", "-q"]
    apart, groups = told_apart(tmp_path / "w", world, command, "out.txt")
    assert not apart
    assert len(groups) > 4


@pytest.mark.parametrize("times", [(), ("--times", "exact")])
def test_sanitize_events_with_times(times, tmp_path):
    """Certificate and sizes tell no more than the events; what these tell is another matter."""
    world = [
        {
            "in.csv": "who,what,at\n" + "".join(f"p,{one},{i}\n" for i, one in enumerate(some)),
            "p.csv": "x,y\n",
            "key": KEY,
        }
        for some in itertools.product("xyz", repeat=3)
    ]
    command = ["sanitize", "@in.csv", "--person-column", "who", "--text-column", "what"]
    command += ["--time-column", "at", *times, "--method", "delete", "--patterns", "@p.csv"]
    command += ["--key-file", "@key", "-o", "@out.csv", "-q"]
    apart, groups = told_apart(tmp_path / "w", world, command, "out.csv")
    assert not apart
    assert groups


def _by_release(times):
    """The originals of each release, of up to four events; without times by their order."""
    groups = defaultdict(list)
    for some in (one for n in range(1, 5) for one in itertools.product("xyz", repeat=n)):
        events = [Event(f"{one}\x1e{i}") for i, one in enumerate(some)] if times else list(some)
        release = sf.sanitize([events], [["x", "y"]], "delete")
        shown = tuple(one.written if times else one for one in release.data[0])
        groups[shown].append(some)
    return {
        shown: group
        for shown, group in groups.items()
        if any(len(some) > len(shown) for some in group)
    }


def test_who_knows_the_patterns_cannot_tell_a_deleted_event_by_the_order_of_the_others():
    """What the command releases of times, unless exact ones are asked for."""
    assert all(len(group) > 1 for group in _by_release(times=False).values())


def test_exact_times_tell_a_deleted_event_to_who_knows_the_patterns():
    """Why they are asked for by name; the option, the certificate and the page say so."""
    assert any(len(group) == 1 for group in _by_release(times=True).values())


@pytest.mark.parametrize(
    ("verb", "more"),
    [
        ("suppress", ["-k", "2"]),
        ("redact", ["--terms", "@terms.txt", "-k", "2"]),
        ("generalize", ["-t", "2", "--ontology", "@links.csv"]),
    ],
)
def test_texts(verb, more, tmp_path):
    words = ["flu", "cold", "rum", "gin"]
    lists = {
        "terms.txt": "".join(f"{word}\n" for word in words),
        "links.csv": "flu,ill\ncold,ill\nrum,drink\ngin,drink\n",
        "key": KEY,
    }
    world = [
        {"in.jsonl": "".join(json.dumps({"text": f"has {one}"}) + "\n" for one in some), **lists}
        for some in itertools.product(words, repeat=3)
    ]
    command = [verb, "@in.jsonl", "--text-column", "text", *more]
    command += ["--key-file", "@key", "-o", "@out.jsonl", "-q"]
    apart, groups = told_apart(tmp_path / "w", world, command, "out.jsonl")
    assert groups
    assert not apart


POLICY = """\
version: 1
input: {path: in.jsonl, columns: [text]}
publish: all
stages:
  - {verb: redact, terms: terms.txt, k: 2}
"""


def test_a_run_with_its_report_and_policy(tmp_path):
    words = ["flu", "cold", "rum", "gin"]
    world = [
        {
            "in.jsonl": json.dumps({"text": f"has {one}"}) + "\n",
            "terms.txt": "".join(f"{word}\n" for word in words),
            "p.yaml": POLICY,
        }
        for one in words
    ]
    command = ["run", "@p.yaml", "-o", "@out", "-q"]
    apart, groups = told_apart(tmp_path / "w", world, command, "out/data/in.jsonl")
    assert groups
    assert not apart


SURROGATES = ["Ho", "Smith", "Featherstone"]


def test_pseudonymize_does_not_tell_how_long_a_name_was(tmp_path):
    """Nobody without the key can run it again; what is seen must not go with the original."""
    seen = defaultdict(list)
    for name, number in itertools.product(SURROGATES, range(4)):
        files = {"in.txt": f"Seen by Dr. {name} today.\n", "key": f"the key with number {number}\n"}
        command = ["pseudonymize", "@in.txt", "--key-file", "@key", "-o", "@out.txt", "-q"]
        found = observed(tmp_path / "w", files, command)
        assert found is not None
        shown = found["out.txt"].decode()
        assert name not in shown
        seen[name].append((len(shown), beside(found, "out.txt")))
    assert len({told for some in seen.values() for _, told in some}) == 1
    least = {name: min(length for length, _ in some) for name, some in seen.items()}
    most = {name: max(length for length, _ in some) for name, some in seen.items()}
    # Lengths overlap: no length belongs to one of the names alone.
    assert max(least.values()) <= min(most.values())
