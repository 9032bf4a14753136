"""Charts are valid Vega-Lite of the shared colours, and render to SVG without style or script."""

from __future__ import annotations

import itertools
import re
import sys

import pytest

import sfumato as sf
from sfumato.core.errors import BadInput, NotInstalled
from sfumato.reports import charts

ATTACK = {
    "name": "linkage",
    "success": 0.3,
    "low": 0.2,
    "high": 0.4,
    "baseline": 0.02,
    "control": 0.1,
    "control_low": 0.05,
    "control_high": 0.2,
    "trials": 60,
}
CURVE = {
    "parameter": "k",
    "measure": "suppressed_ratio",
    "label": "suppress",
    "points": [[2, 0.1], [5, 0.2], [50, 0.7]],
    "knee": 5,
}
ALL = {
    "curves": charts.curves([CURVE, {**CURVE, "label": "words", "knee": None}]),
    "one curve": charts.curves([CURVE]),
    "class sizes": charts.class_sizes({"5": 12, "6": 3, "400": 1}),
    "shares": charts.changed_shares([0.0, 0.5, 1.0]),
    "bars": charts.bars({"birth_date": 0.4, "sex": 0.0}, "loss"),
    "attacks": charts.attacks([ATTACK, {**ATTACK, "name": "membership", "control": None}]),
}


@pytest.mark.parametrize("chart", ALL.values(), ids=list(ALL))
def test_svg_has_only_known_colours_and_nothing_a_policy_forbids(chart):
    drawn = chart.svg()
    used = set(re.findall(r'(?:fill|stroke)="([^"]+)"', drawn))
    assert used <= {*charts.COLOURS.values(), "none", "transparent"}
    assert not re.search(r"<script|<style|style=|href=|url\(|NaN", drawn)
    assert drawn == chart.svg()


def test_every_colour_has_one_for_the_dark():
    from importlib.resources import files

    style = (files("sfumato.reports") / "report.css").read_text()
    for colour in charts.COLOURS.values():
        assert f'stroke="{colour}"' in style


def test_wide_ranges_of_class_sizes_lose_no_class():
    values = ALL["class sizes"]["data"]["values"]
    assert len(values) <= charts.MOST_BARS
    assert sum(value["classes"] for value in values) == 16
    assert all(a["to"] == b["from"] for a, b in itertools.pairwise(values))


def test_control_that_is_absent_draws_no_bar():
    who = [(bar["name"], bar["who"]) for bar in ALL["attacks"]["data"]["values"]]
    assert ("Linkage by columns and terms", "control") in who
    assert ("Membership", "control") not in who


def test_without_attacks_no_knee_is_marked():
    notes = [f"{name} has flu and a cough." for name in ("Ann", "Ann", "Bob", "Eve", "Eve")]
    assert not any(
        value["knee"] for value in sf.plot(sf.suppress(notes, k=[2, 3, 5]))["data"]["values"]
    )


def test_a_sweep_and_its_curves_draw_the_same_points_and_the_same_knee():
    notes = [f"{name} has flu and a cough." for name in ("Ann", "Ann", "Bob", "Eve", "Eve")] * 2
    found = sf.sweep(notes, values=[2, 3, 5, 8])
    names = ("attack", "value", "loss", "success", "control", "knee")
    shown, drawn = (
        [tuple(row[name] for name in names) for row in chart["data"]["values"]]
        for chart in (found.figure(), charts.swept(found.curves()))
    )
    assert shown == drawn
    assert {row[1] for row in shown if row[-1]} == ({found.knee} - {None})


def test_plot_of_several_k_is_the_curve_of_their_loss():
    notes = [f"{name} has flu and a cough." for name in ("Ann", "Ann", "Bob", "Eve", "Eve")]
    releases = sf.suppress(notes, k=[2, 3, 5])
    values = sf.plot(releases)["data"]["values"]
    assert [value["x"] for value in values] == [2, 3, 5]
    assert [value["y"] for value in values] == [r.loss["suppressed"] for r in releases.values()]


def test_plot_of_one_release_counts_every_document():
    notes = ["Ann has flu.", "Bob has flu.", "Eve has flu.", ""]
    values = sf.plot(sf.suppress(notes, k=3))["data"]["values"]
    assert sum(value["documents"] for value in values) == 4


def test_plot_of_records_counts_people_and_not_rows():
    import polars as pl

    ages = [20, 21, 22, 40, 41, 42, 43, 43]
    frame = pl.DataFrame({"who": [*range(7), 6], "age": ages})
    schema = {"person": "who", "columns": {"age": {"kind": "number"}}}
    chart = sf.plot(sf.anonymize(frame, schema, k=3))
    sizes = {value["size"]: value["classes"] for value in chart["data"]["values"]}
    assert sizes == {3: 1, 4: 1}


def test_plot_of_a_sweep_is_its_loss():
    notes = [f"{name} has flu and a cough." for name in ("Ann", "Ann", "Bob", "Eve", "Eve")] * 2
    swept = sf.sweep(notes, values=[2, 3, 5])
    assert sf.plot(swept) == swept.figure()
    with pytest.raises(BadInput):
        sf.plot(swept, "beauty")
    values = sf.plot(swept, "loss")["data"]["values"]
    assert [value["y"] for value in values] == [point.loss for point in swept.points]


@pytest.mark.parametrize("wrong", [None, 7, "text", {}, [], {"k": 5}, [1, 2]])
def test_plot_refuses_what_is_no_release(wrong):
    with pytest.raises(BadInput):
        sf.plot(wrong)


class Result:
    success = 0.3

    def as_dict(self):
        return ATTACK


def test_plot_of_attacks_is_their_chart():
    assert sf.plot([Result()]) == charts.attacks([ATTACK])


def test_plot_refuses_unknown_measures():
    with pytest.raises(BadInput, match="measure"):
        sf.plot(sf.suppress(["a", "a"], k=[1, 2]), measure="beauty")


def test_missing_part_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(NotInstalled, match=r"sfumato\[report\]"):
        ALL["bars"].svg()


def test_sequences_of_lists_are_plotted_by_their_symbols():
    walks = [["home", "work", "bar"], ["work", "bar", "home"], ["home"]]
    drawn = sf.plot(sf.sanitize(walks, [["work", "bar"]]))["data"]["values"]
    assert sum(one["documents"] for one in drawn) == len(walks)
    one = sf.plot(sf.sanitize(walks[0], [["work", "bar"]]))["data"]["values"]
    assert sum(one["documents"] for one in one) == 1
