"""What `generalize` may be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ...core.method import option
from ...core.printed_form import by_sizes


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
