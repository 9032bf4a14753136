"""One interface to every attack: what each found, beside guessing and people not in the data."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache, partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from ..core.corpus import Corpus
from ..core.errors import BadInput
from ..core.options import choose
from ..core.release import Release
from ..methods import find
from ..metrics.masked_symbols import marks_of, masked, starred, texts_of
from .protocol import BACKGROUND, RECORDS, SAMPLE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..core.progress import Progress
    from ..core.values import Data, JsonObject
    from ..schema import SchemaLike
    from .crowd import Crowd
    from .linkage import Matches
    from .reading import Reading
    from .result import AttackResult
    from .scene import Scenes

TEXT = (
    *("linkage-rare", "linkage-words", "membership"),
    *("singling-out-word", "singling-out-pair"),
)
REPEATED = 50  # documents whose base texts are all tried
INVERSIONS = ("redact-inversion", "generalize-inversion", "sanitize-inversion")
NAMES = (*TEXT, "reconstruction", "reconstruction-symbols", *INVERSIONS)


def attack(
    original: Data,
    release: Data,
    attacks: Iterable[str] | None = None,
    groups: Data = None,
    background: Data = BACKGROUND,
    seed: int = 0,
    *,
    public: Data = None,
    mask: str | None = None,
    sample: int = SAMPLE,
    schema: SchemaLike | None = None,
    progress: Progress | None = None,
) -> list[AttackResult]:
    """Attacks a release as somebody would who has it and knows something else of its people.

    `release` is a Release or its data; `attacks` are names (by default all that apply); `groups`
    has the person of each document; `background` is what is known of people: a `"part"` of a text
    of theirs (50 words; the default for whatever data), `"another"` text, or one for each document.
    `public` are texts that train the reconstruction of stars besides the release. At most `sample`
    people are attacked, as many held out. A frame is attacked as a table of records, by the
    `schema` of its release. Results hold numbers, no text.
    Cost: O(n log n) and O(people) for each person attacked.

    >>> notes = [f"patient {name} has flu and sees doctor who" for name in "abcdefghij"]
    >>> for name in ("singling-out-word",):
    ...     [attack(notes, data, [name])[0].success for data in (notes, ["★"] * 10)]
    [1.0, 0.0]
    """
    _check_sample(sample)
    background = BACKGROUND if background is None else background
    if hasattr(original, "columns"):
        return _on_records(original, release, attacks, schema, sample, seed)
    names = applicable(original, release) if attacks is None else _chosen(attacks)
    runs = _runs(original, release, groups, background, seed, public, mask, sample)
    results = []
    for number, name in enumerate(names):
        if progress is not None:
            progress("attack", number / len(names))
        results.append(runs[name]())
    if progress is not None:
        progress("attack", 1.0)
    return results


def _on_records(
    original: Data,
    release: Data,
    attacks: Iterable[str] | None,
    schema: SchemaLike | None,
    sample: int,
    seed: int,
) -> list[AttackResult]:
    from .inference import inference
    from .known_terms import linkage_terms
    from .order import order
    from .records import attack_records

    by_call: dict[str, Callable[[], AttackResult]] = {
        "order": lambda: order(original, release, schema),
        "inference": lambda: inference(original, release, schema, sample=sample, seed=seed),
        "linkage-terms": lambda: linkage_terms(original, release, trials=sample, seed=seed),
    }
    wanted = None if attacks is None else [attacks] if isinstance(attacks, str) else list(attacks)
    for name in wanted or ():
        choose("attacks", name, (*RECORDS, *by_call))
    by_name: dict[str, AttackResult] = {}
    if wanted is None or any(name in RECORDS for name in wanted):
        found = attack_records(original, release, schema, trials=sample, seed=seed)
        by_name = {one.name: one for one in found}
    if wanted is None:
        return list(by_name.values())
    return [by_name[name] if name in by_name else by_call[name]() for name in wanted]


def applicable(original: Data, release: Data) -> list[str]:
    """The attacks that make sense for this release."""
    declared = find(release.verb) if isinstance(release, Release) else None
    swept = () if declared is None or declared.swept is None else declared.swept.attacks
    own = [name for name in swept if name not in TEXT]
    if declared is not None and declared.takes_sequences:
        return own
    names = list(TEXT)
    if _stars(original, release, None) is not None:
        names.append("reconstruction")
    if isinstance(release, Release) and release.sides.published is not None:
        names += own
    return names


def _chosen(attacks: Iterable[str]) -> list[str]:
    names = [attacks] if isinstance(attacks, str) else list(attacks)
    for name in names:
        choose("attacks", name, NAMES)
    return names


def _check_sample(sample: object) -> None:
    if isinstance(sample, bool) or not isinstance(sample, int) or sample < 1:
        raise BadInput("expected a whole number above 0", where="sample")


def _runs(
    original: Data,
    release: Data,
    groups: Data,
    background: Data,
    seed: int,
    public: Data,
    mask: str | None,
    sample: int,
) -> dict[str, Callable[[], AttackResult]]:
    """Every attack as a call; what several share is made once, when first needed."""
    from . import inversions, linkage
    from .crowd import Crowd
    from .scene import scenes
    from .singling_out import singling_out

    options: JsonObject = {"hidden": marks_of(release, mask), "sample": sample, "seed": seed}

    @cache
    def crowd() -> Crowd:
        return Crowd.of(*texts_of(original, release), groups, background)

    @cache
    def watched() -> Scenes:
        seen = crowd()
        return scenes(seen.original, seen.released, seen.people, seen.background, **options)

    @cache
    def matched() -> Matches:
        return linkage.matched(watched(), linkage.matches_by_words)

    @cache
    def reading() -> Reading | None:
        return _reading(original, release, groups, public, mask)

    @cache
    def read_through() -> Scenes | None:
        found, seen = reading(), crowd()
        if found is None or not found.symbols.any():
            return None
        texts = seen.ordered(found.texts(options["hidden"][0]))
        return scenes(seen.original, texts, seen.people, seen.background, **options)

    def linked(attack: Callable[[Scenes], AttackResult]) -> AttackResult:
        """The attack on the release as it stands and as it is read through: the better of both."""
        plain, read = attack(watched()), read_through()
        through = plain if read is None else attack(read)
        best = max(plain, through, key=lambda one: one.success)
        shares = {"as_it_stands": plain.success, "read_through": through.success}
        return replace(best, detail=MappingProxyType({**best.detail, **shares}))

    def by_words(seen: Scenes) -> AttackResult:
        mine = matched() if seen is watched() else linkage.matched(seen, linkage.matches_by_words)
        return linkage.by_words(seen, mine)

    def single(words: int) -> AttackResult:
        seen = crowd()
        return singling_out(seen.original, seen.released, seen.people, words=words, **options)

    def symbols() -> AttackResult:
        return _symbols(crowd(), _flags(original, release, mask), public, seed)

    return {
        "linkage-words": lambda: linked(by_words),
        "linkage-rare": lambda: linked(linkage.by_rare_runs),
        "membership": lambda: linkage.membership(watched(), matched()),
        "singling-out-word": partial(single, 1),
        "singling-out-pair": partial(single, 2),
        "reconstruction": lambda: _reconstruct(reading(), release, public is not None),
        "reconstruction-symbols": symbols,
        "redact-inversion": lambda: inversions.redacted_terms(_made_by("redact", release)),
        "generalize-inversion": lambda: inversions.generalized_words(
            _made_by("generalize", release), min(sample, REPEATED)
        ),
        "sanitize-inversion": lambda: inversions.sanitized_patterns(
            original, _made_by("sanitize", release), seed
        ),
    }


def _made_by(verb: str, release: Data) -> Release:
    if not isinstance(release, Release) or release.verb != verb:
        raise BadInput(
            f"this attack needs a release of {verb}, with what it was made with",
            where=f"{verb}-inversion",
            remedy=f"give what sf.{verb} returned",
        )
    return release


def _stars(original: Data, release: Data, mask: str | None) -> list[NDArray[np.bool_]] | None:
    """The starred symbols of each document; None where something else than marks was written."""
    before, after = texts_of(original, release)
    declared = find(release.verb) if isinstance(release, Release) else None
    if declared is not None and declared.only_hides:
        return masked(original, release, mask)
    marks = marks_of(release, mask)
    flags = [starred(old, new, marks) for old, new in zip(before, after, strict=True)]
    known = [one for one in flags if one is not None]
    return known if len(known) == len(flags) else None


def _not_stars() -> BadInput:
    return BadInput(
        "the release has other changes than stars, one for a symbol",
        where="reconstruction",
        remedy="name its mask, or leave this attack out",
    )


def _flags(original: Data, release: Data, mask: str | None) -> list[NDArray[np.bool_]]:
    """The starred symbols of each document, refused where something else was written."""
    flags = _stars(original, release, mask)
    if flags is None:
        raise _not_stars()
    return flags


def _reading(
    original: Data, release: Data, groups: Data, public: Data, mask: str | None
) -> Reading | None:
    """The release as its reader has it; None where other things than stars were written."""
    import numpy as np

    from .reading import read

    flags = _stars(original, release, mask)
    if flags is None:
        return None
    known = () if public is None else Corpus.of(public, "public").texts
    mark = marks_of(release, mask)[0]
    before, after = texts_of(original, release)
    flags = [
        one & np.array([symbol != " " for symbol in new], bool) if len(old) == len(new) else one
        for one, old, new in zip(flags, before, after, strict=True)
    ]  # a blank over a symbol between words is no star
    return read(before, flags, groups, public=known, mark=mark)


def _reconstruct(reading: Reading | None, release: Data, public: bool) -> AttackResult:
    from .linkage import RARE
    from .reading import reconstruction

    if reading is None:
        raise _not_stars()
    stated = release.parameters if isinstance(release, Release) else {}
    return reconstruction(reading, int(str(stated.get("k", RARE))), public=public)


def _symbols(crowd: Crowd, flags: list[NDArray[np.bool_]], public: Data, seed: int) -> AttackResult:
    from .stars import reconstruction

    known = () if public is None else Corpus.of(public, "public").texts
    return reconstruction(
        crowd.original, crowd.ordered(flags), crowd.people, public=known, seed=seed
    )
