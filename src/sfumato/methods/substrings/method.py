"""`suppress`, declared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ...core.figures import DOCUMENTS, PRESET, SEED, Figure, Public, chosen
from ...core.method import Call, Cost, Method, MethodInput, SweptOption, option
from ...core.printed_form import by_sizes
from .claims import GUESS, NAMES, names

if TYPE_CHECKING:
    from ...formats import Dataset


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What `suppress` may be told."""

    __repr__ = by_sizes

    k: int = option(
        5,
        "How many people (documents, occurrences) must share what is legible; several: 2,5,10.",
        flag="-k",
        least=1,
        several=True,
        nested=True,
    )
    count: Literal["occurrences", "documents", "groups"] | None = option(
        None,
        "What k counts: occurrences, documents or groups [default: groups where people are named, "
        "documents of a collection, else occurrences].",
    )
    unit: Literal["character", "grapheme", "word"] = option(
        "character", "character, grapheme or word."
    )
    align: Literal["word", "character"] = option(
        "word", "word: a star never splits a word; character: the fewest stars."
    )
    min_run: int = option(1, "The shortest legible stretch, in symbols.", least=1)
    run_price: int = option(
        0, "What opening a run of stars costs, in symbols: fewer, longer runs.", least=0
    )
    cover: Literal["fewest", "longest-first", "word"] = option(
        "fewest",
        "fewest, longest-first (the paper's), word or word-and-repeats (baselines).",
        also=("word-and-repeats",),
    )
    keep: str | None = option(
        None, "Symbols that are never starred, for instance ' .,'.", symbols=True
    )
    mask: str = option("★", "What a starred symbol becomes.")
    collapse: bool = option(False, "One mask for a whole run of stars.")
    strict: bool | None = option(
        None,
        "Count in the release, or in the original [default: in the release, where stars stand "
        "against a reader].",
        off="--no-strict",
        faces=("command",),
    )
    guess: float | None = option(
        GUESS,
        "A star counts as hiding a word only if a reader who knows the other people's texts would "
        "guess the word with a share below this; none: every star counts, as for sequences.",
        least=0,
        most=1,
    )
    reach: int | None = option(
        None,
        "The longest phrase, in words, that must be shared; 1: rare words only [default: any].",
        least=1,
    )
    knows: int | None = option(
        None,
        "How many words of a person an attacker knows: any so many, of words that are not common, "
        "are shown by k people or nobody [default: not asked].",
        least=1,
        most=8,
    )
    common: float = option(
        0.1,
        "Words that more than this share of the people show are not counted as known.",
        least=0,
        most=1,
    )
    copies: Literal["report", "once"] = option(
        "report",
        "report: tell how much of what stays legible stands in passages copied from others; once: "
        "a copied passage counts for its first author only.",
    )
    hide: Literal["recognised", "recognized"] | None = option(
        None,
        "Also star what the recogniser found, however many people share it.",
        faces=("policy",),
        argument=False,
    )
    memory: str | None = option(
        None,
        "Memory to stay within, such as 2GB: a command's as a whole, or it is refused; in a policy "
        "that of counting.",
    )


def _are_sequences(source: Dataset) -> bool:
    """Whether the documents are letters or events in a row, and not prose: no reader is told of."""
    between = "\x1f"  # between the events of a person
    return source.format == "fasta" or any(between in text for text in source.filled)


def bind(given: MethodInput[Options]) -> Call:
    """The arguments of `suppress`."""
    options, source = given.options, given.data
    spans = None
    if options.hide is not None and given.recognized is not None:
        spans = given.recognized()
    elif given.reviewed is not None:
        spans = given.reviewed(METHOD.roles)
    by_group = source.groups is not None and options.count in (None, "groups")
    arguments = {**given.verb_options(), "groups": source.groups if by_group else None}
    if options.guess is GUESS or "guess" not in given.stated:  # a policy states all its options
        arguments["guess"] = None if _are_sequences(source) else GUESS
    return Call(data=source.data, arguments=arguments | {"spans": spans})


METHOD = Method(
    verb="suppress",
    summary="Rare substrings become stars.",
    help="Stars what is rare, so that every legible substring occurs at least k times.",
    example="suppress notes.jsonl -k 5 --text-column text --group-column patient_id -o out.jsonl",
    options=Options,
    function="methods.substrings.suppress:suppress",
    takes="texts",
    claims=names,
    can_claim=NAMES,
    public=Public(
        parameters={
            **chosen(
                "k count unit cover collapse strict align min_run run_price guess reach knows "
                "common copies",
                "how it was made",
            ),
            **chosen("public", "whether the reader was given public texts"),
            **chosen("keep mask", "symbols that stand in the release by rule, not by count"),
            **chosen("preset", PRESET),
            **chosen("seed", SEED),
        },
        counts={
            "documents": DOCUMENTS,
            "symbols": Figure(
                "shown",
                "the release has as many: every hidden symbol has its mark",
                lambda given: not given["collapse"] and len(given["mask"]) == 1,
            ),
            "documents_all_starred": Figure("shown", "the release shows no word of them"),
        },
    ),
    cost=Cost(1.2, 25.0, on_spark=2.7, shuffled=17.8),
    bind=bind,
    spans="direct identifiers in it are starred whatever their count, quasi-identifiers are "
    "counted like all text",
    roles=("direct",),
    group_help="The column that says whose text it is: k counts these.",
    only_hides=True,
    keeps_places=True,
    in_policy={"strict": True},
    in_new_policy={"collapse": True},  # lengths of words tell what is under the stars
    whole_memory="methods.substrings.whole_memory",
    swept=SweptOption(
        "k", (2, 3, 5, 10, 20), ("linkage-rare", "linkage-words", "singling-out-word")
    ),
)
