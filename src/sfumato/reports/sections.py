"""The sections of a report, each from the certificate and the figures alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from ..core.numbers import percent
from ..core.plain_words import listed, number, plain
from . import charts
from .attack_verdict import verdict as standing
from .page import charts as side_by_side
from .page import figure, items, pairs, paragraph, section, table, unfolded
from .sample import Record, records_html

if TYPE_CHECKING:
    from ..core.values import JsonObject
    from ..core.values import JsonValues as Json
    from ..judging.plot import Chart


STANDING = {
    True: ("good", "✓ Verified"),
    False: ("bad", "✗ Does not hold"),
    None: ("", "Not judged"),
}


GLANCE = {
    "unsuppressed_ratio": "of the characters stay legible",
    "redacted_share": "of the characters redacted",
    "changed_share": "of the characters changed",
    "NCP": "of the detail lost",
}


def judged(certificate: Json) -> list[tuple[Json, Json | None]]:
    """Every claim with its verdict: the one in its place, or of its name.

    >>> judged({"claims": [{"name": "a"}], "verdicts": [{"claim": "a", "holds": True}]})
    [({'name': 'a'}, {'claim': 'a', 'holds': True})]
    """
    left = list(certificate.get("verdicts", []))
    result: list[tuple[Json, Json | None]] = []
    for claim in certificate.get("claims", []):
        found = next((verdict for verdict in left if verdict["claim"] == claim["name"]), None)
        if found is not None:
            left.remove(found)
        result.append((claim, found))
    return result


def glance(certificate: Json, figures: Json) -> str:
    """The numbers that matter most, in a row."""
    claims = judged(certificate)
    held = sum(verdict is not None and verdict["holds"] for _, verdict in claims)
    kind = "good" if claims and held == len(claims) else "bad" if claims else ""
    cells = [(kind, f"{held} of {len(claims)}", "guarantees hold" if claims else "guarantees")]
    counts, loss = certificate.get("counts", {}), losses(certificate, figures)
    for name in ("people", "persons", "groups", "records", "documents"):
        if name in counts:
            cells.append(("", number(counts[name]), plain(name)))
    for name, label in GLANCE.items():
        if name in loss:
            cells.append(("", percent(float(loss[name])), label))
    words = [standing(one) for one in figures.get("attacks") or []]
    compared = [word for word in words if not word.startswith("no ")]
    if compared:
        above, perhaps = compared.count("above"), compared.count("perhaps above")
        kind = "bad" if above else "care" if perhaps else "good"
        label = "attacks beat the control, perhaps" if perhaps else "attacks beat the control"
        cells.append((kind, f"{above + perhaps} of {len(compared)}", label))
    shown = "".join(
        f'<div class="{kind}"><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>'
        for kind, value, name in cells[:6]
    )
    return f'<dl class="glance">{shown}</dl>'


def claims(certificate: Json) -> str:
    """What is guaranteed, with the verdict of the independent check."""
    found = judged(certificate)
    if not found:
        text = "This release claims nothing: no guarantee was given and none was checked."
        return section("claims", "What is guaranteed", paragraph(text))
    intro = (
        "Separate code checked each claim before anything was written. It shares only definitions "
        "with the code that made the release."
    )
    asked: dict[tuple[str, bool], list[Json]] = {}
    for one in certificate.get("demanded") or []:
        asked.setdefault((one["claim"], one["holds"]), []).append(one)
    demanded = [
        (f"{plain(name)}{_of_columns(several)}", "holds" if holds else "does not hold")
        for (name, holds), several in asked.items()
    ]
    more = [unfolded("What the policy demanded", table(["claim", "verdict"], demanded))]
    groups = _together(found)
    good = [_claim(group) for group in groups if _holds(group)]
    parts = [_claim(group) for group in groups if not _holds(group)]
    if good:  # the verdict has them in short; who checks unfolds them
        exact = "The exact claim" if len(good) == 1 else f"The {len(good)} exact claims"
        parts.append(unfolded(f"{exact}, with all assumptions", "".join(good), "experts"))
    return section(
        "claims", "What is guaranteed", paragraph(intro), *parts, *(more if demanded else [])
    )


def _holds(group: list[tuple[Json, Json | None]]) -> bool:
    verdict = group[0][1]
    return verdict is not None and bool(verdict["holds"])


def _together(found: list[tuple[Json, Json | None]]) -> list[list[tuple[Json, Json | None]]]:
    """Claims that differ in their column alone are told once."""
    groups: dict[str, list[tuple[Json, Json | None]]] = {}
    for claim, verdict in found:
        failed = verdict if verdict and not verdict["holds"] else verdict is None
        told = {**claim, "column": None}, failed
        groups.setdefault(repr(told), []).append((claim, verdict))
    return list(groups.values())


def _of_columns(claims: Sequence[Json]) -> str:
    names = [str(claim["column"]) for claim in claims if claim.get("column")]
    return f" of {'column' if len(names) == 1 else 'columns'} {', '.join(names)}" if names else ""


def _claim(group: list[tuple[Json, Json | None]]) -> str:
    claim, verdict = group[0]
    kind, word = STANDING[verdict["holds"] if verdict else None]
    columns = _of_columns([claim for claim, _ in group])
    parts = [
        f'<span class="badge">{word}</span>',
        paragraph(claim.get("statement") or plain(claim["name"]), "statement"),
        paragraph(f"For the text{columns}.") if columns else "",
    ]
    if verdict and not verdict["holds"]:
        where = f" ({verdict['where']})" if verdict.get("where") else ""
        parts.append(paragraph(f"{verdict.get('reason', '')}{where}"))
    for stated, judgement in group:
        found = (judgement or {}).get("measured")
        whose = f" in {stated['column']}" if len(group) > 1 and stated.get("column") else ""
        parts.append(paragraph(f"Measured{whose}: {listed(found)}.", "small") if found else "")
    more = [
        paragraph(f"Provided that: {assumption}.", "small")
        for assumption in claim.get("assumptions", [])
    ]
    stage = f" by stage {claim['stage']}" if claim.get("stage") else ""
    counted = {name for _, judgement in group for name in (judgement or {}).get("measured") or ()}
    given = {
        name: value
        for name, value in claim.get("parameters", {}).items()
        if value is not None and name not in counted  # what was counted stands above
    }
    parameters = listed(given)
    more.append(paragraph(f"{plain(claim['name'])}{stage}; {parameters}", "small"))
    parts.append(unfolded("Assumptions and parameters", "".join(more), "experts"))
    return f'<div class="claim {kind}">{"".join(parts)}</div>'


def not_protected(certificate: Json) -> str:
    """What a reader may still learn, and warnings."""
    listed = [str(one) for one in certificate.get("not_protected", [])]
    intro = "The claims guarantee what they say and nothing more. Not protected:"
    if not listed:
        intro = "The claims guarantee what they say and nothing more."
    warned = [str(one) for one in certificate.get("warnings", [])]
    more = f"<p><b>Warnings</b></p>{items(warned)}" if warned else ""
    content = f'<div class="care">{paragraph(intro)}{items(listed)}{more}</div>'
    return section("not-protected", "What is <em>not</em> protected", content)


def sample(records: Sequence[Record]) -> str:
    """Before and after, under a warning that cannot be overlooked."""
    if not records:
        return ""
    warning = (
        '<p class="danger">This part shows original text of real records. A report with it is '
        "private: do not publish it with the release.</p>"
    )
    return section("sample", "Before and after", warning, records_html(records))


def loss(certificate: Json, figures: Json) -> str:
    """What the release cost: numbers, curves, columns, entity types, class sizes; all folded."""
    drawn = side_by_side(_loss_figures(figures))
    numbers = pairs(losses(certificate, figures))
    if not drawn and not numbers:
        return ""
    return section(
        *("loss", "What it cost"),
        paragraph("The verdict at the top says what was lost. Here are the details."),
        unfolded("All figures of loss", numbers, "experts") if numbers else "",
        unfolded("Charts: privacy and loss for other values of k, and the loss in detail", drawn)
        if drawn
        else "",
    )


def _loss_figures(figures: Json) -> Iterator[str]:
    curves = figures.get("curves") or []
    drawn = charts.swept(curves)
    if drawn is not None:
        yield _privacy_against_loss(curves, drawn)
    for group in _alike(curves, with_success=drawn is None):
        measure, parameter = plain(group[0]["measure"]), plain(group[0]["parameter"])
        rows = [
            (one.get("label", ""), number(x), number(y)) for one in group for x, y in one["points"]
        ]
        numbers = table(["method", parameter, measure], rows)
        caption = f"The {measure} for a range of {parameter}."
        yield figure(
            f"{_capital(measure)} against {parameter}", caption, charts.curves(group), numbers
        )
    for key, title in (
        ("loss_by_column", "Loss per column"),
        ("loss_by_entity_type", "Loss per entity type"),
    ):
        values = figures.get(key) or {}
        if values:
            caption = "From 0, as it was, to 1, nothing left."
            drawn = charts.bars(values, "loss")
            yield figure(title, caption, drawn, pairs(values, own=True))
    sizes = figures.get("class_sizes") or {}
    if sizes:
        smallest = min(int(size) for size in sizes)
        caption = (
            f"How many people share their columns with how many others; the fewest: {smallest}."
        )
        numbers = table(
            ["people in a class", "classes"], [(s, number(n)) for s, n in sizes.items()]
        )
        yield figure("Class sizes", caption, charts.class_sizes(sizes), numbers)
    shares = figures.get("changed_shares") or []
    if shares:
        caption = "How many documents had which share of their symbols changed."
        yield figure("Change per document", caption, charts.changed_shares(shares))


def _privacy_against_loss(curves: Sequence[Json], drawn: Chart) -> str:
    parameter, knee = plain(curves[0]["parameter"]), curves[0].get("knee")
    known = dict.fromkeys(one["background"] for one in curves if one.get("background"))
    caption = f"Success of attacks for a range of {parameter}; dashed: the control."
    caption += "".join(f" The attacker knows {words}." for words in known)
    if knee is not None:
        caption += (
            f" The knee, {parameter} = {number(knee)}, is farthest below the straight line between "
            "the ends of the first curve: from there on more loss buys less."
        )
    else:
        caption += " No value stands out as a knee."
    rows = [
        (row["attack"], number(row["value"]), percent(row["loss"]), percent(row["success"]),
         percent(row["control"]))
        for row in drawn["data"]["values"]
    ]  # fmt: skip
    numbers = table(["attack", parameter, "loss", "success", "control"], rows)
    return figure("Privacy against loss", caption, drawn, numbers)


def risk(figures: Json) -> str:
    """What the columns told of people before, and what the release tells."""
    found = figures.get("risk") or {}
    if not found:
        return ""
    from .risk import pictures

    people, after = number(found["people"]), found.get("after")
    unique = number(found["unique"])
    told = (
        f"In the original, {unique} of {people} people were the only ones with their values in the "
        "quasi-identifying columns"
    )
    if after:
        left = number(after["unique"]) if after["unique"] else "nobody"
        told += f"; in the release, {left} {'is' if after['unique'] in (0, 1) else 'are'}"
    charts_of = side_by_side(pictures(found))
    drawn = unfolded("Charts: class sizes, columns and sets of columns", charts_of)
    return section("risk", "Who could be told apart", paragraph(f"{told}."), drawn)


def evaluation(figures: Json) -> str:
    """What was measured against gold annotations."""
    given = figures.get("evaluation") or {}
    flat = {name: value for name, value in given.items() if not isinstance(value, Mapping)}
    groups = {name: value for name, value in given.items() if isinstance(value, Mapping)}
    parts = [pairs(flat)]
    for name, values in groups.items():
        parts.append(f"<h3>{escape(_capital(plain(name)))}</h3>{pairs(values)}")
    return section("evaluation", "Measured against annotations", *parts)


def released(certificate: Json, files: Mapping[str, str], verbs: Sequence[str]) -> str:
    """What was released: files, counts, verbs."""
    said = {"made by": ", then ".join(verbs), **certificate.get("counts", {})}
    checked = "These bytes were compared with the certificate when this report was made."
    parts = [pairs(said)]
    if files:
        parts += [
            "<h3>Files, with their SHA-256</h3>",
            pairs(files, "hash", own=True),
            paragraph(checked, "small"),
        ]
    return section("released", "What was released", *parts)


def parameters(certificate: Json, policy: str | None) -> str:
    """The parameters of every stage, and the policy as it was run."""
    stages = certificate.get("stages") or []
    parts = []
    if certificate.get("parameters"):
        parts.append(pairs(certificate["parameters"]))
    for place, (verb, columns, given) in enumerate(steps(stages), 1):
        shown = {"columns": columns, **given} if columns else given
        parts.append(f"<h3>{place}. {escape(verb)}</h3>{pairs(shown)}")
    if policy:
        written = f"<pre>{escape(policy)}</pre>"
        parts.append(unfolded("The policy as it was run", written))
    return section("parameters", "Parameters", *parts)


def steps(stages: Sequence[Json]) -> list[tuple[str, list[str], Json]]:
    """The stages as (verb, columns, parameters), those of one step on several columns as one.

    >>> steps([{"verb": "suppress", "columns": ["a"]}, {"verb": "suppress", "columns": ["b"]}])
    [('suppress', ['a', 'b'], {})]
    """
    result: list[tuple[str, list[str], Json]] = []
    for stage in stages:
        verb, given = str(stage.get("verb", "stage")), stage.get("parameters", {})
        columns = [str(one) for one in stage.get("columns") or []]
        if result and columns and (result[-1][0], result[-1][2]) == (verb, given):
            result[-1][1].extend(columns)
        else:
            result.append((verb, columns, given))
    return result


def hashes(certificate: Json) -> str:
    """The hashes of the certificate, and how to check the release."""
    rows: dict[str, object] = {}
    for name, value in certificate.get("hashes", {}).items():
        if name == "files" or not isinstance(value, Mapping):
            continue
        for kind, digest in value.items():
            rows[f"{name} ({kind})"] = digest
    text = (
        "Keyed hashes (hmac-sha256) tie the certificate to its inputs. Only somebody with the key "
        "can check them, so that nobody else can confirm a guess with them."
    )
    return section(
        "hashes", "Hashes", pairs(rows, "hash"), paragraph(text, "small") if rows else ""
    )


def losses(certificate: Json, figures: Json) -> JsonObject:
    """What the release lost, by the certificate and by the figures beside it."""
    return {**certificate.get("loss", {}), **(figures.get("loss") or {})}


def _alike(curves: Sequence[Json], with_success: bool) -> Iterator[list[Json]]:
    """Curves of one parameter and measure belong into one chart, so do the successes of attacks.

    The intervals and controls that a sweep gives beside them would make the chart illegible.
    """
    together: dict[tuple[str, str], list[Json]] = {}
    for one in curves:
        measure = str(one["measure"])
        if measure.endswith((" low", " high", " control")) or measure == "knee":
            continue
        if measure.endswith(" success") and not with_success:
            continue
        if measure.endswith(" success"):
            one = {**one, "measure": "success", "label": measure.removesuffix(" success")}
        together.setdefault((one["parameter"], one["measure"]), []).append(one)
    yield from together.values()


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
