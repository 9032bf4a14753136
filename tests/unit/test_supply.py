"""What the package is made of and needs: locked with hashes, licensed, listed in the wheel."""

from __future__ import annotations

import json
import re
import tomllib
from importlib.resources import files
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LOCKED = re.compile(r"^(\S+)==(\S+)((?: \\\n    --hash=sha256:[0-9a-f]{64})+)$", re.MULTILINE)


def locked():
    text = (ROOT / "requirements-dev.lock").read_text("utf-8")
    return {name: version for name, version, _ in LOCKED.findall(text)}, text


def test_every_line_of_the_lock_has_a_hash():
    found, text = locked()
    assert len(found) == len(re.findall(r"^\w[^\n]*==", text, re.MULTILINE)) > 100


def test_every_declared_package_is_locked_at_a_version_that_was_declared():
    found, _ = locked()
    for text in (*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]):
        one = Requirement(text)
        if one.name == "sfumato":
            continue
        name = canonicalize_name(one.name)
        assert name in found, "declared and not locked: make lock"
        assert one.specifier.contains(found[name], prereleases=True)


def test_every_locked_package_has_a_licence():
    found, _ = locked()
    rows = re.findall(
        r"^\| (\S+) \| (\S+) \| (.+) \| (?:yes)? ?\|$",
        (ROOT / "docs/licences.md").read_text("utf-8"),
        re.MULTILINE,
    )
    assert {name: version for name, version, _ in rows} == found
    assert not [name for name, _, licence in rows if licence == "not stated"]


def test_the_bill_of_materials_lists_what_users_get():
    stated = json.loads((files("sfumato") / "sbom.cdx.json").read_text("utf-8"))
    assert stated["metadata"]["component"]["version"] == PROJECT["version"]
    names = {one["name"] for one in stated["components"]}
    assert {canonicalize_name(Requirement(one).name) for one in PROJECT["dependencies"]} <= names
    assert any("WordNet" in name for name in names)


def test_actions_are_pinned_by_commit():
    for path in (ROOT / ".github/workflows").glob("*.yml"):
        for used in re.findall(r"uses: (\S+)", path.read_text("utf-8")):
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", used), used
