"""`sanitize`, declared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ...core.errors import BadInput
from ...core.figures import DOCUMENTS, SEED, SEPARATORS, Figure, Public, chosen
from ...core.method import Call, Cost, Method, MethodInput, SweptOption, option
from ...core.printed_form import by_sizes
from .claims import NAMES, names

if TYPE_CHECKING:
    from ...core.values import JsonObject
    from ...formats.sequences import Shape
    from ...formats.source import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What `sanitize` may be told."""

    __repr__ = by_sizes

    patterns: str | None = option(
        None,
        "The sensitive patterns, one a line; tokens by blanks, events that hold blanks in quotes; "
        "of a .csv file one a row.",
        is_file=True,
        needed=True,
    )
    positions: str | None = option(
        None,
        "Or where they stand, from 0: 3,17 (of a collection 0:3,1:17).",
        faces=("command",),
        argument=False,
    )
    draw: int | None = option(
        None, "Or how many to draw among those that occur tau times.", faces=("command",)
    )
    method: Literal["tfs", "pfs", "tm", "tmi", "tpm", "etfs", "replace", "delete"] = option(
        "tpm",
        "tfs, pfs, etfs (leave separators); tpm, tm, tmi; replace (an input that has separators); "
        "delete (leaves events out, writes none); ba, ba-reverse.",
        also=("ba", "ba-reverse"),
    )
    replacement: Literal["hide-and-mine", "mcsr", "integer-program"] = option(
        "hide-and-mine", "hide-and-mine, mcsr or integer-program."
    )
    tau: int = option(1, "From which frequency on a pattern counts.", least=1)
    theta: float | None = option(None, "The most that replacements may weigh (mcsr).")
    rho: float | None = option(None, "No replacement may score below this (below 0).")
    implausible: str | None = option(
        None, "Patterns that no replacement may create, one a line.", is_file=True
    )
    reference: str | None = option(
        None,
        "A file like the input: rho is judged by its frequencies [default: the input's].",
        is_file=True,
    )
    letters: int = option(
        256, "How many of the most frequent letters are tried at a separator.", least=1
    )
    separator: str = option("#", "A symbol that the input does not have.")
    length: int | None = option(None, "k, the windows' length [default: the shortest pattern's].")
    unit: Literal["character", "token", "event"] = option(
        "character",
        "character; token: what stands between blanks; event: a row of a file of events.",
        argument=False,
    )
    per_line: bool = option(
        False,
        "Each line of a text is a sequence of its own.",
        faces=("command",),
        argument=False,
    )
    keep_short: bool | None = option(
        None,
        "Sequences shorter than k stay, or become empty [default: stay in a collection].",
        off="--drop-short",
    )
    shuffle: bool = option(False, "Break the ties of blocks at random.", faces=("command",))


def bind(given: MethodInput[Options]) -> Call:
    """The arguments of `sanitize`."""
    from ...formats.sequences import Shape, read_positions

    options, source = given.options, given.data
    require_unit(source, options.unit)
    shape = Shape(options.unit, options.per_line)
    sequences = shape.sequences(source)
    collection = not source.is_single or options.per_line
    implausible, reference = given.file(options.implausible), given.file(options.reference)
    more: dict[str, object] = {
        "patterns": patterns_of(given, shape),
        "collection": collection,
        "implausible": None if implausible is None else shape.patterns(implausible, source),
    }
    if options.positions is not None:
        more["positions"] = read_positions(options.positions, collection)
    if reference is not None and given.read is not None:
        more["reference"] = reference_of(shape, given.read(str(reference)), collection)
    told: tuple[str, ...] = ()
    if isinstance(sequences, str) and (breaks := sequences.count("\n")):
        told = (
            f"{breaks} line breaks count as symbols: a pattern that one divides is not hidden "
            "(see --per-line)",
        )
    shown: JsonObject = {"unit": shape.unit, "per_line": options.per_line}
    if source.asked is not None and source.asked.said.timed:
        shown["times"] = source.asked.said.time or "time:timestamp"
    return Call(
        data=sequences,
        arguments={**given.verb_options(), **more},
        shown=shown,
        warnings=told,
        texts=lambda data: shape.texts(source, data),
    )


def require_unit(source: Source, unit: str) -> None:
    """Refuses a unit that is not the file's: no pattern would be found, and all of them kept."""
    has_events = source.asked is not None and source.asked.format in ("events", "xes")
    if has_events and unit != "event":
        raise BadInput(
            f"the input has one event a row, and the unit is {unit}",
            where="unit",
            remedy="write unit: event, so that patterns are sequences of events",
        )
    if unit == "event" and not has_events:
        raise BadInput(
            "the unit is event, and the input is no file of events",
            where="unit",
            remedy="name the column that says whose each event is, or give an event log (.xes)",
        )


def patterns_of(given: MethodInput[Options], shape: Shape) -> list[Any] | None:
    """The sensitive patterns of a file, of spans, or of both; None when neither is given."""
    from ...formats.sequences import require_one_case

    path, source = given.file(given.options.patterns), given.data
    if path is None and given.reviewed is None:
        return None
    listed = [] if path is None else shape.patterns(path, source)
    if given.reviewed is not None:
        found = shape.patterns_of_spans(source, given.reviewed(METHOD.roles))
        listed += [one for one in found if one not in listed]
    if source.format == "fasta" and shape.unit == "character":
        require_one_case([*source.filled, *listed], source.place)
    return listed


def reference_of(shape: Shape, source: Source, collection: bool) -> Any:
    """What implausible windows are judged by, in the form of the sequences."""
    is_one = source.is_single and not shape.per_line
    if not is_one and not collection:
        raise BadInput(
            f"expected one sequence, as the input is, found {len(source.texts)}",
            where="reference",
            remedy="give a file of the input's form",
        )
    found = shape.sequences(source)
    return [found] if is_one and collection else found


METHOD = Method(
    verb="sanitize",
    summary="Sensitive patterns of sequences are concealed.",
    help="Conceals sensitive patterns and keeps the order and frequency of all others.",
    example="sanitize trace.txt --patterns secret.txt --method tpm --tau 20 -o out.txt",
    options=Options,
    function="methods.patterns.sanitize:sanitize",
    takes="sequences",
    claims=names,
    can_claim=NAMES,
    public=Public(
        parameters={
            **chosen("method replacement tau theta rho letters shuffle", "how it was made"),
            **chosen("separator unit per_line collection keep_short", "what sequences are"),
            **chosen("k", "the length of the listed patterns"),
            **chosen("timed times", "the times stand in the release"),
            **chosen("seed", SEED),
        },
        counts={
            "sequences": DOCUMENTS,
            "released_symbols": Figure("shown", "they are counted in the release"),
            "separators": SEPARATORS,
        },
        loss={"separators": SEPARATORS},
    ),
    cost=Cost(0.1, 30.0),
    bind=bind,
    spans="the texts of its direct and quasi-identifiers are patterns",
    roles=("direct", "quasi"),
    claims_replaced=True,
    group_help="CSV with one event a row: whose it is; --text-column has the event.",
    loss=lambda release: (
        (release.loss["distortion"] + release.loss["separators"])
        / max(1, release.counts["symbols"])
    ),
    swept=SweptOption("method", ("tfs", "pfs", "tm", "tpm"), ("sanitize-inversion",)),
)
