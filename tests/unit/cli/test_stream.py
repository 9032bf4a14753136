"""Commands in parts write the bytes they write in one piece, or nothing."""

import json
import os
from pathlib import Path

import pytest

from sfumato.cli.app import run
from sfumato.formats import chunks as parts
from support.notes import write_notes


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_notes(tmp_path)
    return tmp_path


@pytest.fixture(autouse=True)
def small(monkeypatch):
    from sfumato import formats

    defaults = formats.read_chunks.__kwdefaults__
    monkeypatch.setitem(defaults, "size", 300)
    assert parts.SIZE > 300


def both(*arguments, output):
    """The same command in one piece and in parts; the bytes and certificates of both."""
    found = []
    for mode in ("--no-stream", "--stream"):
        os.makedirs(mode)
        assert run([*arguments, "-o", f"{mode}/{output}", mode, "-q"]) == 0
        files = sorted(os.listdir(mode))
        found.append({name: Path(mode, name).read_bytes() for name in files})
    for mode in ("--no-stream", "--stream"):
        for name in os.listdir(mode):
            os.replace(f"{mode}/{name}", name)
        os.rmdir(mode)
    return found


def test_every_command_writes_the_same_in_parts(folder):
    text, key = ("--text-column", "t"), ("--key-file", "key")
    one, other = both("recognize", "notes.jsonl", *text, output="spans.jsonl")
    assert one == other
    assert len(one["spans.jsonl"].splitlines()) > 40
    given = ("--group-column", "p", "--spans", "spans.jsonl", *key)
    one, other = both("pseudonymize", "notes.jsonl", *text, *given, output="second.jsonl")
    assert one == other
    assert b"Ann" not in one["second.jsonl"]
    one, other = both(
        *("redact", "second.jsonl", *text, "--terms", "terms.txt", "-k", "2", *key),
        output="third.jsonl",
    )
    assert one == other
    assert b"cr*w dr*w" in one["third.jsonl"]
    stated = json.loads(one["third.jsonl.certificate.json"])
    assert stated["counts"]["documents"] == 40
    assert all(verdict["holds"] for verdict in stated["verdicts"])


@pytest.mark.parametrize(
    "more",
    [
        ("-t", "4"),
        ("-t", "2", "--words", "crew,xyzzy,month"),
        ("-t", "2", "--guarantee", "plausible", "--segment", "sentence"),
        ("-t", "2", "--words", "xyzzy"),
    ],
)
def test_general_words_are_the_same_in_parts(more, folder):
    """Also where the ontology knows no word of the first part, or of any."""
    notes = (folder / "notes.jsonl").read_text().splitlines()
    few = [line.replace("the crew drew", "xyzzy") for line in notes[:9]]
    (folder / "notes.jsonl").write_text("\n".join([*few, *notes[9:]]) + "\n")
    given = ("--text-column", "t", *more, "--key-file", "key")
    one, other = both("generalize", "notes.jsonl", *given, output="out.jsonl")
    assert one == other


def test_private_certificates_and_a_free_mask_are_the_same_in_parts(folder):
    text = ("--text-column", "t", "--key-file", "key")
    content = (folder / "notes.jsonl").read_text().replace("drew 39", "dr*w 39")
    (folder / "notes.jsonl").write_text(content)
    masks = ("--mask", "*", "--mask", "#")
    for verb in (
        ("redact", "notes.jsonl", *text, "--terms", "terms.txt", "-k", "2", *masks),
        ("pseudonymize", "notes.jsonl", *text, "--group-column", "p"),
    ):
        made = []
        for mode in ("--no-stream", "--stream"):
            written = ["-o", "out.jsonl", "--private-certificate", "c", "--overwrite"]
            assert run([*verb, *written, mode, "-q"]) == 0
            made.append(((folder / "out.jsonl").read_bytes(), (folder / "c").read_bytes()))
        assert made[0] == made[1]


def test_a_private_certificate_of_general_words_is_the_same_but_for_rounding(folder):
    made = []
    for mode in ("--no-stream", "--stream"):
        written = ["-o", "out.jsonl", "--private-certificate", "c", "--overwrite", mode, "-q"]
        given = ["--text-column", "t", "--key-file", "key", "-t", "4"]
        assert run(["generalize", "notes.jsonl", *given, *written]) == 0
        stated = json.loads((folder / "c").read_text())
        del stated["seal"]
        made.append((stated["loss"].pop("cost"), stated))
    assert made[0][0] == pytest.approx(made[1][0])
    assert made[0][1] == made[1][1]


def test_a_mapping_in_frames_undoes_and_refuses_a_changed_bit(folder, capsys):
    given = ("--text-column", "t", "--key-file", "key", "--mapping", "map")
    assert run(["pseudonymize", "notes.jsonl", *given, "-o", "out.jsonl", "--stream", "-q"]) == 0
    assert (folder / "map").stat().st_mode & 0o777 == 0o600
    assert run(["pseudonymize", "out.jsonl", *given, "--undo", "-o", "again.jsonl"]) == 0
    assert (folder / "again.jsonl").read_bytes() == (folder / "notes.jsonl").read_bytes()
    whole = (folder / "map").read_bytes()
    for at in range(0, len(whole), len(whole) // 12):
        broken = bytearray(whole)
        broken[at] ^= 1
        (folder / "map").write_bytes(broken)
        assert run(["pseudonymize", "out.jsonl", *given, "--undo", "-o", "x.jsonl", "-q"]) == 2
    last = whole.rindex(whole[-40:])
    for cut in (whole[: last - 4], whole[:60], whole + b"\0\0\0\1x"):
        (folder / "map").write_bytes(cut)
        assert run(["pseudonymize", "out.jsonl", *given, "--undo", "-o", "x.jsonl", "-q"]) == 2
    assert not (folder / "x.jsonl").exists()


def test_a_late_fault_leaves_nothing(folder, capsys):
    with open("notes.jsonl", "a") as out:
        out.write('{"p": "p1", "t": 5}\n')
    before = sorted(os.listdir())
    text = ("--text-column", "t", "--stream")
    for verb in (
        ("recognize", "notes.jsonl", *text),
        ("pseudonymize", "notes.jsonl", *text, "--key-file", "key", "--mapping", "map"),
        ("redact", "notes.jsonl", *text, "--terms", "terms.txt", "-k", "2"),
    ):
        assert run([*verb, "-o", "out.jsonl"]) == 2
        assert "line 41" in capsys.readouterr().err
        assert sorted(os.listdir()) == before


def test_a_claim_that_fails_in_a_late_part_leaves_nothing(folder, monkeypatch, capsys):
    import sfumato.methods.terms.redact as verb_module

    whole = verb_module._written

    def broken(text, here, replacements):
        return whole(text, here, replacements).replace("39", "93")

    monkeypatch.setattr(verb_module, "_written", broken)
    before = sorted(os.listdir())
    arguments = ("--text-column", "t", "--terms", "terms.txt", "-k", "2", "--stream")
    assert run(["redact", "notes.jsonl", *arguments, "-o", "out.jsonl"]) == 4
    assert "document 39" in capsys.readouterr().err
    assert sorted(os.listdir()) == before


def test_pseudonyms_that_differ_between_parts_are_refused():
    import sfumato as sf
    from sfumato.verification import verify_part

    carried = {}
    for key, holds in (("a key of sixteen", True), ("another of sixteen", False)):
        release = sf.pseudonymize(["Seen by Dr. Ho."], key=key)
        verdict, *_ = verify_part(["Seen by Dr. Ho."], release, carried)
        assert verdict.holds is holds
    assert "two surrogates" in verdict.reason


def test_reviews_in_parts_have_decisions_for_all_and_refuse_disorder(folder, capsys):
    text = ("--text-column", "t")
    assert run(["recognize", "notes.jsonl", *text, "-o", "spans.jsonl", "-q"]) == 0
    lines = list(map(json.loads, Path("spans.jsonl").read_text().splitlines()))
    lines[-1] |= {"scope": "everywhere", "decision": "reject"}
    lines[4] |= {"decision": "relabel", "new_label": "ORG"}
    lines[5] |= {"decision": "reject"}
    with open("spans.jsonl", "w") as out:
        out.writelines(json.dumps(line) + "\n" for line in lines)
    given = ("--spans", "spans.jsonl", "--key-file", "key")
    one, other = both("pseudonymize", "notes.jsonl", *text, *given, output="out.jsonl")
    assert one == other
    assert lines[-1]["text"].encode() in one["out.jsonl"]
    with open("spans.jsonl", "w") as out:
        out.writelines(json.dumps(line) + "\n" for line in reversed(lines))
    arguments = ("pseudonymize", "notes.jsonl", *text, *given, "-o", "x.jsonl", "--stream")
    assert run(arguments) == 2
    assert "order of documents" in capsys.readouterr().err
    with open("spans.jsonl", "w") as out:
        out.writelines(json.dumps(line) + "\n" for line in [*lines, {**lines[-1], "document": 99}])
    assert run(arguments) == 2
    assert "no document 99" in capsys.readouterr().err


def test_standard_input_goes_through_in_parts(folder, monkeypatch, capfdbinary):
    import io
    import sys

    raw = (folder / "notes.jsonl").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
    options = ("--text-column", "t", "--terms", "terms.txt", "-k", "2", "--format", "jsonl")
    assert run(["redact", "-", *options, "--stream", "-o", "-", "-q"]) == 0
    assert capfdbinary.readouterr().out == raw.replace(b"crew drew", b"cr*w dr*w")


def test_what_cannot_go_in_parts_is_told(folder, capsys):
    (folder / "note.txt").write_text("the crew")
    given = ("--terms", "terms.txt", "-k", "2", "-o", "out.txt", "--stream")
    assert run(["redact", "note.txt", *given]) == 2
    assert "cannot be read in parts" in capsys.readouterr().err
