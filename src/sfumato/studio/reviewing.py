"""Review: what a recogniser found, the most doubtful first; what a person decided, kept as the
review file that `sfumato recognize` writes and every verb reads.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import BadInput
from ..core.printed_form import by_sizes
from ..pipeline.inputs import read_input
from ..pipeline.stages import recognizer_name
from ..pipeline.steps import RunContext
from ..recognizers import recognizer, review
from ..recognizers.uncertain_places import uncertain
from . import policies
from .places import REVIEW, write_private
from .review_lines import listed_places, review_file

if TYPE_CHECKING:
    from ..core.values import JsonObject
    from ..formats import Source
    from ..recognizers.uncertain_places import Doubt

DECISIONS = "decisions.json"
MOST = 20_000  # places that a page is given
PROJECTS = 4  # whose places are at hand


@dataclass(frozen=True, slots=True, eq=False)
class ColumnSpans:
    """What was recognised in the texts of one column."""

    key: str
    column: str | None
    source: Source
    doubts: list[Doubt]

    __repr__ = by_sizes


_last: OrderedDict[str, ColumnSpans] = OrderedDict()


def found(project: Path) -> ColumnSpans:
    """What the policy's recogniser finds in the first text column, the most doubtful first."""
    written = policies.read(project)
    policy = written.policy
    columns = policy.input.columns
    column = columns[0] if columns else None
    name = recognizer_name(RunContext(written, b""))
    path = written.path(policy.input.path)
    key = json.dumps([name, column, policy.input.person, path.stat().st_mtime_ns])
    if str(project) not in _last or _last[str(project)].key != key:
        source = read_input(written, path, column)
        doubts = uncertain(recognizer(name), source.filled, MOST)
        _last[str(project)] = ColumnSpans(key, column, source, doubts)
        while len(_last) > PROJECTS:
            _last.popitem(last=False)
    return _last[str(project)]


def forget(project: Path) -> None:
    """Lets go of what is at hand of a project."""
    _last.pop(str(project), None)


def places(project: Path) -> JsonObject:
    """All places as the page shows them, and what was decided so far."""
    this = found(project)
    texts = this.source.filled
    listed = listed_places(this.doubts, texts)
    return {
        "column": this.column,
        "others": list(policies.read(project).policy.input.columns or [])[1:],
        "documents": len(texts),
        "places": listed,
        "labels": sorted({one[3] for one in listed}),
        "decisions": decisions(project),
    }


def decisions(project: Path) -> list[JsonObject]:
    """What was decided so far."""
    path = project / DECISIONS
    return json.loads(path.read_text("utf-8")) if path.is_file() else []


def text_of(project: Path, document: int) -> str:
    """One document of the reviewed column."""
    texts = found(project).source.filled
    if not 0 <= document < len(texts):
        raise BadInput(f"there is no document {document}", where="document")
    return texts[document]


def save(project: Path, given: list[JsonObject]) -> JsonObject:
    """Keeps decisions: as the page has them, and as a review file of all places."""
    this = found(project)
    texts = this.source.filled
    content = review_file(this.doubts, texts, given)
    review.read(content, texts, REVIEW)
    write_private(project / DECISIONS, json.dumps(given).encode())
    write_private(project / REVIEW, content)
    return {"lines": content.count(b"\n"), "decided": len(given)}
