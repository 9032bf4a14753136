"""`report`: a release, its claims, its cost and the attacks on it, as one HTML file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from ..core.errors import BadInput
from ..core.plain_words import plain
from . import sections
from .attack_section import attacks
from .page import experts, page, paragraph
from .verdict import verdict

if TYPE_CHECKING:
    from ..core.values import JsonValues
    from .sample import Record

SECTIONS = (
    ("claims", "guaranteed"),
    ("not-protected", "not protected"),
    ("sample", "before and after"),
    ("attacks", "attacks"),
    ("loss", "cost"),
    ("risk", "risk"),
    ("released", "files"),
    ("evaluation", "annotations"),
    ("parameters", "parameters"),
    ("hashes", "hashes"),
)


def report(
    certificate: JsonValues,
    figures: Mapping[str, object] | None = None,
    *,
    name: str = "a release",
    policy: str | None = None,
    files: Mapping[str, str] | None = None,
    sample: Sequence[Record] = (),
) -> str:
    """The report of a release: one HTML file that needs no network and no script.

    `certificate` is the public one, `figures` numbers beside it (losses, curves, class sizes,
    attacks, evaluation), `files` the released files with their hashes. Text of the data appears
    only if `sample` has some. Figures were measured on the original: a page with them says so, and
    that of a release folder has none. Same arguments, same bytes.
    Cost: about a second, nearly all of it for drawing the charts.

    >>> import sfumato as sf
    >>> release = sf.suppress(["a b", "a c", "a b"], k=2)
    >>> html = report(release.certificate(sf.verify(["a b", "a c", "a b"], release)))
    >>> html.startswith("<!doctype html>"), "✓ Verified" in html
    (True, True)
    """
    if certificate.get("certificate") != "public":
        raise BadInput(
            "expected a public certificate: a report is made to be shown",
            where="certificate",
            remedy="give the one written beside the release",
        )
    numbers = figures or {}
    stages = sections.steps(certificate.get("stages") or [])
    verbs = [verb for verb, _, _ in stages] or [str(certificate["verb"])]
    parts = [
        sections.claims(certificate),
        sections.not_protected(certificate),
        sections.sample(sample),
        attacks(numbers),
        sections.loss(certificate, numbers),
        sections.risk(numbers),
        experts(
            sections.released(certificate, files or {}, verbs),
            sections.evaluation(numbers),
            sections.parameters(certificate, policy),
            sections.hashes(certificate),
        ),
    ]
    content = "\n".join(part for part in parts if part)
    head = _head(name, certificate, numbers, content, verbs, private=bool(sample))
    foot = (
        f"<footer>Made by Sfumato {escape(str(certificate.get('sfumato', '')))} from the public "
        "certificate. This file contains no script and loads nothing from the network.</footer>"
    )
    return page(f"{name}: release report", f"{head}\n<main>\n{content}\n</main>\n{foot}")


def _head(
    name: str,
    certificate: Mapping[str, object],
    figures: Mapping[str, object],
    content: str,
    verbs: Sequence[str],
    *,
    private: bool,
) -> str:
    links = "".join(
        f'<a href="#{anchor}">{title}</a>'
        for anchor, title in SECTIONS
        if f'<section id="{anchor}">' in content
    )
    made = ", then ".join(map(plain, verbs))
    lead = f"Made by {made}. What is guaranteed about this release, and what is not."
    what = "shows original text" if private else "has figures measured on the original"
    kept = f'<p><span class="badge bad">Private, do not publish: {what}</span></p>'
    kept = kept if private or figures else ""
    judged, lost = sections.judged(certificate), sections.losses(certificate, figures)
    return (
        f'<header>\n<p class="kicker">Release report</p>\n<h1>{escape(name)}</h1>\n'
        f"{paragraph(lead, 'lead')}\n{kept}{verdict(judged, figures, lost)}\n"
        f"{sections.glance(certificate, figures)}\n"
        f'<nav aria-label="Sections">{links}</nav>\n</header>'
    )
