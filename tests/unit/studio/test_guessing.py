"""The stars that a reader could fill in are those that verification's reader writes back."""

from __future__ import annotations

import json

import pytest

from sfumato.core.claims import Claim
from sfumato.pipeline.policy import as_yaml
from sfumato.studio import policies, preview_answers, previews, tasks
from sfumato.studio.places import Place, about, write_about
from sfumato.studio.reading import InputLimits
from sfumato.verification.labels import group_labels
from sfumato.verification.reader_texts import read_texts

ALLOWED = InputLimits(1000, 1 << 20)
DAYS = ("Monday", "Tuesday", "Friday")
NOTES = [
    f"The patient {'Ann' if i % 5 else 'Zoe'} has mild flu and was sent home on {DAYS[i % 3]} "
    f"by Dr. {'Lee' if i % 7 else 'Quentin'}."
    for i in range(40)
]


def project_of(tmp_path, notes=NOTES):
    place = Place(tmp_path)
    project = place.project(place.new_project("notes"))
    lines = [json.dumps({"id": f"p{i // 2}", "note": note}) + "\n" for i, note in enumerate(notes)]
    (project / "notes.jsonl").write_text("".join(lines))
    told = about(project)
    told["files"]["notes.jsonl"] = {"name": "notes.jsonl", "role": "input", "size": 1}
    write_about(project, {**told, "input": "notes.jsonl"})
    tasks.look(project, ALLOWED)
    return project


def read_of(project, stages):
    stated = {**policies.told(project)["stated"], "stages": stages}
    text = as_yaml(policies.with_claims(stated))
    return previews.previewed(project, ALLOWED, text), tasks.guessed(project, ALLOWED, stated)


@pytest.mark.parametrize("k", [2, 5, 8, 12])
@pytest.mark.parametrize("collapse", [False, True])
def test_what_is_marked_is_what_the_reader_writes_back(tmp_path, k, collapse):
    plain = {"verb": "suppress", "k": k, "unit": "word", "collapse": collapse, "guess": None}
    found, told = read_of(project_of(tmp_path), [plain])
    (one,) = found.done
    parameters = {"guess": 0.5, "mask": "★", "keep": "", "collapse": collapse, "public": False}
    before, labels = one.source.filled, group_labels(one.source.groups, len(NOTES))
    claim = Claim("substring-k-anonymity", "", parameters)
    written = read_texts(claim, before, list(one.release.data), one.release, labels)
    assert written is not None
    marked = {document for document, *_ in told["columns"]["note"]}
    assert marked == {i for i, some in enumerate(written) if some}
    assert told["guess"] == 0.5
    for document, start, stop, text in told["columns"]["note"]:
        known = before[document][start:stop]
        assert all(piece in known for piece in text.replace("★", " ").split())


def test_stars_against_a_reader_are_not_filled_in(tmp_path):
    project = project_of(tmp_path)
    _, without = read_of(project, [{"verb": "suppress", "k": 5, "guess": None, "unit": "word"}])
    _, against = read_of(project, [{"verb": "suppress", "k": 5}])
    assert without["columns"]["note"]
    assert against["columns"]["note"] == []


def test_places_are_those_of_the_original_behind_other_stages(tmp_path):
    project = project_of(tmp_path)
    (project / "terms.txt").write_text("flu\nhome\n")
    first = {"verb": "redact", "terms": "terms.txt", "k": 2, "mask": "#"}
    stages = [first, {"verb": "suppress", "k": 5, "guess": None, "unit": "word"}]
    found, told = read_of(project, stages)
    changes = preview_answers.shown(found)["columns"]["note"]
    known = {(document, start, stop) for document, start, stop, *_ in changes}
    assert told["columns"]["note"]
    assert all(tuple(one[:3]) in known for one in told["columns"]["note"])
