"""A certificate as a type, for whoever writes one and whoever reads one.

`as_dict` gives the JSON values that are written, `of` takes those that were read: KeyError,
TypeError or ValueError where they are no certificate's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

from .claims import Claim
from .printed_form import by_sizes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .claims import Verdict
    from .values import JsonObject, JsonValues

FORMATS = (1, 2)  # those that are still read
Values: TypeAlias = "JsonValues"
"""JSON values by their names: parameters, counts, what a check measured."""
Kind = Literal["public", "private"]


@dataclass(frozen=True, slots=True)
class Hashes:
    """The SHA-256 of one thing: plain, under the steward's key (HMAC), or both."""

    plain: str | None = None
    keyed: str | None = None

    __repr__ = by_sizes

    def as_dict(self) -> dict[str, str]:
        """Those that are stated."""
        found = {"hmac-sha256": self.keyed, "sha256": self.plain}
        return {name: value for name, value in found.items() if value is not None}


@dataclass(frozen=True, slots=True)
class StatedVerdict:
    """What a certificate says was found of a claim."""

    claim: str
    holds: bool
    measured: Values
    reason: str = ""
    where: str | None = None
    place: Values = field(default_factory=dict)
    """In a run: the stage and the column."""

    __repr__ = by_sizes

    @classmethod
    def of(cls, stated: Values) -> StatedVerdict:
        """One of the list `verdicts`."""
        return cls(
            text(stated["claim"]),
            stated["holds"] is True,
            {**stated["measured"]},
            stated.get("reason", ""),
            stated.get("where"),
            {name: stated[name] for name in ("stage", "column") if name in stated},
        )

    @classmethod
    def told(cls, verdict: Verdict, place: Values | None = None) -> StatedVerdict:
        """A verdict as a certificate says it."""
        return cls(
            verdict.claim.name,
            verdict.holds,
            verdict.measured,
            verdict.reason,
            verdict.where,
            place or {},
        )

    def as_dict(self) -> JsonObject:
        """The verdict as JSON values."""
        return {
            "claim": self.claim,
            "holds": self.holds,
            "reason": self.reason,
            "where": self.where,
            "measured": {**self.measured},
            **self.place,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseStatement:
    """What a certificate says of one release: a verb's, or that of one stage of a run."""

    verb: str
    parameters: Values
    counts: Mapping[str, int]
    loss: Mapping[str, float]
    claims: tuple[Claim, ...]
    verdicts: tuple[StatedVerdict, ...]
    not_protected: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    hashes: Mapping[str, Hashes] = field(default_factory=dict)

    __repr__ = by_sizes

    def _parts(self) -> JsonObject:
        """What all certificates say, as JSON values by their names."""
        return {
            "verb": self.verb,
            "parameters": {**self.parameters},
            "counts": {**self.counts},
            "claims": [claim.as_dict() for claim in self.claims],
            "verdicts": [verdict.as_dict() for verdict in self.verdicts],
            "loss": {**self.loss},
            "not_protected": list(self.not_protected),
            "warnings": list(self.warnings),
            "hashes": {name: one.as_dict() for name, one in self.hashes.items()},
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage(ReleaseStatement):
    """One stage of a run on one text column; None: on the whole input."""

    column: str | None

    __repr__ = by_sizes

    @classmethod
    def of(cls, stated: Values) -> Self:
        """One of the list `stages`."""
        columns = stated["columns"]
        column = None if columns is None else text(columns[0])
        return cls(column=column, **fields_of(stated, hashes_of(stated.get("hashes", {}))))

    def as_dict(self) -> JsonObject:
        """The stage as JSON values."""
        columns = None if self.column is None else [self.column]
        return {"verb": self.verb, "columns": columns, **self._parts()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate(ReleaseStatement):
    """A whole certificate, of a verb or of a run."""

    kind: Kind
    format: int
    version: str
    """The version that wrote it."""
    stretched: Values | None = None
    """How its key is stretched."""
    claim_places: tuple[Values, ...] = ()
    """In a run: the stage and the column of every claim."""
    stages: tuple[Stage, ...] = ()
    demanded: tuple[StatedVerdict, ...] = ()
    """What the policy of a run demanded of the final data."""
    columns: Values | None = None
    """The columns that leave as they are."""
    together: tuple[Values, ...] = ()
    """What holds of this release together with earlier ones."""
    files: Mapping[str, str] | None = None
    """The plain SHA-256 of the released files; a verb that wrote to standard output states none."""
    key: bytes | None = None
    """The steward's key, in a private certificate."""
    private: Values = field(default_factory=dict)
    """The plain values of a private certificate."""
    kept: Values = field(default_factory=dict)
    """What else a steward keeps with a run's: where its policy and its stage results are."""

    __repr__ = by_sizes

    @property
    def is_private(self) -> bool:
        """Whether it is the steward's."""
        return self.kind == "private"

    def as_dict(self) -> JsonObject:
        """The certificate as JSON values, in the order in which it is written."""
        parts = self._parts()
        if self.claim_places:
            pairs = zip(parts["claims"], self.claim_places, strict=True)
            parts["claims"] = [claim | place for claim, place in pairs]
        if self.files is not None:
            parts["hashes"]["files"] = {**self.files}
        of_run = self.verb == "run"
        shows_values = bool(self.private) or (self.key is not None and not of_run)
        columns = {} if self.columns is None else {"columns": {**self.columns}}
        if of_run:
            demanded = {"demanded": [one.as_dict() for one in self.demanded], **columns}
            parts = _after(parts, "verdicts", demanded)
            stages = {"stages": [one.as_dict() for one in self.stages]}
            parts = _after(parts, "warnings", stages)
        whole: dict[str, object] = plain(
            {
                "certificate": self.kind,
                "format": self.format,
                "sfumato": self.version,
                **parts,
                **({} if self.stretched is None else {"key_stretching": {**self.stretched}}),
                **({"together": [{**one} for one in self.together]} if self.together else {}),
                **({} if self.key is None else {"key": self.key.hex()}),
                **self.kept,
                **({"private": {**self.private}} if shows_values else {}),
                **({} if of_run else columns),
            }
        )
        return whole

    @classmethod
    def of(cls, stated: Values) -> Self:
        """The certificate that JSON values are."""
        return cls(**whole_of(stated, Stage))


def of_stages(stages: Sequence[tuple[int, Stage]]) -> JsonObject:
    """What a run says of its stages: their claims and verdicts, each with its place."""
    claims: list[Claim] = []
    verdicts: list[StatedVerdict] = []
    places: list[Values] = []
    for number, stage in stages:
        place = {"stage": number + 1, "column": stage.column}
        claims += stage.claims
        places += [place] * len(stage.claims)
        verdicts += [replace(one, place=place) for one in stage.verdicts]
    return {
        "claims": tuple(claims),
        "claim_places": tuple(places),
        "verdicts": tuple(verdicts),
        "stages": tuple(stage for _, stage in stages),
    }


def fields_of(stated: Values, hashes: Mapping[str, Hashes]) -> JsonObject:
    """The fields of `ReleaseStatement`, from JSON values."""
    return {
        "verb": text(stated["verb"]),
        "parameters": {**stated["parameters"]},
        "counts": {name: _number(one) for name, one in stated["counts"].items()},
        "loss": {name: _number(one) for name, one in stated["loss"].items()},
        "claims": tuple(map(Claim.of, stated["claims"])),
        "verdicts": tuple(map(StatedVerdict.of, stated["verdicts"])),
        "not_protected": tuple(map(text, stated["not_protected"])),
        "warnings": tuple(map(text, stated.get("warnings", ()))),
        "hashes": hashes,
    }


def whole_of(stated: Values, stage: type[Stage]) -> JsonObject:
    """The fields of `Certificate`, from JSON values; its stages are of this type."""
    if stated["format"] not in FORMATS:
        raise ValueError
    hashes = {**stated["hashes"]}
    files = hashes.pop("files", None)
    kept = ("policy_folder", "stage_results", "stage_hashes", "streamed")
    run = text(stated["verb"]) == "run"
    named = ("stage", "column")
    return {
        **fields_of(stated, hashes_of(hashes)),
        "kind": "private" if stated.get("certificate") == "private" else "public",
        "format": int(stated["format"]),
        "version": str(stated.get("sfumato", "")),
        "stretched": stated.get("key_stretching"),
        "claim_places": tuple(
            {name: claim[name] for name in named if name in claim}
            for claim in (stated["claims"] if run else ())
        ),
        "stages": tuple(map(stage.of, stated.get("stages", ()))),
        "demanded": tuple(map(StatedVerdict.of, stated.get("demanded", ()))),
        "columns": stated.get("columns"),
        "together": tuple(stated.get("together", ())),
        "files": None if files is None else {name: text(one) for name, one in files.items()},
        "key": bytes.fromhex(stated["key"]) if "key" in stated else None,
        "private": {**stated.get("private", {})},
        "kept": {name: stated[name] for name in kept if name in stated},
    }


def hashes_of(stated: Values) -> dict[str, Hashes]:
    """The hashes that JSON values state, by the names of what was hashed."""
    return {name: Hashes(one.get("sha256"), one.get("hmac-sha256")) for name, one in stated.items()}


def plain(value: Any) -> Any:
    """A value as JSON has it: numbers of numpy are numbers too."""
    if isinstance(value, Mapping):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, Integral) and not isinstance(value, bool):
        return int(value)
    return value.item() if hasattr(value, "dtype") else value


def text(value: object) -> str:
    """A value that must be a string."""
    if not isinstance(value, str):
        raise TypeError
    return value


def _number(value: object) -> object:
    if not isinstance(value, int | float):
        raise TypeError
    return value


def _after(parts: Mapping[str, object], name: str, more: Mapping[str, object]) -> JsonObject:
    """The parts with more behind one of them."""
    found: dict[str, object] = {}
    for key, value in parts.items():
        found[key] = value
        if key == name:
            found |= more
    return found
