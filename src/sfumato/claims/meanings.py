"""Words became more general: how many texts the release could come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..core.figures import LISTED, chosen
from ..core.stated_parameters import StatedParameters
from .claim_kind import ClaimKind, Parameters, Side, Statement, told


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MeaningParameters(StatedParameters):
    """A claim about the base texts of generalised words."""

    t: object
    """One number, or one for each document or segment."""
    segment: Literal["document", "paragraph", "sentence"]
    min_volume: int
    unknown: str
    mask: str
    ontology_sha256: str
    frequencies: bool
    words_with_own_t: bool
    guarantee: str = "plausible"
    spans: bool = False
    counted: bool = True


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PlausibleParameters(MeaningParameters):
    """The same of the guarantee `plausible`; format 1 also stated the bits that it counted."""

    volume: str
    log2_base_texts: float = 0.0
    log2_without_hyponyms: float = 0.0


READINGS = {
    "leaves": "leaf meanings below the general word, and the word itself",
    "level": "meanings as many levels below the general word as the word is",
}

NONE_MARKED = "segments without a marked word that the ontology knows are exempt"
UNDONE = "Whoever runs the method again on the base texts may find out which it was."


def _words(given: Parameters) -> Statement:
    if not given.get("counted", True):
        ontology = given["ontology"]
        return Statement(
            f"None of the marked words is in {ontology}: no number of base texts is claimed.",
            tuple(_of_unknown(given)),
        ).once(f"{ontology} knows none of the marked words: no number of base texts is claimed.")
    return _published(given) if given.get("guarantee") == "published" else _plausible(given)


def _published(given: Parameters) -> Statement:
    t = given["t"] if isinstance(given["t"], int) else "the given number of"
    segment, ontology = given["segment"], given["ontology"]
    assumed = [
        "a base text has the same unmarked text and the same marked places, and different words "
        "where this one has different words",
        "base values are the meanings that are the only one of some word",
        NONE_MARKED,
    ]
    before = [
        "base texts have the unmarked text and the marked places of this one, and distinct words "
        "where it has",
        "base values are the meanings that some word has alone",
        NONE_MARKED,
    ]
    if segment != "document":
        assumed.append("words that stand only in other segments may be known")
        before.append("words that stand in other segments alone may be known")
    formerly = Statement(
        f"By its marked words that {ontology} knows, every {segment} is what the method publishes "
        f"of at least {t} base texts.",
        (*before, *_of_unknown(given)),
    )
    return Statement(
        f"Every {segment} is what the method publishes for at least {t} different base texts, "
        f"which differ in the marked words that {ontology} has.",
        (*assumed, *_of_unknown(given)),
        (formerly,),
    )


def _of_unknown(given: Parameters) -> list[str]:
    assumed = []
    if given["unknown"] == "suppress":
        assumed.append("marked words the ontology lacks are masked, and counted as one value")
    if given["unknown"] == "keep":
        assumed.append("marked words the ontology lacks stay as they are")
    if given["spans"]:
        assumed.append("the marked words are listed spans")
    return assumed


def _plausible(given: Parameters) -> Statement:
    t = given["t"] if isinstance(given["t"], int) else "the given number of"
    if given["frequencies"]:
        what = f"has an entropy of at least log2 of {t} base texts"
        now = f"is as uncertain as {t} equally likely base texts, or more"
    else:
        now = what = f"could come from at least {t} base texts, the original among them"
    segment, ontology = given["segment"], given["ontology"]
    values = f"Base values are the {READINGS[str(given['volume'])]}."
    text = f"By its marked words that {ontology} knows, every {segment} {what}. {values}"
    if "log2_base_texts" in given:  # format 1 counted, and told by it what short texts had said
        text += (
            f" The least count is 2^{given['log2_base_texts']:.2f}; "
            f"2^{given['log2_without_hyponyms']:.2f} without the words' own hyponyms."
        )
        return Statement(text, tuple(_assumed(given)))
    said = (
        f"Every {segment} {now}. They differ in the marked words that {ontology} has. {values} "
        f"{UNDONE}"
    )
    return Statement(said, tuple(_assumed(given))).once(f"{text} {UNDONE}", text)


def _assumed(given: Parameters) -> list[str]:
    assumed = [
        "words are independent of each other and of the rest of the text",
        "equal meanings in a document count once",
        NONE_MARKED,
    ]
    if not given["frequencies"]:
        assumed.append("all base values are equally likely")
    if "log2_base_texts" in given:
        told_spans = f"the marked words are {given['spans']} listed spans"
        return [*assumed, told_spans] if given["spans"] else assumed
    return [*assumed, *_of_unknown(given)]


KINDS = (
    ClaimKind(
        name="t-plausibility",
        words=_words,
        check="verification.meanings:check_meanings",
        by_part=True,
        carries="verification.published_meanings:EarlierParts",
        needs=frozenset((Side.ORIGINAL, Side.ONTOLOGY)),
        needs_if={
            Side.FREQUENCIES: told("frequencies"),
            Side.THRESHOLDS: told("words_with_own_t"),
            Side.SPANS: told("spans"),
        },
        survives="only-hidden",
        stronger={"t": "more"},
        settings=frozenset(("t", "guarantee", "segment", "volume", "min_volume", "unknown")),
        beside=frozenset(("unknown_words",)),  # format 1 told how many words the ontology lacks
        public={
            **chosen("t segment volume path min_volume unknown guarantee", "what is claimed"),
            **chosen("ontology ontology_sha256", "which words stand above which"),
            **chosen("frequencies words_with_own_t spans", LISTED),
            **chosen("counted", "whether the ontology knows any marked word: what is claimed"),
            **chosen("mask", "how the release is read"),
        },
    ),
)
