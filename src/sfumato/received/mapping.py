"""What the mapping of `pseudonymize` tells: where texts were changed, and whether undoing it gives
the original.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..claims import Side, kind
from ..core.claims import Claim, Verdict
from ..core.errors import BadInput, NotVerified
from .certificate import sides_of

if TYPE_CHECKING:
    from ..core.release import Release
    from ..core.spans import Changes
    from ..formats import Source
    from .inputs import Inputs

# Why claims about what was changed are left when spans alone are given.
LEFT = "it needs --mapping and --key-file"


def with_mapping(
    release: Release, before: Source, after: Source, given: Inputs
) -> tuple[Release, list[Claim], list[Verdict]]:
    """The release with what its mapping tells, the claims left unjudged, and what undoing gives."""
    if given.mapping is None or given.key is None:
        if release.sides.spans is None:
            raise BadInput(
                "where it was changed is not known",
                where="--mapping",
                remedy="give --mapping and --key-file, or the --spans it was made with",
            )
        kept = [claim for claim in release.claims if Side.CHANGES not in sides_of(claim)]
        left = [claim for claim in release.claims if Side.CHANGES in sides_of(claim)]
        return replace(release, claims=tuple(kept)), left, []
    from ..methods.pseudonyms.mapping import changes_of, read_mapping

    stated = read_mapping(given.mapping, given.key)
    changes = changes_of(stated, before.filled, after.filled)
    # Where no spans were given, the places of the mapping are the listed ones.
    sides = release.sides
    sides = sides if sides.spans is not None else replace(sides, spans=places_of(changes))
    release = replace(release, changes=changes, sides=sides)
    return release, [], [undone(stated["files"], before.path, len(before.texts))]


def places_of(changes: Changes) -> list[tuple[int, int, int, str]]:
    """The changed places as listed spans."""
    return [(one.document, one.start, one.stop, one.reason) for one in changes]


def undone(files: Mapping[str, str], original: Path | None, documents: int) -> Verdict:
    """What undoing gives; an original that is another file is refused."""
    from ..formats import file_digests

    gives, by_bytes = kind("undone-gives-original"), bool(files) and original is not None
    if by_bytes and sorted(files.values()) != sorted(file_digests(str(original)).values()):
        raise NotVerified("these are not the bytes that were pseudonymised", where=str(original))
    claim = gives.claim({}, bytes=True) if by_bytes else gives.claim({})
    return Verdict(claim, True, "undone", None, {"documents": documents})
