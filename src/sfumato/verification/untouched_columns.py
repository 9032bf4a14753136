"""Columns that leave as they are, and what their cells say of what their row's texts hide.

What was hidden in a row are the words of its texts that its released texts no longer have. A word
of another cell that is one of them gives it back. Words of fewer than four characters stand in
cells for many reasons: they are counted apart.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..core.errors import BadInput
from ..core.printed_form import by_sizes

WORD = re.compile(r"\w+")
LONG = 4


@dataclass(slots=True)
class Repeats:
    """How many rows of each column repeat a hidden word, by the length of the word."""

    __repr__ = by_sizes

    rows: int = 0
    long: dict[str, int] = field(default_factory=dict)
    short: dict[str, int] = field(default_factory=dict)

    def add(
        self,
        columns: Mapping[str, Sequence[str | None]],
        before: Sequence[str | None],
        after: Sequence[str | None],
    ) -> Repeats:
        """Counts further rows: the cells of each column, and the texts before and after.

        Cost: O(text); words are looked at only where a cell's stands in the original text.

        >>> found = Repeats().add({"name": ["Ann Marlow", "Bo"]}, ["Marlow fell", "Bo"], ["★", "★"])
        >>> found.long, found.short
        ({'name': 1}, {'name': 1})
        """
        self.rows += len(before)
        for row, (old, new) in enumerate(zip(before, after, strict=True)):
            if not old or old == new:
                continue
            plain, hidden = folded(old), None
            for name, cells in columns.items():
                words = {word for word in _words(cells[row]) if word in plain}
                if not words:
                    continue
                if hidden is None:
                    hidden = _words(old) - _words(new)
                shown = hidden & words
                if any(len(word) >= LONG for word in shown):
                    self.long[name] = self.long.get(name, 0) + 1
                elif shown:
                    self.short[name] = self.short.get(name, 0) + 1
        return self

    def join(self, other: Repeats) -> None:
        """Adds what was counted of further rows, or of another text of the same rows.

        >>> one, other = Repeats(rows=2, long={"a": 1}), Repeats(rows=3, long={"a": 2})
        >>> one.join(other)
        >>> one.rows, one.long
        (5, {'a': 3})
        """
        self.rows += other.rows
        for sums, more in ((self.long, other.long), (self.short, other.short)):
            for name, number in more.items():
                sums[name] = sums.get(name, 0) + number


def folded(text: str) -> str:
    """A text whatever its case, width, blanks and marks that nobody sees.

    >>> folded("Ann\\u00a0MAR\\u00adLOW")
    'ann marlow'
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        for unseen in [c for c in set(text) if unicodedata.category(c) == "Cf"]:
            text = text.replace(unseen, "")
    return text.casefold()


def _words(text: str | None) -> set[str]:
    return set(WORD.findall(folded(text))) if text else set()


@dataclass(frozen=True, slots=True)
class Publishing:
    """Which columns leave as they are, and which of them somebody allowed by name."""

    __repr__ = by_sizes

    columns: tuple[str, ...]
    allowed: frozenset[str]
    repeats: Repeats
    derived: Mapping[str, str] = field(default_factory=dict)
    """Columns that tell one which is hidden, each with how."""

    @classmethod
    def of(
        cls,
        columns: Iterable[str],
        allowed: Iterable[str] | str,
        described: Iterable[str] = (),
        derived: Mapping[str, str] | None = None,
    ) -> Publishing:
        """Of the columns that leave, those that are allowed: some by name, or `all`.

        Those that are `described` leave because a schema says so; they may be allowed by name too.
        """
        names, known = tuple(columns), (*columns, *described)
        if allowed == "all":
            return cls(names, frozenset(known), Repeats(), derived or {})
        unknown = set(allowed) - set(known)
        if unknown:
            raise BadInput(
                "names a column that does not leave as it is",
                where="publish",
                remedy="name columns that no text or schema is about",
            )
        return cls(names, frozenset(allowed), Repeats(), derived or {})

    def begun(self) -> Publishing:
        """The same columns, with nothing counted yet."""
        return replace(self, repeats=Repeats())

    def require(self) -> None:
        """Refuses columns that give back what was hidden, unless they are allowed."""
        self._require_no_derived()
        found = {name: rows for name, rows in self.repeats.long.items() if name not in self.allowed}
        if not found:
            return
        told = ", ".join(f"{name} ({rows:,} rows)" for name, rows in found.items())
        raise BadInput(
            f"columns released as they are repeat words hidden in the text of their row: {told}",
            where="publish",
            remedy="protect them as text or by a schema, or take them out; to publish them all the "
            "same, allow them by name",
        )

    def _require_no_derived(self) -> None:
        found = [how for name, how in self.derived.items() if name not in self.allowed]
        if found:
            raise BadInput(
                f"columns released as they are give others away: {'; '.join(found)}",
                where="publish",
                remedy="recode or drop them in the schema; to publish them all the same, allow "
                "them by name",
            )

    def warnings(self) -> tuple[str, ...]:
        """What whoever publishes should know."""
        told = [f"{how}, and is released as it is" for how in self.derived.values()]
        if not self.columns:
            return tuple(told)
        told.append(f"these columns are released as they are: {', '.join(self.columns)}")
        if self.repeats.short:
            names = ", ".join(self.repeats.short)
            told.append(f"short words hidden in a text stand in the same row of {names}")
        given_back = [name for name in self.repeats.long if name in self.allowed]
        if given_back:
            told.append(f"words hidden in a text stand in the same row of {', '.join(given_back)}")
        return tuple(told)

    def as_dict(self) -> dict[str, list[str]]:
        """What a certificate says of them."""
        allowed = [name for name in self.columns if name in self.allowed]
        return {"untouched": list(self.columns), "allowed": allowed}
