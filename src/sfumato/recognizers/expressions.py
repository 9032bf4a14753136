"""A steward's own rules: expressions, lists and allowed terms in one YAML file.

    name: ward
    rules:
      - {label: WARD, expression: 'ward ([0-9]{1,3})', score: 0.9, ignore_case: true}
    deny: {PROJECT: [Swan, Blue Heron]}
    allow: [Parkinson]

Expressions are RE2's: none can take more than linear time. A group marks the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import BadInput
from ..core.printed_form import by_sizes
from ..core.spans import Span
from .as_seen import found_as_seen
from .combine import CombinedRecognizer
from .gazetteer import Allow, Gazetteer
from .overlaps import resolve

if TYPE_CHECKING:
    from ..core.progress import Progress

RULE_KEYS = {"label", "expression", "score", "ignore_case", "why"}


@dataclass(frozen=True)
class Expressions:
    """A recogniser by RE2 expressions, each with its label. Cost: O(n) for each expression.

    >>> ward = Expressions("ward", ((compiled(r"ward ([0-9]+)"), "WARD", 0.9, "ward"),))
    >>> [(span.start, span.stop) for span in ward(["on ward 12"])]
    [(8, 10)]
    """

    name: str
    rules: tuple[tuple[Any, str, float, str], ...]

    __repr__ = by_sizes

    def __call__(self, texts: Sequence[str], progress: Progress | None = None) -> list[Span]:
        """The spans of all documents."""
        return found_as_seen(lambda some: self._found(some, progress), texts)

    def _found(self, texts: Sequence[str], progress: Progress | None) -> list[Span]:
        found = []
        for document, text in enumerate(texts):
            searched = text.encode("utf-8", "replace").decode()  # half pairs match nothing
            for expression, label, score, why in self.rules:
                for match in expression.finditer(searched):
                    start, stop = match.span(1 if expression.groups else 0)
                    if start < stop:
                        found.append(Span(document, start, stop, label, score, why))
            if progress is not None and document % 100 == 99:
                progress(self.name, (document + 1) / len(texts))
        return resolve(found)


def compiled(expression: str, ignore_case: bool = False) -> object:
    """An expression of RE2, refused when it is none.

    >>> compiled("a+").groups
    0
    """
    import re2

    options = re2.Options()
    options.case_sensitive = not ignore_case
    options.log_errors = False
    try:
        result = re2.compile(expression, options)
    except (re2.error, UnicodeEncodeError):
        raise BadInput(
            "this is no RE2 expression",
            where="expression",
            remedy="look-around and back-references are not part of RE2",
        ) from None
    if result.groups > 1:
        raise BadInput(
            f"expected at most one group, found {result.groups}",
            where="expression",
            remedy="write (?:...) where a group only holds together",
        )
    return result


def read_rules(path: str | Path) -> Any:
    """The recogniser a YAML file describes.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "ward.yaml")
    ...     _ = file.write_text("rules: [{label: WARD, expression: 'ward ([0-9]+)'}]")
    ...     [span.label for span in read_rules(file)(["ward 12"])]
    ['WARD']
    """
    import yaml

    place = str(path)
    try:
        stated = yaml.safe_load(Path(path).read_bytes())
    except OSError as problem:
        raise BadInput(f"cannot be read ({problem.strerror})", where=place) from None
    except (yaml.YAMLError, RecursionError) as problem:
        mark = getattr(problem, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        raise BadInput("is not valid YAML", where=place + line) from None
    unknown = set(stated) - {"name", "rules", "deny", "allow"} if isinstance(stated, dict) else {""}
    if unknown:
        raise BadInput("expected the keys name, rules, deny and allow", where=place)
    name = str(stated.get("name", Path(path).stem))
    rules = tuple(
        _rule(rule, name, f"{place}, rule {i + 1}")
        for i, rule in enumerate(_list(stated.get("rules"), place, "rules"))
    )
    terms = _denied(stated.get("deny") or {}, place)
    allowed = frozenset(map(str, _list(stated.get("allow"), place, "allow")))
    return _together(name, rules, terms, allowed)


def _together(
    name: str,
    rules: tuple[tuple[object, str, float, str], ...],
    terms: dict[str, str],
    allowed: frozenset[str],
) -> Any:
    parts: list[Any] = [Expressions(name, rules)]
    if terms:
        parts.append(Gazetteer(name, terms, ignore_case=True, score=1.0))
    combined = CombinedRecognizer(tuple(parts))
    return Allow(combined, allowed) if allowed else combined


def _list(value: object, place: str, key: str) -> list[object]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise BadInput("expected a list", where=f"{place}, {key}")
    return value


def _rule(rule: object, name: str, where: str) -> tuple[object, str, float, str]:
    if not isinstance(rule, dict) or not {"label", "expression"} <= set(rule) <= RULE_KEYS:
        raise BadInput(
            "expected label and expression, and perhaps score, ignore_case and why", where=where
        )
    score = rule.get("score", 0.8)
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:
        raise BadInput("a score is a number from 0 to 1", where=where)
    try:
        expression = compiled(str(rule["expression"]), bool(rule.get("ignore_case", False)))
    except BadInput as problem:
        raise BadInput(problem.problem, where=where, remedy=problem.remedy) from None
    label = str(rule["label"])
    return expression, label, float(score), f"{name}: {rule.get('why', label.lower())}"


def _denied(stated: object, place: str) -> dict[str, str]:
    """Terms and labels of the key deny: a list, or lists by label."""
    if isinstance(stated, list):
        stated = {"DENIED": stated}
    if not isinstance(stated, dict):
        raise BadInput("expected lists of terms by label", where=f"{place}, deny")
    return {
        str(term): str(label)
        for label, terms in stated.items()
        for term in _list(terms, place, "deny")
    }
