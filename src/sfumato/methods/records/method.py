"""`anonymize`, declared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ...core.errors import BadInput
from ...core.figures import RECOGNIZER, SEED, TABLE, Figure, Public, chosen
from ...core.method import Call, Cost, Method, MethodInput, SweptOption, option
from ...core.printed_form import by_sizes
from .claims import NAMES, names

if TYPE_CHECKING:
    from ...core.release import Release
    from ...core.values import JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What `anonymize` may be told."""

    __repr__ = by_sizes

    k: int = option(
        5,
        "How many people share a class; several: 2,5.",
        flag="-k",
        least=1,
        several=True,
        nested=True,
    )
    partitioner: Literal["mondrian", "gdf", "clusters"] = option(
        "clusters", "clusters, which lose least; the paper's mondrian or gdf."
    )
    relational_weight: float = option(
        0.5, "lambda: 0 splits on terms only, 1 on columns only.", least=0, most=1
    )
    cuts: Literal["corrected", "printed"] = option(
        "corrected", "corrected, or printed: Algorithm 1 to the letter."
    )
    effort: Literal["quick", "default", "thorough"] = option(
        "default",
        "How long clusters are searched for less loss: quick (not), default, or thorough.",
    )
    block: int | None = option(
        None,
        "People among whom clusters are formed: more lose less and take longer.",
        least=2,
    )
    l: float | None = option(None, "l-diversity of the sensitive columns.", flag="-l")  # noqa: E741
    diversity: Literal["distinct", "entropy", "recursive"] = option(
        "distinct", "distinct, entropy or recursive (c, l)."
    )
    c: float = option(1.0, "c of recursive (c, l)-diversity.")
    t: float | None = option(None, "t-closeness of the sensitive columns.", flag="-t")
    strata: Literal["drawn", "chosen"] = option(
        "drawn",
        "With -l or -t, how clusters get their sensitive values: drawn, so that who runs the "
        "method again learns nobody's; or chosen, which loses less and may tell who has not which.",
    )
    suppress_share: float = option(
        0.0, "The share of people that may be left out as outliers.", least=0, most=1
    )
    terms: Literal["suppress", "generalize"] = option(
        "suppress",
        "Terms that a class does not share: suppress, or generalize.",
        flag="--unshared",
    )
    ontology: str | None = option(
        None, "The ontology for generalize [default: WordNet].", is_file=True
    )
    knows: int | None = option(
        None,
        "How many terms of a person an attacker knows beside all columns: m of (k, k^m)-anonymity "
        "[default: all of them].",
        least=1,
        most=8,
    )
    population: str | None = option(
        None,
        "A table of the population: so many of its people fit every class (k-map, delta-presence).",
        is_file=True,
    )
    k_map: int | None = option(
        None,
        "How many people of the population fit every class at least [default: k].",
        least=1,
    )
    delta: float | None = option(
        None,
        "delta-presence: at most this share of the population's people who fit a class is in it.",
        least=0,
        most=1,
    )
    shuffle: bool | None = option(
        None,
        "Shuffle the rows, under the key: their order tells whose they are [default: shuffle].",
        off="--no-shuffle",
    )
    give_back: int | None = option(
        None,
        "A quasi-identifier in texts that so many people write stays as it is.",
        least=2,
        most=1_000_000,
    )
    own_values: Literal["words", "all", "dropped", "none"] | None = option(
        None,
        "People's own values in their texts: words (and dates), all (numbers and short values "
        "too), dropped (of dropped columns only) or none [default: as the schema says, else words, "
        "and dropped with --terms or --spans].",
    )
    listed: str | None = option(
        None,
        "The terms, a CSV or Parquet table of row,start,stop,label (and column), or of the person "
        "column,entity_type,term.",
        flag="--terms",
        is_file=True,
        faces=("command",),
    )


def bind(given: MethodInput[Options]) -> Call:
    """The arguments of `anonymize`: what the schema says where nobody said otherwise."""
    arguments, defaults = given.verb_options(), given.schema.defaults
    for name in ("k", "partitioner", "relational_weight"):
        if name not in given.stated and getattr(defaults, name) is not None:
            arguments[name] = getattr(defaults, name)
    ontology, listed = given.file(given.options.ontology), given.file(given.options.listed)
    found: object = given.recognizer
    if listed is not None and given.reviewed is not None:
        raise BadInput("give one of --terms and --spans", where="spans")
    if listed is not None:
        from ...formats.table import read_table

        found = read_table(str(listed)).frame
    elif given.reviewed is not None:
        found = given.reviewed(METHOD.roles)
    arguments |= sides_of(given, None)
    more = {
        "schema": given.schema,
        "ontology": None if ontology is None else str(ontology),
        "recognizer": found,
        "key": given.key,
    }
    return Call(data=given.data.frame, arguments={**arguments, **more})


def sides_of(given: MethodInput[Options], release: Release | None) -> JsonObject:
    """The table of the population, where one is named."""
    path = given.file(given.options.population)
    if path is None:
        return {}
    from ...formats.table import read_table

    return {"population": read_table(str(path)).frame}


METHOD = Method(
    verb="anonymize",
    summary="People become k-anonymous on their columns and on the sensitive terms of their texts.",
    help="Makes people k-anonymous on their columns and on the sensitive terms of their texts.",
    example="anonymize people.csv --schema people.yaml -k 5 -o out.csv",
    options=Options,
    function="methods.records.anonymize:anonymize",
    takes="table",
    claims=names,
    can_claim=NAMES,
    public=Public(
        parameters={
            **chosen("k l diversity c t suppress_share", "what was demanded"),
            **chosen(
                "partitioner relational_weight cuts block effort terms strata", "how it was made"
            ),
            **chosen("own_values ontology knows k_map delta", TABLE),
            **chosen("shuffle", "whether the rows stand in an order drawn by the key"),
            **chosen("recognizer preset", RECOGNIZER),
            **chosen("give_back", "how many must write what is given back"),
            **chosen("seed", SEED),
        },
        counts={"rows": Figure("shown", "they are counted in the release")},
    ),
    cost=Cost(2.9, 24.0),
    bind=bind,
    sides=sides_of,
    spans="exactly these, in place of a recogniser",
    roles=("direct", "quasi", "keep"),
    recognizes=True,
    keyed=True,
    loss=lambda release: float(release.loss["NCP"]),
    swept=SweptOption("k", (2, 3, 5, 10, 20), ("linkage", "prosecutor", "marketer")),
)
