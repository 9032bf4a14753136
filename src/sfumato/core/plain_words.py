"""What names and numbers of certificates are called in plain words."""

from __future__ import annotations

from collections.abc import Mapping

from . import numbers

WORDS = {
    "k": "k",
    "t": "t",
    "suppressed": "symbols starred",
    "suppressed_ratio": "share of symbols starred",
    "unsuppressed_ratio": "share of symbols that stay legible",
    "legible_in_copies": "share of the legible letters in passages copied from other texts",
    "guess_rate": "share of starred symbols that a model of the release guesses",
    "redacted": "characters redacted",
    "redacted_share": "share of characters redacted",
    "cost": "cost that the method minimises",
    "NCP": "detail lost in columns and texts",
    "NCP_least": "least detail that any release with this k must lose",
    "NCP_A": "detail lost in the columns",
    "NCP_X": "detail lost in the terms of the texts",
    "classes": "classes of people who look alike",
    "mean_class_size": "people in a class, on average",
    "sd_class_size": "people in a class, standard deviation",
    "splits_relational": "divisions of people by a column",
    "splits_textual": "divisions of people by a term",
    "log2_base_texts": "base texts of the least protected segment",
    "log2_without_hyponyms": "the same without more specific words",
    "documents_all_starred": "documents starred completely",
    "separators_blanked": "punctuation marks written as blanks",
    "copied_words": "words in passages copied from other texts",
    "exempt_terms": "listed terms exempt from the claim",
    "dates_shifted": "dates moved",
    "dates_unread": "dates that could not be read",
    "length_change": "change of the number of symbols",
    "distortion": "distortion (sum of squared changes of frequency)",
    "lost": "lost (patterns frequent in the original only)",
    "ghosts": "ghosts (patterns frequent in the release only)",
    "invented": "invented symbols",
    "marked": "marked words",
    "unknown": "marked words that the ontology lacks",
    "unchanged": "marked words left as they are",
    "runs": "runs of stars",
    "persons": "people",
    "changed_share": "share of characters changed",
    "changed_symbols": "characters changed",
    "invented_symbols": "symbols invented",
    "masked_share": "share of symbols masked",
    "precision": "precision: hidden tokens that identify",
    "recall": "recall: identifying tokens that are hidden",
    "f1": "F1, the harmonic mean of both",
    "right": "identifying tokens that are hidden",
    "wrong": "other tokens that are hidden",
    "missed": "identifying tokens that can be read",
    "direct_recall": "direct identifiers that are hidden (recall)",
    "quasi_recall": "quasi-identifiers that are hidden (recall)",
    "direct_entities": "direct identifiers",
    "quasi_entities": "quasi-identifiers",
    "mention_recall": "mentions that are hidden (recall)",
    "token_recall": "tokens of mentions that are hidden (recall)",
    "weighted_precision": "precision, rare tokens weighted more",
    "rounds": "rounds until nothing more had to be starred",
    "replaced": "places replaced",
    "overlapping": "overlapping terms, starred",
    "direct": "direct identifiers starred",
    "spans": "spans found or listed",
    "list_share": "share of the list's characters that are redacted",
    "list_stars_over_bound": "stars in the list, as a multiple of the fewest possible",
    "generalized": "words made more general",
    "hidden": "places of sensitive patterns",
    "released_symbols": "symbols of the release",
    "patterns": "sensitive patterns",
    "separators": "separators left in",
    "people_suppressed": "people left out as outliers",
    "segments_with_known_words": "segments with a marked word that the ontology knows",
}
SHARES = ("share", "ratio", "_rate", "recall", "precision")
DETAIL = ("NCP", "NCP_least", "NCP_A", "NCP_X")


def plain(name: object) -> str:
    """A name of ours as people read it; what stands after a colon is a name of the user's.

    >>> plain("loss_by_column"), plain("unsuppressed_ratio")
    ('loss by column', 'share of symbols that stay legible')
    >>> plain("NCP_A:marital_status")
    'detail lost in the columns: marital_status'
    """
    ours, colon, theirs = str(name).partition(":")
    said = WORDS.get(ours, ours.replace("_", " "))
    return f"{said}: {theirs}" if colon else said


def number(value: object) -> str:
    """A number as people read it, other values as they are.

    >>> number(12345), number(0.123456), number(True), number(None), number(["a", 1])
    ('12,345', '0.123', 'yes', '–', 'a, 1')
    """
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return numbers.number(value)
    if isinstance(value, (list, tuple)):
        return ", ".join(number(one) for one in value) or "none"
    if isinstance(value, dict):  # by columns, labels or words of the user
        return ", ".join(f"{name}: {number(one)}" for name, one in value.items()) or "none"
    return str(value)


def listed(values: Mapping[str, object]) -> str:
    """Several values beside their names, which are ours.

    >>> listed({"smallest_class": 5, "by_column": {"stay_in_days": 2}})
    'smallest class: 5, by column: stay_in_days: 2'
    """
    return ", ".join(f"{plain(name)}: {number(one)}" for name, one in values.items()) or "none"


def measured(name: object, value: object) -> str:
    """A value beside its name: shares in percent, counts that are known by their logarithms as
    counts, all else as `number` has it.

    >>> measured("changed_share", 0.0236), measured("NCP", 0.713), measured("stop_words", 12)
    ('2.4%', '71%', '12')
    >>> measured("log2_base_texts", 14.92), measured("legible_in_copies", 0.488)
    ('31,000', '49%')
    """
    if isinstance(value, float) and str(name).startswith("log2_"):
        return numbers.power_of_two(value)
    if isinstance(value, float) and 0 <= value <= 1 and _is_share(str(name)):
        return numbers.percent(value)
    return number(value)


def _is_share(name: str) -> bool:
    """Whether a figure is one of a whole: its name ends so, or its words call it a share."""
    ours = name.partition(":")[0]
    return name.endswith(SHARES) or ours in DETAIL or plain(ours).startswith("share of")
