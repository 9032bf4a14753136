"""The readings of a document of which nobody kept a record: what each place may have meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product
from typing import TYPE_CHECKING

from ..ontologies import key_of
from .base_values import keys_of
from .published_texts import Document, Resolve, counted

if TYPE_CHECKING:
    from .own_groups import Groups

MOST = 2000  # readings of a document that are tried


def read_blind(
    document: Document,
    meanings: Sequence[Sequence[int]],
    replacements: Mapping[int, str],
    groups: Groups,
) -> Iterator[tuple[Document, Resolve]]:
    """The document with its meanings numbered, where nobody kept a record: readings that fit.

    `meanings` has, for every place, those that what was written there stands above. Places with the
    same ones are one meaning; forms that share some are, in a second try. Then every form is given
    one of its meanings after another.
    """
    words = [key_of(replacements.get(place.start, "")) for place in document.found]
    sets = [frozenset(some) for some in meanings]
    for together in (False, True):
        numbers = _numbered(sets, together)
        found = [
            replace(place, node=number if some else None)
            for place, number, some in zip(document.found, numbers, sets, strict=True)
        ]
        candidates = {n: (some, w) for n, some, w in zip(numbers, sets, words, strict=True)}
        tried = replace(document, found=found)
        yield from _fitting(tried, _by_words(candidates, groups), groups)
    for nodes in islice(_assigned(document, sets), MOST):
        found = [replace(one, node=node) for one, node in zip(document.found, nodes, strict=True)]
        written = {place.start: document.text[place.start : place.stop] for place in found}
        many = frozenset(
            place.start
            for place in found
            if place.node is not None
            and place.node not in groups.ontology.senses(keys_of(written[place.start])[0])
        )
        shown = dict(zip(nodes, words, strict=True))
        candidates = {n: (frozenset([n]), w) for n, w in shown.items() if n is not None}
        tried = replace(document, found=found, many=many, unsure=frozenset())
        yield from _fitting(tried, _by_words(candidates, groups), groups)


def _fitting(
    document: Document, resolve: Resolve, groups: Groups
) -> Iterator[tuple[Document, Resolve]]:
    """The document with the groups of its meanings, if they are written so."""
    try:
        chosen = counted(document, groups, resolve)
    except KeyError:
        return
    named = [
        place if place.node is None else replace(place, general=chosen[place.node].general)
        for place in document.found
    ]
    yield replace(document, found=named), resolve


def _assigned(
    document: Document, sets: Sequence[frozenset[int]]
) -> Iterator[tuple[int | None, ...]]:
    """Every way to give each form one of the meanings that it may have."""
    forms = [
        (key_of(document.text[place.start : place.stop]), some)
        for place, some in zip(document.found, sets, strict=True)
    ]
    distinct = list(dict.fromkeys(forms))
    choices: list[list[int | None]] = [[*sorted(some)] or [None] for _, some in distinct]
    for chosen in product(*choices):
        node = dict(zip(distinct, chosen, strict=True))
        yield tuple(node[form] for form in forms)


def _numbered(sets: Sequence[frozenset[int]], together: bool) -> list[int]:
    """A number for every set: equal ones have the same; those that meet too, if taken together."""
    first: dict[object, int] = {}
    result = []
    for number, some in enumerate(sets):
        keys: list[object] = list(some) if together else [some]
        known = [first[key] for key in keys if key in first]
        chosen = min(known, default=number)
        for key in keys:
            first.setdefault(key, chosen)
        result.append(chosen)
    return result


def _by_words(candidates: Mapping[int, tuple[frozenset[int], str]], groups: Groups) -> Resolve:
    def resolve(number: int, size: int, many: bool) -> int:
        nodes, written = candidates[number]
        forms = keys_of(written)
        for node in sorted(nodes):
            general = groups.of_size(size, many).group[node]
            if keys_of(groups.word(size, many, general))[0] in forms:
                return general
        raise KeyError(number)

    return resolve
