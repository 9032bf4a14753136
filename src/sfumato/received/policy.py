"""A policy as it was published: what was released, by which stages, what was demanded.

Receivers read it by themselves. They run nothing, so that paths and secrets, which are not
published, are not asked for; what it says is compared with the certificate.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import NotVerified
from ..core.method import options_of
from ..core.printed_form import by_sizes
from ..methods import METHODS, method

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..core.values import JsonValues

NAME, SCHEMA = "policy.yaml", "schema.yaml"
HIDDEN = "private entries"  # how a published policy ends what it does not tell
ASKED = (
    "k",
    "l",
    "t",
    "knows",
    "common",
    "delta",
    "count",
    "reach",
)  # what a demanded claim may say


@dataclass(frozen=True, slots=True)
class PublishedStep:
    """A stage on one of its columns (None: the whole input), with every setting it has."""

    number: int
    verb: str
    column: str | None
    settings: JsonValues

    __repr__ = by_sizes


@dataclass(frozen=True, slots=True)
class Demand:
    """A claim that the policy demands of the final data, and how strongly."""

    claim: str
    columns: tuple[str, ...] | None
    asked: JsonValues

    __repr__ = by_sizes


@dataclass(frozen=True, slots=True)
class PublishedPolicy:
    """What a policy tells whoever has the release."""

    name: str
    """Of the released file or folder."""
    read_as: str | None
    encoding: str
    columns: tuple[str, ...] | None
    person: str | None
    steps: tuple[PublishedStep, ...]
    demands: tuple[Demand, ...]
    has_numbers: bool
    """Whether files of a folder have numbers for names, in an order of their own."""

    __repr__ = by_sizes

    @classmethod
    def of(cls, stated: JsonValues) -> PublishedPolicy:
        """A policy's plain values; KeyError, TypeError or ValueError where it is none.

        >>> policy = PublishedPolicy.of(
        ...     {"version": 1, "input": {"path": "a.txt"}, "stages": [{"verb": "suppress"}]})
        >>> policy.name, policy.steps[0].settings["k"]
        ('a.txt', 5)
        """
        if stated["version"] != 1:
            raise ValueError
        given, columns = stated["input"], stated["input"].get("columns")
        sheet, format = given.get("sheet"), given.get("format")
        return cls(
            Path(given["path"]).name,
            format if sheet is None else f"xlsx:{sheet}",
            str(given.get("encoding", "utf-8")),
            None if columns is None else tuple(map(str, columns)),
            given.get("person"),
            tuple(
                PublishedStep(number, stage["verb"], column, _settings(stage))
                for number, stage in enumerate(stated["stages"])
                for column in _columns(stage, columns)
            ),
            tuple(map(_demand, stated.get("claims") or ())),
            bool((stated.get("output") or {}).get("number_files", False)),
        )


def read(path: Path) -> PublishedPolicy:
    """The policy of a release folder, refused when it is none."""
    import yaml

    try:
        return PublishedPolicy.of(yaml.safe_load(path.read_text("utf-8")))
    except (OSError, yaml.YAMLError, KeyError, TypeError, ValueError, AttributeError):
        raise NotVerified("the policy is damaged", where=str(path)) from None


def _columns(stage: JsonValues, columns: Sequence[str] | None) -> list[str | None]:
    if stage["verb"] not in METHODS:
        raise ValueError
    if method(stage["verb"]).takes_table:
        return [None]
    return list(stage.get("columns") or columns or [None])


def _settings(stage: JsonValues) -> dict[str, object]:
    """What a stage says, and the defaults of what it does not; policies of 0.1 left these out."""
    declared = options_of(method(stage["verb"]).options, "policy")
    defaults = {one.name: one.default for one in declared}
    if stage.keys() - defaults.keys() - {"verb", "columns"}:
        raise ValueError
    secrets = {one.name for one in declared if one.about.secret}
    hidden = {name for name in secrets if str(stage.get(name)).endswith(HIDDEN)}
    result = {**defaults, **{name: one for name, one in stage.items() if name not in hidden}}
    for one in declared:
        if one.about.symbols and result[one.name] is not None:
            result[one.name] = "".join(sorted(set(result[one.name])))
    return result


def _demand(stated: JsonValues) -> Demand:
    columns = stated.get("columns")
    if stated.keys() - {"claim", "columns", *ASKED}:
        raise ValueError
    asked = {name: stated[name] for name in ASKED if stated.get(name) is not None}
    return Demand(str(stated["claim"]), None if columns is None else tuple(columns), asked)
