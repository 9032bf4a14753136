"""The section of a report on attacks, from the figures alone."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from ..attacks.explanations import explained, title
from ..core.numbers import percent
from ..core.plain_words import number
from . import charts
from .attack_verdict import COLOURS, MEANINGS, in_words
from .page import charts as side_by_side
from .page import figure, items, pairs, paragraph, section, table, unfolded

if TYPE_CHECKING:
    from ..core.values import JsonValues as Json


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


def _standing(results: Sequence[Json]) -> str:
    """The attacks by their verdicts, the worst first: the verdict's colour, and what it means."""
    told = []
    for word, meaning in MEANINGS.items():
        here = [one for one in results if in_words(one) == word]
        if here:
            badge = f'<span class="badge {COLOURS.get(word, "plain")}">{escape(word)}</span>'
            names = "; ".join(title(str(one["name"])) for one in here)
            told.append(
                f'<p class="standing">{badge} <b>{escape(names)}.</b> {escape(meaning)}</p>'
            )
    return "".join(told)


def _numbers(results: Sequence[Json]) -> str:
    rows: list[tuple[str, ...]] = [
        (
            title(str(one["name"])),
            _interval(one["success"], one.get("low"), one.get("high")),
            _interval(one.get("control"), one.get("control_low"), one.get("control_high")),
            percent(one.get("baseline")),
            number(one.get("trials")),
            in_words(one),
        )
        for one in results
    ]
    columns = ["attack", "success", "control", "guessing", "trials", "verdict"]
    if any(one.get("at_most") is not None for one in results):
        columns.append("at most, by the policy")
        rows = [(*row, percent(one.get("at_most"))) for row, one in zip(rows, results, strict=True)]
    details = "".join(
        f"<h3>{escape(title(str(one['name'])))}</h3>{pairs(one['detail'])}"
        for one in results
        if one.get("detail")
    )
    return table(columns, rows, COLOURS) + details


def attacks(figures: Json) -> str:
    """How far attacks came, beside guessing and beside people who are not in the data."""
    results = figures.get("attacks") or []
    if not results:
        return ""
    intro = (
        "Each attack was run against the release, and, where that is possible, on people who are "
        "not in the data. That is the control: it shows what general knowledge alone achieves. "
        "Red attacks are clearly more often right than their control, yellow ones perhaps, blue "
        "ones are not."
    )
    caption = (
        "How often each attack is right; the thin line is the 95% interval. The grey bar below it "
        "is the control, the upright mark what guessing without the release achieves."
    )
    drawn = figure("Success of the attacks", caption, charts.attacks(results), _numbers(results))
    return section(
        *("attacks", "Attacks", paragraph(intro), _standing(results)),
        *(side_by_side([drawn]), _explained(results)),
    )


def _interval(value: float | None, low: float | None, high: float | None) -> str:
    if value is None or low is None or high is None or low == high:
        return percent(value)
    return f"{percent(value)} ({percent(low).rstrip('%')}–{percent(high)})"
