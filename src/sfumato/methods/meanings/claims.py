"""What a generalised release claims, in words, and what it does not protect."""

from __future__ import annotations

from collections.abc import Mapping

from ...core.claims import Claim

READINGS = {
    "leaves": "leaf meanings below the general word, and the word itself",
    "level": "meanings as many levels below the general word as the word is",
}


def claims_of(
    parameters: Mapping[str, object], bits: Mapping[str, float], unknown: int
) -> tuple[Claim, ...]:
    """The claim of t-plausibility, with the reading of volume and both counts."""
    checked = (
        "t", "segment", "volume", "path", "ontology", "ontology_sha256", "min_volume", "unknown",
        "frequencies", "words_with_own_t", "spans", "mask",
    )  # fmt: skip
    given = {name: parameters[name] for name in checked} | dict(bits)
    t = parameters["t"] if isinstance(parameters["t"], int) else "the given number of"
    where = {"document": "every document"}.get(
        str(parameters["segment"]), f"every {parameters['segment']}"
    )
    if parameters["frequencies"]:
        what = f"has an entropy of at least log2 of {t} base texts"
    else:
        what = f"could come from at least {t} base texts, the original among them"
    statement = (
        f"By its marked words that {parameters['ontology']} knows, {where} {what}. "
        f"Base values are the {READINGS[str(parameters['volume'])]}. "
        f"The least count is 2^{bits['log2_base_texts']:.2f}; "
        f"2^{bits['log2_without_hyponyms']:.2f} without the words' own hyponyms."
    )
    assumptions = [
        "words are independent of each other and of the rest of the text",
        "equal meanings in a document count once",
        "segments without a marked word that the ontology knows are exempt",
    ]
    if not parameters["frequencies"]:
        assumptions.append("all base values are equally likely")
    if unknown and parameters["unknown"] == "suppress":
        assumptions.append(
            f"{unknown} words the ontology lacks are masked, and counted as one value"
        )
    if unknown and parameters["unknown"] == "keep":
        assumptions.append(f"{unknown} marked words the ontology lacks stay as they are")
    if parameters["spans"]:
        assumptions.append(f"the marked words are {parameters['spans']} listed spans")
    return (Claim("t-plausibility", statement, given, tuple(assumptions)),)


def not_protected(parameters: Mapping[str, object]) -> tuple[str, ...]:
    """What a reader may still learn."""
    result = [
        "words nobody marked",
        "against readers who know which base texts are unlikely"
        + ("" if parameters["frequencies"] else " (frequencies measures that)"),
        "what the general word itself says",
    ]
    if parameters["min_volume"] == 1:
        result.append("marked words that the optimum leaves as they are (min_volume=2)")
    if parameters["unknown"] == "keep":
        result.append("marked words that the ontology lacks")
    return tuple(result)
