"""Verbs for `map` of Hugging Face datasets: a column of the whole dataset at once.

    from sfumato.datasets import mapped
    released = dataset.map(mapped("suppress", "text", k=5), batched=True, batch_size=None)

What is shared by k is counted in what the function is given, so that it takes one batch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .core.errors import BadInput, NotVerified
from .methods import method
from .verification import verify


def mapped(
    verb: str, column: str, groups: str | None = None, **options: object
) -> Callable[[Mapping[str, list[object]]], dict[str, list[object]]]:
    """A function for `map(..., batched=True, batch_size=None)`; it verifies what it gives.

    `groups` names the column that says whose record it is.

    >>> change = mapped("suppress", "note", groups="who", k=2)
    >>> change({"who": ["a", "b", "c"], "note": ["the cat", "the dog", "the cat"]})
    {'note': ['the cat', 'the ★★★', 'the cat']}
    >>> change({"who": ["d"], "note": ["the cow"]})
    Traceback (most recent call last):
    sfumato.core.errors.BadInput: map: a second batch: what is shared is counted in one; say ...
    """
    seen: list[int] = []

    def change(batch: Mapping[str, list[object]]) -> dict[str, list[object]]:
        for name in (column, *([] if groups is None else [groups])):
            if name not in batch:
                raise BadInput(f"no column is named {name!r}", where="map", remedy="name one")
        if seen:
            raise BadInput(
                "a second batch: what is shared is counted in one",
                where="map",
                remedy="say batched=True, batch_size=None, and one process",
            )
        seen.append(len(batch[column]))
        given = options if groups is None else {**options, "groups": list(batch[groups])}
        texts = list(batch[column])
        release = method(verb).call()(texts, **given)
        for verdict in verify(texts, release):
            if not verdict.holds:
                raise NotVerified(f"{verdict.claim.name} does not hold: {verdict.reason}")
        return {column: list(release.data)}

    return change
