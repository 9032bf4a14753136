"""`sf.verify` on files and folders: the verdicts of the command line, and violations are found."""

from __future__ import annotations

import inspect
import json
import shutil
from dataclasses import fields
from pathlib import Path

import pytest

import sfumato as sf
from sfumato import formats
from sfumato.core.certificate import digest, sealed
from sfumato.core.errors import BadInput, NotVerified
from sfumato.received.inputs import Inputs
from sfumato.received.sequences import shape_of
from support.commands import call

INPUTS = Path(__file__).parents[2] / "golden" / "inputs"
TEXT = {"text_column": "text"}
WHO = {**TEXT, "group_column": "who"}
# Of each verb: its input, its options, and what its claims speak of.
VERBS = {
    "suppress": ("notes.jsonl", "-k 2", WHO),
    "redact": ("notes.jsonl", "--terms terms.txt -k 2", {**TEXT, "terms": "terms.txt"}),
    "generalize": (
        "notes.jsonl",
        "-t 2 --words-file words.txt --ontology ontology.csv",
        {**TEXT, "ontology": "ontology.csv"},
    ),
    "sanitize": ("dna.fasta", "--patterns motifs.txt --length 5", {"patterns": "motifs.txt"}),
    "anonymize": ("people.csv", "-k 3 --schema people.yaml", {"schema": "people.yaml"}),
    "pseudonymize": (
        "notes.jsonl",
        "--mapping map.sfumato",
        {**WHO, "mapping": "map.sfumato", "key": Path("key")},
    ),
}
FLAGS = {"key": "--key-file"}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    shutil.copytree(INPUTS, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def options(given):
    return [
        part
        for name, value in given.items()
        for part in (FLAGS.get(name, "--" + name.replace("_", "-")), value)
    ]


def released(verb):
    """A release of a verb, its original, and what judges it."""
    original, more, given = VERBS[verb]
    columns = options({name: one for name, one in given.items() if name.endswith("column")})
    target = f"out{Path(original).suffix}"
    line = [verb, original, *more.split(), *columns, "-o", target, "--key-file", "key", "-q"]
    assert call(*line, "--private-certificate", "private.json", "--publish", "all") == 0
    if verb == "anonymize":
        given = {**given, "private_certificate": "private.json"}
    return original, target, given


def told_by_command(capsys, *arguments):
    code = call("verify", *arguments, "--json")
    found = json.loads(capsys.readouterr().out)
    found = found["verdicts"] if isinstance(found, dict) else found
    return code, [one for one in found if one["holds"] is not None]


def told(*arguments, **given):
    found = [verdict.as_dict() for verdict in sf.verify(*arguments, **given)]
    return json.loads(json.dumps(found))


@pytest.mark.parametrize("verb", VERBS)
def test_a_file_of_each_verb(verb, capsys):
    original, target, given = released(verb)
    code, expected = told_by_command(capsys, original, target, *options(given))
    assert code == 0
    found = told(target, original=original, **given)
    assert found == expected
    assert all(one["holds"] for one in found)
    assert told(original, target, **given) == expected  # as ORIGINAL RELEASE stand on a line


def as_certified(target, original):
    """The original in the release's place, and a certificate that fits it but for its claims."""
    shutil.copyfile(original, target)
    path = Path(f"{target}.certificate.json")
    stated = json.loads(path.read_text())
    stated["hashes"]["files"] = formats.file_digests(target)
    if stated["verb"] != "anonymize":
        source = formats.read(target, text_column="text" if target.endswith("jsonl") else None)
        data = source.data
        if stated["verb"] == "sanitize":
            from sfumato.received.certificate import Certificate

            data = shape_of(Certificate.read(stated, path)).sequences(source)
        stated["hashes"]["release"]["sha256"] = digest(data).hexdigest()
    path.write_text(json.dumps(sealed(stated, Path("key").read_bytes().strip())))


@pytest.mark.parametrize("verb", VERBS)
def test_a_planted_violation_is_rejected(verb, capsys):
    """What is published is the original itself, and the certificate's hashes are made to fit."""
    original, target, given = released(verb)
    as_certified(target, original)
    code, expected = told_by_command_or_error(capsys, original, target, *options(given))
    assert code == 4
    if not isinstance(expected, list):  # the mapping does not fit, and no claim is judged
        assert verb == "pseudonymize"
        with pytest.raises(NotVerified):
            sf.verify(target, original=original, **given)
        return
    found = told(target, original=original, **given)
    assert found == expected
    assert not all(one["holds"] for one in found)


def told_by_command_or_error(capsys, *arguments):
    code = call("verify", *arguments, "--json")
    out = capsys.readouterr().out
    return code, json.loads(out or "null")


@pytest.mark.parametrize("verb", VERBS)
def test_a_changed_file_is_not_verified(verb):
    original, target, given = released(verb)
    path = Path(target)
    path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(NotVerified, match="not the certified ones"):
        sf.verify(path, original=original, **given)


def test_a_file_alone(capsys):
    _, target, _ = released("suppress")
    with pytest.raises(BadInput, match="nothing was judged"):
        sf.verify(target)
    Path("private.json").unlink()
    _, target, given = released("sanitize")
    code, expected = told_by_command(capsys, target, *options(given))
    assert code == 0
    assert told(target, **given) == expected
    assert [one["claim"] for one in expected] == ["pattern-free"]


def test_a_schema_may_be_a_dictionary():
    original, target, given = released("anonymize")
    import yaml

    plain = {**given, "schema": yaml.safe_load(Path("people.yaml").read_text())}
    assert told(target, original=original, **plain) == told(target, original=original, **given)


def test_a_key_may_be_bytes_text_or_a_file():
    original, target, given = released("suppress")
    text = Path("key").read_text().strip()
    for key in (text, text.encode(), Path("key")):
        assert all(one.holds for one in sf.verify(target, original=original, key=key, **given))
    with pytest.raises(NotVerified, match="another"):
        sf.verify(target, original=original, key="another key of 32 bytes", **given)
    with pytest.raises(BadInput, match="at least 16 bytes"):
        sf.verify(target, original=original, key="short", **given)


FOLDERS = {
    "release-suppress": "notes.jsonl",
    "release-two-stages": "notes.jsonl",
    "release-table-texts": "people.csv",
    "release-pseudonymize-suppress": "notes.jsonl",
}


@pytest.mark.parametrize("policy", FOLDERS)
@pytest.mark.parametrize("private", [True, False])
@pytest.mark.parametrize("with_original", [True, False])
def test_a_release_folder(policy, private, with_original, capsys):
    assert call("run", f"{policy}.yaml", "-o", "made", "-q") == 0
    if not private:
        shutil.rmtree("made.private")
    given = [FOLDERS[policy]] if with_original else []
    code, expected = told_by_command(capsys, *given, "made")
    original = given[0] if given else None
    if code == 2:
        with pytest.raises(BadInput, match="nothing was judged"):
            sf.verify("made", original=original)
        return
    assert code == 0
    found = told(Path("made"), original=original)
    assert found == expected
    assert found
    assert all(one["holds"] for one in found)


def test_a_folder_made_in_parts_is_judged_with_its_private_folder(capsys):
    assert call("run", "release-redact.yaml", "-o", "made", "--stream", "-q") == 0
    code, expected = told_by_command(capsys, "notes.jsonl", "made")
    assert code == 0
    assert told("made", original="notes.jsonl") == expected
    with pytest.raises(BadInput, match="nothing was judged"):
        sf.verify("made")


def test_a_planted_violation_in_a_folder_is_rejected(capsys):
    from sfumato.pipeline.folder import data_digests, sums

    assert call("run", "release-suppress.yaml", "-o", "made", "-q") == 0
    shutil.rmtree("made.private")
    made = Path("made/data/notes.jsonl")
    shutil.copyfile("notes.jsonl", made)
    with pytest.raises(NotVerified, match="a file of the release was changed"):
        sf.verify("made")
    stated = json.loads(Path("made/certificate.json").read_text())
    stated["hashes"]["files"] = data_digests(made)
    texts = formats.read(made, text_column="text").data
    stated["hashes"]["release"]["sha256"] = digest(texts).hexdigest()
    Path("made/certificate.json").write_text(json.dumps(sealed(stated, b"of somebody else")))
    Path("made/SHA256SUMS").write_bytes(sums(Path("made")))
    code, expected = told_by_command(capsys, "made")
    assert code == 4
    found = told("made")
    assert found == expected
    assert [one["holds"] for one in found] == [False]
    with pytest.raises(NotVerified, match="the key is another one"):
        sf.verify("made", key=Path("key"))


def test_a_release_in_memory_is_judged_as_before():
    texts = ["calm", "calm", "warm"]
    release = sf.suppress(texts, k=2)
    for found in (sf.verify(texts, release), sf.verify(original=texts, release=release)):
        assert [verdict.holds for verdict in found] == [True]
    shown = sf.suppress(texts, k=1)
    other = [verdict.holds for verdict in sf.verify([*texts[:2], "cold"], shown)]
    assert other == [False]


@pytest.mark.parametrize("thing", [None, 7, ["a.txt"]])
def test_what_is_no_release_is_refused(thing):
    with pytest.raises(BadInput, match="expected a release or the path of one"):
        sf.verify(thing)


def test_python_command_line_and_inputs_have_the_same_names():
    from sfumato.cli.verify import command

    own = {one.name for one in fields(Inputs)}
    python = set(inspect.signature(sf.verify).parameters)
    assert python - own == {"given", "engine"}  # where it is judged, not of what
    assert own <= python
    line = set(inspect.signature(command).parameters) - {
        *("first", "second", "engine", "json", "quiet")
    }
    spelt = {"key_file": "key", "t_word": "t_words"}
    assert {spelt.get(name, name) for name in line} == own - {"release", "original"}
