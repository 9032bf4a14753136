"""rx-anon's configuration files, read as they are, so that its users can switch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..core.errors import BadInput

if TYPE_CHECKING:
    from ..core.values import JsonObject

_KINDS = {
    "nominal": "category",
    "ordinal": "ordered",
    "numerical": "number",
    "date": "date",
    "text": "text",
}
_ROLES = {
    "quasi_identifier": "quasi",
    "text": "quasi",
    "sensitive_attribute": "sensitive",
    "insensitive_attribute": "insensitive",
    "direct_identifier": "drop",
}
_LABELS = {"MAIL": "EMAIL"}


def is_rx_anon(given: object) -> bool:
    """Whether these are the values of one of rx-anon's files.

    >>> is_rx_anon({"attributes": {}}), is_rx_anon({"columns": {}})
    (True, False)
    """
    return isinstance(given, dict) and "attributes" in given and "columns" not in given


def from_rx_anon(given: Mapping[str, object]) -> dict[str, object]:
    """The same as a schema: the first direct identifier is the person, further ones are dropped.

    >>> from_rx_anon({"attributes": {"id": {"anonymization_type": "direct_identifier"},
    ...     "age": {"type": "numerical", "anonymization_type": "quasi_identifier"}}})["columns"]
    {'age': {'kind': 'number', 'role': 'quasi', 'unreadable': 'missing'}}
    """
    person, columns = None, {}
    for name, attribute in _mapping(given["attributes"], "attributes").items():
        where = f"attributes.{name}"
        attribute = _mapping(attribute or {}, where)
        role = _choice(attribute, "anonymization_type", _ROLES, "insensitive_attribute", where)
        if role == "drop" and person is None:
            person = name
            continue
        kind = _choice(attribute, "type", _KINDS, "nominal", where)
        if kind == "ordered" and "hierarchy" not in attribute:
            kind = "category"  # rx-anon has no order of values: it recodes ordinal ones as sets
        column: JsonObject = {"kind": kind, "role": role}
        for theirs, ours in (("bias", "weight"), ("entities", "entities"), ("format", "format")):
            if attribute.get(theirs):
                column[ours] = attribute[theirs]
        if "entities" in column:
            column["entities"] = [_LABELS.get(one, one) for one in column["entities"]]
        if kind in ("number", "date"):
            column["unreadable"] = "missing"
        if attribute.get("hierarchy"):
            column.pop("unreadable", None)
            column |= {"kind": "category", "hierarchy": attribute["hierarchy"]}
        columns[name] = column
    entities = _mapping(given.get("entities") or {}, "entities")
    custom = _mapping(entities.get("custom") or {}, "entities.custom")
    types = [_LABELS.get(one, one) for one in entities.get("native") or []] + list(custom)
    schema: dict[str, object] = {"columns": columns, "others": "insensitive"}
    if person is not None:
        schema["person"] = person
    if types:  # the paper, section 5.2: terms of all types are quasi-identifiers
        schema |= {"entity_types": types, "entities": dict.fromkeys(types, "quasi")}
    model = _mapping(given.get("nlp") or {}, "nlp").get("model")
    schema |= {"expressions": custom} if custom else {}
    schema |= {"recognizers": [model, "rules-en"]} if model else {}
    return schema | {"defaults": _defaults(_mapping(given.get("parameters") or {}, "parameters"))}


def _defaults(parameters: Mapping[str, object]) -> dict[str, object]:
    names = {"k": "k", "strategy": "partitioner", "relational_weight": "relational_weight"}
    return {ours: parameters[theirs] for theirs, ours in names.items() if theirs in parameters}


def _mapping(given: object, where: str) -> JsonObject:
    if not isinstance(given, dict):
        raise BadInput(f"expected names with values, found {type(given).__name__}", where=where)
    return given


def _choice(
    given: Mapping[str, object], name: str, allowed: dict[str, str], default: str, where: str
) -> str:
    value = given.get(name, default)
    if value not in allowed:
        raise BadInput(f"expected one of {', '.join(allowed)}", where=f"{where}.{name}")
    return allowed[value]
