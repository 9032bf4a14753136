"""The documentation is true: its code runs, its commands exist, its reference is current."""

from __future__ import annotations

import doctest
import re
import sys

import pytest

from docs.blocks import PAGES, ROOT, blocks, name_of

sys.path.insert(0, str(ROOT / "tools"))


def test_command_line_reference_is_current():
    import make_reference

    assert make_reference.TARGET.read_text(encoding="utf-8") == make_reference.reference(), (
        "run make docs"
    )


def test_the_picture_of_the_layers_is_current():
    import make_layers_picture

    drawn = make_layers_picture.TARGET.read_text(encoding="utf-8")
    assert drawn == make_layers_picture.picture(), "run make docs"
    for _, rows in make_layers_picture.stacks():
        assert all(f">{name}</text>" in drawn for row in rows for name in row)


def test_the_pictures_of_a_record_are_current():
    import make_picture

    for name, drawn in make_picture.pictures().items():
        kept = (make_picture.DOCS / name).read_text(encoding="utf-8")
        assert kept == drawn, "run python tools/make_picture.py"


def test_every_command_is_documented():
    import make_reference
    import typer

    from sfumato.cli.app import app

    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    for name, _ in make_reference.walk(typer.main.get_command(app), "sfumato"):
        assert f"## {name}\n" in text


@pytest.mark.parametrize("page", PAGES, ids=name_of)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_examples_run(page):
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    failed, _ = doctest.testfile(str(page), module_relative=False, optionflags=flags)
    assert failed == 0


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_readme_python_runs():
    for block in blocks(ROOT / "README.md"):
        if block.words != "python" or ">>>" in block.content:
            continue
        names: dict[str, object] = {}
        for line in block.content.splitlines():
            code, _, expected = line.partition("  #")
            if expected:
                assert repr(eval(code, names)) == expected.strip()
            else:
                exec(code, names)
