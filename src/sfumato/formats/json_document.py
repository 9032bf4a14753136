"""One JSON file: the texts at a path (`entry[].resource.note[].text`); all other bytes stay.

The texts of a record belong together: without a group column every text's group is the element of
the outermost array it stands in. A group column is a path too, read in the element that it and the
text share.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput
from sfumato.formats.json_places import Places
from sfumato.formats.paths import PathValue, found_at, members, shared_steps, steps_of, whole
from sfumato.formats.source import (
    BOM,
    Source,
    names_of,
    require_groups,
    require_text_column,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.formats.paths import Step
    from sfumato.formats.source import Columns


def read(
    raw: bytes,
    place: str,
    *,
    format: str = "json",
    text_column: Columns = None,
    group_column: str | None = None,
) -> Source:
    """The documents of a JSON file: the strings its paths lead to, in the order of the file.

    >>> raw = b'{"entry": [{"who": 7, "note": ["calm", "well"]}, {"who": 8, "note": [null]}]}'
    >>> source = read(raw, "b.json", text_column="entry[].note[]", group_column="entry[].who")
    >>> source.texts, source.groups
    (['calm', 'well', None], ['7', '7', '8'])
    >>> b"".join(source.pieces(["c*lm", None, None]))
    b'{"entry": [{"who": 7, "note": ["c*lm", "well"]}, {"who": 8, "note": [null]}]}'
    """
    begin = len(BOM) if raw.startswith(BOM) else 0
    text = _decoded(raw[begin:], place)
    top = PathValue(whole(text, place), {})
    names = names_of(text_column)
    columns = (
        tuple(members(text, top.value.start, (), place)) if text[top.value.start] == "{" else ()
    )
    if not names:
        require_text_column(place, columns, None)
    rows = [
        (found, label)
        for name in names
        for found, label in _labelled(text, top, steps_of(name), group_column, place)
    ]
    rows.sort(key=lambda row: row[0].value.start)
    if not rows:
        raise BadInput(
            f"no text stands at this path ({shown(columns)})",
            where=place,
            remedy="name the path to the text, for instance entry[].resource.note[].text",
        )
    places, labels = Places(raw), [label for _, label in rows]
    where = partial(_where, place)
    for i, (found, _) in enumerate(rows):
        places.add(text, begin, found, where(i))
    grouped = group_column is not None or any(None in steps_of(name) for name in names)
    return Source(
        place=place,
        format=format,
        texts=places.texts,
        groups=require_groups(labels, where) if grouped else None,
        columns=columns,
        column=partial(_no_column, place),
        where=where,
        pieces=lambda new: places.pieces(new, where),
    )


def _labelled(
    text: str, top: PathValue, steps: tuple[Step, ...], group: str | None, place: str
) -> list[tuple[PathValue, str | None]]:
    """What a path leads to, each with its group."""
    if group is None:
        outer = steps.index(None) + 1 if None in steps else 0
        homes = found_at(text, top, steps[:outer], place)
        return [
            (found, str(number))
            for number, home in enumerate(homes, 1)
            for found in found_at(text, home, steps[outer:], place)
        ]
    named = steps_of(group)
    together = shared_steps(steps, named)
    rows: list[tuple[PathValue, str | None]] = []
    for home in found_at(text, top, steps[:together], place):
        label = _label(text, home, named[together:], place)
        rows += [(found, label) for found in found_at(text, home, steps[together:], place)]
    return rows


def _label(text: str, home: PathValue, steps: Sequence[Step], place: str) -> str | None:
    found = [one.value for one in found_at(text, home, steps, place)]
    if len(found) > 1:
        raise BadInput("a record has several groups", where=place, remedy="name another path")
    if not found or found[0].value is None:
        return None
    is_text = text[found[0].start] == '"'
    return str(found[0].value) if is_text else text[found[0].start : found[0].stop]


def _decoded(raw: bytes, place: str) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        line = 1 + raw.count(b"\n", 0, error.start)
        raise BadInput(
            "a byte here is not valid UTF-8",
            where=f"{place}, line {line}",
            remedy="name the file's encoding (--encoding latin-1 or cp1252), or repair the file",
        ) from None


def _where(place: str, i: int) -> str:
    return f"{place}, text {i + 1}"


def _no_column(place: str, name: str) -> list[str | None]:
    raise BadInput("a JSON file has no columns", where=place)
