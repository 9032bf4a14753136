"""Small tables, one row a person: their schemas, spans and releases."""

from __future__ import annotations

from typing import Any

import polars as pl

import sfumato as sf


def spans(texts: list[str | None], *terms: tuple[str, str]) -> list[sf.Span]:
    """Every occurrence of the terms in the documents."""
    found = []
    for document, text in enumerate(texts):
        for term, label in terms:
            at = (text or "").find(term)
            while at >= 0:
                found.append(sf.Span(document, at, at + len(term), label))
                at = (text or "").find(term, at + 1)
    return found


def verified(original, release: sf.Release) -> sf.Release:
    """The release, all of whose claims hold."""
    assert [v.reason for v in sf.verify(original, release) if not v.holds] == []
    return release


def table(**columns) -> pl.DataFrame:
    """One row for each person, numbered."""
    return pl.DataFrame(
        {"id": [str(i) for i in range(len(next(iter(columns.values()))))], **columns}
    )


def described(**columns) -> dict[str, Any]:
    """The schema of such a table."""
    return {"person": "id", "columns": columns}
