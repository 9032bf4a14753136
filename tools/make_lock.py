"""The lock file of development and CI, and the list of licences: `python tools/make_lock.py`.

`requirements-dev.lock` has every package that `.[dev]` brings, as it is installed here, with its
version and the hashes of all its files, so that every machine installs the same bytes:
`pip install --require-hashes -r requirements-dev.lock`, then `pip install --no-deps -e .`.
`docs/licences.md` says under which licence each is, and whether users get it or developers only;
`src/sfumato/sbom.cdx.json` is the bill of materials that the wheel carries.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "requirements-dev.lock"
LICENCES = ROOT / "docs" / "licences.md"
BILL = ROOT / "src" / "sfumato" / "sbom.cdx.json"
LINK = re.compile(r'href="[^"]*/([^"/#]+)#sha256=([0-9a-f]{64})"')
INDEX = "https://pypi.org/simple"


def normal(name: str) -> str:
    """A name as indexes write it.

    >>> normal("Ahocorasick_RS")
    'ahocorasick-rs'
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def needed(*extras: str) -> dict[str, Distribution]:
    """Every package that Sfumato with these extras needs here, by name."""
    found: dict[str, Distribution] = {}
    seen: set[tuple[str, str]] = set()
    waiting = [("sfumato", extra) for extra in ("", *extras)]
    while waiting:
        name, extra = waiting.pop()
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            continue  # of another platform, or optional and not installed
        for text in found[name].requires or ():
            one = Requirement(text)
            if one.marker is None or one.marker.evaluate({"extra": extra}):
                waiting += [(normal(one.name), more) for more in ("", *one.extras)]
    found.pop("sfumato", None)
    return dict(sorted(found.items()))


def hashes(name: str, version: str) -> list[str]:
    """The hashes of all files of a version, for every machine and Python."""
    with urllib.request.urlopen(f"{INDEX}/{name}/", timeout=60) as page:
        links = LINK.findall(page.read().decode("utf-8"))
    start = re.compile(rf"{name.replace('-', '[-_.]+')}-{re.escape(version)}(-|\.tar|\.zip)", re.I)
    return sorted({digest for file, digest in links if start.match(file)})


def licence(package: Distribution) -> str:
    """The licence that a package states, in few words."""
    about = package.metadata
    if "License-Expression" in about:
        return str(about["License-Expression"])
    named = [
        line.rpartition(" :: ")[2]
        for line in about.get_all("Classifier") or ()
        if line.startswith("License ::")
    ]
    if named:
        return ", ".join(named)
    said = str(about["License"]).strip() if "License" in about else ""
    first = (said or "not stated").splitlines()[0]
    return first if len(first) < 60 else first[:57] + "..."


def licence_page() -> str:
    """The page of licences."""
    used = needed()
    rows = [
        f"| {name} | {package.version} | {licence(package)} | {'yes' if name in used else ''} |"
        for name, package in needed("dev").items()
    ]
    head = """# Licences

This table lists every package that Sfumato uses, with its version and licence. "yes" in the last
column marks packages that are installed for users; all others are for optional extras, development
and tests. `python tools/make_lock.py` writes the table from the installed packages. The licences of
WordNet and of the name lists stand beside their data.

| package | version | licence | for users |
|---|---|---|---|
"""
    return head + "\n".join(rows) + "\n"


DATA = {
    "WordNet 3.0, nouns": ("WordNet-3.0", "src/sfumato/ontologies/data/LICENSE-wordnet.txt"),
    "names-en": ("see its notice", "src/sfumato/recognizers/data/NOTICE-names-en.txt"),
    "Unicode Character Database 15.0, tables": ("Unicode-3.0", "cpp/text/unicode_tables.inc"),
    "nanobind, compiled in": ("BSD-3-Clause", "pyproject.toml"),
}


def bill() -> str:
    """The bill of materials that the wheel carries: CycloneDX 1.5, what is in it and what it needs.

    Versions of what it needs are those declared: which ones a machine installs, it knows itself.
    """
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needs = []
    for text in declared["dependencies"]:
        one = Requirement(text)
        stated = licence(distribution(one.name))
        needs.append(
            {
                "type": "library",
                "name": normal(one.name),
                "purl": f"pkg:pypi/{normal(one.name)}",
                "licenses": [{"license": {"name": stated}}],
                "properties": [{"name": "declared", "value": str(one.specifier)}],
            }
        )
    holds = [
        {"type": "data", "name": name, "licenses": [{"license": {"name": stated}}]}
        for name, (stated, _) in DATA.items()
    ]
    about = {
        "type": "library",
        "name": declared["name"],
        "version": declared["version"],
        "licenses": [{"license": {"id": declared["license"]}}],
    }
    whole = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": about},
        "components": [*holds, *needs],
    }
    return json.dumps(whole, indent=1) + "\n"


def main() -> int:
    """Writes all three files; the number of packages without a hash."""
    packages = needed("dev")
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda one: hashes(one[0], one[1].version), packages.items()))
    lines = ["# Made by tools/make_lock.py; see there how it is used.\n"]
    missing = []
    for (name, package), digests in zip(packages.items(), found, strict=True):
        if not digests:
            missing.append(name)
            continue
        each = "".join(f" \\\n    --hash=sha256:{one}" for one in digests)
        lines.append(f"{name}=={package.version}{each}\n")
    LOCK.write_text("".join(lines), "utf-8")
    LICENCES.write_text(licence_page(), "utf-8")
    BILL.write_text(bill(), "utf-8")
    print(f"{len(lines) - 1} packages locked; without a file in the index: {missing or 'none'}")
    return len(missing)


if __name__ == "__main__":
    sys.exit(main())
