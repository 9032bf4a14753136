"""`sfumato suppress` as a person runs it: files in, verified files out, one-line errors."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import stat
import sys

import pytest

from sfumato.cli.app import run
from support.commands import call

MARKER = "Zyxomme Quvril"
SHARED = "was seen for chest pain. No change."


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_notes(path, count=6):
    lines = [
        json.dumps({"id": i, "who": f"p{i}", "text": f"{MARKER if i == 2 else 'Ann'} {SHARED}"})
        for i in range(count)
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_jsonl_to_jsonl_with_certificates(folder, capsys):
    notes = write_notes(folder / "notes.jsonl")
    code = call(
        *("suppress", notes, "-k", 5, "--text-column", "text", "--group-column", "who"),
        *("-o", "out.jsonl", "--private-certificate", "private.json"),
    )
    assert code == 0
    lines = [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]
    assert lines[0]["text"] == f"Ann {SHARED}"
    assert lines[2]["text"] == f"{'★' * 7} {'★' * 6} {SHARED}"
    public = json.loads((folder / "out.jsonl.certificate.json").read_text())
    assert public["verdicts"][0]["holds"] is True
    assert public["hashes"]["files"].keys() == {"out.jsonl"}
    assert MARKER not in json.dumps(public)
    private = json.loads((folder / "private.json").read_text())
    assert private["private"]["groups"] == [f"p{i}" for i in range(6)]
    assert stat.S_IMODE(os.stat("private.json").st_mode) == 0o600
    assert MARKER not in "".join(capsys.readouterr())
    assert not [name for name in os.listdir() if name.startswith(".")]


def test_verify_accepts_the_release_and_rejects_a_changed_one(folder, capsys):
    notes = write_notes(folder / "notes.jsonl")
    columns = ["--text-column", "text", "--group-column", "who"]
    assert call("suppress", notes, "-k", 5, *columns, "-o", "out.jsonl", "-q") == 0
    judge = ["verify", notes, "out.jsonl", "--certificate", "out.jsonl.certificate.json", *columns]
    assert call(*judge, "--json") == 0
    assert json.loads(capsys.readouterr().out)[0]["holds"] is True

    released = (folder / "out.jsonl").read_text()
    (folder / "out.jsonl").write_text(released.replace("★" * 7, MARKER.split()[0]))
    assert call(*judge) == 4
    assert "bytes" in capsys.readouterr().err

    certificate = json.loads((folder / "out.jsonl.certificate.json").read_text())
    del certificate["hashes"]["files"]
    (folder / "out.jsonl.certificate.json").write_text(json.dumps(certificate))
    assert call(*judge) == 4
    message = capsys.readouterr().err
    assert "document 2" in message
    assert MARKER.split()[0] not in message
    assert call(*judge[:-2]) == 2


def test_a_certificate_without_claims_verifies_nothing(folder, capsys):
    notes = write_notes(folder / "notes.jsonl")
    options = ["--text-column", "text", "--cover", "word-and-repeats", "-o", "out.jsonl", "-q"]
    assert call("suppress", notes, *options) == 0
    judge = ["verify", notes, "out.jsonl", "--certificate", "out.jsonl.certificate.json"]
    assert call(*judge, "--text-column", "text") == 4
    assert "claims nothing" in capsys.readouterr().err


def test_csv_column_is_replaced_and_every_other_byte_stays(folder):
    rows = "".join(f'007,"a ""b""",Ann {SHARED},1e5\r\n' for _ in range(4))
    content = "id,quoted,text,number\r\n" + rows + f"007,x,{MARKER},1e5\r\n"
    (folder / "in.csv").write_bytes(content.encode())
    assert call("suppress", "in.csv", "-k", 4, "--text-column", "text", "-o", "out.csv", "-q") == 0
    expected = content.replace(MARKER, "★" * 7 + " " + "★" * 6)
    found = (folder / "out.csv").read_bytes().decode()
    assert found.replace("★ ★", "★★★") == expected.replace("★ ★", "★★★")
    assert [row[0] for row in csv.reader(io.StringIO(found))][1:] == ["007"] * 5


def test_one_text_folders_and_compression(folder):
    (folder / "one.txt").write_text("abracadabra")
    assert (
        call("suppress", "one.txt", "-k", 2, "--align", "character", "-o", "one.txt.gz", "-q") == 0
    )
    assert gzip.decompress((folder / "one.txt.gz").read_bytes()).decode() == "abra★a★abra"
    (folder / "many/deep").mkdir(parents=True)
    for i in range(3):
        (folder / f"many/deep/{i}.txt").write_text(f"Ann{i} {SHARED}\r\n")
    assert call("suppress", "many", "-k", 3, "-o", "out", "-q") == 0
    assert (folder / "out/deep/1.txt").read_bytes().decode() == f"★★★★ {SHARED}\r\n"
    assert call("suppress", "many", "-k", 3, "-o", "out", "-q") == 2
    assert call("suppress", "many", "-k", 3, "-o", "out", "-q", "--overwrite") == 0


def test_several_k_are_written_apart(folder):
    notes = write_notes(folder / "notes.jsonl")
    assert (
        call("suppress", notes, "-k", "2,5", "--text-column", "text", "-o", "out.jsonl", "-q") == 0
    )
    names = {name for name in os.listdir() if name.startswith("out")}
    assert names == {
        f"out.k{k}.jsonl{suffix}" for k in (2, 5) for suffix in ("", ".certificate.json")
    }


def test_standard_input_and_output(folder, monkeypatch, capsysbinary):
    stream = io.TextIOWrapper(io.BytesIO(b"abracadabra"))
    monkeypatch.setattr(sys, "stdin", stream)
    arguments = ["-k", 2, "--align", "character", "--format", "txt", "--json"]
    assert call("suppress", "-", "-o", "-", *arguments) == 0
    out, err = capsysbinary.readouterr()
    assert out.decode() == "abra★a★abra"
    assert json.loads(err)[0]["loss"]["suppressed"] == 2
    assert os.listdir() == []


@pytest.fixture
def broken(folder):
    """Inputs that must be refused, each with its arguments, exit code and a word of the message."""
    write_notes(folder / "notes.jsonl")
    (folder / "empty.jsonl").write_bytes(b"")
    (folder / "binary.txt").write_bytes(b"\x00\x01" + MARKER.encode())
    (folder / "latin.txt").write_bytes(MARKER.encode() + b"\xff")
    good = json.dumps({"text": MARKER})
    (folder / "broken.jsonl").write_text(f"{good}\n" * 999 + '{"text" "' + MARKER + '"}\n')
    (folder / "ragged.csv").write_text(f'id,text\n1,{MARKER}\n2,"{MARKER}\n')
    (folder / "locked").mkdir()
    return [
        (["notes.jsonl", "--text-column", "body"], 2, "body"),
        (["notes.jsonl"], 2, "text"),
        (["notes.jsonl", "--text-column", "text", "--group-column", "patient"], 2, "patient"),
        (["empty.jsonl", "--text-column", "text"], 2, "empty"),
        (["broken.jsonl", "--text-column", "text"], 2, "line 1000"),
        (["ragged.csv", "--text-column", "text"], 2, "quote"),
        (["binary.txt"], 2, "binary"),
        (["latin.txt"], 2, "encoding"),
        (["notes.jsonl", "--text-column", "text", "-k", "0"], 2, "k"),
        (["notes.jsonl", "--text-column", "text", "-k", "many"], 2, "-k"),
        (["notes.jsonl", "--text-column", "text", "--mask", ""], 2, "mask"),
        (["notes.jsonl", "--text-column", "text", "--unit", "line"], 2, "unit"),
        (["nowhere.jsonl", "--text-column", "text"], 2, "nowhere.jsonl"),
        (["notes.jsonl", "--text-column", "text", "--no-such-option"], 2, "no-such-option"),
        (["notes.jsonl", "--text-column", "text", "--key-file", "empty.jsonl"], 2, "key"),
    ]


def test_bad_input_is_one_line_with_the_right_code_and_writes_nothing(broken, folder, capsys):
    before = sorted(os.listdir())
    for arguments, code, word in broken:
        assert call("suppress", *arguments, "-o", "out" + os.path.splitext(arguments[0])[1]) == code
        message = capsys.readouterr().err
        assert message.count("\n") == 1, message
        assert word in message, message
        assert MARKER not in message
        assert sorted(os.listdir()) == before


def test_targets_that_cannot_be_written(folder, capsys):
    notes = write_notes(folder / "notes.jsonl")
    for target in ("nowhere/out.jsonl", "notes.jsonl", "notes.jsonl/out.jsonl"):
        assert call("suppress", notes, "--text-column", "text", "-o", target) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_a_read_only_folder(folder, capsys, monkeypatch):
    # Root may write anywhere, so the refusal is made by hand.
    notes = write_notes(folder / "notes.jsonl")
    (folder / "locked").mkdir()
    genuine = os.open

    def refusing(path, *arguments, **options):
        if "locked" in str(path):
            raise PermissionError(13, "Permission denied", str(path))
        return genuine(path, *arguments, **options)

    monkeypatch.setattr(os, "open", refusing)
    assert call("suppress", notes, "--text-column", "text", "-o", "locked/out.jsonl") == 2
    message = capsys.readouterr().err
    assert "locked" in message
    assert "allow writing there" in message
    assert os.listdir("locked") == []


def test_a_failed_verdict_writes_nothing(folder, capsys, monkeypatch):
    from dataclasses import replace

    import sfumato.methods.substrings.suppress as substrings

    genuine = substrings.suppress

    def careless(texts, **options):
        return replace(genuine(texts, **options), data=list(texts))

    monkeypatch.setattr(substrings, "suppress", careless)
    notes = write_notes(folder / "notes.jsonl")
    assert call("suppress", notes, "--text-column", "text", "-o", "out.jsonl") == 4
    assert "line 3" in capsys.readouterr().err
    assert os.listdir() == ["notes.jsonl"]


def test_unexpected_failures_show_no_text(folder, capsys, monkeypatch):
    import sfumato.methods.substrings.suppress as substrings

    def fail(*_args, **_kwargs):
        raise RuntimeError(MARKER)

    monkeypatch.setattr(substrings, "suppress", fail)
    notes = write_notes(folder / "notes.jsonl")
    assert call("suppress", notes, "--text-column", "text", "-o", "out.jsonl") == 1
    message = capsys.readouterr().err
    assert "RuntimeError" in message
    assert MARKER not in message


def test_errors_as_json(folder, capsys):
    assert call("suppress", "nowhere.txt", "-o", "out.txt", "--json") == 2
    assert json.loads(capsys.readouterr().out)["exit_code"] == 2


def test_fewer_documents_than_k_cannot_be_met(folder, capsys):
    notes = write_notes(folder / "notes.jsonl", count=3)
    assert call("suppress", notes, "--text-column", "text", "-o", "out.jsonl") == 3
    assert "3 documents cannot be 5-anonymous" in capsys.readouterr().err
    assert not (folder / "out.jsonl").exists()


@pytest.mark.parametrize("mask", [" ", "e", "."])
def test_a_mask_that_is_text_is_bad_input(folder, capsys, mask):
    notes = write_notes(folder / "notes.jsonl", count=3)
    given = ["suppress", notes, "--text-column", "text", "-k", "2", "--mask", mask]
    assert call(*given, "-o", "out.jsonl") == 2
    assert "mask" in capsys.readouterr().err
    assert not (folder / "out.jsonl").exists()


def released_to_standard_output(tmp_path, capfdbinary):
    (tmp_path / "in.txt").write_text("Ann has flu. Bob has flu.")
    certificate = str(tmp_path / "c.json")
    arguments = ["suppress", str(tmp_path / "in.txt"), "-k", "2", "-o", "-", "-q"]
    assert run([*arguments, "--certificate", certificate]) == 0
    (tmp_path / "out.txt").write_bytes(capfdbinary.readouterr().out)
    files = [str(tmp_path / name) for name in ("in.txt", "out.txt")]
    return ["verify", *files, "--certificate", certificate]


def test_a_release_from_standard_output_is_known_by_its_text(tmp_path, capfdbinary):
    judge = released_to_standard_output(tmp_path, capfdbinary)
    assert run(judge) == 0
    out = tmp_path / "out.txt"
    out.write_text(out.read_text().replace("flu.", "★★★★"))
    assert run(judge) == 4


@pytest.mark.parametrize(
    "damage",
    [
        lambda c: c.pop("hashes"),
        lambda c: c.pop("verb"),
        lambda c: c.update(claims=[1]),
        lambda c: c.update(loss=None),
        lambda c: c["claims"][0].update(parameters={}),
        lambda c: c["claims"][0]["parameters"].update(k="x"),
    ],
)
def test_a_damaged_certificate_is_rejected(tmp_path, capfdbinary, damage):
    judge = released_to_standard_output(tmp_path, capfdbinary)
    certificate = json.loads((tmp_path / "c.json").read_text())
    damage(certificate)
    (tmp_path / "c.json").write_text(json.dumps(certificate))
    assert run(judge) == 4
    assert b"the certificate is " in capfdbinary.readouterr().err


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[]", b"7"])
def test_a_certificate_that_is_no_json_is_rejected(tmp_path, capfdbinary, content):
    judge = released_to_standard_output(tmp_path, capfdbinary)
    (tmp_path / "c.json").write_bytes(content)
    assert run(judge) == 4
    assert b"the certificate is damaged" in capfdbinary.readouterr().err


def test_nothing_but_data_goes_to_standard_output(tmp_path, capfdbinary):
    (tmp_path / "a.csv").write_text("t\nab\nab\n")
    for output in (("-o", "-"), ("--output", "-"), ("--output=-",)):
        assert run(["suppress", str(tmp_path / "a.csv"), "-k", "2", *output, "--json"]) == 2
        told = capfdbinary.readouterr()
        assert told.out == b""
        assert json.loads(told.err)["exit_code"] == 2


def test_failed_verdicts_are_one_json_document(tmp_path, capfdbinary):
    judge = released_to_standard_output(tmp_path, capfdbinary)
    certificate = json.loads((tmp_path / "c.json").read_text())
    certificate["claims"][0]["parameters"]["k"] = 9
    (tmp_path / "c.json").write_text(json.dumps(certificate))
    assert run([*judge, "--json"]) == 4
    assert json.loads(capfdbinary.readouterr().out)[0]["holds"] is False


def test_an_allowance_gives_the_same_release_or_is_refused(folder, capsys):
    notes = write_notes(folder / "notes.jsonl")
    columns = ("-k", 5, "--text-column", "text")
    assert call("suppress", notes, *columns, "-o", "free.jsonl") == 0
    assert (
        call(
            "suppress",
            notes,
            *columns,
            "-o",
            "bound.jsonl",
            "--memory",
            "200MB",
            "--private-certificate",
            "held.json",
        )
        == 0
    )
    assert (folder / "free.jsonl").read_bytes() == (folder / "bound.jsonl").read_bytes()
    certificate = json.loads((folder / "held.json").read_text())
    assert certificate["verdicts"][0]["holds"] is True
    for wrong in ("much", "1KB"):
        assert call("suppress", notes, *columns, "-o", "no.jsonl", "--memory", wrong) == 2
        assert "memory" in capsys.readouterr().err
