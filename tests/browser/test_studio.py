"""The studio in a browser: the whole path of a newcomer, on four kinds of data.

The screenshots in docs/studio/ are made here: SFUMATO_SCREENSHOTS=docs/studio names the folder.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from support.studios import PATIENCE, running, until

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")
pytestmark = pytest.mark.browser

NAMES = ("Anna", "Boris", "Clara", "Dmitri", "Elena", "Felix")
DAYS = ("Monday", "Tuesday", "Friday")
NOTES = [
    f"The patient {NAMES[i % 6]} has mild flu and was sent home on {DAYS[i % 3]} "
    f"by Dr. {'Lee' if i % 7 else 'Quentin'}, case {i}."
    for i in range(40)
]
SCRIPT = "<script>document.title='taken'</script><img src=x onerror=document.title='taken'>"


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    with running(tmp_path_factory.mktemp("studio") / "files") as server:
        yield server


@pytest.fixture(scope="module")
def session(chromium, studio):
    """A browser that has exchanged its token; it complains to `said`."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    page.goto(studio.url)
    page.wait_for_selector("text=Take the example")
    page.close()
    yield context
    context.close()


@pytest.fixture
def page(session, studio):
    page, said = session.new_page(), []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else 0)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.said = said
    page.goto(studio.base)
    page.wait_for_selector("text=Take the example")
    yield page
    assert said == []
    page.close()


def give(page, name, content):
    """Gives a file as a newcomer does, and waits for the next page."""
    file = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    page.set_input_files("#pick", file)
    page.wait_for_selector("text=The data as it came")


def drop(page, *paths):
    """Drops files or folders of this machine on the page, as a hand does, and waits."""
    box = page.locator(".drop").bounding_box()
    place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + 20}
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    hand = page.context.new_cdp_session(page)
    for kind in ("dragEnter", "dragOver", "drop"):
        hand.send("Input.dispatchDragEvent", {"type": kind, **place, "data": data})
    hand.detach()
    page.wait_for_selector("text=The data as it came")


def wait(page, expression):
    """Until an expression holds; the page's own policy forbids it to evaluate strings."""
    until(lambda: page.evaluate(expression))


def previewed(page):
    wait(page, "Number(document.body.dataset.preview ?? 0) > 0")
    return int(page.evaluate("document.body.dataset.preview"))


def shoot(page, name, full=False):
    folder = os.environ.get("SFUMATO_SCREENSHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=f"{folder}/{name}.png", full_page=full)


def released(page, tmp_path):
    """Makes the release, signs it, takes it away, and has it judged by the command line."""
    from sfumato.cli.app import run

    page.click("text=Go on to Release")
    page.click("text=Make the release")
    page.wait_for_selector("[data-state=done]")
    assert page.locator(".verdict.fails").count() == 0
    program = shutil.which("ssh-keygen")
    if program is not None:
        key = str(tmp_path / "steward")
        subprocess.run([program, "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
        page.get_by_label("or here, with the key file").fill(key)
        page.click("text=Sign with it")
        page.wait_for_selector("text=and is in the zip")
    with page.expect_download() as taken:
        page.click("text=The whole folder (zip)")
    assert taken.value.suggested_filename == "release.zip"
    shutil.unpack_archive(taken.value.path(), tmp_path / "taken", "zip")
    release = tmp_path / "taken" / "release"
    assert run(["verify", str(release), "-q"]) == 0
    if program is not None:
        check = [program, "-Y", "check-novalidate", "-n", "sfumato-release"]
        with (release / "SHA256SUMS").open("rb") as signed:
            subprocess.run([*check, "-s", release / "SHA256SUMS.sig"], stdin=signed, check=True)
    return release


def test_newcomer_with_notes_and_columns(page, tmp_path):
    page.click("text=Take the example")
    page.wait_for_selector(".columns")
    shoot(page, "start")
    page.select_option("select[aria-label='What becomes of days']", "publish")
    page.wait_for_selector("text=Kept in schema.yaml")
    page.click("text=Go on to Protect")
    before = previewed(page)
    page.wait_for_selector(".badge.good")
    slider = page.get_by_role("region", name="Stage 2: suppress").get_by_label("k: how many share")
    slider.focus()
    page.keyboard.press("ArrowRight")
    wait(page, f"Number(document.body.dataset.preview) > {before}")
    page.wait_for_selector(".yaml .new >> text=k: 6")
    page.wait_for_selector(".legend .read")
    page.locator("mark").nth(2).hover()
    page.wait_for_selector(".pop >> text=/people|class/")
    shoot(page, "protect")
    page.click("text=Side by side")
    page.wait_for_selector("h4 >> text=before")
    released(page, tmp_path)
    shoot(page, "release", full=True)


def test_newcomer_with_plain_texts(page, tmp_path):
    (tmp_path / "notes.lines").write_text("\n".join(f"{text} {SCRIPT}" for text in NOTES))
    drop(page, tmp_path / "notes.lines")
    page.click("text=Go on to Protect")
    previewed(page)
    page.wait_for_selector("mark")
    assert page.title().startswith("Protect")
    assert page.locator("main script, main img").count() == 0
    page.wait_for_selector(".legend >> text=nothing a reader could fill in")
    page.click("text=Set to: every star counts")
    page.wait_for_selector(".yaml >> text=guess: null")
    page.wait_for_selector(".legend >> text=/places? a reader could fill in/")
    page.locator("mark.guess").first.hover()
    page.wait_for_selector(".pop >> text=/reader could fill in|takes it for a blank/")
    shoot(page, "reader")
    released(page, tmp_path)


def test_dropped_folders_workbooks_and_archives_open(page, tmp_path):
    folder = tmp_path / "visits"
    (folder / "inner").mkdir(parents=True)
    for i, text in enumerate(NOTES[:12]):
        (folder / ("inner" if i % 2 else ".") / f"<b>{i}.txt").write_text(text)
    drop(page, folder)
    assert "12 documents" in page.inner_text("main")
    page.goto(page.url.split("#")[0] + "#/")
    page.wait_for_selector("text=Take the example")
    page.set_input_files("#pickfolder", folder)
    page.wait_for_selector("text=12 documents")
    page.goto(page.url.split("#")[0] + "#/")
    page.wait_for_selector("text=Take the example")
    drop(page, shutil.make_archive(str(tmp_path / "visits"), "zip", folder))
    assert "12 documents" in page.inner_text("main")


def test_more_than_a_sample_is_tried_behind_the_page(page):
    rows = b"".join(
        json.dumps({"note": f"{NOTES[i % 40]} {i}"}).encode() + b"\n" for i in range(700)
    )
    give(page, "notes.jsonl", rows)
    page.click("text=Go on to Protect")
    page.wait_for_selector("[data-whole='700']")
    page.click("text=Look through all of it")
    page.get_by_role("button", name="Later").first.click()
    page.wait_for_selector("text=201 to 400 of 700")
    page.wait_for_selector("article >> text=record 201")
    page.click("text=Back to the sample")
    slider = page.get_by_label("k: how many share")
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("text=The whole data, in the background")
    page.get_by_role("button", name="Cancel").click()
    page.wait_for_selector("text=Try on the whole data")


def test_newcomer_with_a_sequence(page, tmp_path):
    give(page, "clicks.txt", b"abcabcaabbccabcabcab" * 8)
    page.click("text=Go on to Protect")
    previewed(page)
    page.select_option("select[aria-label='A further stage']", "sanitize")
    page.get_by_role("button", name="Add", exact=True).click()
    card = page.get_by_role("region", name="sanitize")
    card.get_by_label("patterns, one on each line").fill("bca")
    card.get_by_text("Use these").click()
    page.wait_for_selector(".yaml >> text=patterns: patterns.txt")
    page.get_by_role("button", name="Remove suppress").click()
    wait(page, "!document.querySelector('.yaml').textContent.includes('suppress')")
    page.wait_for_selector(".badge.good:has-text('pattern-free')")
    released(page, tmp_path)


def test_newcomer_with_a_term_list(page, tmp_path):
    give(page, "notes.jsonl", b"".join(json.dumps({"note": one}).encode() + b"\n" for one in NOTES))
    page.click("text=Go on to Protect")
    previewed(page)
    page.select_option("select[aria-label='A further stage']", "redact")
    page.get_by_role("button", name="Add", exact=True).click()
    card = page.get_by_role("region", name="redact")
    card.get_by_label("terms, one on each line").fill("\n".join(NAMES))
    card.get_by_text("Use these").click()
    page.wait_for_selector(".yaml >> text=terms: terms.txt")
    page.wait_for_selector(".legend >> text=1 redact")
    released(page, tmp_path)


def test_review_by_keys(page):
    page.click("text=Take the example")
    page.wait_for_selector(".columns")
    page.click("text=Review what is recognised")
    page.wait_for_selector(".span.now")
    place = "Array.from(document.querySelectorAll('.told b')).map(one => one.textContent).join()"
    wait(page, f"{place}.startsWith('1 of')")
    page.keyboard.press("r")
    wait(page, f"{place}.startsWith('2 of') && {place}.endsWith(',1')")
    page.keyboard.press("Shift+A")
    wait(page, f"{place}.endsWith(',2')")
    page.keyboard.press("u")
    wait(page, f"{place}.startsWith('2 of') && {place}.endsWith(',1')")
    page.wait_for_selector("text=saved in review.jsonl")
    shoot(page, "review")
    page.reload()
    wait(page, f"{place}.endsWith(',1')")


def test_what_was_missed_is_marked_without_a_pointer(page, studio):
    texts = ["nothing stands here", *NOTES[:5], "the blue heron left"]
    give(page, "notes.lines", "\n".join(texts).encode())
    page.click("text=Review what is recognised")
    page.wait_for_selector(".span.now")
    page.keyboard.press("[")
    page.wait_for_selector("text=document 1 of 7")
    for _ in range(6):
        page.keyboard.press("]")
    page.wait_for_selector("text=document 7 of 7")
    page.wait_for_selector("text=Nothing was recognised in this document")
    page.keyboard.press("a")  # nothing is there to be decided
    page.keyboard.press("m")
    page.keyboard.type("blue heron")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Mark “blue heron”")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    wait(page, "document.body.dataset.saved === '1'")
    project = page.url.split("#/")[1].split("/")[0]
    review = studio.client.get(f"/api/projects/{project}/files/review.jsonl").text
    added = [one for one in map(json.loads, review.splitlines()) if one["text"] == "blue heron"]
    assert [(one["start"], one["stop"], one["decision"]) for one in added] == [(4, 14, "accept")]


def test_review_by_pointer(page):
    give(page, "notes.lines", "\n".join(NOTES).encode())
    page.click("text=Review what is recognised")
    page.wait_for_selector(".span.now")
    places = page.locator(".told b").first
    first = places.inner_text()
    page.get_by_label("every place of it").check()
    page.get_by_role("button", name="Reject").click()
    wait(page, f"document.querySelector('.told b').textContent !== '{first}'")
    page.get_by_label("Another label").select_option("ORGANIZATION")
    wait(page, "document.body.dataset.saved === '2'")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("text=decided: relabel")


def tab_to(page, name):
    """Presses Tab until what has the focus is called so."""
    for _ in range(120):
        page.keyboard.press("Tab")
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
    tab_to(page, "★")
    page.wait_for_selector(".pop")
    page.keyboard.press("Escape")
    assert page.locator(".pop").count() == 0
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    tab_to(page, "Release")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Make the release")
    tab_to(page, "Make the release")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-state=done]")
    tab_to(page, "The whole folder (zip)")
    with page.expect_download() as taken:
        page.keyboard.press("Enter")
    assert taken.value.suggested_filename == "release.zip"


def test_judge_and_choose_by_the_chart(page):
    page.click("text=Take the example")
    page.wait_for_selector(".columns")
    page.evaluate("location.hash = location.hash.replace('start', 'judge')")
    page.wait_for_selector("section[aria-label='Who stands out']")
    shoot(page, "judge")
    page.get_by_role("group", name="Values of k").get_by_text("10", exact=True).click()
    page.wait_for_selector("text=release.yaml now says k: 10")


def test_receive(page, tmp_path):
    from sfumato.cli.app import run

    (tmp_path / "a.txt").write_text("the calm nurse, the calm nurse, the warm nurse")
    policy = "{version: 1, input: {path: a.txt}, stages: [{verb: suppress, k: 2}]}"
    (tmp_path / "release.yaml").write_text(policy)
    assert run(["run", str(tmp_path / "release.yaml"), "-q"]) == 0
    archive = shutil.make_archive(str(tmp_path / "given"), "zip", tmp_path, "release")
    page.click("text=Receive")
    page.set_input_files("#pickzip", archive)
    page.click("text=Judge it")
    page.wait_for_selector("[data-holds=true]")
    shoot(page, "receive")


def test_refused_files_say_why(page):
    file = {"name": "notes.csv", "mimeType": "text/csv", "buffer": bytes(range(256)) * 9}
    page.set_input_files("#pick", file)
    page.wait_for_selector("#said .note.bad")
    page.said.clear()  # Chromium notes the refusal itself


def test_a_hundred_thousand_rows_and_a_long_text_scroll(page):
    give(page, "many.csv", b"id,word\n" + b"".join(b"%d,w%d\n" % (i, i) for i in range(100_000)))
    box = page.get_by_role("region", name="The data as it came")
    box.evaluate("one => one.scrollTop = one.scrollHeight")
    page.wait_for_selector(".grid .line >> text=w99999")
    assert page.locator(".grid .line").count() < 60
    page.goto(page.url.split("#")[0] + "#/")
    page.wait_for_selector("text=Take the example")
    give(page, "long.txt", b"A calm evening by the sea. " * 190_000)
    box = page.get_by_role("region", name="The data as it came")
    box.evaluate("one => one.scrollTop = one.scrollHeight")
    wait(page, "document.querySelector('.grid').textContent.includes('12825')")
    assert page.locator(".grid .line").count() < 60


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
