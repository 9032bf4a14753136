"""The report in a browser: nothing leaves it, nothing complains, nothing overflows."""

from __future__ import annotations

import re

import pytest

import sfumato as sf
from sfumato.reports.report import report
from sfumato.reports.sample import Record
from unit.reports.test_charts import ATTACK, CURVE

pytestmark = pytest.mark.browser

NOTES = ["Ann has flu.", "Bob has flu.", "Eve has flu."]
LONG = "an_uncommonly_long_name_of_a_column_" * 4


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    release = sf.suppress(NOTES, k=3)
    figures = {
        "loss_by_column": {"age": 0.4, LONG: 0.1},
        "loss_by_entity_type": {"PERSON": 1.0},
        "class_sizes": {"5": 3, "6": 1},
        "curves": [CURVE, {**CURVE, "label": "words"}],
        "attacks": [ATTACK, {**ATTACK, "name": LONG}],
        "evaluation": {"recall": 0.75, LONG: {LONG: 0.5}},
    }
    html = report(
        release.certificate(sf.verify(NOTES, release)),
        figures,
        name=LONG,
        policy=f"version: 1\ninput: {LONG}{LONG}\n",
        files={LONG: "ff" * 32},
        sample=[Record(1, ((LONG, LONG * 3, "★" * 400),))],
    )
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(html, encoding="utf-8")
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_page_is_calm_and_alone(chromium, page_file, scheme, width):
    size = {"width": width, "height": 900}
    context = chromium.new_context(color_scheme=scheme, viewport=size)
    page, said, asked = context.new_page(), [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(page_file.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert said == []
    assert asked == [page_file.as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    wide = page.evaluate(
        "[...document.querySelectorAll('body *')].filter(e => "
        f"e.getBoundingClientRect().right > {width} + 1 && !e.closest('svg')).map(e => e.tagName)"
    )
    assert wide == []
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(chromium, page_file, scheme):
    """WCAG's contrast of at least 4.5 for text, of the page and of its charts."""
    context = chromium.new_context(color_scheme=scheme)
    page = context.new_page()
    page.goto(page_file.as_uri())
    found = page.evaluate(
        """() => [...document.querySelectorAll('p, td, th, h2, li, figcaption, .badge, svg text')]
        .map(e => {
          let ground = e;
          while (ground && getComputedStyle(ground).backgroundColor === 'rgba(0, 0, 0, 0)')
            ground = ground.parentElement;
          const style = getComputedStyle(e);
          return [e instanceof SVGElement ? style.fill : style.color,
                  getComputedStyle(ground || document.body).backgroundColor];
        })"""
    )
    assert len(found) > 50
    for ink, ground in set(map(tuple, found)):
        assert contrast(ink, ground) >= 4.5, (ink, ground)
    context.close()


def contrast(first: str, second: str) -> float:
    lighter, darker = sorted((luminance(first), luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_it_prints(chromium, page_file, tmp_path):
    page = chromium.new_page(color_scheme="dark")
    page.goto(page_file.as_uri())
    page.emulate_media(media="print")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(255, 255, 255)"  # ink is not spent on a dark page
    content = page.pdf(format="A4", print_background=False)
    assert content.startswith(b"%PDF")
    page.close()
