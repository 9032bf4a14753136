"""What claims about texts need beside the texts, read from the files that hold it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..claims import Side
from ..core.errors import BadInput
from ..core.release import Sides
from ..methods import method
from .certificate import sides_of

if TYPE_CHECKING:
    from ..core.values import JsonObject
    from ..formats import Source
    from .certificate import Certificate
    from .inputs import Inputs


def sides_for(certificate: Certificate, given: Inputs, original: Source) -> Sides:
    """The side inputs of claims about texts, as the verb had them."""
    found = {
        **meanings(certificate, given),
        **term_lists(certificate, given, original),
        **_listed_spans(certificate, given, original),
        **_returned(certificate, given, original),
    }
    return Sides(groups=original.groups, **found)


def term_lists(
    certificate: Certificate, given: Inputs, original: Source | None = None
) -> JsonObject:
    """The terms, their strings, the direct identifiers and spans that claims about terms need.

    Without the original, spans are not looked up.
    """
    claims = [claim for claim in certificate.claims if Side.TERMS in sides_of(claim)]
    if not claims:
        return {}
    from ..claims.terms import TermParameters
    from ..core.method import MethodInput
    from ..methods.terms.method import Options, lists_of
    from ..methods.terms.publication import Plan, Strings
    from ..recognizers.files import spans_with_role

    stated = TermParameters.of(claims[0])
    spans = given.spans if original is not None else None
    _require_lists(certificate, given, spans, stated.direct)
    preset = str(certificate.parameters.get("preset", "default"))
    found = lists_of(
        MethodInput(
            options=Options(
                terms=None if given.terms is None else str(given.terms),
                direct=None if given.direct is None else str(given.direct),
                whole_words=stated.whole_words,
                fold_case=stated.fold_case,
                fold_width=stated.fold_width,
            ),
            data=original,
            file=lambda name: None if name is None else Path(name),
            reviewed=None
            if spans is None or original is None
            else lambda roles: spans_with_role(spans, original, roles, preset),
        )
    )
    dictionary = found.dictionary
    plan = Plan(
        stated.guarantee,
        stated.k,
        stated.rare_lengths,
        stated.whole_words,
        stated.candidates is not None,  # version 0.1 made its strings otherwise
    )
    strings = Strings(dictionary.publication(plan), dictionary.terms, stated.mask)
    lists: JsonObject = {"terms": dictionary.terms, "published": strings}
    if stated.direct:
        lists["direct"] = found.direct
    if stated.spans:
        lists["spans"] = [(span.document, span.start, span.stop) for span in found.spans]
    return lists


def _require_lists(
    certificate: Certificate, given: Inputs, spans: str | None, direct: bool
) -> None:
    if "preset" in certificate.parameters and spans is None:
        raise BadInput("the claim is about spans", where="--spans", remedy="name their file")
    needed: list[tuple[str, object]] = [("--terms", given.terms or spans)]
    needed += [("--direct", given.direct)] if direct else []
    for name, path in needed:
        if path is None:
            raise BadInput("the claim is about this list", where=name, remedy="name its file")


def _listed_spans(certificate: Certificate, given: Inputs, original: Source) -> JsonObject:
    """The spans that other claims than those about terms speak of."""
    listed = any(claim.parameters.get("spans") for claim in certificate.claims)
    if not listed or Side.TERMS in certificate.needed:
        return {}
    has_mapping = Side.CHANGES in certificate.needed
    if given.spans is None and has_mapping:  # which has them as well
        return {}
    if given.spans is None:
        raise BadInput("the claim is about spans", where="--spans", remedy="name their file")
    from ..recognizers.files import spans_with_role
    from ..recognizers.weekdays import with_weekdays

    preset = str(certificate.parameters.get("preset", "default"))
    roles = method(certificate.verb).roles
    found = spans_with_role(given.spans, original, roles, preset)
    if any(claim.parameters.get("dates") == "shift" for claim in certificate.claims):
        found = with_weekdays(original.filled, found)  # the method takes them with the dates
    if has_mapping:  # the kinds of spans say which of them stay
        return {"spans": [(one.document, one.start, one.stop, one.label) for one in found]}
    return {"spans": [(span.document, span.start, span.stop) for span in found]}


def _returned(certificate: Certificate, given: Inputs, original: Source) -> JsonObject:
    """What was given back, found in the original as the release found it; other spans are left."""
    k = certificate.parameters.get("give_back")
    if Side.GIVEN_BACK not in certificate.needed or not isinstance(k, int):
        return {}
    from ..recognizers import spans_of
    from ..recognizers.files import spans_with_role
    from ..recognizers.give_back import given_back

    named = given.recognizer or certificate.parameters.get("recognizer")
    if given.spans is not None:
        roles = method(certificate.verb).roles
        preset = str(certificate.parameters.get("preset", "default"))
        found = spans_with_role(given.spans, original, roles, preset)
    elif isinstance(named, str) and named != "given":
        found = spans_of(named, original.filled, None, original.groups)
    else:
        raise BadInput("the claim is about spans", where="--spans", remedy="name their file")
    kept, back = given_back(found, original.filled, k, original.groups)
    if given.spans is None or Side.CHANGES not in certificate.needed:
        return {"given_back": back}
    places = [(one.document, one.start, one.stop, one.label) for one in kept]
    return {"given_back": back, "spans": places}


def meanings(certificate: Certificate, given: Inputs) -> JsonObject:
    """What claims of `generalize` are about: the ontology, the words' counts and thresholds."""
    return {**_meanings(certificate, given), **_thresholds(certificate, given)}


def _meanings(certificate: Certificate, given: Inputs) -> JsonObject:
    private: dict[str, object] = {}
    if given.ontology is not None:
        from ..ontologies import read_ontology
        from ..ontologies.format_1 import with_levels

        found = read_ontology(given.ontology)
        private["ontology"] = with_levels(found) if certificate.format == 1 else found
    if given.frequencies is not None:
        from ..methods.meanings.method import read_frequencies

        private["frequencies"] = list(read_frequencies(given.frequencies).items())
    return private


def _thresholds(certificate: Certificate, given: Inputs) -> JsonObject:
    """The thresholds of single words that claims of `generalize` are about."""
    if not certificate.parameters.get("words_with_own_t"):
        return {}
    if not given.t_words:
        raise BadInput(
            "the claim is about words with thresholds of their own",
            where="--t-word",
            remedy="repeat those of the release",
        )
    return {"t_words": sorted(given.t_words.items())}
