"""What a new policy takes from the texts of a file: the mark for stars, and the recogniser."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..core.errors import BadInput
from ..core.numbers import percent
from ..recognizers.installed_recognizers import DEFAULT

if TYPE_CHECKING:
    import polars as pl

    from ..core.values import JsonObject

MASKS = "★*#_~^+="  # the first that the input's encoding has, and no text
LOOKED_AT = 500  # texts, for their language
USUAL = 0.95  # so large a share counts as one language


def usable_mask(texts: Iterable[str], given: JsonObject) -> dict[str, str]:
    """The option `mask`, where the usual one cannot be written in the input's encoding.

    >>> usable_mask(["5 * 3"], {"path": "a.csv", "encoding": "latin-1"})
    {'mask': '#'}
    >>> usable_mask(["5 * 3"], {"path": "a.csv"})
    {}
    """
    encoding = str(given.get("encoding", "utf-8"))
    if can_write(MASKS[0], encoding):
        return {}
    used = set().union(*texts)
    for mask in MASKS:
        if mask not in used and can_write(mask, encoding):
            return {"mask": mask}
    raise BadInput(
        f"{encoding} has no character left for what is hidden",
        where=str(given["path"]),
        remedy="convert the file to UTF-8",
    )


def can_write(mask: str, encoding: str) -> bool:
    """Whether an encoding has a character.

    >>> can_write("★", "latin-1"), can_write("★", "utf-16")
    (False, True)
    """
    try:
        mask.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def languages_of(table: pl.DataFrame, columns: list[str]) -> Counter[str]:
    """How many letters of the texts are in which language: of short texts it is told less surely.

    >>> import polars as pl
    >>> languages_of(pl.DataFrame({"note": ["Die Patientin hustet.", "ok"]}), ["note"])
    Counter({'de': 21})
    """
    from ..recognizers.told_language import language_of

    found: Counter[str] = Counter()
    for name in columns:
        texts = table[name].drop_nulls()
        for text in texts.gather_every(1 + len(texts) // LOOKED_AT).to_list():
            language = language_of(str(text))
            if language is not None:
                found[language] += len(str(text))
    return found


def recognizer_for(languages: Counter[str]) -> str:
    """The recogniser of the language that nearly all texts are in, else of each text's own.

    >>> recognizer_for(Counter(de=99, en=1)), recognizer_for(Counter(de=5, en=5))
    ('de', 'auto')
    """
    if not languages:
        return DEFAULT
    usual, count = languages.most_common(1)[0]
    return usual if count >= USUAL * languages.total() else "auto"


def told(languages: Counter[str]) -> str:
    """Which recogniser was chosen, and why.

    >>> told(Counter(de=5, en=5))
    'recogniser: auto (languages of the texts: de 50%, en 50%)'
    """
    shares = ", ".join(
        f"{name} {percent(count / languages.total())}" for name, count in languages.most_common(3)
    )
    why = f"languages of the texts: {shares}" if shares else "the texts are too short to tell"
    return f"recogniser: {recognizer_for(languages)} ({why})"
