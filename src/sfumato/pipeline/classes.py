"""Two groupings of the same people: who holds both knows the class of each in both."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import BadInput, CannotBeMet
from . import received
from .folder import classes_of_people

if TYPE_CHECKING:
    from .run import Done


def together(previous: Sequence[str | Path], done: Sequence[Done]) -> list[dict[str, Any]]:
    """Judges the groupings of this release and of each earlier one, pair by pair and all at once.

    People are alike for who holds all releases if they share the class in each, where being absent
    from a release is a class of its own: who knows that somebody was not in it looks among the
    absent ones. Every such group must have the smallest k of the releases.
    """
    if len(done) > 1:
        raise _texts_not_compared()
    groupings, ks, names = [classes_of_people(done[0])], [_k(done[0].release.claims)], []
    for path in previous:
        found, k = _earlier(Path(path))
        groupings.append(found)
        ks.append(k)
        names.append(Path(path).name)
    sizes = crowds(groupings)
    smallest, k = min(sizes.values()), min(ks)
    if smallest < k:
        raise CannotBeMet(
            f"{sum(size < k for size in sizes.values())} groups of people that no release tells "
            f"apart alone are told apart by all together, the smallest {smallest}, k is {k}; "
            "nothing was written",
            remedy="release the same people with the same schema and seed, or only new people",
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


def _texts_not_compared() -> BadInput:
    return BadInput(
        "texts that suppress starred after anonymize, here or earlier, are not compared",
        where="--previous",
        remedy="release the table without its texts, or without --previous",
    )


def crowds(groupings: Sequence[Mapping[str, int]]) -> Counter[tuple[int | None, ...]]:
    """How many people share the class in every grouping; None is to be absent from one.

    >>> sorted(crowds([{"a": 0, "b": 0, "c": 1}, {"a": 0, "b": 0}]).values())
    [1, 2]
    """
    everybody = sorted(set().union(*groupings))
    return Counter(tuple(one.get(person) for one in groupings) for person in everybody)


def _k(claims: Any) -> int:
    return next(int(str(c.parameters["k"])) for c in claims if c.name == "k-anonymity")


def _earlier(folder: Path) -> tuple[dict[str, int], int]:
    received.check_sums(folder)
    stated = received.read_certificate(folder / "certificate.json")
    path = folder.with_name(folder.name + ".private") / "people.json"
    claims = [c for c in stated["claims"] if c["name"] == "k-anonymity"]
    if not claims or not path.is_file():
        raise BadInput(
            "is no release of a table with its private folder beside it",
            where=str(folder),
            remedy="compare tables with tables, texts with texts",
        )
    if len(stated["stages"]) > 1:
        raise _texts_not_compared()
    return json.loads(path.read_text("utf-8")), int(claims[0]["parameters"]["k"])
