"""Labels of people and groups: which of them are one, how many that makes; and of entity types.

Labels that differ by case, blanks, invisible characters, Unicode form or a decimal point alone are
one person's. Two people counted as one are the safe side: a crowd is never larger than it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING
from unicodedata import normalize

from .corpus import is_missing, values_of
from .errors import BadInput
from .letters import is_invisible

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .values import Data


def placeholder(label: str) -> str:
    """What stands for a term that is told by its entity type alone.

    Capitals and brackets tell it from the text around it; it is the same wherever it stands.

    >>> placeholder("PERSON"), placeholder("phone_number")
    ('[PERSON]', '[PHONE_NUMBER]')
    """
    return f"[{label.upper()}]"


def label_form(label: object) -> str:
    """What a label is but for case, blanks, invisible characters, Unicode form and a point.

    >>> {label_form(one) for one in ("p1", "P1 ", "p1\\u200b", "p\\u00ad1", "ｐ1")}
    {'p1'}
    >>> label_form(7.0), label_form("7.0"), label_form("7.5")
    ('7', '7', '7.5')
    """
    text = str(label)
    if text.isascii() and text.isalnum():
        return text.lower()
    if not text.isascii() or not text.isprintable():
        text = "".join(one for one in text if not is_invisible(one))
        text = normalize("NFKC", normalize("NFKC", text).casefold())
    form = " ".join(text.lower().split())
    whole, point, rest = form.partition(".")
    return whole if point and whole.lstrip("-").isdigit() and not rest.strip("0") else form


def group_labels(groups: Data, documents: int) -> NDArray[np.int32]:
    """Numbers the groups in order of appearance, one label per document.

    >>> group_labels(["ann", "bob", "Ann "], 3)
    array([0, 1, 0], dtype=int32)
    """
    import numpy as np

    values = values_of(groups, "groups")
    if len(values) != documents:
        raise BadInput(
            f"expected {documents} labels, one per document, found {len(values)}",
            where="groups",
            remedy="give one label for every document, in the same order",
        )
    labels = np.empty(documents, np.int32)
    known: dict[object, int] = {}  # as written, which is quicker than its form
    forms: dict[str, int] = {}
    for i, value in enumerate(values):
        try:
            number = known.get(value)
        except TypeError:
            raise BadInput(
                f"expected a label, found {type(value).__name__}",
                where=f"groups[{i}]",
                remedy="use numbers or strings as labels",
            ) from None
        if number is None:
            form = "" if is_missing(value) else label_form(value)
            if not form:
                raise BadInput(
                    "a document has no group",
                    where=f"groups[{i}]",
                    remedy="give it a label of its own",
                )
            number = known[value] = forms.setdefault(form, len(forms))
        labels[i] = number
    return labels


def told_as_one(labels: Iterable[object]) -> tuple[str, ...]:
    """The warning for labels that are written in several ways; none where each has one.

    >>> told_as_one(["p1", "p2", "p1 "])[0]
    '1 labels differ from another one by case, blanks or Unicode form alone and count as the same'
    >>> told_as_one(["p1", "p2", "p1"])
    ()
    """
    different = {str(one) for one in labels if not is_missing(one)}
    return as_one(len(different) - len(set(map(label_form, different))))


def as_one(more: int) -> tuple[str, ...]:
    """The warning for so many labels beyond the people whom they name.

    >>> as_one(0)
    ()
    """
    if more <= 0:
        return ()
    told = "labels differ from another one by case, blanks or Unicode form alone"
    return (f"{more} {told} and count as the same",)
