"""t-plausibility, checked from its definition: base values are counted by walking the links.

Neither the search nor the counts inside the ontology are used. The stated changes must turn the
original into the release, every general word must stand above a meaning of what it replaces, and
the product of the base values of every segment's distinct meanings must reach t.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..core.claims import Claim, Verdict
from ..core.corpus import Corpus
from ..core.numbers import power_of_two
from ..core.segments import segments
from ..ontologies import Ontology, key_of, wordnet
from .alignment import Place, align
from .base_values import Domains, Found, Violation, keys_of
from .listed_words import Listed, uncovered
from .listed_words import listed as phrases_of
from .marked_spans import by_document, in_original, must_be_spans, to_mask, with_masks
from .marks import stands_for_itself, taken_for_text
from .own_groups import Groups, groups_of
from .published_texts import Document, Judge, read_blind
from .spans import listed

if TYPE_CHECKING:
    from ..core.release import Release
    from ..core.values import Data

NEAR = 1e-6  # bits
# Of each place the nodes it may mean, where nobody kept a record of them.
Meanings = Sequence[Sequence[int]] | None
NOTHING_KNOWN = "no marked word is known to the ontology: no base texts are counted"


def check_meanings(claim: Claim, original: Data, release: Release) -> Verdict:
    """Judges a claim of `generalize`. Cost: O(text + nodes below the general words)."""
    before, after = Corpus.of(original).texts, Corpus.of(release.data).texts
    if len(before) != len(after):
        return Verdict(claim, False, f"{len(before)} documents became {len(after)}")
    ontology = release.sides.ontology or wordnet()
    if ontology.digest != claim.parameters["ontology_sha256"]:
        return Verdict(claim, False, "the ontology is not the one of the claim")
    frequencies = release.sides.frequencies
    if bool(claim.parameters["frequencies"]) != (frequencies is not None):
        return Verdict(claim, False, "the frequencies of the claim are missing")
    if claim.parameters["words_with_own_t"] and release.sides.t_words is None:
        return Verdict(claim, False, "the words' own thresholds are missing")
    if claim.parameters.get("spans"):
        listed(claim, release, before)
    if claim.parameters.get("guarantee") == "published":
        return _check_published(claim, original, release, groups_of(ontology))
    domains = Domains(
        ontology,
        str(claim.parameters["volume"]),
        None if frequencies is None else dict(frequencies),
    )
    least, single = [math.inf, math.inf], isinstance(original, str)
    factors = 0
    try:
        for i, found in _documents(before, after, release, claim, domains):
            for bits, without, size in _segments(before[i], i, found, claim, domains, single):
                least = [min(least[0], bits), min(least[1], without)]
                factors += size
    except Violation as violation:
        return violation.verdict(claim)
    if not claim.parameters.get("counted", True) and factors:
        return Verdict(claim, False, "marked words are known, and the claim says that none is")
    measured = {
        "log2_base_texts": least[0] if factors else 0.0,
        "log2_without_hyponyms": least[1] if factors else 0.0,
        "meanings": factors,
    }
    for name in ("log2_base_texts", "log2_without_hyponyms"):  # format 1 stated them
        if measured[name] < float(str(claim.parameters.get(name, 0))) - NEAR:
            return Verdict(claim, False, f"{name} is lower than stated", None, measured)
    known = release.sides.marks is not None or release.sides.spans is not None
    if not known and list(before) == list(after) and any(map(str.strip, before)):
        problem = "nothing was changed, and which words were marked is not known"
        return Verdict(claim, False, problem, None, measured)
    if not factors:
        return Verdict(claim, True, NOTHING_KNOWN, None, {"meanings": 0})
    reason = f"the least segment has {power_of_two(measured['log2_base_texts'])} base texts"
    return Verdict(claim, True, reason, None, measured)


def _check_published(claim: Claim, original: Data, release: Release, groups: Groups) -> Verdict:
    """The texts that the method publishes as every text, counted by the places that were marked."""
    before, after = Corpus.of(original).texts, Corpus.of(release.data).texts
    domains = Domains(groups.ontology, "leaves", None)
    judge, least, factors = Judge(groups), math.inf, 0
    single = isinstance(original, str)
    try:
        for i, found, replacements, meanings in _places(before, after, release, claim, domains):
            document = _document(before[i], found, meanings, i, claim, release, single)
            resolve = None
            if meanings is not None:
                read = read_blind(document, meanings, replacements, groups)
                if read is None:
                    raise Violation("a word is not published as its group", f"document {i}")
                document, resolve = read
            for bits, size in judge.judge(document, replacements, i, resolve):
                least, factors = min(least, bits), factors + size
    except Violation as violation:
        return violation.verdict(claim)
    if claim.parameters["counted"] != bool(factors):
        return Verdict(claim, False, "whether marked words are known is told wrongly")
    known = release.sides.marks is not None or release.sides.spans is not None
    if not known and list(before) == list(after) and any(map(str.strip, before)):
        problem = "nothing was changed, and which words were marked is not known"
        return Verdict(claim, False, problem)
    if not factors:
        return Verdict(claim, True, NOTHING_KNOWN, None, {"meanings": 0})
    reason = f"the least segment is published for {power_of_two(least)} base texts"
    return Verdict(claim, True, reason, None, {"log2_base_texts": least, "meanings": factors})


def _document(
    text: str,
    found: Sequence[Found],
    meanings: Meanings,
    i: int,
    claim: Claim,
    release: Release,
    single: bool,
) -> Document:
    """A document as it is judged: its places in order, and the thresholds of all of it."""
    ontology = release.sides.ontology or wordnet()
    own = {key: t for word, t in release.sides.t_words or () for key in keys_of(word)}
    places = sorted(found, key=lambda place: place.start)
    thresholds = {
        place.start: max(own.get(key, 1) for key in keys_of(text[place.start : place.stop]))
        for place in places
        if own and keys_of(text[place.start : place.stop])
    }
    many = frozenset(
        place.start
        for number, place in enumerate(places)
        if not _is_singular(
            text[place.start : place.stop], _nodes(place, number, meanings), ontology
        )
    )
    unit, least = str(claim.parameters["segment"]), int(str(claim.parameters["min_volume"]))
    document = Document(text, places, (), unit, least, thresholds, many)
    count = len(document.segments())
    t = [_t(claim.parameters["t"], single, i, number) for number in range(count)]
    return replace(document, t=t)


def _nodes(place: Found, number: int, meanings: Meanings) -> Sequence[int]:
    """What a place means, or may mean where nobody kept a record."""
    if meanings is not None:
        return meanings[number]
    return [] if place.node is None else [place.node]


def _is_singular(written: str, nodes: Sequence[int], ontology: Ontology) -> bool:
    """Whether a form is a word of the node itself; of those it may mean, of the first that is."""
    return not nodes or any(node in ontology.senses(keys_of(written)[0]) for node in nodes)


def _places(
    before: Sequence[str], after: Sequence[str], release: Release, claim: Claim, domains: Domains
) -> Iterator[tuple[int, list[Found], dict[int, str], Meanings]]:
    """The marked places of every document and what was written there.

    Where the steward kept no record, also the meanings that each may have had.
    """
    mask, marks = str(claim.parameters["mask"]), release.sides.marks
    problem = taken_for_text(mask) or stands_for_itself(mask, before)
    if problem is not None:
        raise Violation(problem)
    spans, phrases = (
        by_document(release.sides.stretches),
        phrases_of(release.sides.words),
    )
    marked: dict[int, list[Sequence[int]]] = {}
    for document, *rest in marks or ():
        marked.setdefault(document, []).append(rest)
    for i, (old, new) in enumerate(zip(before, after, strict=True)):
        here = [] if spans is None else spans.get(i, [])
        meanings: Meanings = None
        if marks is None:
            aligned = sorted(_aligned(old, new, here, i, claim, domains))
            found = [Found(start, stop, None, None) for start, stop, _, _ in aligned]
            meanings = [[node for node, _ in pairs] for _, _, pairs, _ in aligned]
            written = {start: word for start, _, _, word in aligned}
        else:
            changes = {(c.start, c.stop): c.replacement for c in release.changes.of_document(i)}
            _must_be_applied(old, new, changes, i)
            found = [_read(old, mark, changes, i, claim, domains) for mark in marked.get(i, ())]
            _must_be_marks(old, changes, found, i)
            written = {start: word for (start, _), word in changes.items()}
        if phrases is not None and claim.parameters["unknown"] != "keep":
            _must_be_complete(old, phrases, found, i)
        if spans is not None:
            must_be_spans(old, here, found, i, claim, domains)
        yield i, found, written, meanings


def _aligned(
    old: str, new: str, spans: Sequence[tuple[int, int]], i: int, claim: Claim, domains: Domains
) -> Iterator[Place]:
    """What was replaced and masked, where nobody kept a record."""
    mask = str(claim.parameters["mask"])
    hidden = to_mask(old, spans, claim, domains)
    places = align(with_masks(old, hidden, mask), new, domains.ontology, mask)
    if places is None:
        raise Violation("a change is no generalisation", f"document {i}")
    for place in places:
        yield (*in_original(place[:2], hidden, mask), *place[2:])
    for start, stop in hidden:
        yield start, stop, [], mask


def _read(
    old: str,
    mark: Sequence[int],
    changes: Mapping[tuple[int, int], str],
    i: int,
    claim: Claim,
    domains: Domains,
) -> Found:
    """A marked place with its stated meaning; what is unknown, or has nothing above, is masked."""
    start, stop, node, general = mark
    where = f"document {i}, offsets {start} to {stop}"
    senses = {some for key in keys_of(old[start:stop]) for some in domains.ontology.senses(key)}
    if node < 0:
        if senses and all(map(domains.ontology.parents, senses)):
            raise Violation("a word the ontology knows was treated as unknown", where)
        masked = changes.get((start, stop)) == claim.parameters["mask"]
        if claim.parameters["unknown"] == "suppress" and not masked:
            raise Violation("an unknown word is legible", where)
        return Found(start, stop, None, None)
    if node not in senses:
        raise Violation("the stated meaning is none of the word's", where)
    return Found(start, stop, node, general)


def _documents(
    before: Sequence[str], after: Sequence[str], release: Release, claim: Claim, domains: Domains
) -> Iterator[tuple[int, list[Found]]]:
    """The marked places of every document, each proved to be what the release says."""
    marks = release.sides.marks
    mask = str(claim.parameters["mask"])
    problem = taken_for_text(mask) or stands_for_itself(mask, before)
    if problem is not None:
        raise Violation(problem)
    spans = by_document(release.sides.stretches)
    own = {key: t for word, t in release.sides.t_words or () for key in keys_of(word)}
    phrases = phrases_of(release.sides.words)
    # Words that are kept, or that the optimum may leave alone, do not show that they were marked.
    changes_all = (
        claim.parameters["unknown"] != "keep" and int(str(claim.parameters["min_volume"])) > 1
    )
    if marks is None:
        for i, (old, new) in enumerate(zip(before, after, strict=True)):
            here = [] if spans is None else spans.get(i, [])
            hidden = to_mask(old, here, claim, domains)
            places = align(with_masks(old, hidden, mask), new, domains.ontology, mask)
            if places is None:
                raise Violation("a change is no generalisation", f"document {i}")
            aligned = [
                _widest(Found(*in_original(place[:2], hidden, mask), None, None), place[2], domains)
                for place in places
            ]
            aligned += [Found(start, stop, None, None) for start, stop in hidden]
            _must_reach_own(old, aligned, own, i, domains)
            if phrases is not None and changes_all:
                _must_be_complete(old, phrases, aligned, i)
            if spans is not None:
                must_be_spans(old, here, aligned, i, claim, domains)
            yield i, aligned
        return
    marked: dict[int, list[Sequence[int]]] = {}
    for document, *rest in marks:
        marked.setdefault(document, []).append(rest)
    for i, (old, new) in enumerate(zip(before, after, strict=True)):
        changes = {(c.start, c.stop): c.replacement for c in release.changes.of_document(i)}
        _must_be_applied(old, new, changes, i)
        found = [_proved(old, mark, changes, i, claim, domains, own) for mark in marked.get(i, ())]
        _must_be_marks(old, changes, found, i)
        if phrases is not None:
            _must_be_complete(old, phrases, found, i)
        if spans is not None:
            must_be_spans(old, spans.get(i, ()), found, i, claim, domains)
        yield i, found


def _must_be_applied(old: str, new: str, changes: Mapping[tuple[int, int], str], i: int) -> None:
    pieces, at = [], 0
    for (start, stop), replacement in sorted(changes.items()):
        if start < at:
            raise Violation("two changes overlap", f"document {i}, offset {start}")
        pieces += [old[at:start], replacement]
        at = stop
    if "".join([*pieces, old[at:]]) != new:
        raise Violation("the release is not the original with the stated changes", f"document {i}")


def _must_be_marks(
    old: str, changes: Mapping[tuple[int, int], str], found: Sequence[Found], i: int
) -> None:
    marked = {(place.start, place.stop) for place in found}
    for (start, stop), replacement in changes.items():
        articles = {old[start:stop].casefold(), replacement.casefold()} <= {"a", "an"}
        if (start, stop) not in marked and not articles:
            raise Violation("an unmarked word was changed", f"document {i}, offset {start}")


def _must_be_complete(old: str, phrases: Listed, found: Sequence[Found], i: int) -> None:
    """Every place where the words of a listed phrase follow each other overlaps a marked place."""
    place = uncovered(old, phrases, ((one.start, one.stop) for one in found))
    if place is not None:
        raise Violation("a listed word was not marked", f"document {i}, offset {place[0]}")


def _proved(
    old: str,
    mark: Sequence[int],
    changes: Mapping[tuple[int, int], str],
    i: int,
    claim: Claim,
    domains: Domains,
    own: Mapping[str, int],
) -> Found:
    start, stop, node, general = mark
    where = f"document {i}, offsets {start} to {stop}"
    replacement = changes.get((start, stop))
    keys = keys_of(old[start:stop])
    if node < 0:
        if any(domains.ontology.senses(key) for key in keys):
            raise Violation("a word the ontology knows was treated as unknown", where)
        if claim.parameters["unknown"] == "suppress" and replacement != claim.parameters["mask"]:
            raise Violation("an unknown word is legible", where)
        return Found(start, stop, None, None)
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
        node, general, max((own.get(key, 1) for key in keys), default=1), claim, domains, where
    )
    return Found(start, stop, node, general)


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
    node: int, general: int, own: int, claim: Claim, domains: Domains, where: str
) -> None:
    """`min_volume` where the path has it; a word's own t in any case."""
    volume = domains.bits(node, general)[2]
    least = int(str(claim.parameters["min_volume"]))
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
    old: str, found: Sequence[Found], own: Mapping[str, int], i: int, domains: Domains
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


def _widest(place: Found, pairs: Sequence[tuple[int, int]], domains: Domains) -> Found:
    """Without the steward's record, the pair of meanings with the most base values."""
    if not pairs:
        return place
    node, general = max(pairs, key=lambda pair: (domains.bits(*pair)[2], pair))
    return Found(place.start, place.stop, node, general)


def _segments(
    text: str,
    i: int,
    found: Sequence[Found],
    claim: Claim,
    domains: Domains,
    single: bool,
) -> Iterator[tuple[float, float, int]]:
    """Bits, bits without hyponyms and meanings of every segment with a known marked word."""
    known = {(p.node, p.general) for p in found if p.node is not None}
    if len({node for node, _ in known}) < len(known):
        raise Violation("one meaning has two general words", f"document {i}")
    spans = segments(text, claim.parameters["segment"])  # type: ignore[arg-type]
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
        t = _t(claim.parameters["t"], single, i, number)
        enough = size >= t if domains.frequencies is None else entropy >= math.log2(t) - NEAR
        if not enough:
            raise Violation(
                f"{power_of_two(entropy)} base texts, t is {t}", f"document {i}, segment {number}"
            )
        yield math.log2(size), math.fsum(without for _, without, _ in counted), len(inside)


def _t(t: Any, single: bool, document: int, segment: int) -> int:
    if isinstance(t, int):
        return t
    here = t if single else t[document]
    return int(here if isinstance(here, int) else here[segment])
