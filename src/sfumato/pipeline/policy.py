"""`release.yaml`: what is released, by which stages, and what must hold at the end."""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import yaml
from pydantic import Field, ValidationError, field_validator, model_validator

from ..attacks.protocol import BACKGROUND, Knows
from ..core.errors import BadInput, SfumatoError
from ..core.printed_form import by_sizes
from ..formats.form import SHEETS
from ..formats.office_suffixes import released_name
from ..methods import METHODS
from ..schema.read import refuse_repeats
from . import verbs
from .verbs import Stage, Strict
from .yaml_places import line_of, yaml_path

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from ..core.values import JsonObject

VERSION = 1
QUERY = "query.jsonl"
"""The name of what a query gives, and of its release."""


class Input(Strict):
    """What is to be released."""

    path: str = Field(min_length=1, description="A file or a folder of texts.")
    format: str | None = Field(None, description="csv, jsonl, ... when the name does not tell.")
    encoding: str = "utf-8"
    sheet: str | None = Field(
        None, min_length=1, description="The sheet of a workbook; the first if absent."
    )
    columns: list[str] | None = Field(
        None, min_length=1, description="The columns that hold text (CSV, TSV, JSONL)."
    )
    person: str | None = Field(None, description="The column that says whose record it is.")
    url: str | None = Field(
        None,
        min_length=1,
        description="A database: sqlite:///a.db, duckdb:///a.duckdb, adbc+DRIVER:..., or any of "
        "SQLAlchemy's.",
    )
    query: str | None = Field(None, min_length=1, description="SQL whose rows are the input.")

    @field_validator("columns")
    @classmethod
    def _once(cls, columns: list[str] | None) -> list[str] | None:
        if len(set(columns or [])) < len(columns or []):
            raise ValueError("names a column twice")
        return columns

    @model_validator(mode="after")
    def _of_workbook(self) -> Input:
        name = self.format or self.path.lower()
        if (self.url is None) != (self.query is None):
            raise ValueError("url and query: name the database and the query, both or neither")
        if self.url is not None and (self.path != QUERY or self.format is not None):
            raise ValueError("url: the input is a query, and no path or format is named beside it")
        if self.sheet is not None and not name.endswith(SHEETS):
            raise ValueError("sheet: belongs to workbooks (.xlsx, .ods, .xls)")
        return self

    @property
    def read_as(self) -> str | None:
        """The format, with the sheet of a workbook."""
        if self.sheet is None:
            return self.format
        name = (self.format or self.path).lower()
        return f"{next(one for one in SHEETS if name.endswith(one))}:{self.sheet}"


class RequiredClaim(Strict):
    """A claim that must hold for the final data; numbers are the least that is asked for."""

    claim: str
    columns: list[str] | None = Field(None, min_length=1)
    k: int | None = Field(None, ge=1)
    l: int | float | None = None  # noqa: E741  # the name the literature has
    t: int | float | None = None
    knows: int | None = Field(
        None,
        ge=1,
        description="How many terms (words) of a person an attacker may know (km-anonymity).",
    )
    common: int | float | None = Field(
        None, ge=0, le=1, description="The share of people from which on words count as common."
    )
    delta: int | float | None = Field(
        None, ge=0, le=1, description="The share of the population's people who fit a class."
    )
    count: Literal["occurrences", "documents", "groups"] | None = None
    reach: int | None = Field(
        None, ge=1, description="The longest phrase, in words, that must be shared [any length]."
    )


class Evaluation(Strict):
    """How well identifiers were hidden, against spans a person marked."""

    gold: verbs.Path


class AttackDemand(Strict):
    """An attack to try: what the attacker knows, and how often it may succeed."""

    at_most: float | None = Field(
        None, ge=0, le=1, description="The success above which the run is refused."
    )
    background: Knows = Field(
        BACKGROUND, description="What is known of people: part (50 words of a text), another text."
    )


class Output(Strict):
    """Where the release folder goes; its private folder stands beside it."""

    path: str = Field("release", min_length=1)
    number_files: bool = Field(
        True,
        description="Whether the files of a folder get numbers, in an order that the key draws: "
        "their names may tell who people are.",
    )
    table: str | None = Field(
        None, min_length=1, description="A new table of the input's database for the released rows."
    )


class Policy(Strict):
    """A release: input, stages, and the claims that must hold at the end."""

    version: Literal[1] = Field(description="The version of this format.")
    input: Input
    schema_file: verbs.Path | None = Field(
        None, alias="schema", description="The columns' kinds and roles, for anonymize."
    )
    recognizer: str | None = Field(
        None, description="en, rules-es, a YAML file of rules, a .model, a spaCy pipeline; + joins."
    )
    spans: verbs.Path | None = Field(
        None, description="A review file in place of a recogniser: what a person decided."
    )
    stages: list[Stage] = Field(min_length=1, description="Verbs in order, with their parameters.")
    claims: list[RequiredClaim] = Field(
        default=[], description="What must hold for the final data."
    )
    leave: list[str] | None = Field(
        None,
        description="The columns beside the texts that leave as they are; any other is refused "
        "[absent: told in a warning].",
    )
    publish: list[str] | Literal["all"] = Field(
        [],
        description="Columns that may leave as they are although they repeat what the texts hide.",
    )
    evaluation: Evaluation | None = None
    attacks: list[str] | dict[str, AttackDemand] | Literal["all"] = Field(
        [], description="Attacks to try on the release; by name, with how often each may succeed."
    )
    sweep: list[Annotated[int, Field(ge=1)]] = Field(
        [], description="Other k of the last suppress stage, for the report's curves of loss."
    )
    output: Output = Field(
        default_factory=lambda: Output(path="release", number_files=True, table=None)
    )
    engine: Literal["local", "spark"] | None = Field(
        None, description="spark: the stages run on Apache Spark (docs/scale.md)."
    )
    seed: int = Field(0, ge=0, lt=2**63, description="What is drawn at random.")
    key_file: verbs.Path | None = Field(
        None, description="The steward's secret; without one, a key is drawn and kept privately."
    )

    @field_validator("stages")
    @classmethod
    def _columns_once(cls, stages: list[Stage]) -> list[Stage]:
        for number, stage in enumerate(stages):
            columns = stage.columns or []
            if len(set(columns)) < len(columns):
                raise ValueError(f"stages[{number}].columns: names a column twice")
        return stages

    @model_validator(mode="after")
    def _consistent(self) -> Policy:
        if self.output.table is not None and self.input.url is None:
            raise ValueError("output.table: needs input.url, the database in which it is made")
        if self.recognizer is not None and self.spans is not None:
            raise ValueError("recognizer and spans exclude each other; keep one")
        self._check_table()
        known = self.input.columns
        for number, stage in enumerate(self.stages):
            for column in stage.columns or []:
                if known is None or column not in known:
                    raise ValueError(
                        f"stages[{number}].columns: names a column that input.columns does not name"
                    )
            if getattr(stage, "count", None) == "groups" and self.input.person is None:
                raise ValueError(
                    f"stages[{number}].count: groups, but input.person names no column"
                )
        for number, demanded in enumerate(self.claims):
            if set(demanded.columns or []) - set(known or []):
                raise ValueError(
                    f"claims[{number}].columns: names a column that input.columns does not name"
                )
        return self

    def _check_table(self) -> None:
        """`anonymize` takes the table once; other stages work on its texts, before or after."""
        tables = [i for i, stage in enumerate(self.stages) if verbs.takes_table(stage.verb)]
        if not tables:
            return
        verb = self.stages[tables[0]].verb
        if len(tables) > 1:
            raise ValueError(
                f"stages[{tables[1]}]: {verb} stands twice, and who shares both classes may be "
                "fewer than k; give one stage the stronger parameters"
            )
        if self.schema_file is None:
            raise ValueError(f"{verb} needs schema: the file that says what each column is")
        if len(self.stages) > 1 and self.input.columns is None:
            raise ValueError(f"input.columns names no text column for the stages beside {verb}")


@dataclass(frozen=True, slots=True)
class PolicyFile:
    """A policy as it stands in a file; its paths are relative to `folder`."""

    policy: Policy
    folder: Path

    __repr__ = by_sizes

    @property
    def input_name(self) -> str:
        """The name of the input, and of the released file."""
        return released_name(self.path(self.policy.input.path).name)

    @property
    def read_as(self) -> str | None:
        """The format of the input; a file of rules that it names is relative to the policy."""
        said = self.policy.input.read_as
        name, colon, rules = (said or "").partition(":")
        return f"{name}:{self.path(rules)}" if name == "fhir" and colon else said

    def path(self, given: str) -> Path:
        """A path of the policy."""
        return Path(os.path.normpath(self.folder / given))


def read(path: str | Path) -> PolicyFile:
    """The policy of a file; what is wrong with it is told by its place in the YAML.

    >>> import tempfile
    >>> text = "version: 1\\ninput: {path: a.txt}\\nstages: [{verb: suppress, k: 0}]\\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "release.yaml").write_text(text)
    ...     try:
    ...         read(Path(folder, "release.yaml"))
    ...     except BadInput as problem:
    ...         print((problem.where or "").partition(", ")[2])
    line 3: stages[0].k
    """
    place = Path(path)
    try:
        content = place.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        remedy = "name a policy; sfumato policy new makes one"
        why = problem.strerror if isinstance(problem, OSError) else "it is not UTF-8"
        raise BadInput(f"cannot be read ({why})", where=str(path), remedy=remedy) from None
    return PolicyFile(parse(content, str(path)), place.resolve().parent)


def parse(content: str, place: str = "release.yaml") -> Policy:
    """The policy a YAML text holds.

    >>> parse("{version: 1, input: {path: a.txt}, stages: [{verb: suppress}]}").stages[0].k
    5
    """
    try:
        stated, node = yaml.safe_load(content), yaml.compose(content, yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError) as problem:
        mark = getattr(problem, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        raise BadInput(
            "is no YAML",
            where=f"{place}{line}",
            remedy="check quotes and the indent (spaces, no tabs)",
        ) from None
    if not isinstance(stated, dict):
        remedy = "begin with: version: 1"
        raise BadInput("expected a mapping of names to values", where=place, remedy=remedy)
    refuse_repeats(node, place)
    if isinstance(stated.get("input"), dict) and "url" in stated["input"]:
        stated["input"].setdefault("path", QUERY)
    try:
        return Policy.model_validate(stated)
    except ValidationError as problem:
        raise _explained(problem, place, node) from None


def _explained(invalid: ValidationError, place: str, node: yaml.Node | None) -> BadInput:
    """Every problem with its line and YAML path, and the first remedy."""
    errors = invalid.errors(include_url=False, include_input=False, include_context=False)
    lines = []
    remedy = None
    for error in errors:
        where, text, advice = _one(error)
        if not where and text.startswith(_PLACES):  # of rules about several settings
            where, _, text = text.partition(": ")
        told = f", line {line_of(node, where)}: {where}" if where else ""
        lines.append((f"{place}{told}", text))
        remedy = remedy or advice
    (first, problem), *more = lines
    others = "".join(f"\n  {where}: {text}" for where, text in more)
    return BadInput(f"{problem}{others}", where=first, remedy=remedy)


_PLACES = ("stages[", "claims[", "input.", "output.")


def placed(problem: SfumatoError, path: str | Path) -> SfumatoError:
    """A problem whose place is one of the policy's, with the file and the line.

    >>> print(placed(BadInput("k is too large", where="stages[0].k"), "absent.yaml"))
    stages[0].k: k is too large
    """
    where = problem.where or ""
    if where.split(".")[0].split("[")[0].split(",")[0] not in _names():
        return problem
    try:
        node = yaml.compose(Path(path).read_text("utf-8-sig"), yaml.SafeLoader)
    except (OSError, ValueError, yaml.YAMLError):
        return problem
    told = f"{path}, line {line_of(node, where.split(',')[0])}: {where}"
    return type(problem)(problem.problem, where=told, remedy=problem.remedy)


def _one(error: ErrorDetails) -> tuple[str, str, str | None]:
    loc, kind = list(error["loc"]), error["type"]
    if len(loc) > 2 and loc[0] == "stages" and loc[2] in METHODS:
        del loc[2]  # the tag that pydantic inserts stands nowhere in the YAML
    if len(loc) > 3 and loc[0] == "stages":  # words are secrets, also where they are names
        del loc[3:]
    where = yaml_path(loc)
    message = str(error["msg"]).removeprefix("Value error, ")
    if kind == "extra_forbidden":
        others = [name for name in _names() if name != loc[-1]]  # it is one elsewhere
        near = difflib.get_close_matches(str(loc[-1]), others, 1)
        advice = f"did you mean {near[0]}?" if near else "remove it; see sfumato policy json"
        return where, "no such setting", advice
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        return where, "names no verb", f"give verb: one of {', '.join(METHODS)}"
    if kind == "missing":
        return where, "is missing", f"add {loc[-1]}"
    if loc == ["version"]:
        return where, f"expected {VERSION}", f"write version: {VERSION}"
    return where, message, None


def _names() -> list[str]:
    """Every setting's name: a typing error is near one of them."""
    stages = map(verbs.stage_model, METHODS)
    parts: tuple[type[Strict], ...] = (
        *(Policy, Input, RequiredClaim, Evaluation, AttackDemand, Output),
        *stages,
    )
    names = {field.alias or name for part in parts for name, field in part.model_fields.items()}
    return sorted(names)


def json_schema() -> dict[str, object]:
    """The JSON schema of policies, for editors and other programs."""
    schema = Policy.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def whole(policy: Policy) -> JsonObject:
    """The policy as the steward keeps it, with everything that is not the default."""
    stated = policy.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    for stage, given in zip(stated["stages"], policy.stages, strict=True):
        stage["verb"] = given.verb
    return {"version": policy.version, **stated}


def as_yaml(stated: JsonObject) -> str:
    """A policy's plain values as YAML, in their order.

    >>> as_yaml({"version": 1})
    'version: 1\\n'
    """
    return yaml.safe_dump(stated, sort_keys=False, allow_unicode=True, default_flow_style=False)
