"""What the claims of single verbs need beside the texts, read from the files that hold it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.claims import Claim, Verdict
from ..core.errors import BadInput, NotVerified

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..core.release import Release
    from ..formats import Source
    from ..recognizers.roles import Role

# Which spans of a file the verb was given.
ROLES: dict[str, list[Role]] = {
    "suppress": ["direct"],
    "generalize": ["direct", "quasi"],
    "pseudonymize": ["direct", "quasi", "keep"],
}
# Claims of pseudonymize that spans alone do not settle.
LEFT = {"consistent-pseudonyms": "it needs --mapping and --key-file"}


def term_lists(
    stated: dict[str, Any],
    terms: Path | None,
    direct: Path | None,
    spans: str | None,
    original: Source | None,
) -> dict[str, Any]:
    """The terms, their strings, the direct identifiers and spans that claims about terms need."""
    claims = [claim for claim in stated["claims"] if claim["name"] == "term-k-anonymity"]
    if not claims:
        return {}
    from ..methods.terms.publication import Plan, Strings
    from .redact import read_lists

    given = claims[0]["parameters"]
    if "preset" in stated["parameters"] and spans is None:
        raise BadInput("the claim is about spans", where="--spans", remedy="name their file")
    needed = [("--direct", direct)] if given["direct"] else []
    for name, path in [("--terms", terms or spans), *needed]:
        if path is None:
            raise BadInput("the claim is about this list", where=name, remedy="name its file")
    preset = str(stated["parameters"].get("preset", "default"))
    reading = given["whole_words"], given["fold_case"], given["fold_width"]
    found = read_lists(terms, direct, spans, original, preset, *reading)
    dictionary = found.dictionary
    plan = Plan(given["guarantee"], given["k"], given["rare_lengths"])
    strings = Strings(dictionary.publication(plan), dictionary.terms, given["mask"])
    lists: dict[str, Any] = {"terms": dictionary.terms, "published": strings}
    if given["direct"]:
        lists["direct"] = found.direct
    if given.get("spans"):
        lists["spans"] = [(span.document, span.start, span.stop) for span in found.spans]
    return lists


def listed_spans(stated: dict[str, Any], path: str | None, original: Source) -> dict[str, Any]:
    """The spans that claims of suppress, generalize and pseudonymize are about."""
    if stated["verb"] not in ROLES or not any(
        claim["parameters"].get("spans") for claim in stated["claims"]
    ):
        return {}
    if path is None:
        if stated["verb"] == "pseudonymize":  # its mapping has them as well
            return {}
        raise BadInput("the claim is about spans", where="--spans", remedy="name their file")
    from .spans import spans_with_role

    preset = str(stated["parameters"].get("preset", "default"))
    found = spans_with_role(path, original, ROLES[stated["verb"]], preset)
    return {"spans": [(span.document, span.start, span.stop) for span in found]}


def judged_pseudonyms(
    release: Release, before: Source, after: Source, mapping: Path | None, key_file: Path | None
) -> tuple[Release, list[Claim], list[Verdict]]:
    """The release with what its mapping tells, the claims left unjudged, and what undoing gives."""
    if mapping is None or key_file is None:
        if "spans" not in release.private:
            raise BadInput(
                "where it was changed is not known",
                where="--mapping",
                remedy="give --mapping and --key-file, or the --spans it was made with",
            )
        kept = [claim for claim in release.claims if claim.name not in LEFT]
        left = [claim for claim in release.claims if claim.name in LEFT]
        return replace(release, claims=tuple(kept)), left, []
    from ..methods.pseudonyms.mapping import changes_of, read_mapping
    from ..methods.pseudonyms.pseudonymize import ONLY
    from .pseudonymize import read_key

    stated = read_mapping(mapping, read_key(key_file))
    old, new = ([text or "" for text in source.texts] for source in (before, after))
    changes = changes_of(stated, old, new)
    places = [(change.document, change.start, change.stop) for change in changes]
    claims, private = list(release.claims), dict(release.private)
    if "spans" not in private:  # then the places of the mapping are the listed ones
        private["spans"] = places
        here = {"spans": len(places)}
        claims = [
            replace(claim, statement=ONLY.format(**here), parameters=here)
            if claim.name == "only-spans-changed"
            else claim
            for claim in claims
        ]
    claim = Claim("undone-gives-original", undone(stated["files"], before.path))
    verdict = Verdict(claim, True, "undone", None, {"documents": len(old)})
    return (
        replace(release, claims=tuple(claims), changes=changes, private=private),
        [],
        [verdict],
    )


def undone(files: Mapping[str, str], original: Path | None) -> str:
    """What undoing gives, in words; an original that is another file is refused."""
    from ..formats import file_digests

    texts = "Undone by its mapping the release gives the texts of this original"
    if not files or original is None:
        return f"{texts}."
    if sorted(files.values()) != sorted(file_digests(original).values()):
        raise NotVerified("these are not the bytes that were pseudonymised", where=str(original))
    return f"{texts}, whose bytes are those that were pseudonymised."


def side_inputs(ontology: Path | None, frequencies: Path | None) -> dict[str, Any]:
    """What the claims of single verbs need beside the texts."""
    private: dict[str, Any] = {}
    if ontology is not None:
        from ..ontologies import read_ontology

        private["ontology"] = read_ontology(ontology)
    if frequencies is not None:
        from .generalize import read_frequencies

        private["frequencies"] = list(read_frequencies(frequencies).items())
    return private


def own_thresholds(stated: dict[str, Any], pairs: list[str]) -> dict[str, Any]:
    """The thresholds of single words that claims of `generalize` are about."""
    expected = stated["parameters"].get("words_with_own_t", 0)
    if not expected:
        return {}
    from .generalize import read_thresholds

    given = read_thresholds(pairs) or {}
    if len(given) != expected:
        raise BadInput(
            f"the claim is about {expected} words with thresholds of their own, found {len(given)}",
            where="--t-word",
            remedy="repeat those of the release",
        )
    return {"t_words": sorted(given.items())}
