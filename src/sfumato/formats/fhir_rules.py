"""Rules of FHIR resources: what becomes of each element, by resource and path.

A path is that of FHIRPath, in a subset: `Patient.name`, `Observation.value[x]` for a choice of
types, `*.meta` for every resource, `**.display` at any depth. A rule holds for all below its
element until a longer path says otherwise: below what is dropped one that names all elements down
to it. Of several for one element the resource's own counts, then the longest, then the last.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from sfumato.core.errors import BadInput
from sfumato.core.keys import read_key

from ..core.printed_form import by_sizes

if TYPE_CHECKING:
    from sfumato.core.values import JsonObject

ACTIONS = ("keep", "drop", "year", "month", "shift", "pseudonymize", "text")
_ANY, _DEEP = "*", "**"
_DATA = Path(__file__).with_name("data") / "fhir.yaml"


@dataclass(frozen=True, slots=True)
class Rules:
    """Paths with what becomes of them, and the key under which dates and names are drawn."""

    __repr__ = by_sizes

    paths: tuple[tuple[tuple[str, ...], str], ...]
    rest: str
    key: bytes
    digest: bytes
    _known: dict[tuple[str, ...], str | None] = field(default_factory=dict)

    def require_key(self) -> None:
        """Refuses to write without a key: dates and references are changed under it."""
        if not self.key:
            raise BadInput(
                "dates and references are changed under a key, and none is named",
                where="format",
                remedy="write `key_file: secret.key` into a file of rules; name it fhir:rules.yaml",
            )

    def action(self, path: tuple[str, ...]) -> str:
        """What becomes of an element: the resource's type, then the names down to it.

        >>> rules = read_rules(None, b"a key of sixteen bytes")
        >>> rules.action(("Patient", "name", "family")), rules.action(("Patient", "birthDate"))
        ('drop', 'year')
        """
        found = self._found(path)
        return self.rest if found is None else found

    def _found(self, path: tuple[str, ...]) -> str | None:
        """The action of a rule; None where no rule speaks of the element or what it stands in."""
        if path not in self._known:
            above = self._found(path[:-1]) if len(path) > 1 else None
            best: tuple[bool, bool, int] | None = None
            chosen = above
            for pattern, action in self.paths:
                exact = pattern[0] != _DEEP
                if not _ends(pattern, path) or (above == "drop" and not exact):
                    continue
                rank = exact, pattern[0] != _ANY, len(pattern)
                if best is None or rank >= best:
                    best, chosen = rank, action
            self._known[path] = chosen
        return self._known[path]


def _ends(pattern: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """Whether a pattern means the last element of a path."""
    if pattern[0] == _DEEP:
        tail = pattern[1:]
        return len(tail) < len(path) and all(map(_fits, tail, path[-len(tail) :]))
    fits = len(pattern) == len(path) and pattern[0] in (_ANY, path[0])
    return fits and all(map(_fits, pattern[1:], path[1:]))


def _fits(wanted: str, name: str) -> bool:
    if wanted.endswith("[x]"):
        stem = wanted[:-3]
        return name.startswith(stem) and name[len(stem) : len(stem) + 1].isupper()
    return wanted == name


def read_rules(path: str | None, key: bytes | None = None) -> Rules:
    """The rules of a YAML file over those of the package; None: those of the package."""
    said: JsonObject = {}
    if path:
        said = _loaded(Path(path))
        unknown = set(said) - {"rules", "rest", "key_file", "base"}
        if unknown:
            remedy = "write rules, rest, key_file and base"
            raise BadInput("no such setting", where=f"{path}: {sorted(unknown)[0]}", remedy=remedy)
    if "key_file" in said:
        key = read_key(Path(path or "").parent / str(said["key_file"]))
    base = {} if said.get("base") == "none" else _package()
    stated = {**base, **_checked(said.get("rules") or {}, path or "rules")}
    rest = str(said.get("rest", "drop"))
    if rest not in ("drop", "keep"):
        raise BadInput("expected drop or keep", where=f"{path}: rest")
    paths = tuple((tuple(name.split(".")), action) for name, action in stated.items())
    digest = hashlib.sha256(repr((paths, rest)).encode()).digest()
    secret = b""
    if key is not None:
        secret = hashlib.scrypt(key, salt=b"sfumato fhir", n=2**14, r=8, p=1)
    return Rules(paths, rest, secret, digest)


def _loaded(path: Path) -> JsonObject:
    try:
        found = yaml.safe_load(path.read_text("utf-8-sig"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as problem:
        kind = type(problem).__name__
        raise BadInput(f"the rules cannot be read ({kind})", where=str(path)) from None
    if not isinstance(found, dict):
        raise BadInput("expected a mapping with rules", where=str(path), remedy="begin with rules:")
    return found


def _checked(rules: object, place: str) -> Mapping[str, str]:
    if not isinstance(rules, dict):
        raise BadInput("expected paths with what becomes of them", where=f"{place}: rules")
    for name, action in rules.items():
        if action not in ACTIONS:
            remedy = f"one of {', '.join(ACTIONS)}"
            raise BadInput("no such action", where=f"{place}: rules.{name}", remedy=remedy)
        parts = str(name).split(".")
        if not all(parts) or any("(" in part for part in parts) or _ANY in parts[1:]:
            remedy = "write for instance Patient.name, *.meta, **.display or Observation.value[x]"
            raise BadInput("a path that is not understood", where=f"{place}: {name}", remedy=remedy)
    return rules


@cache
def _package() -> Mapping[str, str]:
    return _checked(_loaded(_DATA)["rules"], "fhir.yaml")
