"""The shipped example is what its script makes, and has the shape its users rely on."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from sfumato import formats

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "src" / "sfumato" / "examples" / "clinic_notes.jsonl"


def script():
    spec = importlib.util.spec_from_file_location("maker", ROOT / "tools/make_example_corpus.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_script_makes_the_shipped_bytes():
    assert script().corpus() == EXAMPLE.read_bytes()


def test_the_notes_belong_to_sixty_patients():
    source = formats.read(EXAMPLE, text_column="text", group_column="patient_id")
    assert source.columns == ("note_id", "patient_id", "date", "text")
    assert len(source.texts) == len(set(source.column("note_id"))) == 120
    assert len(set(source.groups)) == 60
    assert source.column("date") == sorted(source.column("date"))
    assert 100_000 < EXAMPLE.stat().st_size < 150_000


def test_what_identifies_is_rare_and_most_sentences_are_common():
    """Each name is one patient's; two thirds of the sentences are at least five patients'."""
    source = formats.read(EXAMPLE, text_column="text", group_column="patient_id")
    owners: dict[str, set[str]] = {}
    for text, patient in zip(source.texts, source.groups, strict=True):
        for sentence in text.replace("\n", " ").split(". "):
            owners.setdefault(sentence, set()).add(patient)
    all_sentences = [s for text in source.texts for s in text.replace("\n", " ").split(". ")]
    shared = sum(len(owners[sentence]) >= 5 for sentence in all_sentences)
    assert 3 * shared > 2 * len(all_sentences)
    for name in script().LAST + script().RARE:
        having = {p for t, p in zip(source.texts, source.groups, strict=True) if name in t}
        assert len(having) == 1, "a name or rare disease of several patients would stay legible"
