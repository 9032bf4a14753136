"""The commands of the verbs, made from what their methods declare."""

from __future__ import annotations

import csv
import inspect
import json as json_module
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast, get_args, get_origin

import typer

from ..core.errors import BadInput, SfumatoError
from ..core.load import load
from ..core.method import Given, Option, Output, options_of, released
from ..core.numbers import number
from ..core.printed import by_sizes
from ..methods import method as declared
from ..recognizers.installed import DEFAULT
from . import options

if TYPE_CHECKING:
    from ..core.method import Action, Method
    from ..core.progress import Progress
    from ..core.release import Release
    from ..core.spans import Span
    from ..pipeline.dataset import Dataset
    from ..recognizers.roles import Role
    from ..verification.untouched import Publishing
    from .publish import Paths

# The options of every verb on texts, and of every verb on tables, in the order of the help.
READING: dict[str, Any] = {
    "format": (options.Format, None),
    "delimiter": (options.Delimiter, None),
    "no_header": (options.NoHeader, False),
    "document_separator": (options.DocumentSeparator, None),
    "encoding": (options.Encoding, "utf-8"),
}
WRITING: dict[str, Any] = {
    "certificate": (options.Certificate, None),
    "private_certificate": (options.PrivateCertificate, None),
    "key_file": (options.KeyFile, None),
    "overwrite": (options.Overwrite, False),
    "number_files": (options.NumberFiles, False),
    "seed": (options.Seed, 0),
}
TELLING: dict[str, Any] = {"json": (options.Json, False), "quiet": (options.Quiet, False)}


def command(verb: str) -> Callable[..., None]:
    """The command of a verb."""
    method = declared(verb)

    def run(**given: Any) -> None:
        with told_by_flag(method):
            _run(method, given)

    parameters = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for name, (kind, default) in _parameters(method).items()
    ]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    run.__doc__ = f"{method.help}\n\nExample: sfumato {method.example}"
    return run


def _parameters(method: Method) -> dict[str, tuple[Any, Any]]:
    """Every parameter of a verb's command: its annotation and its default."""
    found: dict[str, tuple[Any, Any]] = {"context": (typer.Context, inspect.Parameter.empty)}
    optional = bool(method.actions)
    if method.takes == "table":
        found["input"] = (options.Tables, inspect.Parameter.empty)
    elif optional:
        found["input"] = (Annotated[str | None, options.INPUT], None)
    else:
        found["input"] = (Annotated[str, options.INPUT], inspect.Parameter.empty)
    if optional:
        found["output"] = (options.OptionalOutput, "-" if method.prints else None)
    else:
        found["output"] = (options.Output, inspect.Parameter.empty)
    if method.takes == "table":
        found["schema"] = (options.Schema, inspect.Parameter.empty)
    for one in options_of(method.options, "command"):
        found[one.name] = _parameter(one)
    for action in method.actions:
        found[action.name] = _flag(action.name, action.help, action.metavar)
    if method.recognizes:
        default = DEFAULT if method.takes == "texts" else None
        found["recognizer"] = (options.Recognizer, default)
        found["processes"] = (options.Processes, 1)
    if method.spans is not None:
        about = f"A reviewed file of spans (see `recognize`): {method.spans}."
        found["spans"] = (Annotated[str | None, typer.Option(help=about)], None)
        found["preset"] = (options.Preset, "default")
    if method.takes != "table":
        found["text_column"] = (options.TextColumn, None)
        if method.group_help is not None:
            found["group_column"] = (options.group_column(method.group_help), None)
        if method.takes == "sequences":
            found["time_column"] = (options.TimeColumn, None)
    found["publish"] = (options.Publish, None)
    found |= READING | WRITING
    if method.parts is not None:
        found["stream"] = (options.Stream, None)
    return found | TELLING


def _flag(name: str, help: str, metavar: str | None) -> tuple[Any, Any]:
    flag = "--" + name.replace("_", "-")
    if metavar is None:
        return Annotated[bool, typer.Option(flag, help=help)], False
    return Annotated[str | None, typer.Option(flag, help=help, metavar=metavar)], None


def _parameter(one: Option) -> tuple[Any, Any]:
    """An option as typer takes it: what is more than one value is a text or repeated."""
    about, flag, default = one.about, one.flag, one.default
    parts = [part for part in get_args(one.type) if part is not type(None)]
    if one.type is bool or bool in parts:
        names = [f"{flag}/{about.off}"] if about.off else []
        names = names or ([flag] if default is False else [])
        kind: Any = bool if default is not None else bool | None
        return Annotated[kind, typer.Option(*names, help=about.help)], default
    if about.several:
        return Annotated[str, typer.Option(flag, help=about.help)], str(default)
    if about.is_file:
        return Annotated[Path | None, typer.Option(flag, help=about.help)], None
    if _may_be_none(one):
        return Annotated[str, typer.Option(flag, help=about.help)], f"{default:g}"
    if _repeats(one):
        return Annotated[list[str] | None, typer.Option(flag, help=about.help)], None
    plain = str if one.choices or list[str] in parts else (parts[0] if parts else one.type)
    names = [flag] if len(flag) != 2 else [f"--{one.name}", flag] if default is None else [flag]
    kind = plain | None if default is None else plain
    return Annotated[kind, typer.Option(*names, help=about.help)], default


def _repeats(one: Option) -> bool:
    """Whether the command line takes the option again and again: several masks, pairs."""
    parts = [one.type, *get_args(one.type)]
    return any(get_origin(part) is dict for part in parts) or {str, list[str]} <= set(parts)


def _may_be_none(one: Option) -> bool:
    """Whether a number can be switched off, by the word none."""
    parts = get_args(one.type)
    return float in parts and type(None) in parts and one.default is not None


def value_of(one: Option, given: Any) -> Any:
    """An option's value, from what the command line has for it."""
    if given is None:
        return one.default
    parts = [one.type, *get_args(one.type)]
    if _may_be_none(one) and isinstance(given, str):
        return None if given.casefold() == "none" else _share(given, one.flag)
    if one.about.several and isinstance(given, str):
        values = [_whole(text, one.flag) for text in given.split(",")]
        return values if len(values) > 1 else values[0]
    if one.about.is_file:
        return str(given)
    if any(get_origin(part) is dict for part in parts):
        pairs = [pair.rpartition("=") for pair in given]
        if any(not word for word, _, _ in pairs):
            raise BadInput("expected WORD=NUMBER", where=one.flag)
        return {word: _whole(number, one.flag) for word, _, number in pairs} or None
    if list[str] in parts and one.choices and given not in one.choices:
        return [word.strip() for word in next(csv.reader([given])) if word.strip()]
    return given


def _share(text: str, flag: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise BadInput(
            "expected a number, or none", where=flag, remedy=f"for instance {flag} 0.5"
        ) from None


def _whole(text: str, flag: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise BadInput(
            "expected a whole number or several with commas",
            where=flag,
            remedy=f"for instance {flag} 5",
        ) from None


@contextmanager
def told_by_flag(method: Method) -> Iterator[None]:
    """What is wrong with a parameter is told by the flag that gave it."""
    flags = {one.name: one.flag for one in options_of(method.options, "command")}
    common = "spans", "key_file", "schema", "recognizer", "text_column", "group_column", "publish"
    for name in common:
        flags.setdefault(name, "--" + name.replace("_", "-"))
    try:
        yield
    except SfumatoError as problem:
        if problem.where not in flags:
            raise
        raise type(problem)(
            problem.problem, where=flags[problem.where], remedy=problem.remedy
        ) from None


@dataclass(frozen=True, slots=True)
class Asked:
    """What a command line asks for, beside the method's own options."""

    __repr__ = by_sizes

    method: Method
    values: dict[str, Any]
    options: Any
    stated: frozenset[str]

    @property
    def silent(self) -> bool:
        """Whether nothing is shown on the way."""
        return bool(self.values["quiet"] or self.values["json"])

    def read(self, path: Any) -> Any:
        """A file as this command reads its input; several tables are joined."""
        values = self.values
        if self.method.takes == "table":
            from .tables import read_tables

            return read_tables(path, values["schema"], values["format"], values["encoding"])
        from .. import formats

        return formats.read(path, **self.reading())

    @property
    def events(self) -> str | None:
        """The format of a file of events; None where the input is none."""
        values = self.values
        if self.method.takes != "sequences":
            return None
        if _is_log(values):
            return "xes"
        if values["group_column"] is None:
            return None
        time = values["time_column"]
        return "events" if time is None else f"events:{time}"

    def reading(self) -> dict[str, Any]:
        """How files of texts are read."""
        values = self.values
        by_person = values.get("group_column")
        return {
            "text_column": values["text_column"],
            "group_column": by_person,
            "format": self.events or values["format"],
            "encoding": values["encoding"],
        }

    @property
    def lists(self) -> list[Path]:
        """The files that were read beside the input: no output may replace them."""
        from ..recognizers.files import files_named

        written = ("save_dictionary", "mapping")
        named = [
            Path(value)
            for one in options_of(self.method.options, "command")
            if one.about.is_file
            and one.name not in written
            and (value := getattr(self.options, one.name)) is not None
        ]
        schema = self.values.get("schema_file")
        named += [] if schema is None else [schema]
        return named + files_named(self.values.get("recognizer"), self.values.get("spans"))


def _is_log(values: dict[str, Any]) -> bool:
    """Whether the input is an event log of process mining."""
    from ..formats.packed import split_name

    named = values["format"] or Path(values["input"] or "-").name
    return split_name(named.partition(":")[0])[0] == "xes" or named == "xes"


def _format(values: dict[str, Any]) -> str | None:
    """The format with what the options say of delimiter, header and separator."""
    from ..formats.form import form
    from ..formats.packed import split_name

    given = values["input"]
    path = given[0] if isinstance(given, list) and given else given
    suffix, packing = split_name(Path(path or "-").name)
    said = values["delimiter"], not values["no_header"], values["document_separator"]
    return form(values["format"], f"{suffix}.{packing}" if packing else suffix, *said)


def _run(method: Method, values: dict[str, Any]) -> None:
    """Reads, releases, verifies and writes; or does what an action says."""
    context = values.pop("context")
    values["format"] = _format(values)
    of_method = options_of(method.options, "command")
    stated = frozenset(
        one.name for one in of_method if context.get_parameter_source(one.name).name != "DEFAULT"
    )
    chosen = method.with_options({one.name: value_of(one, values[one.name]) for one in of_method})
    if method.takes == "sequences" and (values["group_column"] is not None or _is_log(values)):
        chosen = replace(chosen, unit="event")
    asked = Asked(method, values, chosen, stated)
    actions = [one for one in method.actions if values[one.name]]
    if not actions and (values["input"] is None or values["output"] is None):
        raise BadInput(
            "no input or no output", where=method.verb, remedy="give INPUT and -o OUTPUT"
        )
    if method.takes == "table":
        from ..schema import as_schema

        values["schema_file"], values["schema"] = values["schema"], as_schema(values["schema"])
    from . import show

    if not actions:
        _paths(asked).require_free(_labels(asked))
    with show.progress_bar(asked.silent) as progress:
        given = _given(asked, progress)
        if actions:
            _act(asked, actions[0], given)
        elif _in_parts(asked):
            _release_parts(asked, given)
        else:
            _release(asked, given)


def _given(asked: Asked, progress: Progress | None) -> Given[Any]:
    """What the method gets: the input is read here, unless it comes in parts or not at all."""
    from ..core.keys import read_key

    values, method = asked.values, asked.method
    given: Given[Any] = Given(
        options=asked.options,
        stated=asked.stated,
        data=None,
        file=lambda name: None if name is None else Path(name),
        key=read_key(values["key_file"]) if method.keyed else None,
        schema=values.get("schema"),
        read=asked.read,
        seed=values["seed"],
        progress=progress,
    )
    if method.recognizes:
        given = replace(given, **_recognizer(asked))
    if values["input"] is None or _in_parts(asked):
        return given
    data = asked.read(values["input"])
    reviewed = None
    if values.get("spans") is not None:
        reviewed = partial(_reviewed, asked, data)
    return replace(given, data=data, reviewed=reviewed)


def _recognizer(asked: Asked) -> dict[str, Any]:
    """The recogniser of a command, by its name and as it is called."""
    name, values = asked.values["recognizer"], asked.values
    if values["spans"] is not None:
        return {}
    if asked.method.takes == "table":
        return {"recognizer": name}
    from ..recognizers import recognizer

    return {
        "recognizer": recognizer(name, processes=values["processes"]),
        "recognizer_name": name,
    }


def _reviewed(asked: Asked, data: Any, roles: Sequence[str]) -> list[Span]:
    """The spans of the file that count as these, under the preset."""
    from ..recognizers import with_role
    from ..recognizers.files import read_spans

    path, members = asked.values["spans"], None
    if asked.method.takes == "table":
        texts = table_texts(data.frame, asked.values["schema"].texts)
    else:
        texts, members = data.filled, data.members
    found = read_spans(path, texts, members)
    every = set(roles) == {"direct", "quasi", "keep"}
    chosen = cast("list[Role]", list(roles))
    return found if every else with_role(found, texts, chosen, asked.values["preset"])


def table_texts(frame: Any, columns: Sequence[str]) -> list[str]:
    """The texts of a table, row by row and column by column."""
    import polars as pl

    lists = [frame[name].cast(pl.String).fill_null("").to_list() for name in columns]
    return [text for row in zip(*lists, strict=True) for text in row]


def _in_parts(asked: Asked) -> bool:
    """Whether the input goes through in parts: when asked for, or when it is large."""
    from .stream import is_wanted

    values = asked.values
    if asked.method.parts is None or values["input"] is None:
        return False
    whole = values.get("spans") is not None and not asked.method.recognizes
    return not whole and is_wanted(values["input"], values["format"], values["stream"])


def _paths(asked: Asked) -> Paths:
    from .publish import Paths

    values = asked.values
    names = "output", "certificate", "private_certificate", "key_file", "overwrite", "number_files"
    return Paths(**{name: values[name] for name in names})


def allowed(given: str | None) -> list[str] | str:
    """The columns that somebody allowed to leave as they are.

    >>> allowed("name, town"), allowed("all")
    (['name', 'town'], 'all')
    """
    if given == "all":
        return given
    return [] if given is None else [name.strip() for name in given.split(",") if name.strip()]


def _publishing(asked: Asked, columns: Sequence[str]) -> Publishing:
    """The columns of a file that hold none of the texts."""
    from ..verification.untouched import Publishing

    if str(asked.reading()["format"]).startswith(("events", "xes")):
        columns = ()  # the release of events has no other column
    texts = {name.partition("[")[0].partition(".")[0] for name in asked.values["text_column"] or []}
    texts |= set(asked.values["text_column"] or [])
    left = [name for name in columns if name not in texts]
    return Publishing.of(left, allowed(asked.values["publish"]))


def _labels(asked: Asked) -> list[str]:
    """What tells the outputs apart where several values give several releases."""
    several = [one.name for one in options_of(asked.method.options) if one.about.nested]
    values = [getattr(asked.options, name) for name in several]
    return [f".k{one}" for some in values if isinstance(some, list) for one in some] or [""]


def _shown(asked: Asked, release: Release) -> Release:
    """The release with the preset among its parameters: a later check reads spans alike."""
    if asked.values.get("spans") is None or asked.method.recognizes:
        return release
    return replace(release, parameters={**release.parameters, "preset": asked.values["preset"]})


def _release(asked: Asked, given: Given[Any]) -> None:
    """The whole input at once."""
    from ..formats.source import placed
    from ..pipeline.dataset import TableDataset, TextDataset
    from .publish import publish

    source = None if asked.method.takes == "table" else given.data
    with placed(source):
        call, releases = released(asked.method, given)
    releases = {label: _shown(asked, one) for label, one in releases.items()}
    dataset: Dataset
    lists = asked.lists
    if asked.method.takes == "table":
        from ..pipeline.published_columns import publishing_of_table
        from .tables import unnamed_columns

        dataset, lists = TableDataset(given.data), [*lists, *map(Path, asked.values["input"])]
        untouched = unnamed_columns(given.data.frame.columns, given.schema)
        publishing = publishing_of_table(
            given.data.frame, given.schema, untouched, allowed(asked.values["publish"])
        )
    else:
        dataset = TextDataset(given.data, call.data, call.texts)
        publishing = _publishing(asked, given.data.columns)
    with placed(source):
        publish(
            dataset,
            releases,
            _paths(asked),
            publishing,
            lists=lists,
            beside=call.beside,
            json=asked.values["json"],
            quiet=asked.values["quiet"],
        )


def _release_parts(asked: Asked, given: Given[Any]) -> None:
    """Part after part, with flat memory."""
    from .. import formats
    from ..recognizers.files import finder
    from .stream import publish_parts

    assert asked.method.parts is not None
    chunks = formats.read_chunks(asked.values["input"], **asked.reading())
    find, seen_all = finder(given.recognizer, asked.values["spans"])
    parts = asked.method.parts(replace(given, find=find), chunks)
    with closing(parts):
        seen_all()
        publish_parts(
            chunks,
            parts.release,
            _paths(asked),
            partial(_publishing, asked),
            lists=asked.lists,
            beside=parts.beside,
            progress=given.progress,
            json=asked.values["json"],
            quiet=asked.values["quiet"],
        )


def _act(asked: Asked, action: Action, given: Given[Any]) -> None:
    """Does what an option says in place of a release, and prints what it gives."""
    from .. import formats

    values = asked.values
    chunks = None
    if _in_parts(asked):
        chunks = formats.read_chunks(values["input"], **asked.reading())
    output = Output(
        path=values["output"] or "-",
        overwrite=values["overwrite"],
        chunks=chunks,
        must_stream=values.get("stream") is not None,
    )
    found = load(action.run)(given, values[action.name], output)
    _print(found, json=values["json"], quiet=values["quiet"])


def _print(found: Any, *, json: bool, quiet: bool) -> None:
    """Rows as a table, lines as they are, an outcome in words."""
    if isinstance(found, dict):
        _print_outcome(found, json=json, quiet=quiet)
        return
    if json:
        typer.echo(json_module.dumps(found, ensure_ascii=False))
        return
    if not found:
        typer.echo("no pattern is matched by two terms")
        return
    if isinstance(found[0], str):
        for line in found:
            typer.echo(line)
        return
    table = [list(found[0]), *([_cell(value) for value in row.values()] for row in found)]
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    for row in table:
        cells = [cell.rjust(width) for cell, width in zip(row[:-1], widths, strict=False)]
        typer.echo("  ".join([*cells, row[-1]]))


def _print_outcome(found: dict[str, Any], *, json: bool, quiet: bool) -> None:
    from . import show

    if json:
        typer.echo(json_module.dumps(found), err=found["output"] == "-")
    elif not quiet:
        same = found["same_bytes"]
        told = "the original's bytes" if same else "the original texts; compare the bytes"
        show.console().print(f"undone: {told}")


def _cell(value: Any) -> str:
    return number(value) if isinstance(value, float) else str(value)
