"""Checks of the parameters of `generalize`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from pathlib import Path
from typing import Literal, get_args

from ...core.errors import BadInput
from ...core.options import check_kinds, check_mark, choose
from ...core.segments import Segment
from ...ontologies import Ontology, Volume, key_of, read_ontology, wordnet
from ...ontologies.readings import keys_of

Objective = Literal["uniform", "smallest"]
Search = Literal["exact", "lub", "exhaustive"]
Unknown = Literal["suppress", "keep", "fail"]
Guarantee = Literal["published", "plausible"]

# What belongs to the paper's guarantee, and its usual value.
OF_THE_PAPER = {
    "objective": "uniform", "search": "exact", "alpha": 0.5, "volume": "leaves", "frequencies": None
}  # fmt: skip

LARGEST_T = 1 << 40


def check_choices(
    objective: str, search: str, volume: str, unknown: str, segment: str, sense: object
) -> None:
    """Refuses names that are none of the choices."""
    choose("objective", objective, get_args(Objective))
    choose("search", search, get_args(Search))
    choose("volume", volume, get_args(Volume))
    choose("unknown", unknown, get_args(Unknown))
    choose("segment", segment, get_args(Segment))
    if not isinstance(sense, Mapping):
        choose("sense", sense, ["context", "first"])


RERUN = (
    "frequencies measures what a reader finds likely; whoever runs the method again on the base "
    "texts may still find out which it was: only guarantee='published' withstands that"
)


def check_guarantee(
    guarantee: Guarantee | None, given: Mapping[str, object]
) -> tuple[Guarantee, str | None]:
    """The guarantee asked for, and what must be told of it: the paper's options select the paper's.

    >>> check_guarantee(None, {"search": "exact", "alpha": 0.5})
    ('published', None)
    >>> check_guarantee(None, {"search": "lub"})[0]
    'plausible'
    >>> check_guarantee("plausible", {"frequencies": {"ache": 2}})[1][:40]
    'frequencies measures what a reader finds'
    """
    others = [name for name, value in given.items() if value != OF_THE_PAPER[name]]
    if guarantee is not None:
        choose("guarantee", guarantee, get_args(Guarantee))
    if not others:
        return guarantee or "published", None
    if guarantee == "published":
        raise BadInput(
            f"belongs to the guarantee plausible: {', '.join(others)}",
            where="guarantee",
            remedy="drop it, or use guarantee='plausible'",
        )
    if guarantee is None:
        return "plausible", (
            f"{', '.join(others)} selected guarantee='plausible': at least t base texts generalise "
            "to the text, but fewer may be published as it"
        )
    return "plausible", RERUN if "frequencies" in others else None


def check_t(t: object, where: str = "t") -> int:
    """A threshold: a whole number from 1 to 2^40.

    >>> check_t(32)
    32
    """
    if isinstance(t, bool) or not isinstance(t, Integral):
        raise BadInput(f"expected a whole number, found {type(t).__name__}", where=where)
    if not 1 <= int(t) <= LARGEST_T:
        raise BadInput(
            f"must be 1 to {2**40:,}, found {int(t):,}", where=where, remedy="10 to 1000 is usual"
        )
    return int(t)


def check_numbers(alpha: float, min_volume: int, mask: str) -> None:
    """Refuses an alpha outside [0, 1], a volume below 1 and an empty mask."""
    check_kinds(number={"alpha": alpha}, text={"mask": mask})
    if not 0 <= alpha <= 1:
        raise BadInput(f"must be 0 to 1, found {alpha}", where="alpha", remedy="0.5 is usual")
    check_t(min_volume, "min_volume")
    check_mark("mask", mask)
    if any(c.isalnum() for c in mask):
        raise BadInput(
            "the mask must be marks, not letters or digits", where="mask", remedy="★ is usual"
        )


def thresholds(t: int | Sequence[object], single: bool, document: int, segments: int) -> list[int]:
    """T of every segment of a document.

    One number holds for all. A sequence has one entry per document (per segment if the input is
    one str); an entry may itself be a sequence with one number per segment.

    >>> thresholds([8, [4, 2]], False, 1, 2)
    [4, 2]
    """
    if not isinstance(t, Sequence):
        return [check_t(t)] * segments
    here: object = t if single else t[document]
    if not isinstance(here, Sequence):
        return [check_t(here, f"t[{document}]")] * segments
    if len(here) != segments:
        raise BadInput(
            f"expected {segments} numbers, one per segment, found {len(here)}",
            where=f"t of document {document}",
        )
    return [check_t(one, f"t of document {document}") for one in here]


def word_thresholds(t_words: Mapping[str, int] | None) -> dict[str, int]:
    """The least volume of each named word, by key; a named plural stands for its singular too."""
    result: dict[str, int] = {}
    if t_words is not None and not isinstance(t_words, Mapping):
        raise BadInput(
            f"expected words and numbers, found {type(t_words).__name__}", where="t_words"
        )
    check_kinds(text={f"t_words, entry {i}": word for i, word in enumerate(t_words or ())})
    for word, t in (t_words or {}).items():
        keys, _ = keys_of(key_of(word).split())
        if not keys:
            raise BadInput("a word has no letters", where="t_words")
        for key in keys:
            result[key] = max(result.get(key, 1), check_t(t, "t_words"))
    return result


def check_own_are_marked(t_words: Mapping[str, int] | None, words: object) -> None:
    """Refuses a threshold for a word that the list of words would leave as it is."""
    if not t_words or not isinstance(words, Sequence):
        return
    if not all(isinstance(word, str) for word in words):
        return
    marked = {key for word in words for key in keys_of(key_of(word).split())[0]}
    for i, word in enumerate(t_words):
        if not marked.intersection(keys_of(key_of(word).split())[0]):
            raise BadInput(
                "a word with a t of its own is not among the words to generalise",
                where=f"t_words, entry {i}",
                remedy="list it in words too",
            )


def check_ontology(ontology: Ontology | str | Path | None) -> Ontology:
    """WordNet by default; a path is read."""
    if ontology is None:
        return wordnet()
    if isinstance(ontology, (str, Path)):
        return read_ontology(ontology)
    if not hasattr(ontology, "senses"):
        raise BadInput(
            f"expected a file or an ontology, found {type(ontology).__name__}", where="ontology"
        )
    return ontology
