"""What a method declares of itself: command line, policy, sweep, plan and reference derive from it.

A method is one verb. Its options are the fields of a frozen dataclass, each with its help, bounds
and flag; its types are those of the policy. How files, spans and keys become the verb's arguments
is one function, which every face calls.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    Literal,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from .errors import BadInput
from .figures import Public
from .load import load
from .numbers import number
from .options import check_kinds, choose
from .printed_form import by_sizes

if TYPE_CHECKING:
    from pathlib import Path

    from ..formats.chunks import Chunks
    from .allowance import Room
    from .progress import Progress
    from .release import Release
    from .spans import Span
    from .values import Data, JsonObject, JsonValues

Face = Literal["command", "policy"]
Takes = Literal["texts", "sequences", "table"]


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What is said of an option beside its name, its type and its default."""

    help: str
    flag: str | None = None
    """How the command line spells it, where not by its name."""
    off: str | None = None
    """The flag that switches it off."""
    least: float | None = None
    most: float | None = None
    several: bool = False
    """Whether the command line takes several, with commas between them."""
    nested: bool = False
    """Whether the verb takes several at once, and gives a release for each."""
    needed: bool = False
    """Whether a policy must give it."""
    is_file: bool = False
    secret: bool = False
    """Whether its value may be published only as a number of entries."""
    argument: bool = True
    """Whether it is a parameter of the verb; others say how its input is read."""
    symbols: bool = False
    """Whether it is a set of symbols: their order and repetition say nothing."""
    faces: tuple[Face, ...] = ("command", "policy")
    also: tuple[str, ...] = ()
    """Further choices of Python and the command line, which a policy does not have."""
    metavar: str | None = None


def option(default: object, help: str, **about: Any) -> Any:
    """A field of an options class: its default, and what is said of it.

    >>> @dataclass(frozen=True)
    ... class Options:
    ...     k: int = option(5, "How many share it.", least=1, flag="-k")
    >>> Options().k, options_of(Options)[0].about.least
    (5, 1)
    """
    return field(default=default, metadata={"about": About(help=help, **about)})


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a method."""

    name: str
    type: Any
    default: Any
    about: About

    @property
    def choices(self) -> tuple[str, ...]:
        """The values it may have, where these are few."""
        found = tuple(
            one
            for part in (self.type, *get_args(self.type))
            if get_origin(part) is Literal
            for one in get_args(part)
        )
        return (*found, *self.about.also)

    @property
    def flag(self) -> str:
        """How the command line spells it."""
        return self.about.flag or "--" + self.name.replace("_", "-")


def options_of(options: object, face: Face | None = None) -> tuple[Option, ...]:
    """The options a class declares, in order; those of one face where it is named."""
    return tuple(one for one in _declared(options) if face is None or face in one.about.faces)


@cache
def _declared(options: Any) -> tuple[Option, ...]:
    types = get_type_hints(options)
    return tuple(
        Option(one.name, types[one.name], one.default, one.metadata["about"])
        for one in dataclasses.fields(options)
    )


def check_options(cls: object, given: Mapping[str, object]) -> None:
    """Refuses values, by name, of another kind or beyond the bounds that a class declares.

    Values of types that only the verb knows (lists of several k, places, mappings) are its own.

    >>> @dataclass(frozen=True)
    ... class Options:
    ...     k: int = option(5, "How many share it.", least=1)
    >>> check_options(Options, {"k": 0})
    Traceback (most recent call last):
    sfumato.core.errors.BadInput: k: must be at least 1, found 0
    """
    for one in options_of(cls):
        if one.name not in given or (given[one.name] is None and one.default is None):
            continue
        value, plain = given[one.name], one.type
        if type(None) in get_args(plain):
            parts = [part for part in get_args(plain) if part is not type(None)]
            plain = parts[0] if len(parts) == 1 else None
        if one.choices and plain is not None:
            choose(one.name, value, one.choices)
        elif plain in _KINDS:
            check_kinds(**{_KINDS[plain]: {one.name: value}})
            _check_bounds(one, value)


_KINDS = {int: "whole", float: "number", bool: "flag", str: "text"}


def _check_bounds(one: Option, value: Any) -> None:
    least, most = one.about.least, one.about.most
    if (least is None or value >= least) and (most is None or value <= most):
        return
    if least is not None and most is not None:
        wanted = f"{number(least)} to {number(most)}"
    elif least is not None:
        wanted = f"at least {number(least)}"
    else:
        wanted = f"at most {number(most or 0)}"
    raise BadInput(f"must be {wanted}, found {number(value)}", where=one.name)


O = TypeVar("O")  # noqa: E741 - the options of a method


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class MethodInput(Generic[O]):
    """What a face has for a method: its options, the data, and what finds spans in it."""

    __repr__ = by_sizes

    options: O
    stated: frozenset[str] = frozenset()
    """The options that somebody gave; the others are defaults."""
    data: Data
    """What was read (`formats.Dataset`): the texts of a file, or a table."""
    file: Callable[[str | None], Path | None]
    """Where a file that an option names lies."""
    reviewed: Callable[[Sequence[str]], list[Span]] | None = None
    """The spans a person marked in the texts, of these roles; None where no file was given."""
    recognized: Callable[[], list[Span]] | None = None
    """What the recogniser finds in the texts."""
    recognizer: Any = None
    recognizer_name: str | None = None
    key: bytes | None = None
    stretched: bool = True
    """Whether the key is stretched before it is used; certificates of format 1 did not."""
    schema: Any = None
    find: Callable[[list[str]], list[Span]] | None = None
    """What finds spans in documents that come in parts."""
    read: Callable[[str], Data] | None = None
    """Reads another file as the data was read."""
    seed: int = 0
    progress: Progress | None = None
    room: Room | None = None
    """How a bounded command stays within its allowance."""

    def verb_options(self) -> JsonObject:
        """The options that are parameters of the verb, files left out."""
        return {
            one.name: getattr(self.options, one.name)
            for one in options_of(type(self.options))
            if one.about.argument and not one.about.is_file
        }


# What is written beside a release: given the files of the output, called with the release (with
# each part's, where it comes in parts), and with None after the last.
Beside = Callable[[Any], Callable[["Release | None"], None]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Call:
    """The verb's arguments, and what becomes of its release."""

    __repr__ = by_sizes

    data: Data
    arguments: JsonValues
    shown: JsonValues = field(default_factory=dict)
    """What the release's parameters say beside the verb's own."""
    warnings: tuple[str, ...] = ()
    texts: Callable[[Data], list[str]] | None = None
    """What the verb released as texts of the file, where it is not texts."""
    beside: Beside | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Parts:
    """A verb on documents that come in parts: what releases the next one."""

    __repr__ = by_sizes

    release: Callable[[Data], Release]
    beside: Beside | None = None
    close: Callable[[], None] = lambda: None
    warnings: Callable[[Mapping[str, int]], tuple[str, ...]] = lambda counts: ()
    """What whoever releases should know, by the counts of all parts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """Where an action of the command line writes."""

    __repr__ = by_sizes

    path: str
    overwrite: bool = False
    chunks: Chunks | None = None
    """The input in parts, where it is read so."""
    must_stream: bool = False


@dataclass(frozen=True, slots=True)
class Cost:
    """What a method takes: seconds a megabyte, bytes of memory a byte."""

    seconds: float
    memory: float
    on_spark: float = 0
    """CPU seconds a megabyte on Spark, where blocks ask each other [0: as on one machine]."""
    shuffled: float = 0
    """Bytes that are then shuffled for each byte."""


@dataclass(frozen=True, slots=True)
class SweptOption:
    """The option that a sweep varies, its usual values, and the attacks that judge it."""

    option: str
    values: tuple[Any, ...]
    attacks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Undoing:
    """What writes the file that undoes a release, each `module:function` below the package."""

    __repr__ = by_sizes

    whole: str
    """Called with a release and the steward's key; gives the file's bytes."""
    in_parts: str
    """Called with a stream and the key; takes releases by `add`, ends with `close`."""


@dataclass(frozen=True, slots=True)
class Action:
    """An option of the command line that does something else than release: prints, or undoes."""

    name: str
    help: str
    run: str
    """Called with what was given, the option's value and the output; gives rows or lines to print,
    or the outcome of what it wrote."""
    metavar: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """One verb, declared once.

    Functions are named `module:function` below the package, and imported when they are needed.
    """

    verb: str
    summary: str
    """What it does, in one line for the policy and the list of commands."""
    help: str
    example: str
    options: type[Any]
    function: str
    takes: Takes
    claims: Callable[[JsonValues], tuple[str, ...]]
    """The names of the claims it gives for these options."""
    can_claim: tuple[str, ...]
    """The names of all claims it can give."""
    cost: Cost
    bind: Callable[[MethodInput[Any]], Call]
    sides: Callable[[MethodInput[Any], Release], JsonObject] | None = None
    """The side inputs of a release that a run kept, read again from the files its options name."""
    spans: str | None = None
    """What it does with a reviewed file of spans; None where it takes none."""
    roles: tuple[str, ...] = ()
    """The roles of the spans it takes."""
    recognizes: bool = False
    """Whether it finds spans by a recogniser of its own where none are given."""
    keyed: bool = False
    """Whether what it writes depends on the steward's key."""
    group_help: str | None = None
    """What a column of people does for it; None where it does not count or tell apart people."""
    only_hides: bool = False
    """Whether all it writes is its mask."""
    keeps_places: bool = False
    """Whether, with a mask of one symbol, every symbol of a text stays where it was."""
    claims_replaced: bool = False
    """Whether its claims speak of what it wrote over: no other release may show that."""
    undoing: Undoing | None = None
    """What writes the file that undoes its release, for the steward; None where none is kept."""
    parts: Callable[[MethodInput[Any], Chunks], Parts] | None = None
    """Where documents do not depend on each other: what releases them part by part."""
    parts_if: Callable[[object], bool] | None = None
    """With which options they do not; then commands alone release in parts, not policies."""
    prints: bool = False
    """Whether the release goes to standard output where no output is named."""
    actions: tuple[Action, ...] = ()
    swept: SweptOption | None = None
    public: Public = field(default_factory=Public)
    """What a public certificate may say of its releases; all other figures are private."""
    loss: Callable[[Release], float] | None = None
    """What a release costs, from 0 upward [default: the share of symbols it does not show]."""
    in_policy: JsonValues = field(default_factory=dict)
    """What a policy always says, whatever the default."""
    in_new_policy: JsonValues = field(default_factory=dict)
    """What a policy that is written for somebody begins with, beside what its steward chose."""
    whole_memory: str | None = None
    """The module that says what its command takes as a whole, where an option `memory` bounds it:
    `require_readable` before the input is read, `room` after."""

    @property
    def takes_table(self) -> bool:
        """Whether it takes a whole table, not the texts of a column."""
        return self.takes == "table"

    @property
    def takes_sequences(self) -> bool:
        """Whether each text is a sequence of symbols to it."""
        return self.takes == "sequences"

    def call(self) -> Callable[..., Any]:
        """The verb's function."""
        function: Callable[..., object] = load(self.function)
        return function

    def with_options(self, given: Mapping[str, object]) -> object:
        """Its options, as given or by default."""
        names = {one.name for one in options_of(self.options)}
        return self.options(**{name: value for name, value in given.items() if name in names})


def released(method: Method, given: MethodInput[Any]) -> tuple[Call, dict[str, Release]]:
    """The verb's releases of what was given, by the label of each where there are several."""
    import warnings
    from dataclasses import replace

    of_face = [one.name for one in options_of(method.options) if not one.about.argument]
    check_options(method.options, {name: getattr(given.options, name) for name in of_face})
    call = method.bind(given)
    with warnings.catch_warnings():  # they are told with the release
        warnings.simplefilter("ignore", UserWarning)
        made = method.call()(call.data, **call.arguments, seed=given.seed, progress=given.progress)
    several = made if isinstance(made, dict) else {"": made}
    labels = {one: f".k{one}" if len(several) > 1 else "" for one in several}
    return call, {
        labels[one]: replace(
            release,
            parameters={**release.parameters, **call.shown},
            warnings=(*release.warnings, *call.warnings),
        )
        for one, release in several.items()
    }
