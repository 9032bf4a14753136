"""Bundles that Synthea and HL7 made: whoever they name is in no release of them."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

from sfumato.formats import fhir
from sfumato.formats.fhir_rules import read_rules

SAMPLES = sorted((Path(__file__).parent / "samples" / "fhir").glob("*.json.gz"))
RULES = read_rules(None, b"a key of at least sixteen bytes")
# Elements that tell who and where somebody is, and what people wrote.
WHO = {
    "name",
    "family",
    "given",
    "line",
    "city",
    "postalCode",
    "telecom",
    "identifier",
    "birthDate",
}
WHO |= {"id", "div", "fullUrl", "reference", "authorString", "patronymic", "contact"}
WHEN = re.compile(r"\d{4}-\d\d-\d\d(T[\d:.+Z-]*)?")


def leaves(value, below=False):
    """The strings of a resource, and whether each stands below an element that tells who."""
    if isinstance(value, dict):
        for name, one in value.items():
            if name not in ("system", "use", "resourceType", "type"):
                who = name in WHO or (name == "display" and "reference" in value)
                yield from leaves(one, below or who)
    elif isinstance(value, list):
        for one in value:
            yield from leaves(one, below)
    elif isinstance(value, str):
        yield value, below


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name.partition(".")[0])
def test_nobody_of_a_real_bundle_is_in_its_release(path):
    raw = gzip.decompress(path.read_bytes())
    source = fhir.read(raw, path.name, rules=RULES)
    content = b"".join(source.pieces(["★" * len(text) for text in source.filled]))
    before = list(leaves(json.loads(raw)))
    after = {leaf for leaf, _ in leaves(json.loads(content))}
    coded = {leaf for leaf, below in before if not below}
    who = {leaf for leaf, below in before if below and len(leaf) > 2} - coded
    assert len(who) > 5
    assert not who & after
    names = {leaf for leaf in who if leaf.istitle() and len(leaf) > 4}
    assert not [name for name in names if re.search(rf"\b{name}\b".encode(), content)]
    moments = {leaf for leaf, _ in before if WHEN.fullmatch(leaf) and "T" in leaf}
    assert not moments & after


def test_references_of_a_synthea_bundle_lead_where_they_led():
    raw = gzip.decompress(next(one for one in SAMPLES if "synthea" in one.name).read_bytes())
    source = fhir.read(raw, "b.json", rules=RULES)
    old = json.loads(raw)["entry"]
    new = json.loads(b"".join(source.pieces(source.texts)))["entry"]
    assert len(old) == len(new)
    assert [one["resource"]["resourceType"] for one in old] == [
        one["resource"]["resourceType"] for one in new
    ]
    places = {one["fullUrl"]: i for i, one in enumerate(old)}
    moved = {one["fullUrl"]: i for i, one in enumerate(new)}
    for before, after in zip(old, new, strict=True):
        for name in ("subject", "patient", "encounter"):
            if name in before["resource"]:
                given = before["resource"][name]["reference"]
                made = after["resource"][name]["reference"]
                assert places[given] == moved[made]
    assert sum("subject" in one["resource"] for one in new) > 50
