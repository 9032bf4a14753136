from __future__ import annotations

import csv
import io
import json
import sys

import polars as pl
import pytest

import sfumato as sf

NOTES = [f"{name} has flu and sees {who}." for name in ("Ann", "Bob", "Cy", "Di") for who in
         ("Dr Ho", "Dr Li", "Dr Ho", "Dr Ed", "Dr Ho")]  # fmt: skip


def test_loss_grows_and_attacks_shrink_with_k():
    found = sf.sweep(NOTES, values=[2, 5, 12], attacks=["singling-out-word"])
    assert [one.value for one in found.points] == [2, 5, 12]
    losses = [one.loss for one in found.points]
    assert losses == sorted(losses)
    assert losses[0] < losses[-1]
    assert losses[1] == pytest.approx(
        1 - sf.suppress(NOTES, k=[2, 5, 12])[5].loss["unsuppressed_ratio"]
    )


@pytest.mark.parametrize(
    ("verb", "options"),
    [
        ("redact", {"terms": ["Ann", "Bob", "Ann B", "Bob A"], "values": [2, 3]}),
        ("generalize", {"values": [2, 8], "attacks": ["linkage-words"]}),
        ("suppress", {"parameter": "min_run", "values": [1, 4], "k": 3}),
    ],
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_every_text_verb_sweeps(verb, options):
    found = sf.sweep(NOTES, verb, **options)
    assert [one.value for one in found.points] == options["values"]
    assert all(0 <= one.loss <= 1 and one.attacks for one in found.points)


def test_sanitize_sweeps_over_its_methods():
    text = "aabaaacbcbbbaabbacaab" * 3
    found = sf.sweep(text, "sanitize", ["tfs", "tpm"], patterns=["baaa", "bbaa"])
    assert [one.value for one in found.points] == ["tfs", "tpm"]
    assert found.points[0].attacks[0].success == 1.0


def test_anonymize_sweeps_over_k():
    frame = pl.DataFrame(
        {"id": [str(i) for i in range(40)], "age": [20 + (i * 7) % 40 for i in range(40)]}
    )
    schema = {"person": "id", "columns": {"age": {"kind": "number"}}}
    found = sf.sweep(frame, "anonymize", [2, 8], schema=schema)
    assert found.points[0].loss < found.points[1].loss
    assert found.points[0].attacks[1].success > found.points[1].attacks[1].success


def test_the_table_the_curves_and_the_figure_say_the_same():
    gold = [[{"start": 0, "end": 2, "label": "PERSON"}] for _ in NOTES]
    found = sf.sweep(NOTES, values=[2, 5, 12], attacks=["singling-out-word"], gold=gold)
    rows = list(csv.DictReader(io.StringIO(found.csv())))
    assert [int(row["value"]) for row in rows] == [2, 5, 12]
    assert sum(int(row["knee"]) for row in rows) == (found.knee is not None)
    curve = next(one for one in found.curves() if one["measure"] == "loss")
    assert [number for _, number in curve["points"]] == [float(row["loss"]) for row in rows]
    assert {"precision", "recall", "direct recall"} <= set(rows[0])
    assert len(found.figure()["data"]["values"]) == 3
    assert "Ann" not in json.dumps(found.as_dict())
    assert found.svg().startswith("<svg")


def test_without_the_drawing_engine_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    found = sf.sweep(NOTES, values=[2, 5], attacks=["singling-out-word"])
    with pytest.raises(sf.NotInstalled, match="report"):
        found.svg()


@pytest.mark.parametrize(
    "call",
    [
        lambda: sf.sweep(NOTES, "fold"),
        lambda: sf.sweep(NOTES, values=[]),
        lambda: sf.sweep(NOTES, parameter="min_run"),
        lambda: sf.sweep(NOTES, "redact", [2]),
        lambda: sf.sweep(NOTES, attacks=["telepathy"], values=[2]),
    ],
)
def test_what_cannot_be_swept_is_refused(call):
    with pytest.raises(sf.BadInput):
        call()
