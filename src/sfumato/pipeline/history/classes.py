"""Two groupings of the same people: who holds both knows the class of each in both."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from ...core.errors import BadInput, CannotBeMet
from ...received.folder import beside, read_folder, read_listed
from ...schema.table import forms
from ..folder import by_content, classes_of_people

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...core.claims import Claim
    from ...core.values import JsonObject, JsonValues
    from ..steps import StageResult


def together(previous: Sequence[str | Path], done: Sequence[StageResult]) -> list[JsonObject]:
    """Judges the groupings of this release and of each earlier one, pair by pair and all at once.

    People are alike for who holds all releases if they share the class in each, where being absent
    from a release is a class of its own: who knows that somebody was not in it looks among the
    absent ones. Every such group must have the smallest k of the releases. Texts that other stages
    changed are not compared, so nobody may have some in two releases.
    """
    groupings = [_by_form(classes_of_people(done[0]))]
    ks, names, with_texts = [_k(done[0].release.claims)], list[str](), [len(done) > 1]
    for path in previous:
        found, k, changes_texts = _earlier(Path(path), done[0], with_texts[0])
        groupings.append(_by_form(found))
        if _named_by(groupings[-1]) != _named_by(groupings[0]):
            raise BadInput(
                "knows its people otherwise than this release does, by a person column or by rows",
                where=str(path),
                remedy="name the same person column; releases of earlier versions without one "
                "cannot be compared",
            )
        ks.append(k)
        names.append(Path(path).name)
        with_texts.append(changes_texts)
    if any(with_texts):
        _require_apart(groupings, done[0].source.groups is not None)
    sizes = crowds(groupings)
    smallest, k = min(sizes.values()), min(ks)
    if smallest < k:
        raise CannotBeMet(
            f"{sum(size < k for size in sizes.values())} groups of people that no release tells "
            f"apart alone are told apart by all together, the smallest {smallest}, k is {k}; "
            "nothing was written",
            remedy="release the same people in the same order with the same schema and seed, "
            "or only new people",
        )
    words = (
        f"Whoever holds this release and {', '.join(names)} still finds every person among at "
        f"least {smallest} who share the class in each of them."
    )
    return [
        {
            "column": None,
            "releases": names,
            "people_in_all": len(set.intersection(*(set(one) for one in groupings))),
            "smallest": smallest,
            "in_words": [words],
        }
    ]


def _by_form(classes: Mapping[str, int]) -> dict[str, int]:
    """The classes by people's labels as `anonymize` compares these."""
    labels = forms(pl.Series(list(classes), dtype=pl.String)).to_list()
    return dict(zip(labels, classes.values(), strict=True))


def _named_by(classes: Mapping[str, int]) -> str:
    """By what people are known: labels, what stands in rows, or (earlier versions) their number."""
    kinds = {"number": r"row \d{1,20}", "content": r"row [0-9a-f]{64} \d+"}
    for name, form in kinds.items():
        if all(re.fullmatch(form, one) for one in classes):
            return name
    return "label"


def _require_apart(groupings: Sequence[Mapping[str, int]], is_labelled: bool) -> None:
    """Nobody is in two releases: then no text of a person can be compared with another one."""
    people = [one for grouping in groupings for one in grouping]
    if not is_labelled or len(set(people)) < len(people):
        raise _texts_not_compared()


def _texts_not_compared() -> BadInput:
    return BadInput(
        "texts that stages beside anonymize changed, here or earlier, are not compared: they must "
        "be other people's",
        where="--previous",
        remedy="release only people who are in no earlier release, by their person column",
    )


def crowds(groupings: Sequence[Mapping[str, int]]) -> Counter[tuple[int | None, ...]]:
    """How many people share the class in every grouping; None is to be absent from one.

    >>> sorted(crowds([{"a": 0, "b": 0, "c": 1}, {"a": 0, "b": 0}]).values())
    [1, 2]
    """
    everybody = sorted(set().union(*groupings))
    return Counter(tuple(one.get(person) for one in groupings) for person in everybody)


def _k(claims: Iterable[Claim]) -> int:
    if any(one.name == "km-anonymity" for one in claims):
        raise _not_compared_known()
    return next(int(str(c.parameters["k"])) for c in claims if c.name == "k-anonymity")


def _not_compared_known() -> BadInput:
    return BadInput(
        "releases against somebody who knows some terms (knows) are not compared with others",
        where="--previous",
        remedy="release them without `knows`, or without --previous",
    )


def _earlier(folder: Path, table: StageResult, has_texts: bool) -> tuple[dict[str, int], int, bool]:
    """An earlier release's classes, its k, and whether stages changed its texts."""
    stated = read_listed(folder)
    path = beside(folder) / "people.json"
    claims = [one for one in stated.claims if one.name in ("k-anonymity", "km-anonymity")]
    if not claims:
        raise BadInput(
            "is no release of a table", where=str(folder), remedy="compare tables with tables"
        )
    changes_texts = len(stated.stages) > 1
    if path.is_file():
        return json.loads(path.read_text("utf-8")), _k(claims), changes_texts
    if changes_texts or has_texts:
        raise _texts_not_compared()
    return _aligned(folder, claims[0].parameters, table), _k(claims), False


def _aligned(path: Path, claimed: JsonValues, table: StageResult) -> dict[str, int]:
    """The classes of an earlier table without its private folder: by what its cells show.

    Row by row, if no row was left out, and all columns that it left alone are those of the input.
    """
    folder = read_folder(path)
    stated, data = folder.certificate, folder.frame(folder.data)
    frame = table.release.sides.input
    rest: JsonValues = next(c for c in stated.claims if c.name == "nothing-else-changed").parameters
    changed = {*claimed["quasi"], *rest["dropped"], *rest["text"], claimed["person"]}
    alone = [name for name in data.columns if name not in changed]
    moved = stated.stages[0].parameters.get("shuffle", False)
    if claimed["text"] or moved or data.height != frame.height or not _same(data, frame, alone):
        raise BadInput(
            "has texts, shuffled rows, or other rows than this input: its classes cannot be told "
            "without its private folder",
            where=str(path),
            remedy="put its private folder beside it",
        )
    groups, numbers = table.source.groups, dict[Hashable, int]()
    cells = data.select(claimed["quasi"]).iter_rows()
    classes = [numbers.setdefault(repr(one), len(numbers)) for one in cells]
    if groups is None:
        return by_content(table, enumerate(classes))
    return dict(zip(map(str, groups), classes, strict=True))


def _same(one: pl.DataFrame, other: pl.DataFrame, names: Sequence[str]) -> bool:
    return all(name in other.columns and one[name].equals(other[name]) for name in names)
