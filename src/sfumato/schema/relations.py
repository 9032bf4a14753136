"""Several relations (people, posts) joined on the person column."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..core.errors import BadInput

if TYPE_CHECKING:
    import polars as pl


def join(frames: Mapping[str, pl.DataFrame], person: str) -> pl.DataFrame:
    """The natural join of relations on the person column; nobody is lost.

    Only one relation may have several rows a person: two would be multiplied with each other,
    and the rows of the release would tell of pairs that nobody entered.
    Paper: section 3.2, D = R_1 join .. join R_n.
    Cost: O(rows).

    >>> import polars as pl
    >>> people = pl.DataFrame({"id": ["1", "2"], "age": [36, 24]})
    >>> posts = pl.DataFrame({"id": ["1", "1"], "text": ["a", "b"]})
    >>> join({"people": people, "posts": posts}, "id").rows()
    [('1', 36, 'a'), ('1', 36, 'b'), ('2', 24, None)]
    """
    if not frames:
        raise BadInput("no relation was given", where="files")
    several = []
    owner: dict[str, str] = {}
    for name, frame in frames.items():
        if person not in frame.columns:
            raise BadInput("the person column is not in this relation", where=name)
        if frame[person].null_count():
            row = int(frame[person].is_null().arg_true()[0])
            raise BadInput("a row belongs to nobody", where=f"{name}, record {row + 1}")
        if frame[person].n_unique() < frame.height:
            several.append(name)
        for column in frame.columns:
            if column != person and owner.setdefault(column, name) != name:
                raise BadInput(
                    "two relations have a column of this name",
                    where=f"{name}, column {column}",
                    remedy="rename one of them",
                )
    if len(several) > 1:
        raise BadInput(
            "more than one relation has several rows a person",
            where=" and ".join(several),
            remedy="anonymise them one after the other",
        )
    order = [name for name in frames if name not in several] + several
    result = frames[order[0]]
    for name in order[1:]:
        result = result.join(
            frames[name], on=person, how="full", coalesce=True, maintain_order="left_right"
        )
    return result
