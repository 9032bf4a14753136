"""Records before and after for the steward's report: each beside what became of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import BadInput
from ..core.printed_form import by_sizes

if TYPE_CHECKING:
    from ..core.values import JsonValues
    from ..formats import Source
    from ..received.certificate import Certificate
    from ..reports.sample import Record

LEFT_OUT = "(this record was left out)"


@dataclass(frozen=True, slots=True)
class SampleRequest:
    """What the options of `report` say of the records to show."""

    original: Path | None
    chosen: str | None
    columns: str | None
    encoding: str
    private: Path | None

    __repr__ = by_sizes


def sample_of(
    release: Path, data: Path, stated: Certificate, asked: SampleRequest
) -> tuple[Record, ...]:
    """The chosen records, by their numbers in the original; none where none is chosen."""
    if asked.chosen is None:
        return ()
    if asked.original is None:
        raise BadInput(
            "records can be shown before and after only beside the original",
            where="--original",
            remedy="name the file that the release was made of",
        )
    from ..reports.sample import Record

    original = asked.original
    released = data / original.name if (data / original.name).exists() else data
    names = [name.strip() for name in asked.columns.split(",")] if asked.columns else [None]
    sides = [(name, *_read(original, released, name, asked.encoding)) for name in names]
    _, first, last = sides[0]
    numbers = _numbers(asked.chosen, len(first.texts))
    places = _places(release, stated, asked.private, first, last)
    return tuple(
        Record(
            number,
            tuple(
                (
                    name or "",
                    before.filled[number - 1],
                    after.filled[places[number - 1]] if number - 1 in places else LEFT_OUT,
                )
                for name, before, after in sides
            ),
        )
        for number in numbers
    )


def _read(
    original: Path, released: Path, column: str | None, encoding: str
) -> tuple[Source, Source]:
    from .. import formats

    before, after = (
        formats.read(path, text_column=column, encoding=encoding) for path in (original, released)
    )
    return before, after


def _places(
    release: Path, stated: Certificate, private: Path | None, before: Source, after: Source
) -> Mapping[int, int]:
    """Where in the release each record of the original stands."""
    from ..pipeline.numbered_files import NAMES
    from ..received.folder import beside, is_release, read_folder

    kept = private or beside(release)
    names, rows = _held(kept / NAMES), _held(kept / "certificate.json").get("private", {})
    if names and before.members is not None and after.members is not None:
        return _by_names(names, before, after)
    if "rows" in rows:
        return {row: place for place, row in enumerate(rows["rows"])}
    is_shuffled = any(stage.parameters.get("shuffle") for stage in (stated, *stated.stages))
    if is_release(release) and release.is_dir():
        is_shuffled |= read_folder(release).is_shuffled
    if is_shuffled or len(before.texts) != len(after.texts):
        raise BadInput(
            "the records of the release are in an order of their own, or some were left out",
            where="--private",
            remedy="name the private folder of the release, which knows them",
        )
    return {number: number for number in range(len(before.texts))}


def _by_names(names: Mapping[str, str], before: Source, after: Source) -> dict[int, int]:
    """The texts of each file, in order, beside those of the file that became of it."""
    of_file: dict[str, list[int]] = {}
    for number, path in enumerate(before.members or ()):
        of_file.setdefault(path.as_posix(), []).append(number)
    found: dict[int, int] = {}
    for place, path in enumerate(after.members or ()):
        found[of_file[names[path.as_posix()]].pop(0)] = place
    return found


def _held(path: Path) -> JsonValues:
    """A file of the private folder; nothing where it is not there."""
    try:
        found = json.loads(path.read_bytes())
    except OSError:
        return {}
    except ValueError:
        raise BadInput("is no JSON", where=str(path)) from None
    return found if isinstance(found, dict) else {}


def _numbers(chosen: str, records: int) -> list[int]:
    try:
        numbers = [int(one) for one in chosen.split(",")]
    except ValueError:
        raise BadInput(
            "expected record numbers with commas", where="--sample-records", remedy="such as 3,17"
        ) from None
    for number in numbers:
        if not 1 <= number <= records:
            raise BadInput(
                f"there is no record {number}: they are 1 to {records}", where="--sample-records"
            )
    return numbers
