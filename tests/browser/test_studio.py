"""The studio in a browser: the whole path of a newcomer, on four kinds of data.

The screenshots in docs/studio/ are made here: SFUMATO_SCREENSHOTS=docs/studio names the folder.
"""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from support.pages import NAMES, NOTES, drop, give, previewed, shoot, wait

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")
pytestmark = pytest.mark.browser

SCRIPT = "<script>document.title='taken'</script><img src=x onerror=document.title='taken'>"


def released(page, tmp_path, original=None, shot=None):
    """Makes the release, signs it, takes it away, and has it judged by the command line."""
    from sfumato.cli.app import run

    page.click("text=Go on to Release")
    page.click("text=Make the release")
    page.wait_for_selector("[data-state=done]")
    assert page.locator(".verdict.fails").count() == 0
    if shot is not None:
        page.evaluate("scrollTo(0, 0)")
        shoot(page, shot, full=True)
    program = shutil.which("ssh-keygen")
    if program is not None:
        key = str(tmp_path / "steward")
        subprocess.run([program, "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
        page.get_by_label("or here, with the key file").fill(key)
        page.click("text=Sign with it")
        page.wait_for_selector("text=and is in the zip")
    for title, name in (
        ("The whole folder (zip)", "release.zip"),
        ("What you keep (private)", "release.private.zip"),
    ):
        with page.expect_download() as taken:
            page.click(f"text={title}")
        assert taken.value.suggested_filename == name
        shutil.unpack_archive(taken.value.path(), tmp_path / "taken", "zip")
    release = tmp_path / "taken" / "release"
    given = [] if original is None else [str(original)]
    assert run(["verify", *given, str(release), "-q"]) == 0
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
    released(page, tmp_path, shot="release")


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
    (tmp_path / "clicks.txt").write_bytes(b"abcabcaabbccabcabcab" * 8)
    give(page, "clicks.txt", (tmp_path / "clicks.txt").read_bytes())
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
    released(page, tmp_path, tmp_path / "clicks.txt")


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
