"""FHIR resources (R4, R5) as JSON or NDJSON, alone or in bundles, changed by rules.

`--format fhir:rules.yaml` names the rules. Texts and attachments of text are the documents; the
patient is their group. All else is kept, dropped, shifted or renamed when the release is written,
and `meta.security` says which of these was done. A file that was written under the same rules and
key is not changed again: it carries a mark that nobody makes without the key.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sfumato.core.errors import BadInput, NotVerified
from sfumato.formats import fhir_values as values
from sfumato.formats.fhir_json import JsonNumber, json_bytes, read_json
from sfumato.formats.fhir_rules import read_rules
from sfumato.formats.source import Source, filled

from ..core.printed_form import by_sizes

if TYPE_CHECKING:
    from sfumato.core.values import JsonObject
    from sfumato.formats.fhir_rules import Rules
    from sfumato.formats.source import Columns, Piece, Texts

SYSTEM = "http://terminology.hl7.org/CodeSystem/v3-ObservationValue"
MARK = "urn:sfumato:rules"
_CODES = {
    "drop": ("REDACTED", "redacted"),
    "year": ("ABSTRED", "abstracted"),
    "month": ("ABSTRED", "abstracted"),
    "shift": ("PSEUDED", "pseudonymized"),
    "pseudonymize": ("PSEUDED", "pseudonymized"),
    "text": ("MASKED", "masked"),
}
_WHOSE = ("subject", "patient", "beneficiary", "individual", "for")
_LONG = 5


def read(
    raw: bytes,
    place: str,
    *,
    format: str = "fhir",
    text_column: Columns = None,
    group_column: str | None = None,
    rules: Rules | None = None,
) -> Source:
    """The texts of FHIR resources, each with its patient as group.

    >>> from sfumato.formats.fhir_rules import read_rules
    >>> note = b'{"resourceType": "Condition", "subject": {"reference": "Patient/7"},'
    >>> note += b' "note": [{"text": "calm"}], "recordedDate": "2021-03-01"}'
    >>> source = read(note, "c.json", rules=read_rules(None, b"a key of sixteen bytes"))
    >>> source.texts, source.groups
    (['calm'], ['7'])
    """
    if text_column is not None or group_column is not None:
        remedy = "say in the rules which elements are text; the patient is the group"
        raise BadInput("FHIR has no columns", where=place, remedy=remedy)
    rules = read_rules(None) if rules is None else rules
    lines, resources = read_json(raw, place)
    found = [_Resource.of(one, rules) for one in resources]
    texts: list[str | None] = []
    groups: list[str] = []
    for number, one in enumerate(found, 1):
        for text, patient in one.texts(f"{place}, resource {number}"):
            texts.append(text)
            groups.append(patient or f"resource {number}")

    def pieces(new: Texts) -> Iterator[Piece]:
        kept = [old if one is None else one for old, one in zip(texts, new, strict=True)]
        given = iter(kept)
        made = [one.written(given) for one in found]
        content = b"".join(json_bytes(one) + b"\n" for one in made)
        _require_gone(content, found, made, kept, place)
        yield content if lines else content.rstrip(b"\n") + b"\n"

    return Source(
        place,
        format,
        texts,
        groups,
        (),
        lambda name: _no_column(place),
        lambda i: f"{place}, text {i + 1}",
        pieces,
    )


@dataclass(frozen=True, slots=True)
class _Resource:
    """A resource and what the rules make of it."""

    __repr__ = by_sizes

    content: Any
    rules: Rules
    is_made: bool
    hidden: list[str] = field(default_factory=list)
    moved: set[str] = field(default_factory=set)
    """Dates as they are written; one may be another's date before its shift, or its own."""

    @classmethod
    def of(cls, content: object, rules: Rules) -> _Resource:
        return cls(content, rules, _is_made(content, rules))

    def texts(self, where: str) -> Iterator[tuple[str, str | None]]:
        """The texts in the order of the file, with their patients."""
        yield from self._texts(self.content, (), None, where)

    def _texts(
        self, value: object, path: tuple[str, ...], patient: str | None, where: str
    ) -> Iterator[tuple[str, str | None]]:
        if isinstance(value, list):
            for one in value:
                yield from self._texts(one, path, patient, where)
            return
        if not isinstance(value, dict):
            return
        if "resourceType" in value:
            path, patient = (str(value["resourceType"]),), _patient(value) or patient
        for name, one in value.items():
            below = (*path, name)
            if self.rules.action(below) == "text":
                for text in one if isinstance(one, list) else [one]:
                    if isinstance(text, str) and _is_text(value, name):
                        yield _decoded(value, name, text, where), patient
            else:
                yield from self._texts(one, below, patient, where)

    def written(self, texts: Iterator[str | None]) -> Any:
        """The resource with other texts, and all else as the rules say."""
        self.hidden.clear()
        self.moved.clear()
        if not self.is_made:
            self.rules.require_key()
        return self._written(self.content, (), None, texts, set())

    def _written(
        self,
        value: object,
        path: tuple[str, ...],
        patient: str | None,
        texts: Iterator[str | None],
        done: set[str],
    ) -> Any:
        if isinstance(value, list):
            made = [self._written(one, path, patient, texts, done) for one in value]
            return [one for one in made if one is not None] or None
        if isinstance(value, dict):
            return self._object(value, path, patient, texts, done)
        return self._leaf(value, path, patient, done)

    def _object(
        self,
        value: JsonObject,
        path: tuple[str, ...],
        patient: str | None,
        texts: Iterator[str | None],
        done: set[str],
    ) -> Any:
        is_resource = "resourceType" in value
        if is_resource:
            path, patient, done = (str(value["resourceType"]),), _patient(value) or patient, set()
        made: JsonObject = {}
        for name, one in value.items():
            if name == "resourceType":
                made[name] = one
            elif self.rules.action((*path, name)) == "text":
                done.add("text")
                text = self._text(value, name, one, texts)
                made |= {} if text is None else {name: text}
            else:
                below = self._written(one, (*path, name), patient, texts, done)
                made |= {} if below is None else {name: below}
        _sized(made)
        if is_resource and not self.is_made:
            meta = made.pop("meta", {})
            made = {"resourceType": made.pop("resourceType"), "meta": meta, **made}
            made["meta"] = {**meta, "security": _security(done, self.rules, made)}
        return made or None

    def _text(self, holder: Any, name: str, value: object, texts: Iterator[str | None]) -> Any:
        given = value if isinstance(value, list) else [value]
        if not _is_text(holder, name):
            return None
        made = [_encoded(holder, name, next(texts) or "") for one in given if isinstance(one, str)]
        return made if isinstance(value, list) else made[0] if made else None

    def _leaf(
        self, value: object, path: tuple[str, ...], patient: str | None, done: set[str]
    ) -> Any:
        action = self.rules.action(path)
        if self.is_made or action == "keep" or value is None:
            return value
        done.add(action)
        if isinstance(value, str) and not isinstance(value, JsonNumber):
            self.hidden.append(value)
        made = None
        if isinstance(value, str) and not isinstance(value, JsonNumber):
            if action == "shift":
                days = values.offset(self.rules.key, patient or "nobody")
                made = values.shifted(value, days)
            elif action in ("year", "month"):
                made = values.cut(value, 4 if action == "year" else 7)
            elif action == "pseudonymize":
                made = values.pseudonymized(self.rules.key, value)
            if action in ("shift", "year", "month"):
                self.moved.add(made or "")
        return made


def _patient(resource: JsonObject) -> str | None:
    """The name of the patient that a resource is about."""
    if resource.get("resourceType") == "Patient":
        name = resource.get("id")
        return name if isinstance(name, str) else None
    for element in _WHOSE:
        one = resource.get(element)
        if isinstance(one, dict) and isinstance(one.get("reference"), str):
            return values.name_of(one["reference"])
    return None


def _security(done: set[str], rules: Rules, made: object) -> list[dict[str, str]]:
    """What was done, in HL7's words, and the mark of these rules and this content under the key."""
    codes = dict(_CODES[one] for one in sorted(done) if one in _CODES)
    told = [{"system": SYSTEM, "code": code, "display": words} for code, words in codes.items()]
    return [*told, {"system": MARK, "code": _mark(rules, made)}]


def _mark(rules: Rules, made: object) -> str:
    """The mark of a resource: nothing but its texts can change, or be added, under it."""
    rest = json_bytes(_without_texts(made, (), rules))
    return hmac.digest(rules.key, b"mark\0" + rules.digest + rest, "sha256").hex()[:32]


def _without_texts(value: object, path: tuple[str, ...], rules: Rules) -> Any:
    if isinstance(value, list):
        return [_without_texts(one, path, rules) for one in value]
    if not isinstance(value, dict):
        return value
    if "resourceType" in value:
        path = (str(value["resourceType"]),)
    follows = {"size", "hash"} if "contentType" in value else set()
    follows |= {"security"} if path[1:] == ("meta",) else set()
    return {
        name: _without_texts(one, (*path, name), rules)
        for name, one in value.items()
        if name not in follows and rules.action((*path, name)) != "text"
    }


def _is_made(content: Any, rules: Rules) -> bool:
    """Whether a resource was written under these rules and this key."""
    if not rules.key:
        return False
    try:
        told = content["meta"]["security"]
        marks = [one["code"] for one in told if one.get("system") == MARK]
        return any(hmac.compare_digest(one, _mark(rules, content)) for one in marks)
    except (KeyError, TypeError, AttributeError):
        return False


def _is_text(holder: JsonObject, name: str) -> bool:
    """Attachments that are no text cannot be read, and are dropped."""
    if name != "data" or "contentType" not in holder:
        return True
    return str(holder["contentType"]).lower().startswith("text/")


def _decoded(holder: JsonObject, name: str, text: str, where: str) -> str:
    if name != "data" or "contentType" not in holder:
        return text
    try:
        return base64.b64decode(text, validate=True).decode(_charset(holder))
    except (ValueError, LookupError):
        problem = "an attachment's data is not base64 of text in its charset"
        raise BadInput(problem, where=where, remedy="repair or remove it") from None


def _encoded(holder: JsonObject, name: str, text: str) -> str:
    if name != "data" or "contentType" not in holder:
        return text
    return base64.b64encode(text.encode(_charset(holder))).decode()


def _charset(holder: JsonObject) -> str:
    from email.message import Message

    stated = Message()
    stated["content-type"] = str(holder["contentType"])
    return str(stated.get_param("charset") or "utf-8")


def _sized(made: JsonObject) -> None:
    """Size and hash of an attachment are those of what it holds now, or are taken out."""
    if "contentType" not in made:
        return
    raw = base64.b64decode(made["data"]) if isinstance(made.get("data"), str) else None
    if "size" in made:
        made["size"] = JsonNumber(len(raw or b""))
    if "hash" in made:
        digest = hashlib.sha1(raw or b"", usedforsecurity=False).digest()
        made["hash"] = base64.b64encode(digest).decode()
    if raw is None:
        for name in ("size", "hash"):
            made.pop(name, None)


def _require_gone(
    content: bytes, found: list[_Resource], made: list[Any], texts: list[str | None], place: str
) -> None:
    """Refuses a release in which a value stands that the rules take out of every place."""
    shown = {leaf for one in made for leaf in _leaves(one)}
    if {leaf for one in read_json(content, place)[1] for leaf in _leaves(one)} != shown:
        raise _wrong("the file was read again and differs", place)
    hidden = Counter(value for one in found for value in one.hidden if len(value) >= _LONG)
    stood = Counter(leaf for one in found for leaf in _leaves(one.content))
    kept = "\n".join(filled(texts))
    told = {leaf for one in made for leaf in _leaves(one, skip="security")}
    for value in (hidden.keys() & told).difference(*(one.moved for one in found)):
        if stood[value] <= hidden[value] and value not in kept:
            raise _wrong("a value that was taken out stands there", place)


def _wrong(problem: str, place: str) -> NotVerified:
    remedy = "nothing was written; this is a defect: report it"
    return NotVerified(problem, where=place, remedy=remedy)


def _leaves(value: object, skip: str | None = None) -> Iterator[str]:
    if isinstance(value, dict):
        for name, one in value.items():
            if name != skip:
                yield from _leaves(one, skip)
    elif isinstance(value, list):
        for one in value:
            yield from _leaves(one, skip)
    elif isinstance(value, str) and not isinstance(value, JsonNumber):
        yield value


def _no_column(place: str) -> list[str | None]:
    raise BadInput("FHIR has no columns", where=place)
