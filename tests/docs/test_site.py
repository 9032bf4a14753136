"""The site builds without a warning, shows every page, and loads nothing from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from docs.blocks import ROOT

pytest.importorskip("mkdocs", reason="pip install mkdocs-material")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_page_is_on_the_site(site):
    for page in (ROOT / "docs").rglob("*.md"):
        assert (site / page.relative_to(ROOT / "docs").with_suffix(".html")).is_file()


def test_nothing_is_loaded_from_elsewhere(site):
    for page in site.rglob("*.html"):
        loaded = re.findall(
            r'<(?:script|img|iframe|link rel="stylesheet")[^>]*?(?:src|href)="([^"]+)"',
            page.read_text(encoding="utf-8"),
        )
        assert not [one for one in loaded if "://" in one], page
