"""t-plausibility, checked from its definition: base values are counted by walking the links.

Neither the search nor the counts inside the ontology are used. The stated changes must turn the
original into the release, every general word must stand above a meaning of what it replaces, and
the product of the base values of every segment's distinct meanings must reach t.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ..claims.meanings import MeaningParameters, PlausibleParameters
from ..core.claims import Claim, Verdict
from ..core.corpus import Corpus
from ..core.numbers import power_of_two
from ..core.segments import segments
from ..ontologies import Ontology, key_of, wordnet
from .alignment import align
from .base_values import Domains, MarkedPlace, Violation, keys_of
from .listed_words import listed as phrases_of
from .marked_spans import by_document, in_original, must_be_spans, to_mask, with_masks
from .marks import stands_for_itself, taken_for_text
from .published_meanings import NOTHING_KNOWN, UNCHANGED, EarlierParts, check_published
from .spans import listed
from .stated_changes import must_be_applied, must_be_complete, must_be_marks, threshold

if TYPE_CHECKING:
    from ..core.release import Release
    from ..core.values import Data

NEAR = 1e-6  # bits


def check_meanings(
    claim: Claim, original: Data, release: Release, before_it: EarlierParts | None = None
) -> Verdict:
    """Judges a claim of `generalize`, of a part with what the parts before it showed.

    Cost: O(text + nodes below the general words).
    """
    before, after = Corpus.of(original).texts, Corpus.of(release.data).texts
    if len(before) != len(after):
        return Verdict(claim, False, f"{len(before)} documents became {len(after)}")
    given = MeaningParameters.of(claim)
    ontology = release.sides.ontology or wordnet()
    if ontology.digest != given.ontology_sha256:
        return Verdict(claim, False, "the ontology is not the one of the claim")
    frequencies = release.sides.frequencies
    if given.frequencies != (frequencies is not None):
        return Verdict(claim, False, "the frequencies of the claim are missing")
    if given.words_with_own_t and release.sides.t_words is None:
        return Verdict(claim, False, "the words' own thresholds are missing")
    if given.spans:
        listed(claim, release, before)
    if given.guarantee == "published":
        return check_published(claim, original, release, ontology, before_it)
    plausible = PlausibleParameters.of(claim)
    domains = Domains(
        ontology,
        plausible.volume,
        None if frequencies is None else dict(frequencies),
    )
    least, single = [math.inf, math.inf], isinstance(original, str)
    factors = 0
    try:
        for i, found in _documents(before, after, release, given, domains):
            for bits, without, size in _segments(before[i], i, found, given, domains, single):
                least = [min(least[0], bits), min(least[1], without)]
                factors += size
    except Violation as violation:
        return violation.verdict(claim)
    if not given.counted and factors:
        return Verdict(claim, False, "marked words are known, and the claim says that none is")
    measured = {
        "log2_base_texts": least[0] if factors else 0.0,
        "log2_without_hyponyms": least[1] if factors else 0.0,
        "meanings": factors,
    }
    stated = {  # by format 1
        "log2_base_texts": plausible.log2_base_texts,
        "log2_without_hyponyms": plausible.log2_without_hyponyms,
    }
    for name, least_bits in stated.items():
        if measured[name] < least_bits - NEAR:
            return Verdict(claim, False, f"{name} is lower than stated", None, measured)
    known = release.sides.marks is not None or release.sides.spans is not None
    if not known and list(before) == list(after) and any(map(str.strip, before)):
        return Verdict(claim, False, UNCHANGED, None, measured)
    if not factors:
        return Verdict(claim, True, NOTHING_KNOWN, None, {"meanings": 0})
    reason = f"the least segment has {power_of_two(measured['log2_base_texts'])} base texts"
    return Verdict(claim, True, reason, None, measured)


def _documents(
    before: Sequence[str],
    after: Sequence[str],
    release: Release,
    given: MeaningParameters,
    domains: Domains,
) -> Iterator[tuple[int, list[MarkedPlace]]]:
    """The marked places of every document, each proved to be what the release says."""
    marks = release.sides.marks
    mask = given.mask
    problem = taken_for_text(mask) or stands_for_itself(mask, before)
    if problem is not None:
        raise Violation(problem)
    spans = by_document(release.sides.stretches)
    own = {key: t for word, t in release.sides.t_words or () for key in keys_of(word)}
    phrases = phrases_of(release.sides.words)
    # Words that are kept, or that the optimum may leave alone, do not show that they were marked.
    changes_all = given.unknown != "keep" and given.min_volume > 1
    if marks is None:
        for i, (old, new) in enumerate(zip(before, after, strict=True)):
            here = [] if spans is None else spans.get(i, [])
            hidden = to_mask(old, here, given, domains)
            places = align(with_masks(old, hidden, mask), new, domains.ontology, mask)
            if places is None:
                raise Violation("a change is no generalisation", f"document {i}")
            aligned = [
                _widest(
                    MarkedPlace(*in_original(place[:2], hidden, mask), None, None),
                    place[2],
                    domains,
                )
                for place in places
            ]
            aligned += [MarkedPlace(start, stop, None, None) for start, stop in hidden]
            _must_reach_own(old, aligned, own, i, domains)
            if phrases is not None and changes_all:
                must_be_complete(old, phrases, aligned, i)
            if spans is not None:
                must_be_spans(old, here, aligned, i, given, domains)
            yield i, aligned
        return
    marked: dict[int, list[Sequence[int]]] = {}
    for document, *rest in marks:
        marked.setdefault(document, []).append(rest)
    for i, (old, new) in enumerate(zip(before, after, strict=True)):
        changes = {(c.start, c.stop): c.replacement for c in release.changes.of_document(i)}
        must_be_applied(old, new, changes, i)
        found = [_proved(old, mark, changes, i, given, domains, own) for mark in marked.get(i, ())]
        must_be_marks(old, changes, found, i)
        if phrases is not None:
            must_be_complete(old, phrases, found, i)
        if spans is not None:
            must_be_spans(old, spans.get(i, ()), found, i, given, domains)
        yield i, found


def _proved(
    old: str,
    mark: Sequence[int],
    changes: Mapping[tuple[int, int], str],
    i: int,
    given: MeaningParameters,
    domains: Domains,
    own: Mapping[str, int],
) -> MarkedPlace:
    start, stop, node, general = mark
    where = f"document {i}, offsets {start} to {stop}"
    replacement = changes.get((start, stop))
    keys = keys_of(old[start:stop])
    if node < 0:
        if any(domains.ontology.senses(key) for key in keys):
            raise Violation("a word the ontology knows was treated as unknown", where)
        if given.unknown == "suppress" and replacement != given.mask:
            raise Violation("an unknown word is legible", where)
        return MarkedPlace(start, stop, None, None)
    if not any(node in domains.ontology.senses(key) for key in keys):
        raise Violation("the stated meaning is none of the word's", where)
    if replacement is None:
        general = node
    else:
        if general == node or not _stands_above(general, node, domains.ontology):
            raise Violation("the replacement is not above the word's meaning", where)
        if not any(general in domains.ontology.senses(key) for key in keys_of(replacement)):
            raise Violation("the replacement is no word of the stated general meaning", where)
    _must_be_wide(
        node, general, max((own.get(key, 1) for key in keys), default=1), given, domains, where
    )
    return MarkedPlace(start, stop, node, general)


def _stands_above(general: int, node: int, ontology: Ontology) -> bool:
    waiting, seen = [node], {node}
    while waiting:
        for parent in ontology.parents(waiting.pop()):
            if parent == general:
                return True
            if parent not in seen:
                seen.add(parent)
                waiting.append(parent)
    return False


def _must_be_wide(
    node: int, general: int, own: int, given: MeaningParameters, domains: Domains, where: str
) -> None:
    """`min_volume` where the path has it; a word's own t in any case."""
    volume = domains.bits(node, general)[2]
    least = given.min_volume
    if volume < own:
        raise Violation(f"a word has {volume} base values, its own t is {own}", where)
    if volume >= least:
        return
    for above in domains.ontology.path(node)[1:]:
        own_words = {key_of(word) for word in domains.ontology.words(node)}
        legible = any(key_of(word) not in own_words for word in domains.ontology.words(above))
        if legible and domains.bits(node, above)[2] >= least:
            raise Violation(f"a word has {volume} base values, min_volume is {least}", where)


def _must_reach_own(
    old: str, found: Sequence[MarkedPlace], own: Mapping[str, int], i: int, domains: Domains
) -> None:
    """A replaced word's own t, where no record of the changes tells more."""
    for place in found:
        if not own or place.node is None or place.general is None:
            continue
        volume = domains.bits(place.node, place.general)[2]
        least = max((own.get(key, 1) for key in keys_of(old[place.start : place.stop])), default=1)
        if volume < least:
            where = f"document {i}, offsets {place.start} to {place.stop}"
            raise Violation(f"a word has {volume} base values, its own t is {least}", where)


def _widest(place: MarkedPlace, pairs: Sequence[tuple[int, int]], domains: Domains) -> MarkedPlace:
    """Without the steward's record, the pair of meanings with the most base values."""
    if not pairs:
        return place
    node, general = max(pairs, key=lambda pair: (domains.bits(*pair)[2], pair))
    return MarkedPlace(place.start, place.stop, node, general)


def _segments(
    text: str,
    i: int,
    found: Sequence[MarkedPlace],
    given: MeaningParameters,
    domains: Domains,
    single: bool,
) -> Iterator[tuple[float, float, int]]:
    """Bits, bits without hyponyms and meanings of every segment with a known marked word."""
    known = {(p.node, p.general) for p in found if p.node is not None}
    if len({node for node, _ in known}) < len(known):
        raise Violation("one meaning has two general words", f"document {i}")
    spans = segments(text, given.segment)
    for number, (start, stop) in enumerate(spans):
        inside = {
            (p.node, p.general)
            for p in found
            if p.node is not None and p.general is not None and start <= p.start < stop
        }
        if not inside:
            continue
        counted = [domains.bits(node, general) for node, general in sorted(inside)]
        entropy = math.fsum(bits for bits, _, _ in counted)
        size = math.prod(volume for _, _, volume in counted)
        t = threshold(given.t, single, i, number)
        enough = size >= t if domains.frequencies is None else entropy >= math.log2(t) - NEAR
        if not enough:
            raise Violation(
                f"{power_of_two(entropy)} base texts, t is {t}", f"document {i}, segment {number}"
            )
        yield math.log2(size), math.fsum(without for _, without, _ in counted), len(inside)
