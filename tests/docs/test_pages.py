"""The pages keep their form: fixed headings per method, a command beside every picture."""

from __future__ import annotations

import re

import pytest

from docs.blocks import PAGES, ROOT, name_of

METHODS = sorted((ROOT / "docs" / "methods").glob("*.md"))
HEADINGS = (
    "Problem",
    "Definition",
    "Worked example",
    "API",
    "What is verified",
    "What is not protected",
    "How we differ",
)
HOWTO = sorted((ROOT / "docs" / "howto").glob("*.md"))
PICTURE = re.compile(r"^!\[[^\]]*\]\(([^)]+)\)", re.MULTILINE)
COMMAND = re.compile(r"made by `[^`]*(?:make|python|sfumato) [^`]+`")


@pytest.mark.parametrize("page", METHODS, ids=lambda page: page.stem)
def test_a_page_per_method_has_the_fixed_headings_in_order(page):
    outside_code = re.sub(r"```.*?```", "code", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    _, *parts = re.split(r"^## (.+)$", outside_code, flags=re.MULTILINE)
    found = dict(zip(parts[::2], parts[1::2], strict=True))
    assert [heading for heading in found if heading in HEADINGS] == list(HEADINGS)
    assert all(content.strip() for content in found.values())


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_picture_names_the_command_that_made_it(page):
    text = page.read_text(encoding="utf-8")
    for picture in PICTURE.finditer(text):
        after = PICTURE.sub("", text[picture.end() :]).strip().split("\n\n")[0]
        assert COMMAND.search(after), picture[1]


@pytest.mark.parametrize("page", HOWTO, ids=lambda page: page.stem)
def test_a_page_that_answers_one_question_is_short(page):
    assert len(page.read_text(encoding="utf-8").split()) < 400


def test_the_index_lists_every_page():
    index = ROOT / "docs" / "index.md"
    linked = {
        (index.parent / target).resolve()
        for target in re.findall(r"\]\(([^)#]+)\)", index.read_text(encoding="utf-8"))
    }
    assert {page.resolve() for page in PAGES} - {index} <= linked
