"""The method of docs/extending.md, built from the page and nothing else, is seen by every face."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import sfumato
from docs.blocks import ROOT, blocks
from docs.inputs import write_inputs
from sfumato.kernels import _checks, _core

PAGE = ROOT / "docs" / "extending.md"
# The copy is imported in place of the installed package.
RUN = """
import sys
sys.meta_path[:] = [one for one in sys.meta_path if "Redirect" not in type(one).__name__]
sys.path.insert(0, {source!r})
"""


@pytest.fixture(scope="module")
def extended(tmp_path_factory):
    """A copy of the package with what the page says; gives what runs code in it."""
    place = tmp_path_factory.mktemp("extended")
    source = place / "src" / "sfumato"
    shutil.copytree(
        Path(sfumato.__file__).parent, source, ignore=shutil.ignore_patterns("__pycache__")
    )
    for module in (_core, _checks):
        shutil.copy(module.__file__, source / "kernels")
    for one in blocks(PAGE):
        kind, _, name = one.words.partition(" ")
        target = place / name
        if kind == "file":
            target.parent.mkdir(exist_ok=True)
            target.write_text(one.content, encoding="utf-8")
        elif kind == "line":
            before, line = one.content.splitlines(keepends=True)
            text = target.read_text(encoding="utf-8")
            assert text.count(before) == 1
            target.write_text(text.replace(before, before + line), encoding="utf-8")
    write_inputs(place)

    def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        begin = RUN.format(source=str(place / "src"))
        return subprocess.run(
            [sys.executable, "-c", begin + code, *arguments],
            cwd=place,
            env={**os.environ, "COLUMNS": "140", "NO_COLOR": "1"},
            capture_output=True,
            text=True,
            check=False,
        )

    run.place = place
    return run


COMMAND = "from sfumato.cli.app import run; sys.exit(run(sys.argv[1:]))"


def test_the_commands_of_the_page_run(extended):
    import shlex

    lines = [line for one in blocks(PAGE) if one.words == "extended" for line in one.lines]
    assert len(lines) > 5
    for line in lines:
        done = extended(COMMAND, *shlex.split(line)[1:])
        assert done.returncode == 0, line + done.stderr
    certificate = json.loads((extended.place / "masked" / "certificate.json").read_text())
    assert {"no-match", "substring-k-anonymity"} <= {one["name"] for one in certificate["claims"]}
    assert certificate["stages"][0]["parameters"]["expression"] == "[0-9]+"
    original = (extended.place / "notes.jsonl").read_text("utf-8")
    texts = [json.loads(line)["text"] for line in original.splitlines()]
    assert any(any(symbol.isdigit() for symbol in text) for text in texts)
    released = (extended.place / "out.jsonl").read_text("utf-8")
    for line in released.splitlines():
        assert not any(symbol.isdigit() for symbol in json.loads(line)["text"])


def test_what_is_put_back_is_rejected(extended):
    done = extended(
        COMMAND, "mask", "notes.jsonl", "--text-column", "text", "--publish", "all", "-o", "b.jsonl"
    )
    assert done.returncode == 0, done.stderr
    lines = (extended.place / "b.jsonl").read_text("utf-8").splitlines(keepends=True)
    originals = (extended.place / "notes.jsonl").read_text("utf-8").splitlines(keepends=True)
    changed = next(i for i, line in enumerate(lines) if "★" in line)
    lines[changed] = originals[changed]
    (extended.place / "b.jsonl").write_text("".join(lines), "utf-8")
    done = extended(COMMAND, "verify", "notes.jsonl", "b.jsonl", "--text-column", "text")
    assert done.returncode == 4, done.stderr


def test_python_policy_and_reference_know_it(extended):
    done = extended(
        "import sfumato as sf, json\n"
        "from sfumato.cli.app import app\n"
        "from sfumato.pipeline.policy import json_schema\n"
        "import typer\n"
        "release = sf.mask(['call 555-1234'])\n"
        "assert release.data == ['call ★★★-★★★★']\n"
        "assert all(one.holds for one in sf.verify(['call 555-1234'], release))\n"
        "assert 'mask' in dir(sf)\n"
        "assert 'mask' in typer.main.get_command(app).commands\n"
        "assert 'expression' in json.dumps(json_schema())\n"
    )
    assert done.returncode == 0, done.stderr


def test_contracts_hold_with_it(extended):
    shutil.copy(ROOT / ".importlinter", extended.place)
    done = extended(
        "from importlinter.cli import lint_imports_command; lint_imports_command(['--no-cache'])"
    )
    assert done.returncode == 0, done.stdout
