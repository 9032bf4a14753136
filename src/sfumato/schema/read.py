"""Reading schemas: YAML files or dictionaries, with errors that say where."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import yaml
from pydantic import ValidationError

from ..core.errors import BadInput
from .hierarchies import ArxFile
from .models import Schema
from .rx_anon import from_rx_anon, is_rx_anon

if TYPE_CHECKING:
    from ..core.values import JsonObject, JsonValues


SchemaLike: TypeAlias = "str | os.PathLike[str] | JsonValues | Schema"
"""A schema, its YAML file, or the same as a dictionary."""


def as_schema(given: SchemaLike) -> Schema:
    """A schema from a YAML file, a dictionary, or as it is; rx-anon's files are read too.

    Everything in YAML is taken as it is written: `no` is a value, not false.
    Cost: O(size).

    >>> as_schema({"person": "id", "columns": {"age": {"kind": "number"}}}).person
    'id'
    >>> as_schema({"columns": {"age": {"kind": "numeric"}}})
    Traceback (most recent call last):
    sfumato.core.errors.BadInput: columns.age.kind: Input should be 'number', ...
    """
    if isinstance(given, Schema):
        return given
    if isinstance(given, (str, os.PathLike)):
        return _from_file(Path(given))
    if not isinstance(given, Mapping):
        raise BadInput(
            f"expected a file, a dictionary or a Schema, found {type(given).__name__}",
            where="schema",
        )
    return _validated(dict(given), Path(), lambda place: place)


def json_schema() -> dict[str, object]:
    """The JSON schema of schemas, for editors that complete and check YAML.

    >>> json_schema()["title"]
    'Schema'
    """
    result = Schema.model_json_schema()
    result["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return result


def _from_file(path: Path) -> Schema:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as problem:
        raise BadInput(f"cannot be read ({problem.strerror})", where=str(path)) from None
    except UnicodeDecodeError:
        raise BadInput("is not UTF-8", where=str(path), remedy="save it as UTF-8") from None
    try:
        node = yaml.compose(text, yaml.BaseLoader)
        given = None if node is None else yaml.load(text, yaml.BaseLoader)  # noqa: S506
    except (yaml.YAMLError, RecursionError) as problem:
        mark = getattr(problem, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark is not None else ""
        raise BadInput(
            "is not YAML", where=f"{path}{line}", remedy="check the indent (spaces, no tabs)"
        ) from None
    if not isinstance(given, dict):
        raise BadInput("expected `person` and `columns`", where=str(path))
    refuse_repeats(node, str(path))
    return _validated(given, path.parent, lambda place: f"{path}, {_line(node, place)}{place}")


def _validated(given: JsonObject, folder: Path, where: Callable[[str], str]) -> Schema:
    try:
        schema = Schema.model_validate(from_rx_anon(given) if is_rx_anon(given) else given)
    except ValidationError as problem:
        first = problem.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(one) for one in _place(first["loc"]))
        message = first["msg"].removeprefix("Value error, ")
        raise BadInput(message, where=where(place) if place else where("schema")) from None
    except BadInput as problem:
        raise BadInput(
            problem.problem, where=where(problem.where or "schema"), remedy=problem.remedy
        ) from None
    for column in schema.columns.values():
        if isinstance(column.hierarchy, ArxFile):
            column.hierarchy._folder = folder
    return schema


def _place(location: tuple[int | str, ...]) -> list[int | str]:
    """The path in the YAML: pydantic adds the names of the models it tried."""
    models = {"ArxFile", "InlineTree", "Intervals", "Prefixes", "Dates"}
    return [one for one in location if one not in models]


def _line(node: object, place: str) -> str:
    """The line of the deepest part of a path that stands in the file."""
    line = None
    for name in place.split("."):
        if not isinstance(node, yaml.MappingNode):
            break
        found = [(key, value) for key, value in node.value if key.value == name]
        if not found:
            break
        line, node = found[0][0].start_mark.line + 1, found[0][1]
    return f"line {line}, " if line else ""


def refuse_repeats(node: object, place: str, seen: set[int] | None = None) -> None:
    """Refuses YAML in which a mapping has a name twice: nobody can tell which one counts."""
    seen = set() if seen is None else seen
    if id(node) in seen:  # an anchor, which may stand in anchors, and those in others
        return
    seen.add(id(node))
    if isinstance(node, yaml.MappingNode):
        names = set()
        for key, value in node.value:
            if key.value in names:
                where = f"{place}, line {key.start_mark.line + 1}"
                raise BadInput("a name stands here for the second time", where=where)
            names.add(key.value)
            refuse_repeats(value, place, seen)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            refuse_repeats(value, place, seen)


# What a schema says of people's values and terms; whoever counts classes in a release needs none.
PRIVATE = {"synonyms", "expressions", "files"}


def public_schema(schema: Schema) -> dict[str, object]:
    """The schema as it may be published: what each column is, without lists of values and terms.

    >>> schema = as_schema({"columns": {"town": {"hierarchy": {"tree": {"A": ["Ulm"]}}}}})
    >>> public_schema(schema)["columns"]
    {'town': {'kind': 'category', 'role': 'quasi'}}
    """
    stated = schema.model_dump(mode="json", exclude_defaults=True, exclude=PRIVATE)
    for name, column in schema.columns.items():
        hidden = {"hierarchy"} if column.role == "sensitive" else {"hierarchy", "order"}
        plain = column.kind == "ordered" and "order" in hidden
        rest = {key: one for key, one in stated["columns"][name].items() if key not in hidden}
        told = {"kind": "category" if plain else column.kind, "role": column.role}
        stated["columns"][name] = {**rest, **told}
    if schema.recognizers:
        stated["recognizers"] = [Path(one).name for one in schema.recognizers]
    return stated
