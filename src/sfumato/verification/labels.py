"""Whose a label is: labels that differ by case, blanks, invisible characters or form are one's.

Shared with the methods is which characters are invisible (`core.letters`), nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING
from unicodedata import normalize

from ..core.corpus import values_of
from ..core.errors import BadInput
from ..core.letters import is_invisible

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..core.values import Data

_WHOLE = re.compile(r"(-*\d+)\.0*")


class _InvisibleSymbols(dict[int, int | None]):
    def __missing__(self, point: int) -> int | None:
        return self.setdefault(point, None if is_invisible(chr(point)) else point)


_UNSEEN: Mapping[int, int | None] = _InvisibleSymbols()


def without_form(text: str) -> str:
    """A text without case, compatibility forms and what cannot be seen, blanks made one.

    >>> without_form("Ａnn\\u200b \\u00a0LEE")
    'ann lee'
    """
    seen = text.translate(_UNSEEN)
    decomposed = normalize("NFKD", normalize("NFKD", seen).casefold())
    return re.sub(r"\s+", " ", normalize("NFC", decomposed)).strip()


def whose(label: object) -> str:
    """The person that a label names; 7 and 7.0 are the same.

    >>> whose("P1 ") == whose("p1"), whose(7.0) == whose("7"), whose("p1") == whose("p2")
    (True, True, False)
    """
    form = without_form(str(label))
    whole = _WHOLE.fullmatch(form)
    return whole[1] if whole else form


def group_labels(groups: Data, documents: int) -> NDArray[np.int32]:
    """The number of every document's group.

    >>> group_labels(["ann", "bob", "ANN"], 3).tolist()
    [0, 1, 0]
    """
    import numpy as np

    values = values_of(groups, "groups")
    if len(values) != documents:
        raise BadInput(f"expected {documents} labels, found {len(values)}", where="groups")
    named = {one: whose(one) for one in set(values)}
    numbers = {form: number for number, form in enumerate(dict.fromkeys(map(named.get, values)))}
    return np.fromiter((numbers[named[one]] for one in values), np.int32, documents)
