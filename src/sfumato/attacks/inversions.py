"""The inversions of `redact`, `generalize` and `sanitize` as attacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import meanings, patterns, terms
from .result import AttackResult

if TYPE_CHECKING:
    from ..core.release import Release
    from ..core.values import Data


PLACES = 200  # at which the method is run again


def redacted_terms(release: Release) -> AttackResult:
    """Which term stands behind each published string, guessed by the words beside it.

    What is left to guess from is counted twice: the terms published as a string, and of these the
    ones with which the method, run again, releases the same text.

    The baseline takes one of the string's terms blindly. The control has the same words beside a
    term of which nothing was published: what these words alone give away.

    >>> import sfumato as sf
    >>> texts = ["our crew left", "our crew left", "a craw bled"]
    >>> result = redacted_terms(sf.redact(texts, ["crew", "craw"], k=2))
    >>> result.trials, result.baseline, result.detail["exposed_strings"]
    (3, 0.5, 0)
    """
    guesses, inversion = terms.guess_by_context(release), terms.invert_release(release)
    again = terms.rerun(release, PLACES)
    return AttackResult.of(
        "redact-inversion",
        guesses.right,
        guesses.guessed,
        baseline=guesses.chance,
        unit="term",
        background="the list, and the words beside each term in other documents",
        control=(terms.guess_without_string(release), guesses.guessed),
        control_of="terms of which no string is published",
        detail={
            "strings": inversion.strings,
            "exposed_strings": inversion.exposed,
            "fewest_terms": inversion.fewest,
            "places_run_again": again.places,
            "exposed_places": again.exposed,
            "fewest_candidates": again.fewest,
        },
    )


def generalized_words(release: Release, sample: int) -> AttackResult:
    """Of how many documents fewer than t base texts are published as they are.

    The method is run again on base texts. There is no control: whoever is not in the data has no
    text that could be undone.

    >>> import sfumato as sf
    >>> release = sf.generalize(["Had tuberculosis"], words=["tuberculosis"])
    >>> result = generalized_words(release, 10)
    >>> result.success, result.detail["fewest_base_texts"]
    (0.0, 32)
    """
    found = meanings.rerun(release, sample)
    return AttackResult.of(
        "generalize-inversion",
        found.exposed,
        found.documents,
        baseline=0.0,
        unit="document",
        background="the ontology, the method and the marked places",
        detail={"fewest_base_texts": found.fewest},
    )


def sanitized_patterns(original: Data, release: Release, seed: int = 0) -> AttackResult:
    """At how many suspected places undoing rule R1 gives a sensitive pattern.

    The control undoes as many places at which nothing was written; the baseline is the share of
    a sequence's windows that are sensitive in the original. Cost: as `patterns.undo`.

    >>> import sfumato as sf
    >>> text = "aabaaacbcbbbaabbacaab"
    >>> sanitized_patterns(text, sf.sanitize(text, ["baaa", "bbaa"], "tfs")).success
    1.0
    """
    found = patterns.undo(original, release)
    blind = patterns.undo_anywhere(original, release, found.suspected, seed)
    return AttackResult.of(
        "sanitize-inversion",
        found.restored,
        found.suspected,
        baseline=found.sensitive_occurrences / max(1, blind.windows),
        unit="place",
        background="the method",
        control=(blind.restored, blind.tried),
        control_of="places at which nothing was written",
        detail={
            "recovered": found.recovered,
            "recovered_share": found.recovered_share,
            "sensitive_occurrences": found.sensitive_occurrences,
        },
    )
