"""`sfumato sanitize` as a person runs it, in every format, and `sfumato verify` after it."""

from __future__ import annotations

import json

import pytest

from sfumato import sanitize
from sfumato.cli.app import run

TEXT = "aabaaacbcbbbaabbacaab"


def sanitized(tmp_path, name, content, *options, patterns="baaa\nbbaa\n"):
    (tmp_path / name).write_bytes(content.encode())
    (tmp_path / "secret.txt").write_text(patterns)
    out = tmp_path / f"out.{name.split('.', 1)[1]}"
    arguments = [str(tmp_path / name), "--patterns", str(tmp_path / "secret.txt")]
    code = run(["sanitize", *arguments, "-o", str(out), "-q", *options])
    return code, out.read_bytes().decode() if out.exists() else None


def verified(tmp_path, name, *options):
    out = f"out.{name.split('.', 1)[1]}"
    files = [str(tmp_path / name), str(tmp_path / out)]
    certificate = ["--certificate", str(tmp_path / f"{out}.certificate.json")]
    secret = ["--patterns", str(tmp_path / "secret.txt"), "-q"]
    return run(["verify", *files, *certificate, *secret, *options])


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_text(tmp_path, end):
    code, out = sanitized(tmp_path, "trace.txt", TEXT + end, "--method", "tpm", "--tau", "1")
    assert (code, out) == (0, "aaacbcbbbacaabaabbacaab" + end)
    assert verified(tmp_path, "trace.txt") == 0
    (tmp_path / "out.txt").write_text(TEXT)
    assert verified(tmp_path, "trace.txt") == 4


def test_warning_in_the_certificate_when_separators_are_left_in(tmp_path):
    code, out = sanitized(tmp_path, "trace.txt", TEXT, "--method", "tfs")
    assert (code, out) == (0, "aabaa#aaacbcbbba#baabbacaab")
    certificate = json.loads((tmp_path / "out.txt.certificate.json").read_text())
    assert "2 separators are left in" in certificate["warnings"][0]
    assert "baaa" not in json.dumps(certificate)


def test_tokens_and_lines(tmp_path):
    content = "home bus clinic bus\nbus home\n"
    options = "--unit", "token", "--per-line", "--method", "tfs"
    code, out = sanitized(tmp_path, "t.txt", content, *options, patterns="bus clinic\n")
    assert (code, out) == (0, "home bus # clinic bus\nbus home\n")
    assert verified(tmp_path, "t.txt") == 0


def test_events_by_person(tmp_path):
    content = "who,page\nann,home\nbob,shop\nann,clinic\nbob,clinic\nann,home\n"
    options = "--person-column", "who", "--text-column", "page", "--method", "tfs"
    code, out = sanitized(
        tmp_path, "e.csv", content, *options, patterns="home clinic\nshop clinic\n"
    )
    assert code == 0
    assert out.splitlines() == ["who,page", "ann,clinic", "ann,home"]
    columns = "--group-column", "who", "--text-column", "page"
    assert verified(tmp_path, "e.csv", *columns) == 0


def test_csv_column(tmp_path):
    content = f"id,steps\n007,{TEXT}\n8,ab\n"
    code, out = sanitized(tmp_path, "c.csv", content, "--text-column", "steps", "--method", "tfs")
    assert (code, out) == (0, "id,steps\n007,aabaa#aaacbcbbba#baabbacaab\n8,ab\n")
    assert verified(tmp_path, "c.csv", "--text-column", "steps") == 0


def test_fasta(tmp_path):
    content = ">one\nACGTAC\nGT\n>two words\nTTACAA\n"
    code, out = sanitized(tmp_path, "g.fa", content, "--method", "tfs", patterns="GTA\n")
    assert (code, out) == (0, ">one\nACGT#T\nACGT\n>two words\nTTACAA\n")
    assert verified(tmp_path, "g.fa") == 0


def test_positions_and_drawing(tmp_path, capsys):
    path, out = tmp_path / "t.txt", tmp_path / "o.txt"
    path.write_text("abcabcabc")
    where = "sanitize", str(path), "-o", str(out), "-q", "--method", "tfs", "--length", "3"
    assert run([*where, "--positions", "1"]) == 0
    assert "bca" not in out.read_text()
    assert run([*where, "--draw", "1", "--tau", "3", "--seed", "2"]) == 0
    assert "abc" not in out.read_text()  # the only window that occurs three times
    assert run([*where, "--positions", "x"]) == 2
    assert run([*where, "--draw", "9"]) == 3


def test_failures_have_their_codes(tmp_path, capsys):
    assert sanitized(tmp_path, "a.txt", "ab#ab", patterns="ab\n")[0] == 2
    assert sanitized(tmp_path, "a.txt", "aabb", patterns="ab\nba\n") == (3, None)
    assert sanitized(tmp_path, "c.txt", "ab", "--method", "tmi")[0] == 2
    assert run(["sanitize", str(tmp_path / "a.txt"), "-o", str(tmp_path / "x.txt")]) == 2


def test_a_byte_order_mark_is_no_part_of_the_first_pattern(tmp_path):
    code, out = sanitized(tmp_path, "t.txt", "xSECRETy", "--method", "tfs", patterns="\ufeffSECRET")
    assert code == 0
    assert "SECRET" not in out
    release = sanitize("xSECRETy", tmp_path / "secret.txt", method="tfs")
    assert "SECRET" not in release.data


def test_the_list_of_patterns_is_not_overwritten(tmp_path):
    secret = tmp_path / "secret.txt"
    code, _ = sanitized(tmp_path, "t.txt", TEXT, "--certificate", str(secret))
    assert (code, secret.read_text()) == (2, "baaa\nbbaa\n")


def test_patterns_that_occur_nowhere_are_told(tmp_path):
    code, _ = sanitized(tmp_path, "t.txt", TEXT, patterns="baaa\nBBAA\n")
    certificate = json.loads((tmp_path / "out.txt.certificate.json").read_text())
    assert code == 0
    assert "1 of the 2 sensitive patterns occur nowhere" in certificate["warnings"][0]


def test_events_with_blanks_stand_between_tabs(tmp_path):
    content = "who,page\nann,home page\nann,clinic\n"
    options = "--person-column", "who", "--text-column", "page", "--method", "tfs"
    code, out = sanitized(tmp_path, "e.csv", content, *options, patterns="home page\tclinic\n")
    assert code == 0
    assert not ("home page" in out and "clinic" in out)


def test_carriage_returns_of_lines_are_no_symbols(tmp_path):
    content = "abc\r\nGTAC\r\nxGTACGTAC\r\n"
    code, out = sanitized(tmp_path, "t.txt", content, "--per-line", patterns="GTAC\n")
    assert (code, out.count("\r\n"), out.count("\r")) == (0, 3, 3)
    assert verified(tmp_path, "t.txt") == 0
