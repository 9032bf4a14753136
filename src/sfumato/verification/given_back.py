"""What was given back is counted in the release: who writes it.

Shared with the methods is which kinds are direct identifiers (`recognizers.roles`), nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from ..claims.given_back import GivenBackParameters
from ..core.claims import Verdict
from ..core.corpus import Corpus
from ..core.errors import BadInput
from ..recognizers.roles import ROLES
from .labels import whose

if TYPE_CHECKING:
    from ..core.claims import Claim
    from ..core.release import Release
    from ..core.values import Data


def check_given_back(claim: Claim, original: Data, release: Release) -> Verdict:
    """Judges a claim by counting, string by string. Cost: O(text x strings)."""
    strings = release.sides.given_back
    if strings is None:
        raise BadInput("this claim is about what was given back", where="spans", remedy="give them")
    texts, owners = _texts_and_owners(claim, release)
    k = GivenBackParameters.of(claim).k
    fewest: int | None = None
    for number, (label, string) in enumerate(strings):
        if ROLES.get(label, "quasi") != "quasi" and not _is_described(release):
            return Verdict(claim, False, "a direct identifier was given back", f"string {number}")
        stands = _expression(string)
        who = {owner for text, owner in zip(texts, owners, strict=True) if stands.search(text)}
        if len(who) < k:
            return Verdict(claim, False, "fewer write it than was claimed", f"string {number}")
        fewest = len(who) if fewest is None else min(fewest, len(who))
    measured = {} if fewest is None else {"fewest": fewest}
    return Verdict(claim, True, "enough write every string", None, measured)


def _expression(string: str) -> re.Pattern[str]:
    """The string where a word begins and ends, if it does so itself."""
    before = r"(?<!\w)" if string[:1].isalnum() else ""
    behind = r"(?!\w)" if string[-1:].isalnum() else ""
    return re.compile(before + re.escape(string) + behind)


def _is_described(release: Release) -> bool:
    """Whether a schema says what kinds are, so that the usual roles do not count."""
    schema = release.sides.schema
    return schema is not None and bool(schema.entities)


def _texts_and_owners(claim: Claim, release: Release) -> tuple[list[str], Sequence[Hashable]]:
    schema = release.sides.schema
    if schema is not None and hasattr(release.data, "columns"):
        from ..schema.frames import as_polars

        frame = as_polars(release.data)
        texts = ["\n".join(map(str, row)) for row in frame.select(schema.texts).rows()]
        if schema.person is None or schema.person not in frame.columns:
            return texts, range(len(texts))
        return texts, [whose(one) for one in frame[schema.person].to_list()]
    texts = Corpus.of(release.data).texts
    if not GivenBackParameters.of(claim).groups:
        return texts, range(len(texts))
    if release.sides.groups is None:
        raise BadInput(
            "this claim counts people", where="groups", remedy="say whose texts they are"
        )
    return texts, [whose(one) for one in release.sides.groups]
