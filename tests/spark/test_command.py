"""The command line on Spark: folders in, folders out, verified before."""

from __future__ import annotations

import json
import re
import shutil

import pytest

import sfumato as sf
from spark.commands import on_a_terminal, several

pytestmark = pytest.mark.filterwarnings("ignore")
TEXTS = [
    "Ann has flu.",
    "Bob has flu, she said",
    "Eve has flu.",
    'Cat "has" flu',
    "Dan has flu\nnow",
]


@pytest.fixture
def folder(tmp_path):
    if shutil.which("java") is None:
        pytest.skip("no Java: apt install default-jre-headless")
    pytest.importorskip("pyspark", reason="no pyspark: make spark")
    notes = tmp_path / "notes"
    notes.mkdir()
    for i in range(2):
        rows = [{"who": f"p{j}", "note": text} for j, text in enumerate(TEXTS) if j % 2 == i]
        lines = [json.dumps(row, ensure_ascii=False) for row in rows]
        (notes / f"{i}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return tmp_path


def notes_in(folder):
    parts = sorted(one for one in folder.iterdir() if one.name.startswith("part-"))
    lines = [line for part in parts for line in part.read_text("utf-8").splitlines()]
    return [json.loads(line)["note"] for line in lines]


def test_a_folder_is_released_verified_and_certified(folder):
    options = "--text-column", "note", "--group-column", "who", "-k", "3", "--reach", "1"
    options = *options, "--engine", "spark"
    asked = ("suppress", "notes", *options, "-o", "out", "--publish", "all")
    code, told = on_a_terminal(folder, *asked)
    assert code == 0, told
    for part in ("suppress", "verify"):  # how far it is
        assert re.search(rf"{part}\s+\S+\s+\d+/\d+\s+tasks", told), told
    # The second time it stays: an output is replaced only if that is asked for.
    code, told = on_a_terminal(folder, *asked)
    assert code == 2, told
    rows = [
        json.loads(line)
        for part in sorted((folder / "out").glob("*.json"))
        for line in part.read_text("utf-8").splitlines()
    ]
    here = sf.suppress(TEXTS, k=3, reach=1, groups=[f"p{i}" for i in range(5)])
    assert {row["who"]: row["note"] for row in rows} == {
        f"p{i}": text for i, text in enumerate(here.data)
    }
    stated = json.loads((folder / "out.certificate.json").read_text("utf-8"))
    assert stated["verdicts"][0]["holds"] is True
    assert set(stated["hashes"]["files"]) == {p.name for p in (folder / "out").glob("*.json")}


def test_what_the_command_refuses_on_spark(folder):
    asked = ("notes", "--text-column", "note", "--engine", "spark", "-o", "out")
    codes, told = several(
        folder,
        ("suppress", *asked, "--copies", "once"),
        ("sanitize", *asked, "--patterns", "none.txt", "--unit", "token"),
        ("suppress", *asked, "--private-certificate", "x.json"),
    )
    assert codes == [2, 2, 2], told
    assert not (folder / "out").exists()
    assert "Spark" in told
    assert "spark" in told


def test_a_damaged_file_is_an_error_of_the_input(folder):
    """Cut off, or with other bytes than Hadoop's own sum was made of."""
    import struct
    from zlib import crc32

    part = folder / "notes" / "0.jsonl"
    content = part.read_bytes()
    sums = struct.pack(">I", crc32(content))
    part.with_name(".0.jsonl.crc").write_bytes(b"crc\0" + struct.pack(">I", 512) + sums)
    part.write_bytes(content.replace(b"Ann", b"Bnn"))
    cut = folder / "cut.jsonl"
    cut.write_bytes(content[: len(content) // 2])
    known = ("--text-column", "note", "--engine", "spark")
    codes, told = several(
        folder,
        ("suppress", "notes", "-k", "2", *known, "-o", "out"),
        ("recognize", "cut.jsonl", "--recognizer", "rules-en", *known, "-o", "spans"),
    )
    assert codes == [2, 2], told
    assert told.count("a file is damaged") == 2
    assert "has flu" not in told
    assert not (folder / "out").exists()


def test_spans_and_surrogates_are_those_of_one_machine(folder):
    """In the order of the files of the folder."""
    parts = sorted((folder / "notes").glob("*.jsonl"))
    seen = ["Dr. Edwin Marlow saw her on 03/04/2021.", "Marlow called Maria Garcia.", ""]
    for part, rows in zip(parts, (seen[:2], seen[2:]), strict=True):
        part.write_text("".join(json.dumps({"note": one}) + "\n" for one in rows), "utf-8")
    (folder / "one.jsonl").write_bytes(b"".join(part.read_bytes() for part in parts))
    (folder / "key").write_text("thirty-two bytes of a secret key")
    shutil.copytree(folder / "notes", folder / "others")
    other = folder / "others" / parts[0].name
    other.write_text(other.read_text().replace("called", "saw"))
    options = "--text-column", "note", "--recognizer", "rules-en"
    there, keyed = ("--engine", "spark"), (*options, "--key-file", "key")
    known = ("--text-column", "note", "--key-file", "key", *there)
    codes, told = several(
        folder,
        ("recognize", "notes", *options, *there, "-o", "spans"),
        ("recognize", "one.jsonl", *options, "-o", "here.jsonl"),
        ("pseudonymize", "notes", *keyed, *there, "--mapping", "map", "-o", "out"),
        ("pseudonymize", "one.jsonl", *keyed, "-o", "h.jsonl"),
        ("verify", "notes", "out", *known, "--mapping", "map"),
        ("verify", "others", "out", *known, "--mapping", "map"),
        ("verify", "notes", "out", *known),  # without a mapping nothing can be judged
    )
    assert codes[:-1] == [0, 0, 0, 0, 0, 4], told
    assert codes[-1] != 0
    assert "undone, it is another text" in told
    assert "Marlow" not in told
    assert (folder / "map").stat().st_mode & 0o777 == 0o600
    assert (folder / "spans").stat().st_mode & 0o777 == 0o700
    found = [part.read_bytes() for part in sorted((folder / "spans").glob("*.txt"))]
    assert b"".join(found) == (folder / "here.jsonl").read_bytes()
    lines = [part.read_text("utf-8") for part in sorted((folder / "out").glob("*.json"))]
    notes = [json.loads(one)["note"] for one in "".join(lines).splitlines()]
    here = (folder / "h.jsonl").read_text("utf-8").splitlines()
    assert notes == [json.loads(one)["note"] for one in here]
    assert notes != seen
    _mapped(folder, known, seen)


def _mapped(folder, known, seen):
    """By its mapping the release is undone, and a changed text is found."""
    from sfumato.methods.pseudonyms import undo

    key = (folder / "key").read_text()
    assert undo(notes_in(folder / "out"), folder / "map", key) == seen
    forged = _forged(folder, "out", "called", "killed")
    asked = ("verify", "notes", "out", *known, "--mapping", "map", "--certificate", forged)
    codes, told = several(folder, asked)
    assert codes == [4], told
    assert "is not the text of the mapping" in told


def test_other_verbs_and_what_is_made_of_their_folders(folder):
    """The bytes of one machine, verified by the command; a changed file and a planted word fail."""
    parts = sorted((folder / "notes").glob("*.jsonl"))
    rows = [json.loads(line) for part in parts for line in part.read_text("utf-8").splitlines()]
    texts = [row["note"] for row in rows]
    (folder / "patterns").write_text("flu\n")
    (folder / "terms").write_text("Bob\nDan\nAnn\nEve\nCat\n")
    (folder / "key").write_text("thirty-two bytes of a secret key")
    people = [(20 + i % 7, "ab"[i % 2]) for i in range(24)]
    cells = "".join(f"{age},{kind}\n" for age, kind in people)
    (folder / "people.csv").write_text("age,kind\n" + cells)
    (folder / "people.yaml").write_text("columns: {age: {kind: number}, kind: {kind: category}}\n")
    there = ("--engine", "spark")
    of_notes = ("notes", "--text-column", "note", "--publish", "all", *there)
    known = ("--text-column", "note", *there)
    table = ("anonymize", "people.csv", "--schema", "people.yaml", "-k", "4", "--key-file", "key")
    codes, told = several(
        folder,
        ("generalize", *of_notes, "--words", "flu", "-t", "4", "-o", "general"),
        ("sanitize", *of_notes, "--patterns", "patterns", "--method", "tfs", "-o", "clean"),
        ("redact", *of_notes, "--terms", "terms", "-k", "2", "-o", "hidden"),
        (*table, *there, "-o", "table"),
        ("verify", "notes", "clean", "--patterns", "patterns", *known),
        ("verify", "notes", "hidden", "--terms", "terms", *known),
        ("verify", "notes", "general", *known),
        (*table, "-o", "people.out.csv"),
    )
    assert codes == [0, 0, 0, 0, 0, 0, 0, 0], told
    assert notes_in(folder / "general") == sf.generalize(texts, words=["flu"], t=4).data
    clean = sf.sanitize(texts, ["flu"], method="tfs", collection=True).data
    assert notes_in(folder / "clean") == clean
    made = sorted((folder / "table").glob("part-*"))
    header, *_ = made[0].read_text().splitlines()
    found = [line for one in made for line in one.read_text().splitlines() if line != header]
    assert [header, *found] == (folder / "people.out.csv").read_text().splitlines()
    _planted(folder, known)


def _planted(folder, known):
    """A certificate that speaks of other bytes, and two that were made to."""
    hidden = _forged(folder, "hidden", '"note":"', '"note":"Bob was here. ')
    general = _forged(folder, "general", "has", "had no")
    listed = ("--terms", "terms", *known)
    codes, told = several(
        folder,
        ("verify", "notes", "hidden", *listed),
        ("verify", "notes", "hidden", *listed, "--certificate", hidden),
        ("verify", "notes", "general", *known, "--certificate", general),
    )
    assert codes == [4, 4, 4], told
    assert "bytes" in told
    assert "term-k-anonymity" in told
    assert "no generalisation" in told
    assert "Bob" not in told


def _forged(folder, name, old, new):
    """Writes something else to a release; the certificate that speaks of it."""
    import hashlib

    certificate = folder / f"{name}.certificate.json"
    part = sorted((folder / name).glob("part-*"))[0]
    content = part.read_text("utf-8")
    part.write_text(content.replace(old, new, 1), "utf-8")
    part.with_name(f".{part.name}.crc").unlink()  # Hadoop's own sum: whoever forges leaves it out
    stated = json.loads(certificate.read_text("utf-8"))
    files = stated["hashes"]["files"]
    files[part.name] = hashlib.sha256(part.read_bytes()).hexdigest()
    whole = hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()
    stated["hashes"]["release"]["sha256"] = whole
    (folder / f"forged.{name}.json").write_text(json.dumps(stated), "utf-8")
    return f"forged.{name}.json"
