"""Chromium for the tests that look at pages, and a studio to look at."""

from __future__ import annotations

import os
import shutil

import pytest

from support.studios import PATIENCE, running


@pytest.fixture(scope="session")
def chromium():
    """A running Chromium; tests are skipped where there is none."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if path is None:
        pytest.skip("no Chromium: apt install chromium, or name it in CHROMIUM")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


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
