"""What version 0.1 wrote is read, judged, undone and run by this version."""

from __future__ import annotations

import inspect
import json
import shutil
from pathlib import Path

import pytest
import typer

import sfumato as sf
from sfumato.cli.app import app
from support.commands import outcome

FILES = Path(__file__).parent / "v0_1"
FACE = json.loads((FILES / "face.json").read_text())
STEWARD = "/home/steward"

TEXT = "--text-column text"
WHO = f"{TEXT} --group-column who"
# Of each release: its original, and what its claims speak of.
VERBS = {
    "suppress.jsonl": ("notes.jsonl", f"{WHO} --spans spans.jsonl"),
    "redact.jsonl": ("notes.jsonl", f"{TEXT} --terms terms.txt --direct direct.txt"),
    "generalize.jsonl": ("notes.jsonl", f"{TEXT} --ontology ontology.csv"),
    "sanitize.fasta": ("dna.fasta", "--patterns motifs.txt"),
    "drawn.fasta": ("dna.fasta", "--private-certificate verbs/drawn.private.json"),
    "events.csv": ("clicks.csv", f"{TEXT[:13]} page --group-column user --patterns pages.txt"),
    "anonymize.csv": ("people.csv", "--schema people.yaml"),
    "rx.csv": ("people.csv", "--schema rx_anon.yaml"),
    "pseudonymize.jsonl": ("notes.jsonl", f"{WHO} --mapping mapping/whole.sfumato"),
    "parts.jsonl": ("notes.jsonl", f"{WHO} --mapping mapping/parts.sfumato"),
    "texts": ("texts", ""),
}
FOLDERS = {"composed": "notes.jsonl", "table": "people.csv", "parts": "notes.jsonl"}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A copy of the files where their steward might have them."""
    shutil.copytree(FILES, tmp_path, dirs_exist_ok=True)
    for path in tmp_path.glob("*.private/certificate.json"):
        path.write_text(path.read_text("utf-8").replace(STEWARD, str(tmp_path)), "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def done(line, code=0):
    result = outcome(line)
    assert result.code == code, result.told
    return result


@pytest.mark.parametrize("release", VERBS)
@pytest.mark.parametrize("kind", ["public", "private"])
def test_a_release_of_each_verb_is_verified(release, kind, folder):
    original, more = VERBS[release]
    certificate = f"verbs/{release}.certificate.json"
    if kind == "private":
        certificate = f"verbs/{release.partition('.')[0]}.private.json"
    assert json.loads(Path(certificate).read_text())["certificate"] == kind
    assert json.loads(Path(certificate).read_text())["format"] == 1
    line = f"verify {original} verbs/{release} --certificate {certificate} --key-file key {more}"
    told = done(line).err
    assert "verified" in told
    assert "NOT" not in told


@pytest.mark.parametrize("release", [name for name in VERBS if name != "texts"])
def test_a_release_that_was_changed_is_rejected(release, folder):
    original, more = VERBS[release]
    path = Path("verbs", release)
    kept, other = path.read_bytes(), {b"saw": b"was", b"home": b"shop", b"T": b"C"}
    for old, new in other.items():
        path.write_bytes(path.read_bytes().replace(old, new))
    assert path.read_bytes() != kept
    assert outcome(f"verify {original} {path} {more}").code == 4


@pytest.mark.parametrize("release", VERBS)
def test_a_certificate_that_was_changed_is_rejected(release, folder):
    path = Path("verbs", f"{release}.certificate.json")
    path.write_text(path.read_text("utf-8").replace('"claims"', '"claims "', 1), "utf-8")
    assert outcome(f"verify verbs/{release}").code in (2, 4)


@pytest.mark.parametrize("name", FOLDERS)
def test_a_release_folder_is_judged_with_and_without_its_private_folder(name, folder):
    assert "the one that was certified" in outcome(f"verify {name}").err
    whole = done(f"verify {FOLDERS[name]} {name}").err
    assert "verified" in whole
    assert "not judged" not in whole
    shutil.rmtree(f"{name}.private")
    code = 2 if name == "parts" else 0  # without the key nothing of it can be judged
    done(f"verify {FOLDERS[name]} {name}", code)


def test_a_release_folder_that_was_changed_is_rejected(folder):
    path = folder / "composed/data/notes.jsonl"
    path.write_bytes(path.read_bytes().replace(b"the", b"teh"))
    done("verify composed", 4)


@pytest.mark.parametrize("private", [True, False])
def test_a_later_release_beside_an_earlier_folder_is_read_and_refused(private, folder):
    """Version 0.1 made strings otherwise, and the folder has no list: nobody can count both."""
    if not private:
        shutil.rmtree("parts.private")
    allow_columns(folder / "policies/redact.yaml")
    done("run policies/redact.yaml -o later --previous parts", 3)
    assert not (folder / "later").exists()


def test_a_report_is_made_of_an_earlier_folder(folder):
    done("report table -o report.html")
    assert b"k-anonymity" in (folder / "report.html").read_bytes()


POLICIES = sorted(path.name for path in (FILES / "policies").iterdir())


@pytest.mark.parametrize("policy", POLICIES)
def test_a_policy_runs(policy, folder):
    done(f"policy check policies/{policy}")
    allow_columns(folder / "policies" / policy)
    done(f"run policies/{policy} -o made")
    assert outcome("verify made").code in (0, 2)  # 2: the release alone shows no claim


def test_a_release_with_kept_symbols_is_verified(folder):
    allow_columns(folder / "policies/keep.yaml")
    done("run policies/keep.yaml -o made")
    done("verify made")


def allow_columns(policy):
    """Says what 0.1 took for granted: that columns may leave although they repeat hidden words."""
    policy.write_text(policy.read_text("utf-8") + "publish: all\n", "utf-8")


REQUIRED = {
    "redact": "terms: terms.txt, ",
    "sanitize": "patterns: motifs.txt, ",
}
VALUES = [
    (verb, setting, value)
    for verb, settings in FACE["stages"].items()
    for setting, values in settings.items()
    for value in values
]


@pytest.mark.parametrize(("verb", "setting", "value"), VALUES)
def test_every_value_of_a_setting_is_accepted(verb, setting, value, folder):
    # A schema that drops columns is refused where no stage does so.
    schema = "schema: people.yaml\n" if verb == "anonymize" else ""
    (folder / "one.yaml").write_text(
        f"version: 1\nrecognizer: rules-en\n{schema}"
        "input: {path: people.csv, columns: [note], person: id}\n"
        f"stages: [{{verb: {verb}, {REQUIRED.get(verb, '')}{setting}: {value}}}]\n"
    )
    done("run one.yaml --plan")


@pytest.mark.parametrize("verb", FACE["stages"])
def test_every_setting_of_a_stage_is_one(verb, folder):
    for setting in FACE["stages"][verb]:
        (folder / "one.yaml").write_text(
            "version: 1\ninput: {path: people.csv, columns: [note], person: id}\n"
            f"stages: [{{verb: {verb}, {setting}: {{}}}}]\n"
        )
        assert "no such setting" not in outcome("run one.yaml --plan").told, setting


def test_a_saved_dictionary_gives_the_same_strings(folder):
    loaded = sf.TermDictionary.load("dictionary/terms.sfumato")
    made = sf.TermDictionary(Path("terms.txt").read_text().split())
    for term in ("Alton", "asthma", "cough"):
        assert loaded.publish(term, k=2) == made.publish(term, k=2)
    line = f"redact notes.jsonl {TEXT} --direct direct.txt -k 2 --key-file key --publish all"
    done(f"{line} --terms dictionary/terms.sfumato -o again.jsonl")
    assert (folder / "again.jsonl").read_bytes() == (folder / "verbs/redact.jsonl").read_bytes()
    more = f"{TEXT} --terms dictionary/terms.sfumato --direct direct.txt"
    done(f"verify notes.jsonl verbs/redact.jsonl {more}")


def texts(path):
    return [json.loads(line)["text"] for line in Path(path).read_text("utf-8").splitlines()]


@pytest.mark.parametrize(("name", "mapping"), [("pseudonymize", "whole"), ("parts", "parts")])
def test_a_mapping_undoes_its_release(name, mapping, folder):
    line = f"pseudonymize verbs/{name}.jsonl --undo {WHO} --key-file key"
    done(f"{line} --mapping mapping/{mapping}.sfumato -o back.jsonl")
    assert texts("back.jsonl") == texts("notes.jsonl")


def test_the_mapping_of_a_run_undoes_its_stage(folder):
    [stage] = [
        path.parent
        for path in folder.glob("composed.private/stages/*/release.json")
        if json.loads(path.read_text())["verb"] == "pseudonymize"
    ]
    line = f"pseudonymize {stage}/data/notes.jsonl --undo {WHO} --key-file composed.private/key"
    done(f"{line} --mapping composed.private/mapping-1-text.sfumato -o back.jsonl")
    assert texts("back.jsonl") == texts("notes.jsonl")


def spans_of(path):
    names = ("document", "start", "stop", "label")
    done(f"recognise notes.jsonl {TEXT} --spans {path} -o found.jsonl")
    found = [json.loads(line) for line in Path("found.jsonl").read_text("utf-8").splitlines()]
    Path("found.jsonl").unlink()
    return [tuple(one[name] for name in names) for one in found]


@pytest.mark.parametrize("path", ["presidio.json", "brat", "i2b2"])
def test_review_files_hold_the_same_spans(path, folder):
    reviewed = spans_of("review/spans.jsonl")
    assert len(reviewed) == 47
    assert (0, 40, 45, "HOSPITAL") in reviewed
    if path == "i2b2":  # has one name for institutions
        reviewed = [(*one, "ORG" if label == "HOSPITAL" else label) for *one, label in reviewed]
    assert spans_of(f"review/{path}") == reviewed


@pytest.mark.parametrize("path", ["spans.jsonl", "presidio.json", "brat", "i2b2"])
def test_a_verb_takes_a_review_file(path, folder):
    line = f"suppress notes.jsonl {WHO} -k 2 --spans review/{path} --key-file key -o out.jsonl"
    done(f"{line} --guess none")  # what 0.1 did
    assert (folder / "out.jsonl").read_bytes() == (folder / "verbs/suppress.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("schema", "table"),
    [
        ("people.yaml", "people.csv"),
        ("registry.yaml", "registry.csv"),
        ("rx_anon.yaml", "people.csv"),
        ("schema_all.yaml", "people.csv"),
        ("schema_more.yaml", ""),
    ],
)
def test_a_schema_is_accepted(schema, table, folder):
    done(f"schema check {schema} {table}")
    if table:
        done(f"anonymize {table} --schema {schema} -k 3 --key-file key -o out.csv --publish all")
        done(f"verify {table} out.csv --schema {schema} --key-file key")


def test_a_file_of_rules_is_a_recognizer(folder):
    from sfumato.recognizers import recognizer

    text = "Dr. Ann Ho saw a nurse from Alton."
    found = [(text[span.start : span.stop], span.label) for span in recognizer("ward.yaml")([text])]
    assert found == [("nurse", "JOB"), ("Alton", "PLACE")]
    joined = recognizer("rules-en+ward.yaml")([text])
    assert [span.label for span in joined] == ["PERSON", "JOB", "PLACE"]
    line = f"pseudonymize notes.jsonl {TEXT} --recognizer rules-en+ward.yaml"
    done(f"{line} -o out.jsonl --publish all")


@pytest.mark.parametrize("name", FACE["names"])
def test_every_name_and_parameter_of_the_package_is_there(name):
    thing = getattr(sf, name)
    if name in FACE["functions"]:
        missing = set(FACE["functions"][name]) - set(inspect.signature(thing).parameters)
        assert not missing


def commands(group, path=()):
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


@pytest.mark.parametrize("name", FACE["commands"])
def test_every_option_of_a_command_is_there(name):
    found = dict(commands(typer.main.get_command(app)))[name].params
    options = {option for one in found for option in (*one.opts, *one.secondary_opts)}
    assert not set(FACE["commands"][name]) - options
