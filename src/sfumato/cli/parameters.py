"""The parameters of a verb's command, made from what its method declares."""

from __future__ import annotations

import csv
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin

import typer

from ..core.errors import BadInput, SfumatoError
from ..core.method import options_of
from . import options
from .intake import intake

if TYPE_CHECKING:
    from ..core.method import Method, Option
    from ..core.values import JsonObject

# The options of every verb on texts, and of every verb on tables, in the order of the help.
READING: JsonObject = {
    "format": (options.Format, None),
    "delimiter": (options.Delimiter, None),
    "no_header": (options.NoHeader, False),
    "document_separator": (options.DocumentSeparator, None),
    "encoding": (options.Encoding, "utf-8"),
}
WRITING: JsonObject = {
    "certificate": (options.Certificate, None),
    "private_certificate": (options.PrivateCertificate, None),
    "key_file": (options.KeyFile, None),
    "overwrite": (options.Overwrite, False),
    "number_files": (options.NumberFiles, False),
    "seed": (options.Seed, 0),
    "engine": (options.Engine, "local"),
}
TELLING: JsonObject = {"json": (options.Json, False), "quiet": (options.Quiet, False)}


def parameters(method: Method) -> dict[str, tuple[object, object]]:
    """Every parameter of a verb's command: its annotation and its default."""
    found: dict[str, tuple[object, object]] = {"context": (typer.Context, inspect.Parameter.empty)}
    optional, taken = bool(method.actions), intake(method)
    found["input"] = taken.argument(optional)
    if optional:
        found["output"] = (options.OptionalOutput, "-" if method.prints else None)
    else:
        found["output"] = (options.Output, inspect.Parameter.empty)
    found |= taken.described
    for one in options_of(method.options, "command"):
        found[one.name] = _parameter(one)
    for action in method.actions:
        found[action.name] = _flag(action.name, action.help, action.metavar)
    if method.recognizes:
        found["recognizer"] = (options.Recognizer, taken.recognizer)
        found["processes"] = (options.Processes, 1)
    if method.spans is not None:
        about = f"A reviewed file of spans (see `recognize`): {method.spans}."
        found["spans"] = (Annotated[str | None, typer.Option(help=about)], None)
        found["preset"] = (options.Preset, "default")
    found |= taken.columns(method)
    found["publish"] = (options.Publish, None)
    is_free = "separator" not in found  # the sign that sanitize writes has this name
    found |= READING | WRITING
    if is_free:
        found["document_separator"] = (options.Separator, None)
    if method.parts is not None:
        found["stream"] = (options.Stream, None)
    return found | TELLING


def _flag(name: str, help: str, metavar: str | None) -> tuple[object, object]:
    flag = "--" + name.replace("_", "-")
    if metavar is None:
        return Annotated[bool, typer.Option(flag, help=help)], False
    return Annotated[str | None, typer.Option(flag, help=help, metavar=metavar)], None


def _parameter(one: Option) -> tuple[object, object]:
    """An option as typer takes it: what is more than one value is a text or repeated."""
    about, flag, default = one.about, one.flag, one.default
    parts = [part for part in get_args(one.type) if part is not type(None)]
    if one.type is bool or bool in parts:
        names = [f"{flag}/{about.off}"] if about.off else []
        names = names or ([flag] if default is False else [])
        kind: object = bool if default is not None else bool | None
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


def value_of(one: Option, given: Any) -> object:
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
        if dict[str, str] in parts:
            if any(not word for word, _, _ in pairs):
                raise BadInput("expected LABEL=OPERATOR", where=one.flag)
            return {word: value for word, _, value in pairs} or None
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
