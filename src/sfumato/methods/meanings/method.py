"""`generalize`, declared."""

from __future__ import annotations

import csv
import io
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from ...core.errors import BadInput
from ...core.figures import DOCUMENTS, LISTED, PRESET, SEED, Public, chosen
from ...core.method import (
    Action,
    Call,
    Cost,
    Method,
    MethodInput,
    Output,
    Parts,
    SweptOption,
    option,
    released,
)
from ...core.options import read_text
from ...core.printed_form import by_sizes
from .claims import NAMES, names

if TYPE_CHECKING:
    from pathlib import Path

    from ...core.release import Release
    from ...core.values import Data, JsonObject
    from ...formats.chunks import Chunks
    from ...ontologies import Ontology, Volume


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What `generalize` may be told."""

    __repr__ = by_sizes

    t: int = option(
        32,
        "How many base texts at least; per segment of one text: 8,32.",
        flag="-t",
        least=1,
        several=True,
    )
    words: list[str] | Literal["nouns", "recognised", "recognized"] = option(
        "nouns",
        "Words and phrases to generalise, with commas; nouns: every noun the ontology knows; "
        "recognized: what the recogniser found.",
        secret=True,
    )
    words_file: str | None = option(
        None, "A file with one word or phrase a line.", is_file=True, argument=False
    )
    give_back: int | None = option(
        None,
        "Of what was recognised or of spans: a quasi-identifier in so many texts stays as it is.",
        least=2,
        most=1_000_000,
    )
    t_words: dict[str, int] | None = option(
        None,
        "A word's own least number of base values: WORD=8; repeatable.",
        flag="--t-word",
        secret=True,
    )
    guarantee: Literal["published", "plausible"] | None = option(
        None,
        "published: t base texts are published as that very text; plausible: t base texts "
        "generalise to it (the paper's) [default: published].",
    )
    objective: Literal["uniform", "smallest"] = option(
        "uniform", "plausible: uniform (words alike) or smallest (fewest base texts)."
    )
    search: Literal["exact", "lub", "exhaustive"] = option(
        "exact", "plausible: exact, lub (the paper's heuristic) or exhaustive."
    )
    alpha: float = option(
        0.5,
        "plausible: weight of the whole text against single words, 0 to 1.",
        least=0,
        most=1,
    )
    min_volume: int = option(2, "Base values every marked word must have where it can.", least=1)
    ontology: str | None = option(
        None, "A .csv, .obo, .ttl or .rdf file [default: WordNet].", is_file=True
    )
    volume: Literal["leaves", "level"] = option(
        "leaves", "plausible: what base values are, leaves or level."
    )
    sense: Literal["context", "first"] = option("context", "context or first.")
    unknown: Literal["suppress", "keep", "fail"] = option(
        "suppress", "Words the ontology lacks: suppress, keep or fail."
    )
    segment: Literal["document", "paragraph", "sentence"] = option(
        "document", "What t holds for: document, paragraph or sentence."
    )
    frequencies: str | None = option(
        None,
        "plausible: a CSV of word,count; base values are as likely as they are frequent.",
        is_file=True,
    )
    mask: str = option("★", "What a suppressed word becomes.")


def bind(given: MethodInput[Options]) -> Call:
    """The arguments of `generalize`."""
    return Call(data=given.data.data, arguments=arguments_of(given))


def arguments_of(given: MethodInput[Options]) -> JsonObject:
    """The same without the texts."""
    frequencies = given.file(given.options.frequencies)
    more = {
        "words": words_of(given),
        "ontology": given.file(given.options.ontology),
        "frequencies": None if frequencies is None else read_frequencies(frequencies),
    }
    return {**given.verb_options(), **more}


def are_apart(options: object) -> bool:
    """Whether documents do not depend on each other: what is found or given back may do so."""
    assert isinstance(options, Options)
    recognized = options.words in ("recognised", "recognized")
    return isinstance(options.t, int) and options.give_back is None and not recognized


def in_parts(given: MethodInput[Options], chunks: Chunks) -> Parts:
    """What releases one part after the other; whether any word is known is found out before."""
    from .claims import claims_of, notes_of
    from .marks import any_known
    from .options import check_ontology

    arguments = arguments_of(given) | {"seed": given.seed}
    table = arguments["ontology"] = check_ontology(arguments["ontology"])
    known, marked = any_known((one.filled for one in chunks), arguments["words"], table)

    def release(part: Data) -> Release:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a part; those of all come at the end
            made: Release = METHOD.call()(part.texts, **arguments)
        says_nothing = made.parameters["guarantee"] == "plausible" and not marked
        parameters = {**made.parameters, "counted": known or says_nothing}
        own = notes_of(parameters, made.counts)
        notes = tuple(one for one in made.warnings if one not in own)
        return replace(made, parameters=parameters, claims=claims_of(parameters), warnings=notes)

    def of_all(counts: Mapping[str, int]) -> tuple[str, ...]:
        return notes_of({"unknown": given.options.unknown}, counts)

    return Parts(release=release, warnings=of_all)


def sides(given: MethodInput[Options], release: Release) -> JsonObject:
    """The ontology, where it is a file; certificates of format 1 counted its levels otherwise."""
    file = given.file(given.options.ontology)
    if file is None:
        return {}
    from ...ontologies import read_ontology
    from ...ontologies.format_1 import with_levels

    found = read_ontology(file)
    return {"ontology": found if given.stretched else with_levels(found)}


def words_of(given: MethodInput[Options]) -> object:
    """The words that are marked: listed ones, spans, or None for every noun."""
    words, file = given.options.words, given.file(given.options.words_file)
    listed: list[str] = [] if isinstance(words, str) else list(words)
    if given.reviewed is not None:
        if listed or file is not None:
            raise BadInput("give words or spans, not both", where="spans")
        return given.reviewed(METHOD.roles)
    if words in ("recognised", "recognized"):
        if given.recognized is None:
            remedy = "name a recogniser or spans"
            raise BadInput("nothing is recognised here", where="words", remedy=remedy)
        return given.recognized()
    if file is not None:
        lines = read_text(file, "words_file").splitlines()
        listed += [line.strip() for line in lines if line.strip()]
    elif words == "nouns":
        return None
    if not listed:
        where = "words" if file is None else "words_file"
        raise BadInput("holds no word", where=where, remedy="list words, or drop it for all nouns")
    return listed


def read_frequencies(path: Path) -> dict[str, float]:
    """A CSV of word,count, by the key of the word; a heading is passed over."""
    from ...ontologies import key_of

    counts: dict[str, float] = {}
    lines = io.StringIO(read_text(path, "frequencies"))
    for number, row in enumerate(csv.reader(lines), start=1):
        try:
            word, count = row
            counts[key_of(word)] = counts.get(key_of(word), 0.0) + float(count)
        except ValueError:
            if number > 1:
                raise BadInput("expected word,count", where=f"{path}, line {number}") from None
    return counts


def show_ladder(given: MethodInput[Options], asked: bool, output: Output) -> list[str]:
    """Each word's path with volumes, the chosen level in brackets."""
    _, releases = released(METHOD, given)
    sides = releases[""].sides
    assert sides.ontology is not None
    return ladder_lines(sides.input.texts, sides.marks or (), sides.ontology, given.options.volume)


def ladder_lines(
    texts: Sequence[str],
    marks: Sequence[tuple[int, int, int, int, int]],
    ontology: Ontology,
    reading: Volume,
) -> list[str]:
    """Each marked word's path with its volumes, the chosen level in brackets, once per meaning.

    >>> from sfumato.ontologies import wordnet
    >>> pain = wordnet().senses("phantom limb pain")[0]
    >>> marks = [(0, 0, 18, pain, wordnet().path(pain)[1])]
    >>> ladder_lines(["Phantom limb pains"], marks, wordnet(), "leaves")[0][:60]
    'Phantom limb pains 1 < [pain 3] < somesthesia 9 < perception'
    """
    from ...ontologies import volume

    lines, seen = [], set()
    for document, start, stop, node, general in marks:
        if node < 0 or (node, general) in seen:
            continue
        seen.add((node, general))
        path = ontology.path(node)
        names = [texts[document][start:stop], *(ontology.words(above)[0] for above in path[1:])]
        steps = [
            (above, f"{name} {volume(ontology, node, j, reading)}")
            for j, (above, name) in enumerate(zip(path, names, strict=True))
        ]
        if general == len(ontology):
            steps.append((general, "masked"))
        lines.append(" < ".join(f"[{s}]" if above == general else s for above, s in steps))
    unknown = sum(mark[3] < 0 for mark in marks)
    if unknown:
        lines.append(f"unknown to the ontology: {unknown} marked words")
    return lines


METHOD = Method(
    verb="generalize",
    summary="Sensitive words become more general words.",
    help="Makes sensitive words more general, so that at least t base texts are published as the "
    "same text.",
    example='generalize note.txt -t 32 --words "sacramento,marijuana,liver cancer" -o out.txt',
    options=Options,
    function="methods.meanings.generalize:generalize",
    takes="texts",
    claims=names,
    can_claim=NAMES,
    public=Public(
        parameters={
            **chosen("t objective search alpha min_volume volume path segment", "how it was made"),
            **chosen("ontology ontology_sha256", "which words stand above which"),
            **chosen("sense unknown mask guarantee", "how words are read and written"),
            **chosen("frequencies words_with_own_t spans", LISTED),
            **chosen("give_back", "how many must write what is given back"),
            **chosen("counted", "whether the ontology knows any marked word: what is claimed"),
            **chosen("preset", PRESET),
            **chosen("seed", SEED),
        },
        counts={"documents": DOCUMENTS},
    ),
    cost=Cost(1.3, 8.0),
    bind=bind,
    sides=sides,
    spans="in place of words: its direct and quasi-identifiers are generalised, and masked where "
    "the ontology lacks them",
    roles=("direct", "quasi"),
    claims_replaced=True,
    parts=in_parts,
    parts_if=are_apart,
    prints=True,
    actions=(
        Action(
            "show_ladder",
            "Print each word's path with volumes; write nothing.",
            "methods.meanings.method:show_ladder",
        ),
    ),
    swept=SweptOption("t", (2, 4, 8, 16, 32), ("linkage-words", "singling-out-word")),
)
