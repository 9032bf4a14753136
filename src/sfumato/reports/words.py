"""What names and numbers of certificates are called in plain words."""

from __future__ import annotations

WORDS = {
    "k": "k",
    "t": "t",
    "suppressed": "symbols starred",
    "suppressed_ratio": "share of symbols starred",
    "unsuppressed_ratio": "share of symbols left legible",
    "guess_rate": "share of stars a model of the release guesses right",
    "redacted": "characters redacted",
    "redacted_share": "share of characters redacted",
    "cost": "objective of the method",
    "NCP": "loss of the records (NCP)",
    "NCP_A": "loss of the columns (NCP of A)",
    "NCP_X": "loss of the terms in texts (NCP of X)",
    "sd_class_size": "standard deviation of the class size",
    "splits_relational": "splits on columns",
    "splits_textual": "splits on terms",
    "runs": "runs of stars",
    "persons": "people",
    "changed_share": "share of symbols changed",
    "changed_symbols": "symbols changed",
    "masked_share": "share of symbols masked",
    "f1": "F1",
    "direct_recall": "recall of direct identifiers",
    "quasi_recall": "recall of quasi-identifiers",
    "mention_recall": "recall of mentions",
    "token_recall": "recall of tokens",
    "weighted_precision": "precision by information content",
}
SHARES = ("share", "ratio", "_rate", "recall", "precision")


def plain(name: object) -> str:
    """A name as people read it.

    >>> plain("loss_by_column"), plain("unsuppressed_ratio")
    ('loss by column', 'share of symbols left legible')
    """
    text = str(name)
    return WORDS.get(text, text.replace("_", " "))


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
        return f"{value:,.0f}" if value.is_integer() else f"{value:,.3g}"
    if isinstance(value, (list, tuple)):
        return ", ".join(number(one) for one in value) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{plain(name)}: {number(one)}" for name, one in value.items()) or "none"
    return str(value)


def measured(name: object, value: object) -> str:
    """A value beside its name: shares in percent, all else as `number` has it.

    >>> measured("changed_share", 0.0236), measured("NCP", 0.713), measured("stop_words", 12)
    ('2.4%', '0.713', '12')
    """
    if isinstance(value, float) and 0 <= value <= 1 and str(name).endswith(SHARES):
        return percent(value)
    return number(value)


def percent(value: float | None) -> str:
    """A share in percent, with as many digits as it needs.

    >>> percent(0.5), percent(0.0123), percent(None)
    ('50%', '1.2%', '–')
    """
    if value is None:
        return "–"
    shown = 100 * value
    return f"{shown:.0f}%" if shown >= 10 or shown == round(shown) else f"{shown:.2g}%"
