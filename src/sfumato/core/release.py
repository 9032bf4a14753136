"""The result of every verb: data to publish, what it claims, what changed and what it cost."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, NoReturn, TypeAlias, cast

from .printed_form import by_sizes

if TYPE_CHECKING:
    from collections.abc import Hashable

    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from ..ontologies import Ontology
    from ..schema import Schema
    from .claims import Claim, Verdict
    from .spans import Changes
    from .values import Data, JsonObject

Place: TypeAlias = "tuple[int, int, int] | tuple[int, int, int, str]"
"""Document, start and stop, and perhaps the entity type."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Sides:
    """The original and the side inputs of a release; None is what was not given or is not known.

    Sides are private: they are hashed under the key in a public certificate, and shown only in the
    private one. `claims.Side` says which of them the check of a claim reads.

    >>> Sides(groups=["a", "b"]).given()
    {'groups': ['a', 'b']}
    """

    input: Data = None
    """What the verb took: texts, sequences, or a frame of any library."""
    groups: Sequence[Hashable] | None = None
    """One label for each text: whose it is."""
    schema: Schema | None = None
    """What the columns of a table are (`schema.Schema`)."""
    rows: NDArray[np.int64] | None = None
    """The row of the input that each released row was."""
    person_of_row: NDArray[np.int64] | None = None
    """The random number of each released row's person."""
    classes: NDArray[np.int64] | None = None
    """The class of each released row."""
    terms: Sequence[str] | pl.DataFrame | None = None
    """The listed terms; of a table, where terms stand in its texts."""
    published: Sequence[str] | None = None
    """What each listed term is published as."""
    direct: Sequence[str] | None = None
    """The terms of which no letter may stay."""
    kept: pl.DataFrame | None = None
    """The terms that a class of a table still shows."""
    found: pl.DataFrame | None = None
    """Where sensitive terms stand in a table's released texts."""
    unmatched: pl.DataFrame | None = None
    """The original of a table whose rows are not known to be in its order."""
    population: Data = None
    """A table of the population that a table's people are of."""
    patterns: Sequence[Sequence[Hashable]] | None = None
    """The sensitive patterns."""
    implausible: Sequence[Sequence[Hashable]] | None = None
    """The patterns that no replacement may make."""
    reference: Data = None
    """The sequences that replacements are to look like."""
    ontology: Ontology | None = None
    """What is more general than what (`ontologies.Ontology`)."""
    marks: Sequence[tuple[int, int, int, int, int]] | None = None
    """Document, start, stop, meaning and general meaning of every marked word."""
    words: Sequence[str] | None = None
    """The words or phrases that were to be marked."""
    t_words: Sequence[tuple[str, int]] | None = None
    """The words that have a t of their own, with it."""
    frequencies: Sequence[tuple[str, float]] | None = None
    """How often each word is used, where volumes are counted by use."""
    public: Sequence[str] | None = None
    """Texts that everybody knows, so that what they tell can be guessed."""
    spans: Sequence[Place] | None = None
    """Document, start, stop (and entity type) of what a recognizer found."""
    given_back: Data = None
    """Entity types and strings that were found and left, because enough people write them."""
    engine: Data = None
    """The engine that made it, where its data are a frame of Spark."""

    __repr__ = by_sizes

    @property
    def places(self) -> pl.DataFrame | None:
        """Of a table: where terms stand in its texts."""
        assert self.terms is None or hasattr(self.terms, "columns")
        return cast("pl.DataFrame | None", self.terms)

    @property
    def listed(self) -> Sequence[str] | None:
        """Of texts: the listed terms."""
        assert self.terms is None or not hasattr(self.terms, "columns")
        return self.terms

    @property
    def stretches(self) -> list[tuple[int, int, int]] | None:
        """The spans without their entity types."""
        if self.spans is None:
            return None
        return [(document, start, stop) for document, start, stop, *_ in self.spans]

    @property
    def of_table(self) -> OfTable:
        """Those that every release of a table has."""
        return OfTable(self)

    def given(self) -> JsonObject:
        """Those that are known, by their names."""
        every = ((one.name, getattr(self, one.name)) for one in fields(self))
        return {name: value for name, value in every if value is not None}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OfTable:
    """What is known of a table that was released; whoever asks knows that it was one."""

    _sides: Sides

    __repr__ = by_sizes

    @property
    def schema(self) -> Schema:
        """What its columns are."""
        assert self._sides.schema is not None
        return self._sides.schema

    @property
    def rows(self) -> NDArray[np.int64]:
        """The row of the input that each released row was."""
        assert self._sides.rows is not None
        return self._sides.rows

    @property
    def person_of_row(self) -> NDArray[np.int64]:
        """The random number of each released row's person."""
        assert self._sides.person_of_row is not None
        return self._sides.person_of_row

    @property
    def classes(self) -> NDArray[np.int64]:
        """The class of each released row."""
        assert self._sides.classes is not None
        return self._sides.classes


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Release:
    """What a verb returns. `.data` has the kind of the input; the rest says what was done.

    `sides` holds the original and the side inputs (groups, terms, patterns) that
    verification needs. They are left out of every printed form, and a Release refuses to be
    pickled, so that publishing one by accident does not publish them.
    """

    verb: str
    data: Data
    claims: tuple[Claim, ...]
    changes: Changes
    loss: Mapping[str, float]
    parameters: Mapping[str, object]
    counts: Mapping[str, int] = field(default_factory=dict)
    not_protected: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    sides: Sides = field(default_factory=Sides, repr=False)
    key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)

    def certificate(
        self, verdicts: Iterable[Verdict] = (), *, private: bool = False, key: bytes | None = None
    ) -> JsonObject:
        """The certificate as a dictionary: public by default, with plain values if `private`."""
        from .certificate import certificate

        whole = certificate(self, tuple(verdicts), private=private, key=key or self.key)
        return whole.as_dict()

    def _repr_html_(self) -> str:
        from .html import release_html

        return release_html(self)

    def __repr__(self) -> str:
        claims = ", ".join(claim.name for claim in self.claims) or "nothing claimed"
        return f"<Release of {self.verb}: {claims}; {len(self.changes)} changes>"

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a Release holds its private inputs and cannot be pickled; "
            "store .data and .certificate() instead"
        )


def released_texts(release: Release) -> Sequence[str]:
    """The texts of a release of texts, missing ones as empty strings."""
    from .corpus import Corpus

    return Corpus.of(release.data).texts
