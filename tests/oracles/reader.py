"""The reader of stars, literally: docs/reader.md written down, and covers by trying all.

A document is a list of tokens, each a str, or None for a break that nobody knows. A starred token
is told by a flag. Every count is made by looking at every place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product

Token = str | None
Tokens = tuple[Token, ...]
Place = tuple[Token, Tokens, Token]
BEGIN, END = "<begin>", "<end>"
Flags = tuple[bool, ...]


@dataclass
class Reader:
    """Who knows the documents of everybody else, and public ones.

    `labels` has one for each document, whose other documents are left out too; None: each place is
    left out by itself.
    """

    documents: list[list[Token]]
    labels: Sequence[int] | None
    guess: Fraction
    lengths: bool
    public: list[list[Token]] = field(default_factory=list)

    def places(self, d: int, i: int, size: int = 1) -> Iterable[Place]:
        """Every known stretch of tokens with its neighbours that is not left out."""
        for e, document in enumerate([*self.documents, *self.public]):
            own = e < len(self.documents)
            if own and self.labels is not None and self.labels[e] == self.labels[d]:
                continue
            for j in range(len(document) - size + 1):
                if own and self.labels is None and (e, j) == (d, i):
                    continue
                tokens = document[j : j + size]
                if None not in tokens:
                    yield neighbour(document, j - 1), tuple(tokens), neighbour(document, j + size)

    def of_length(self, d: int, i: int, size: int = 1) -> list[Place]:
        """Those of the same lengths, where the mask shows them."""
        true = self.documents[d][i : i + size]
        return [
            place
            for place in self.places(d, i, size)
            if not self.lengths or list(map(size_of, place[1])) == list(map(size_of, true))
        ]

    def shares(self, d: int, i: int) -> tuple[Fraction, Fraction, Fraction]:
        """From the left, from the right, from both sides."""
        document = self.documents[d]
        x, left, right = document[i], neighbour(document, i - 1), neighbour(document, i + 1)
        known = self.of_length(d, i)
        p0 = share(sum(t == (x,) for _, t, _ in known), len(known))

        def one_side(at: int, given: Token) -> Fraction:
            fits = [place for place in known if given is not None and place[at] == given]
            return (sum(t == (x,) for _, t, _ in fits) + p0) / (len(fits) + 1)

        from_left, from_right = one_side(0, left), one_side(2, right)
        fits = [t for a, t, b in known if None not in (left, right) and (a, b) == (left, right)]
        best = max(from_left, from_right)
        return from_left, from_right, (fits.count((x,)) + 2 * best) / (len(fits) + 2)

    def in_left(self, d: int, i: int) -> bool:
        return self.documents[d][i] is not None and self.shares(d, i)[0] >= self.guess

    def in_right(self, d: int, i: int) -> bool:
        return self.documents[d][i] is not None and self.shares(d, i)[1] >= self.guess

    def in_both(self, d: int, i: int) -> bool:
        return self.documents[d][i] is not None and self.shares(d, i)[2] >= self.guess

    def alone(self, d: int, i: int) -> bool:
        """Whether one starred token is a break."""
        return not (self.in_left(d, i) or self.in_right(d, i) or self.in_both(d, i))

    def pair(self, d: int, i: int) -> bool:
        """Whether two tokens that are left are guessed together."""
        document = self.documents[d]
        left, right = neighbour(document, i - 1), neighbour(document, i + 2)
        if None in (left, right) or self.alone(d, i) or self.alone(d, i + 1):
            return False
        fits = [t for a, t, b in self.of_length(d, i, 2) if (a, b) == (left, right)]
        return len(fits) > 0 and fits.count(tuple(document[i : i + 2])) >= self.guess * len(fits)

    def read(self, d: int, starred: Flags) -> Flags:
        """The stars that are left when the reader has written back what can be guessed."""
        document = self.documents[d]
        stars = [flag or token is None for flag, token in zip(starred, document, strict=True)]
        if all(stars):
            return tuple(stars)
        left = list(stars)
        for a, b in runs(stars):
            while a <= b and self.in_left(d, a):
                left[a] = False
                a += 1
            while a <= b and self.in_right(d, b):
                left[b] = False
                b -= 1
            if (a == b and self.in_both(d, a)) or (a + 1 == b and self.pair(d, a)):
                left[a : b + 1] = [False] * (b + 1 - a)
        return tuple(left)


def size_of(token: Token) -> int:
    return len(token or "")


def share(part: int, whole: int) -> Fraction:
    return Fraction(part, whole) if whole else Fraction(0)


def neighbour(document: list[Token], i: int) -> Token:
    return BEGIN if i < 0 else END if i >= len(document) else document[i]


def runs(flags: Sequence[bool]) -> list[tuple[int, int]]:
    """First and last of each run."""
    found, i = [], 0
    while i < len(flags):
        j = i
        while j < len(flags) and flags[j]:
            j += 1
        if j > i:
            found.append((i, j - 1))
        i = max(j, i + 1)
    return found


def stretches(document: list[Token], stars: Flags, reach: int | None) -> Iterable[Tokens]:
    """What must be shared: every stretch without stars, or its parts of at most `reach` tokens."""
    for a, b in runs([not flag for flag in stars]):
        tokens = tuple(document[a : b + 1])
        if reach is None or len(tokens) <= reach:
            yield tokens
        else:
            for i in range(len(tokens) - reach + 1):
                yield tokens[i : i + reach]


def copied(documents: list[list[Token]], labels: Sequence[int], least: int) -> list[Flags]:
    """Which tokens stand in a run of `least` that the text of another label has before."""
    authors: dict[Tokens, int] = {}
    flags = [[False] * len(document) for document in documents]
    for d, document in enumerate(documents):
        for i in range(len(document) - least + 1):
            run = tuple(document[i : i + least])
            if None not in run and authors.setdefault(run, labels[d]) != labels[d]:
                flags[d][i : i + least] = [True] * least
    return [tuple(one) for one in flags]


def count(
    documents: list[list[Token]],
    labels: Sequence[int] | None,
    wanted: Tokens,
    copies: list[Flags] | None = None,
) -> int:
    """How many occurrences, or different labels, a sequence of tokens has, outside of copies."""
    found = [
        d
        for d, document in enumerate(documents)
        for i in range(len(document) - len(wanted) + 1)
        if tuple(document[i : i + len(wanted)]) == wanted
        and not (copies and any(copies[d][i : i + len(wanted)]))
    ]
    return len(found) if labels is None else len({labels[d] for d in found})


def holds(
    reader: Reader,
    stars: list[Flags],
    k: int,
    *,
    strict: bool = False,
    reach: int | None = None,
    copies: list[Flags] | None = None,
) -> bool:
    """Substring k-anonymity against the reader."""
    documents = reader.documents
    left = [reader.read(d, flags) for d, flags in enumerate(stars)]
    where = documents
    if strict:
        where = [
            [None if flag else token for token, flag in zip(document, flags, strict=True)]
            for document, flags in zip(documents, left, strict=True)
        ]
    return all(
        count(where, reader.labels, wanted, copies) >= k
        for document, flags in zip(documents, left, strict=True)
        for wanted in stretches(document, flags, reach)
    )


def least(
    reader: Reader,
    k: int,
    *,
    strict: bool = False,
    reach: int | None = None,
    starred: list[Flags] | None = None,
) -> int:
    """The fewest starred letters beyond `starred` of all stars that hold, by trying all of them."""
    documents = reader.documents
    fixed = starred or [(False,) * len(document) for document in documents]

    def cost(d: int, flags: Flags) -> int:
        return sum(
            len(token or "")
            for token, flag, free in zip(documents[d], flags, fixed[d], strict=True)
            if flag and not free
        )

    def options(d: int) -> list[Flags]:
        return [
            tuple(a or b for a, b in zip(flags, fixed[d], strict=True))
            for flags in product((False, True), repeat=len(documents[d]))
        ]

    if strict:
        return min(
            sum(cost(d, flags) for d, flags in enumerate(stars))
            for stars in product(*(options(d) for d in range(len(documents))))
            if holds(reader, list(stars), k, strict=True, reach=reach)
        )
    total = 0
    for d in range(len(documents)):  # counted in the original: documents do not touch each other
        others = [(True,) * len(document) for document in documents]
        total += min(
            cost(d, flags)
            for flags in options(d)
            if holds(reader, [flags if e == d else o for e, o in enumerate(others)], k, reach=reach)
        )
    return total
