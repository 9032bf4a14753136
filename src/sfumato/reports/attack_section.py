"""The section of a report on attacks, from the figures alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from ..attacks.explanations import explained, title
from ..attacks.result import verdict_of
from ..core.numbers import percent
from . import charts
from .page import charts as side_by_side
from .page import figure, items, pairs, paragraph, section, table, unfolded
from .words import number

Json = Mapping[str, Any]

BY_CLASSES = ("prosecutor", "journalist", "marketer")


def verdict(result: Json) -> str:
    """Where the success of an attack stands beside its control, by their intervals.

    >>> known = {"control": 0.1, "control_low": 0.05, "control_high": 0.2}
    >>> verdict({"success": 0.5, "low": 0.4, "high": 0.6, "trials": 9, **known})
    'above'
    """
    success, control = result["success"], result.get("control")
    low, high = (result.get(name, success) for name in ("low", "high"))
    others = [result.get(f"control_{name}", control) for name in ("low", "high")]
    return verdict_of(low, high, others[0], others[1], result.get("trials", 1))


def _verdict(result: Json) -> str:
    if result["name"] in BY_CLASSES:
        return "follows from the classes"
    word = verdict(result)
    return word if word.startswith("no ") else f"{word} the control"


COLOURS = {
    "above the control": "bad",
    "near the control": "good",
    "below the control": "good",
}


def _explained(results: Sequence[Json]) -> str:
    """Each attack in a sentence, what a bad number is, and what to change then."""
    told = []
    for one in results:
        known = explained(str(one["name"]))
        if known is not None:
            text = f"{known.does} Bad: {_small(known.bad)} What helps: {_small(known.remedy)}"
            told.append(
                f'<p class="attack"><b>{escape(known.title)}</b> ({escape(str(one["name"]))})</p>'
                f"{paragraph(text.replace('`', ''), 'small')}"
            )
    told.append(items(_known(results)))
    return unfolded("What each attack knows and does, and what to change", "".join(told))


def _small(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def _known(results: Sequence[Json]) -> list[str]:
    """What the attacker knew and whose attack the control is, once for attacks that share both."""
    told: dict[tuple[str, str | None], list[str]] = {}
    for one in results:
        if one.get("background"):
            key = str(one["background"]), one.get("control_of")
            told.setdefault(key, []).append(title(str(one["name"])))
    return [
        f"{', '.join(names)}: the attacker knows {background}; "
        + (f"the control is {control}." if control else "there is no control.")
        for (background, control), names in told.items()
    ]


def attacks(figures: Json) -> str:
    """How far attacks came, beside guessing and beside people who are not in the data."""
    results = figures.get("attacks") or []
    if not results:
        return ""
    intro = (
        "Each attack was run against the release. Guessing is what one reaches without it. The "
        "control is the same attack on people who are not in the data: it measures what is known "
        "about everybody. Near the control: the 95% intervals of the two overlap."
    )
    if any(one["name"] in BY_CLASSES for one in results):
        intro += (
            " What prosecutor, journalist and marketer reach follows from the sizes of "
            "the classes alone: k-anonymity allows 1/k."
        )
    caption = "Bars: success with its 95% interval; the yellow tick: guessing."
    details = "".join(
        f"<h3>{escape(title(str(one['name'])))}</h3>{pairs(one['detail'])}"
        for one in results
        if one.get("detail")
    )
    drawn = figure("Success of the attacks", caption, charts.attacks(results), details)
    rows: list[tuple[str, ...]] = [
        (
            title(str(one["name"])),
            _interval(one["success"], one.get("low"), one.get("high")),
            _interval(one.get("control"), one.get("control_low"), one.get("control_high")),
            percent(one.get("baseline")),
            number(one.get("trials")),
            _verdict(one),
        )
        for one in results
    ]
    columns = ["attack", "success", "control", "guessing", "trials", "verdict"]
    if any(one.get("at_most") is not None for one in results):
        columns.append("at most, by the policy")
        rows = [(*row, percent(one.get("at_most"))) for row, one in zip(rows, results, strict=True)]
    return section(
        *("attacks", "Attacks", paragraph(intro), side_by_side([drawn])),
        *(table(columns, rows, COLOURS), _explained(results)),
    )


def _interval(value: float | None, low: float | None, high: float | None) -> str:
    if value is None or low is None or high is None or low == high:
        return percent(value)
    return f"{percent(value)} ({percent(low).rstrip('%')}–{percent(high)})"
