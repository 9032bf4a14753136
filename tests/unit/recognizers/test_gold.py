"""The rules against gold spans of real size, and pseudonyms of whole collections undone."""

from __future__ import annotations

import io
import json
import tarfile

import pytest
import zstandard

import sfumato as sf
from sfumato.methods.pseudonyms import undo
from sfumato.methods.pseudonyms.mapping import mapping_bytes
from sfumato.metrics.recognition import precision, recall, total
from sfumato.recognizers import brat, recognizer, with_role

pytestmark = pytest.mark.data
KEY = b"a key of more than sixteen bytes"


def unpacked(path):
    with open(path, "rb") as stream:
        return zstandard.ZstdDecompressor().stream_reader(stream).read()


@pytest.fixture(scope="module")
def notes(data_folder):
    return [json.loads(line) for line in unpacked(data_folder / "notes.jsonl.zst").splitlines()]


def share_right(gold, found, texts):
    counts = precision(gold, found, texts).values()
    return sum(each.right for each in counts) / sum(each.found for each in counts)


def test_notes(notes):
    texts = [note["text"] for note in notes]
    stated = [(i, span) for i, note in enumerate(notes) for span in note["spans"]]
    gold = [sf.Span(i, one["start"], one["end"], one["label"]) for i, one in stated]
    direct = {one["label"] for _, one in stated if one["id_type"] == "DIRECT"}
    found = with_role(recognizer("rules-en")(texts), texts, ["direct", "quasi"])
    recalled = recall(gold, found, texts)
    assert total(recalled, direct).recall > 0.99
    assert total(recalled, recalled.keys() - direct).recall > 0.8
    assert share_right(gold, found, texts) > 0.95


def test_meddocan(data_folder):
    raw = unpacked(data_folder / "meddocan.tar.zst")
    files = {}
    with tarfile.open(fileobj=io.BytesIO(raw)) as archive:
        for member in archive:
            if member.isfile():
                files[member.name] = archive.extractfile(member).read()
    texts, gold = [], []
    for name in sorted(name for name in files if name.endswith(".ann")):
        gold += brat.read(files[name], len(texts), name)
        texts.append(files[name[:-3] + "txt"].decode())
    found = with_role(recognizer("rules-es")(texts), texts, ["direct", "quasi"])
    recalled = recall(gold, found, texts)
    named = [label for label in recalled if label.startswith(("NOMBRE", "CORREO", "ID_", "NUMERO"))]
    assert total(recalled, named).recall > 0.95
    assert total(recalled, recalled).recall > 0.88
    assert share_right(gold, found, texts) > 0.95
    release = sf.pseudonymize(texts, "rules-es", KEY)
    assert sf.verify(texts, release)[0].holds
    assert undo(release.data, mapping_bytes(release, KEY), KEY) == texts


def test_notes_pseudonymized_and_undone(notes):
    texts = [note["text"] for note in notes]
    release = sf.pseudonymize(texts, key=KEY, groups=[note["patient_id"] for note in notes])
    assert sf.verify(texts, release)[0].holds
    assert undo(release.data, mapping_bytes(release, KEY), KEY) == texts
    kept = [
        span
        for note, text in zip(notes, release.data, strict=True)
        for span in note["spans"]
        if span["label"] in ("MRN", "EMAIL", "SSN", "URL", "CREDIT_CARD") and span["text"] in text
    ]
    assert not kept
