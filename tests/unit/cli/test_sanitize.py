"""`sfumato sanitize` as a person runs it, in every format, and `sfumato verify` after it."""

from __future__ import annotations

import json

import pytest

from sfumato import BadInput, sanitize
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


@pytest.mark.parametrize(("bases", "secret"), [("ACGTacgtAA", "CGT"), ("acgtacgt", "CGT")])
def test_masked_letters_of_fasta_are_no_other_letters(tmp_path, capsys, bases, secret):
    code, _ = sanitized(tmp_path, "g.fa", f">one\n{bases}\n", patterns=f"{secret}\n")
    assert code == 2
    assert "both cases" in capsys.readouterr().err


def test_an_empty_list_of_patterns_is_a_mistake(tmp_path, capsys):
    code, _ = sanitized(tmp_path, "t.txt", "abc", patterns="\n")
    assert code == 2
    assert "holds no pattern" in capsys.readouterr().err


def test_positions_and_drawing(tmp_path, capsys):
    path, out = tmp_path / "t.txt", tmp_path / "o.txt"
    path.write_text("abcabcabc")
    where = (
        "sanitize",
        str(path),
        "-o",
        str(out),
        "-q",
        "--overwrite",
        "--method",
        "tfs",
        "--length",
        "3",
    )
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
    held = tmp_path / "held.json"
    options = "--private-certificate", held
    code, _ = sanitized(tmp_path, "t.txt", TEXT, *options, patterns="baaa\nBBAA\n")
    assert code == 0
    told = json.loads(held.read_text())["warnings"]
    assert "occur nowhere in the input: 1 of 2;" in told[0]
    public = json.loads((tmp_path / "out.txt.certificate.json").read_text())
    assert not public["warnings"]  # it speaks of the input


def test_events_with_blanks_stand_between_tabs(tmp_path):
    content = "who,page\nann,home page\nann,clinic\n"
    options = "--person-column", "who", "--text-column", "page", "--method", "tfs"
    code, out = sanitized(tmp_path, "e.csv", content, *options, patterns="home page\tclinic\n")
    assert code == 0
    assert not ("home page" in out and "clinic" in out)


BLOOD = "who,page\nann,home\nann,blood test\nann,clinic\nbob,blood test\n"
EVENTS = "--person-column", "who", "--text-column", "page"


@pytest.mark.parametrize(
    ("name", "patterns"),
    [("secret.txt", '"blood test"\n'), ("secret.csv", "blood test,\n")],
)
def test_a_single_event_with_a_blank_is_hidden(tmp_path, name, patterns):
    (tmp_path / "e.csv").write_text(BLOOD)
    (tmp_path / name).write_text(patterns)
    files = [str(tmp_path / one) for one in ("e.csv", name, "out.csv")]
    given = ["--patterns", files[1], *EVENTS]
    assert run(["sanitize", files[0], "-o", files[2], *given, "-q"]) == 0
    told = json.loads((tmp_path / "out.csv.certificate.json").read_text())
    assert "hidden" not in told["counts"]  # the release does not show it
    assert (tmp_path / "out.csv").read_text().splitlines() == ["who,page", "ann,home", "ann,clinic"]
    checked = ["--group-column", "who", "--text-column", "page", "--patterns", files[1]]
    certificate = ["--certificate", files[2] + ".certificate.json"]
    assert run(["verify", files[0], files[2], *certificate, *checked, "-q"]) == 0


def test_an_event_with_a_blank_that_is_not_quoted_is_refused(tmp_path, capsys):
    code, _ = sanitized(tmp_path, "e.csv", BLOOD, *EVENTS, patterns="blood test\n")
    assert code == 2
    assert "quotes" in capsys.readouterr().err
    code, _ = sanitized(tmp_path, "e.csv", BLOOD, *EVENTS, "--separator", "x", patterns="home\n")
    assert code == 2


def test_carriage_returns_of_lines_are_no_symbols(tmp_path):
    content = "abc\r\nGTAC\r\nxGTACGTAC\r\n"
    code, out = sanitized(tmp_path, "t.txt", content, "--per-line", patterns="GTAC\n")
    assert (code, out.count("\r\n"), out.count("\r")) == (0, 3, 3)
    assert verified(tmp_path, "t.txt") == 0


def held(tmp_path, name, content, *options):
    """A release of patterns that no file lists, and how to verify it."""
    (tmp_path / name).write_text(content)
    files = [str(tmp_path / name), str(tmp_path / f"out-{name}")]
    private = str(tmp_path / f"{name}.private.json")
    written = [files[0], "-o", files[1], "--private-certificate", private, "-q"]
    assert run(["sanitize", *written, *options]) == 0
    public = ["--certificate", files[1] + ".certificate.json", "-q"]
    return ["verify", *files, *public], private


def test_drawn_patterns_are_verified_by_the_private_certificate(tmp_path, capsys):
    options = "--draw", "1", "--length", "3", "--tau", "3"
    judge, private = held(tmp_path, "t.txt", "abcabcabcabd", *options)
    assert run(judge) == 2
    assert "--private-certificate" in capsys.readouterr().err
    assert run([*judge, "--private-certificate", private]) == 0
    assert run([*judge[:3], "--certificate", private, "-q"]) == 0  # it is a certificate too
    public = judge[judge.index("--certificate") + 1]
    assert run([*judge, "--private-certificate", public]) == 2
    tokens = "--unit", "token", "--draw", "1", "--length", "2", "--tau", "2"
    other, theirs = held(tmp_path, "k.txt", "bus clinic bus clinic home", *tokens)
    assert run([*other, "--private-certificate", theirs]) == 0
    assert run([*other, "--private-certificate", private]) == 2
    damaged = json.loads((tmp_path / "k.txt.private.json").read_text())
    for spoil in ({"key": "x"}, {"private": None}, {"private": {"patterns": [["bus"]]}}):
        (tmp_path / "bad.json").write_text(json.dumps(damaged | spoil))
        assert run([*other, "--private-certificate", str(tmp_path / "bad.json")]) == 2


def test_a_spoilt_release_of_drawn_patterns_is_rejected(tmp_path):
    options = "--draw", "1", "--length", "3", "--tau", "3", "--method", "tfs"
    judge, _ = held(tmp_path, "t.txt", "abcabcabcabd", *options)
    stated = json.loads((tmp_path / "t.txt.private.json").read_text())
    del stated["hashes"]["files"]  # so that the claims themselves are judged
    (tmp_path / "p.json").write_text(json.dumps(stated))
    (tmp_path / "out-t.txt").write_text("abcabcabcabd")
    assert run([*judge[:3], "--certificate", str(tmp_path / "p.json"), "-q"]) == 4


def test_positions_are_verified_by_the_places(tmp_path):
    judge, _ = held(tmp_path, "t.txt", "abcabdabe", "--positions", "1,4", "--length", "3")
    assert run([*judge, "--positions", "1,4"]) == 0
    assert run([*judge, "--positions", "0"]) == 4  # this window is still there
    assert run([*judge, "--positions", "8"]) == 2
    options = "--per-line", "--positions", "1:0", "--length", "2", "--method", "tfs"
    judge, _ = held(tmp_path, "l.txt", "abab\nbaab\n", *options)
    assert run([*judge, "--positions", "1:0"]) == 0
    assert run([*judge, "--positions", "7:0"]) == 2


@pytest.mark.parametrize(
    ("name", "content", "options", "columns"),
    [
        ("e.txt", "ab", (), ()),
        ("l.txt", "ab\n", ("--per-line", "--unit", "character"), ()),
        ("c.csv", "steps\nab\n", ("--text-column", "steps"), ("--text-column", "steps")),
        ("f.fa", ">one\nab\n", (), ()),
    ],
)
def test_an_empty_release_is_verified(tmp_path, name, content, options, columns):
    secret = {"patterns": "ab\n"}
    code, out = sanitized(tmp_path, name, content, "--method", "tfs", *options, **secret)
    assert code == 0
    assert "ab" not in out
    assert verified(tmp_path, name, *columns) == 0


def test_a_pattern_of_blanks_is_not_dropped(tmp_path, capsys):
    code, _ = sanitized(tmp_path, "t.txt", "a  b", patterns="ab\n  \n")
    assert code == 2
    assert "secret.txt, line 2" in capsys.readouterr().err
    with pytest.raises(BadInput, match="line 2"):
        sanitize("a  b", tmp_path / "secret.txt")
    assert sanitize("a  b", ["  "], "tfs").data == "a b"


def test_implausible_patterns_and_their_reference_are_needed_to_verify(tmp_path, capsys):
    (tmp_path / "listed.txt").write_text("bbac\n")
    (tmp_path / "other.txt").write_text("abcabcacbbacb" * 3 + "\n")
    listed = "--implausible", str(tmp_path / "listed.txt")
    reference = "--reference", str(tmp_path / "other.txt")
    code, _ = sanitized(tmp_path, "trace.txt", TEXT, *listed, "--rho", "-0.1", *reference)
    assert code == 0
    assert verified(tmp_path, "trace.txt", *listed, *reference) == 0
    assert verified(tmp_path, "trace.txt", *listed) == 2
    assert "--reference" in capsys.readouterr().err
    assert verified(tmp_path, "trace.txt", *reference) == 2
    assert "--implausible" in capsys.readouterr().err


def test_a_reference_has_the_form_of_the_input(tmp_path, capsys):
    lines = "--unit", "token", "--per-line", "--method", "tmi", "--rho", "-0.4"
    (tmp_path / "more.txt").write_text("a b c a\nb a\n")
    reference = "--reference", str(tmp_path / "more.txt")
    content = "a b c a b a\nb a c\n"
    code, _ = sanitized(tmp_path, "t.txt", content, *lines, *reference, patterns="b c a\n")
    assert code == 0
    assert verified(tmp_path, "t.txt", *reference) == 0
    (tmp_path / "two.fa").write_text(">one\nabc\n>two\nacb\n")
    wrong = "--rho", "-0.4", "--reference", str(tmp_path / "two.fa")
    assert sanitized(tmp_path, "one.txt", TEXT, *wrong, "--overwrite")[0] == 2
    assert "expected one sequence" in capsys.readouterr().err


def test_letters_and_short_sequences(tmp_path):
    content = "aabaaacbcbbbaabbacaab\nab\n"
    options = "--per-line", "--drop-short", "--letters", "1", "--replacement", "mcsr"
    code, out = sanitized(tmp_path, "t.txt", content, *options)
    assert code == 0
    assert out.splitlines()[1] == ""
    assert verified(tmp_path, "t.txt") == 0
    parameters = json.loads((tmp_path / "out.txt.certificate.json").read_text())["parameters"]
    assert (parameters["letters"], parameters["keep_short"]) == (1, False)


def test_line_breaks_that_count_as_symbols_are_told(tmp_path):
    held = tmp_path / "held.json"
    options = "--private-certificate", held, "--overwrite"
    sanitized(tmp_path, "t.txt", f"{TEXT}\n{TEXT}\n", *options)
    assert "1 line breaks count as symbols" in str(json.loads(held.read_text())["warnings"])
    sanitized(tmp_path, "t.txt", f"{TEXT}\n{TEXT}\n", "--per-line", *options)
    assert "line breaks" not in str(json.loads(held.read_text())["warnings"])
