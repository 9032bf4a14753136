"""`redact`, declared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from ...core.errors import BadInput
from ...core.figures import DOCUMENTS, LISTED, PRESET, SEED, Figure, Public, chosen
from ...core.method import (
    Action,
    Beside,
    Call,
    Cost,
    Method,
    MethodInput,
    Output,
    Parts,
    SweptOption,
    option,
)
from ...core.printed_form import by_sizes
from .claims import NAMES, names

if TYPE_CHECKING:
    from pathlib import Path

    from ...core.release import Release
    from ...core.spans import Span
    from ...core.values import JsonObject
    from ...formats.chunks import Chunks
    from .dictionary import TermDictionary


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What `redact` may be told."""

    __repr__ = by_sizes

    terms: str | None = option(
        None,
        "The terms: a file with one a line, or a dictionary that redact saved.",
        is_file=True,
        needed=True,
    )
    k: int = option(5, "How many terms must share a published string.", flag="-k", least=1)
    guarantee: Literal["published", "matching"] = option(
        "published",
        "published: k terms are published as that very string; matching: k terms match it.",
    )
    direct: str | None = option(
        None, "Direct identifiers, one a line: starred whole everywhere.", is_file=True
    )
    rare_lengths: Literal["shared", "star"] = option(
        "shared",
        "Lengths with fewer than k terms: shared (one string) or star (tells the length).",
    )
    mask: str | list[str] = option(
        "*", "What a redacted character becomes [default: *]; several: the first free."
    )
    whole_words: bool = option(True, "Find terms as whole words where the script has words.")
    fold_case: bool = option(False, "Overlook case.", argument=False)
    fold_width: bool = option(False, "Overlook width.", argument=False)
    save_dictionary: str | None = option(
        None,
        "Keep terms and their strings here, to verify and for later releases.",
        is_file=True,
        faces=("command",),
    )


@dataclass(frozen=True, slots=True)
class Lists:
    """What is redacted: terms, direct identifiers wherever they stand, and single places."""

    __repr__ = by_sizes

    dictionary: TermDictionary
    direct: Sequence[str] | None
    spans: Sequence[Span]


def lists_of(given: MethodInput[Options]) -> Lists:
    """The lists of the files; of spans, the direct are places and the texts of the quasi terms."""
    from .folding import Folding
    from .term_list import read_terms

    options = given.options
    folding = Folding(options.fold_case, options.fold_width)
    path, direct = given.file(options.terms), given.file(options.direct)
    named = None if direct is None else read_terms(direct, folding, "direct").strings()
    if path is None and given.reviewed is None:
        raise BadInput("no list of terms", where="terms", remedy="one term a line, UTF-8")
    listed = None if path is None else read_dictionary(path, options)
    if given.reviewed is None:
        assert listed is not None
        return Lists(listed, named, ())
    from ...recognizers import resolve
    from .dictionary import TermDictionary
    from .listed_spans import spelt

    quasi = given.reviewed(["quasi"])
    found, unfound = spelt(quasi, given.data.filled, options.whole_words)
    if listed is not None:
        found = [*listed.terms.strings(), *found]
    if not found:
        raise BadInput(
            "no quasi-identifier in the spans to make terms of",
            where="spans",
            remedy="list terms too, or use suppress with the spans, which needs none",
        )
    places = resolve([*given.reviewed(["direct"]), *unfound])
    dictionary = TermDictionary(found, fold_case=options.fold_case, fold_width=options.fold_width)
    return Lists(dictionary, named, places)


def sides(given: MethodInput[Options], release: Release) -> JsonObject:
    """The terms, what each is published as, and those of which no letter may stay."""
    from .publication import Plan, Strings
    from .term_list import read_terms

    options, listed = given.options, given.file(given.options.terms)
    assert listed is not None
    dictionary = read_dictionary(listed, options)
    counted = "candidates" in release.parameters  # version 0.1 made its strings otherwise
    plan = Plan(options.guarantee, options.k, options.rare_lengths, options.whole_words, counted)
    mask = str(release.parameters["mask"])
    found = {
        "terms": dictionary.terms,
        "published": Strings(dictionary.publication(plan), dictionary.terms, mask),
    }
    direct = given.file(options.direct)
    if direct is not None:
        found["direct"] = read_terms(direct, dictionary.folding)
    return found


def read_dictionary(path: Path, options: Options) -> TermDictionary:
    """A saved dictionary, or the list of a file with one term a line."""
    from .dictionary import TermDictionary
    from .dictionary_file import is_saved

    try:
        with path.open("rb") as stream:
            saved = is_saved(stream.read(16))
    except OSError as problem:
        raise BadInput(f"cannot be read ({problem.strerror})", where="terms") from None
    if not saved:
        return TermDictionary(path, fold_case=options.fold_case, fold_width=options.fold_width)
    dictionary = TermDictionary.load(path)
    has = dictionary.folding
    if (options.fold_case and not has.case) or (options.fold_width and not has.width):
        raise BadInput("the saved dictionary was made without this folding", where="terms")
    return dictionary


def bind(given: MethodInput[Options]) -> Call:
    """The arguments of `redact`."""
    lists = lists_of(given)
    starred = [*(lists.direct or ()), *lists.spans]
    direct = starred if lists.direct is not None or lists.spans else None
    return Call(
        data=given.data.data,
        arguments={**given.verb_options(), "terms": lists.dictionary, "direct": direct},
        beside=saved(given, lists.dictionary),
    )


def saved(given: MethodInput[Options], dictionary: TermDictionary) -> Beside | None:
    """Keeps the dictionary beside the release, where that is asked for."""
    path = given.file(given.options.save_dictionary)
    if path is None:
        return None
    return lambda files: lambda release: dictionary.save(path, files) if release is None else None


def in_parts(given: MethodInput[Options], chunks: Chunks) -> Parts:
    """What releases one part after the other: the lists are read once, a free mask is found."""
    from .redact import redact

    lists, options = lists_of(given), given.options
    masks = [options.mask] if isinstance(options.mask, str) else list(options.mask)
    if len(masks) > 1:
        for chunk in chunks:
            masks = [one for one in masks if not any(one in text for text in chunk.filled)]
        if not masks:
            problem, remedy = "the text already contains every mask", "allow another one"
            raise BadInput(problem, where="mask", remedy=remedy)
    arguments: JsonObject = {**given.verb_options(), "mask": masks, "direct": lists.direct}
    dictionary = lists.dictionary if given.stretched else lists.dictionary.as_before()
    arguments |= {"terms": dictionary, "seed": given.seed}
    verb: Any = partial(redact, **arguments)
    return Parts(release=lambda part: verb(part.texts), beside=saved(given, lists.dictionary))


def explain(given: MethodInput[Options], term: str, output: Output) -> list[dict[str, object]]:
    """Table 2 of the paper for one term."""
    mask = given.options.mask
    found = lists_of(given).dictionary.patterns(term, mask if isinstance(mask, str) else mask[0])
    return [
        {"matches": one.matches, "redacted": one.redacted, "pattern": one.text} for one in found
    ]


def tradeoff(given: MethodInput[Options], asked: bool, output: Output) -> list[JsonObject]:
    """What each k costs over the list."""
    rows: list[dict[str, object]] = lists_of(given).dictionary.tradeoff().to_dicts()
    return rows


METHOD = Method(
    verb="redact",
    summary="Listed quasi-identifiers lose as few characters as possible.",
    help="Redacts characters of listed terms so that k terms share every published string.",
    example="redact notes.csv --text-column text --terms titles.txt -k 5 -o out.csv",
    options=Options,
    function="methods.terms.redact:redact",
    takes="texts",
    claims=names,
    can_claim=NAMES,
    public=Public(
        parameters={
            **chosen(
                "k guarantee rare_lengths shared candidates", "how the list's strings were made"
            ),
            **chosen("whole_words fold_case fold_width", "how terms are found"),
            "mask": Figure(
                "shown", "the mark in the release; the first allowed one it lacks otherwise"
            ),
            **chosen("direct spans", LISTED),
            **chosen("preset", PRESET),
            **chosen("seed", SEED),
        },
        counts={"documents": DOCUMENTS},
    ),
    cost=Cost(0.8, 50.0),
    bind=bind,
    sides=sides,
    spans="its direct identifiers are starred whole where they stand, the texts of its "
    "quasi-identifiers join the terms",
    roles=("direct", "quasi"),
    keeps_places=True,
    claims_replaced=True,
    parts=in_parts,
    actions=(
        Action(
            "explain",
            "Print the patterns of a term and stop.",
            "methods.terms.method:explain",
            metavar="TERM",
        ),
        Action(
            "tradeoff",
            "Print what each k costs over the list and stop.",
            "methods.terms.method:tradeoff",
        ),
    ),
    swept=SweptOption("k", (2, 3, 5, 10, 20), ("redact-inversion",)),
)
