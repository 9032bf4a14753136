"""The studio for everybody: without a pointer, by touch, read aloud, light and dark, narrow."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from support.pages import NOTES, give, shoot, wait

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")
pytestmark = pytest.mark.browser


def test_what_was_missed_is_marked_without_a_pointer(page, studio):
    texts = ["nothing stands here", *NOTES[:5], "it had rained for days"]
    give(page, "notes.lines", "\n".join(texts).encode())
    page.click("text=Review what is recognised")
    page.wait_for_selector(".span.now")
    for key, number in (("[", 1), ("]", 7)):
        for _ in range(7):
            page.keyboard.press(key)
        page.wait_for_selector(f"text=document {number} of 7")
    page.wait_for_selector("text=Nothing was recognised in this document")
    page.keyboard.press("a")  # nothing is there to be decided
    page.keyboard.press("m")
    page.keyboard.type("had rained")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Mark “had rained”")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    wait(page, "document.body.dataset.saved === '1'")
    project = page.url.split("#/")[1].split("/")[0]
    review = studio.client.get(f"/api/projects/{project}/files/review.jsonl").text
    added = [one for one in map(json.loads, review.splitlines()) if one["text"] == "had rained"]
    assert [(one["start"], one["stop"], one["decision"]) for one in added] == [(3, 13, "accept")]


def test_review_by_pointer(page):
    give(page, "notes.lines", "\n".join(NOTES).encode())
    page.click("text=Review what is recognised")
    page.wait_for_selector(".span.now")
    places = page.locator(".told b").first
    first = places.inner_text()
    page.get_by_label("every place of it").check()
    page.get_by_role("button", name="Reject").click()
    wait(page, f"document.querySelector('.told b').textContent !== '{first}'")
    page.get_by_label("Another label", exact=True).select_option("LOCATION")
    wait(page, "document.body.dataset.saved === '2'")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("text=decided: relabel")


def tab_to(page, name, key="Tab"):
    """Presses Tab until what has the focus is called so."""
    for _ in range(120):
        page.keyboard.press(key)
        here = page.evaluate(
            "[document.activeElement.labels?.[0]?.textContent ?? '',"
            " document.activeElement.ariaLabel ?? '', document.activeElement.textContent].join('|')"
        )
        if name in here:
            return
    raise AssertionError(f"no way to {name}")


def test_the_whole_path_without_a_pointer(page):
    for name, then in (
        ("Take the example", ".columns"),
        ("Go on to Protect", ".badge.good"),
    ):
        tab_to(page, name)
        page.keyboard.press("Enter")
        page.wait_for_selector(then)
    tab_to(page, "k: how many share")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".yaml .new >> text=k: 6")
    tab_to(page, "[PERSON]")  # the first mark of a note; arrow keys go on from there
    assert page.evaluate("document.activeElement.tagName") == "MARK"
    page.wait_for_selector(".pop")
    first = page.evaluate("document.activeElement.dataset.start")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.start") != first
    page.keyboard.press("Escape")
    assert page.locator(".pop").count() == 0
    tab_to(page, "Go on to Release", "Shift+Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Make the release")
    tab_to(page, "Make the release")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-state=done]")
    tab_to(page, "The whole folder (zip)")
    with page.expect_download() as taken:
        page.keyboard.press("Enter")
    assert taken.value.suggested_filename == "release.zip"


@pytest.fixture(scope="session")
def axe(tmp_path_factory):
    """axe-core's script, from the npm registry."""
    named = os.environ.get("AXE")
    if named:
        return Path(named).read_text("utf-8")
    if shutil.which("npm") is None:
        pytest.skip("no npm: axe-core cannot be fetched; AXE names its axe.min.js")
    folder = tmp_path_factory.mktemp("axe")
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "axe-core@4"]
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=60)
    except (subprocess.SubprocessError, OSError):
        pytest.skip("the npm registry does not answer; AXE names an axe.min.js")
    return (folder / "node_modules/axe-core/axe.min.js").read_text("utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible_and_fit(session, studio, axe, scheme):
    project = studio.client.post("/api/projects", json={"example": "clinic"}).json()["id"]
    studio.client.get(f"/api/projects/{project}/look")
    assert studio.done(project)["state"] == "done"
    ready = {
        "": "text=Take the example",
        f"{project}/start": ".columns",
        f"{project}/review": ".span.now",
        f"{project}/protect": "mark",
        f"{project}/judge": "section[aria-label='Who stands out']",
        f"{project}/release": "[data-state=done]",
        "receive": "text=Receive a release",
    }
    page = session.new_page()
    page.emulate_media(color_scheme=scheme)
    for place, selector in ready.items():
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 900})
            page.goto(f"{studio.base}#/{place}")
            page.wait_for_selector(selector)
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, (place, width)
            name = (place.split("/")[-1] or "welcome") + f"-{scheme}-{width}"
            shoot(page, name)
            if width == 1280:
                page.evaluate(axe)
                found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
                bad = [
                    (one["id"], one["nodes"][0]["html"][:120])
                    for one in found["violations"]
                    if one["impact"] in ("serious", "critical")
                ]
                assert bad == [], place
    page.close()
