"""FHIR: a secret in every element, none in the release; references and dates follow rules."""

from __future__ import annotations

import base64
import json
import re

import pytest
import yaml

from sfumato import formats
from sfumato.cli.app import run
from sfumato.core.errors import BadInput
from sfumato.formats import fhir
from sfumato.formats.fhir_rules import read_rules

KEY = b"a key of at least sixteen bytes"
SECRET = "Zyxomme"


def bundle(count=6):
    entries = []
    for i in range(count):
        person = f"{SECRET}-{i}"
        entries.append(
            {
                "fullUrl": f"https://{SECRET}.example/fhir/Patient/{person}",
                "resource": {
                    "resourceType": "Patient",
                    "id": person,
                    "meta": {"source": SECRET, "lastUpdated": "2021-05-06T10:00:00Z"},
                    "text": {"status": "generated", "div": f"<div>{SECRET}</div>"},
                    "identifier": [{"system": "urn:mrn", "value": SECRET}],
                    "name": [{"family": SECRET, "given": ["Ann"]}],
                    "telecom": [{"value": SECRET}],
                    "address": [{"line": [SECRET], "city": SECRET}],
                    "contact": [{"name": {"family": SECRET}}],
                    "extension": [
                        {"url": "race", "valueCodeableConcept": {"coding": [{"code": SECRET}]}}
                    ],
                    "gender": "female",
                    "birthDate": "1951-02-03",
                    "_birthDate": {"extension": [{"valueString": SECRET}]},
                    "unheardOf": SECRET,
                },
            }
        )
        entries.append(
            {
                "fullUrl": f"urn:uuid:obs-{person}",
                "resource": {
                    "resourceType": "Observation",
                    "id": f"obs-{person}",
                    "contained": [
                        {"resourceType": "Practitioner", "id": SECRET, "name": [{"family": SECRET}]}
                    ],
                    "status": "final",
                    "code": {
                        "coding": [
                            {"system": "http://loinc.org", "code": "8480-6", "display": "Systolic"}
                        ],
                        "text": SECRET,
                    },
                    "subject": {"reference": f"Patient/{person}", "display": SECRET},
                    "performer": [{"reference": f"#{SECRET}"}],
                    "effectiveDateTime": f"2021-03-{10 + i:02}T08:15:00+01:00",
                    "issued": "2021-03-20T08:15:00Z",
                    "valueQuantity": {"value": 107.50, "unit": "mmHg"},
                    "note": [{"text": f"seen again and well {SECRET}{i}", "authorString": SECRET}],
                },
            }
        )
    text = base64.b64encode(f"seen again and well {SECRET}".encode()).decode()
    attachment = {
        "contentType": "text/plain",
        "data": text,
        "size": 27,
        "hash": SECRET,
        "title": SECRET,
        "url": f"https://{SECRET}",
    }
    scan = {"contentType": "application/pdf", "data": text, "size": 27}
    content = [{"attachment": attachment}, {"attachment": scan}]
    entries.append(
        {
            "resource": {
                "resourceType": "DocumentReference",
                "status": "current",
                "subject": {"reference": f"Patient/{SECRET}-0"},
                "content": content,
            }
        }
    )
    return {"resourceType": "Bundle", "type": "collection", "entry": entries}


def raw(value):
    return json.dumps(value).replace("107.5", "107.50").encode()


def released(content, **options):
    source = fhir.read(content, "b.json", rules=read_rules(None, KEY), **options)
    texts = [text.replace(SECRET, "*") for text in source.filled]
    return source, b"".join(source.pieces(texts))


def test_no_secret_is_left_and_what_is_coded_stays():
    source, content = released(raw(bundle()))
    assert SECRET.encode() not in content
    assert SECRET not in str(
        [base64.b64decode(one) for one in re.findall(rb'"data":"([^"]+)"', content)]
    )
    assert b'"value":107.50' in content
    made = [one["resource"] for one in json.loads(content)["entry"]]
    patients = {one["id"] for one in made if one["resourceType"] == "Patient"}
    about = {one["subject"]["reference"] for one in made if "subject" in one}
    assert about == {f"Patient/{one}" for one in patients}
    assert len(patients) == 6
    observation = next(one for one in made if one["resourceType"] == "Observation")
    assert observation["code"]["coding"][0]["code"] == "8480-6"
    assert observation["performer"][0]["reference"] == "#" + observation["contained"][0]["id"]
    assert next(one for one in made if one["resourceType"] == "Patient")["birthDate"] == "1951"
    assert set(source.groups) == {f"{SECRET}-{i}" for i in range(6)}


def test_what_was_done_is_recorded():
    _, content = released(raw(bundle()))
    for entry in json.loads(content)["entry"]:
        codes = {one["code"] for one in entry["resource"]["meta"]["security"]}
        assert codes & {"REDACTED", "PSEUDED", "MASKED", "ABSTRED"}


def test_dates_of_a_patient_keep_their_distance():
    given = bundle(2)
    _, content = released(raw(given))
    made = [one["resource"] for one in json.loads(content)["entry"]]
    seen = [one for one in made if one["resourceType"] == "Observation"]
    first, second = (one["effectiveDateTime"] for one in seen)
    assert first.endswith("T00:00:00Z")
    assert first[:10] not in ("2021-03-10",)
    from datetime import date

    for i, one in enumerate(seen):
        apart = date.fromisoformat(one["issued"][:10]) - date.fromisoformat(
            one["effectiveDateTime"][:10]
        )
        assert apart.days == 10 - i
    assert first != second


def test_lines_and_a_second_reading():
    resources = [one["resource"] for one in bundle()["entry"]]
    content = b"\n".join(map(raw, resources)) + b"\n"
    _, once = released(content)
    assert once.count(b"\n") == len(resources)
    _, twice = released(once)
    assert twice == once  # nothing is shifted or renamed again
    other = fhir.read(once, "b", rules=read_rules(None, b"another key of sixteen bytes"))
    assert b"".join(other.pieces(other.texts)) != once


def test_what_is_added_to_a_release_is_not_believed():
    made = json.loads(released(raw(bundle()))[1])
    for added in (
        bundle(7)["entry"][12],
        {"resource": {"resourceType": "Patient", "id": f"{SECRET}-9"}},
    ):
        again = raw({**made, "entry": [*made["entry"], added]})
        assert SECRET.encode() not in released(again)[1]
    changed = json.loads(json.dumps(made))
    changed["entry"][0]["resource"]["photo"] = SECRET
    assert SECRET.encode() not in released(raw(changed))[1]


def test_a_mark_of_somebody_else_is_not_believed():
    given = bundle(1)
    given["meta"] = {"security": [{"system": fhir.MARK, "code": "0" * 32}]}
    _, content = released(raw(given))
    assert SECRET.encode() not in content


def test_rules_of_ones_own(tmp_path):
    (tmp_path / "secret.key").write_bytes(KEY)
    rules = {
        "key_file": "secret.key",
        "rules": {
            "Patient.address.city": "keep",
            "Patient.birthDate": "month",
            "Observation.note": "drop",
        },
    }
    (tmp_path / "rules.yaml").write_text(yaml.safe_dump(rules))
    read = read_rules(str(tmp_path / "rules.yaml"))
    assert read.action(("Patient", "address", "city")) == "keep"
    assert read.action(("Patient", "address", "line")) == "drop"
    assert read.action(("Observation", "note", "text")) == "drop"
    assert read.action(("Patient", "extension", "valueCodeableConcept", "coding", "code")) == "drop"


@pytest.mark.parametrize("wrong", [{"Patient.name": "hide"}, {"Patient.name.where(x)": "drop"}, 3])
def test_rules_that_are_not_understood(tmp_path, wrong):
    (tmp_path / "rules.yaml").write_text(yaml.safe_dump({"rules": wrong}))
    with pytest.raises(BadInput):
        read_rules(str(tmp_path / "rules.yaml"))


def test_resources_without_texts_are_released_by_pseudonymize(folder):
    (folder / "p.json").write_bytes(raw(bundle()["entry"][0]["resource"]))
    arguments = ["p.json", "--format", "fhir:rules.yaml", "--recognizer", "rules-en", "-q"]
    assert run(["pseudonymize", *arguments, "-o", "out.json"]) == 0
    assert SECRET not in (folder / "out.json").read_text()


def test_nothing_is_written_without_a_key():
    source = fhir.read(raw(bundle()), "b.json")
    with pytest.raises(BadInput, match="key"):
        b"".join(source.pieces(source.texts))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.key").write_bytes(KEY)
    (tmp_path / "rules.yaml").write_text("key_file: secret.key\n")
    (tmp_path / "bundle.json").write_bytes(raw(bundle()))
    return tmp_path


def test_through_a_verb(folder):
    arguments = ["bundle.json", "--format", "fhir:rules.yaml", "-k", "3", "-q"]
    assert run(["suppress", *arguments, "-o", "out.json"]) == 0
    content = (folder / "out.json").read_bytes()
    assert SECRET.encode() not in content
    again = formats.read("out.json", format="fhir:rules.yaml")
    assert any("seen again and well" in text for text in again.filled)
    judged = ["verify", "bundle.json", "out.json", "--format", "fhir:rules.yaml"]
    assert run([*judged, "--certificate", "out.json.certificate.json", "-q"]) == 0


def test_through_a_policy_of_two_stages(folder, monkeypatch):
    policy = {
        "version": 1,
        "input": {"path": "bundle.json", "format": "fhir:rules.yaml"},
        "stages": [{"verb": "redact", "terms": "terms.txt"}, {"verb": "suppress", "k": 3}],
    }
    (folder / "terms.txt").write_text("".join(f"seem{i}\n" for i in range(6)))
    (folder / "release.yaml").write_text(yaml.safe_dump(policy))
    monkeypatch.chdir("/")
    assert run(["run", str(folder / "release.yaml"), "-q"]) == 0
    content = (folder / "release" / "data" / "bundle.json").read_bytes()
    assert SECRET.encode() not in content
    assert str(folder) not in (folder / "release" / "policy.yaml").read_text()
