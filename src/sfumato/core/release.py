"""The result of every verb: data to publish, what it claims, what changed and what it cost."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from .claims import Claim, Verdict
    from .spans import Changes


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """What a verb returns. `.data` has the kind of the input; the rest says what was done.

    `private` holds the original and the side inputs (groups, terms, patterns) that
    verification needs. It is left out of every printed form, and a Release refuses to be
    pickled, so that publishing one by accident does not publish them.
    """

    verb: str
    data: Any
    claims: tuple[Claim, ...]
    changes: Changes
    loss: Mapping[str, float]
    parameters: Mapping[str, object]
    counts: Mapping[str, int] = field(default_factory=dict)
    not_protected: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    private: Mapping[str, Any] = field(default_factory=dict, repr=False)
    key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)

    def certificate(
        self, verdicts: Iterable[Verdict] = (), *, private: bool = False, key: bytes | None = None
    ) -> dict[str, Any]:
        """The certificate as a dictionary: public by default, with plain values if `private`."""
        from .certificate import certificate

        return certificate(self, tuple(verdicts), private=private, key=key or self.key)

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
