"""The commands of the verbs, made from what their methods declare."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from ..core.errors import BadInput
from ..core.load import load
from ..core.method import MethodInput, options_of, released
from ..core.options import choose
from ..core.printed_form import by_sizes
from ..core.progress import stage
from ..methods import method as declared
from .intake import intake, is_log
from .parameters import parameters, told_by_flag, value_of

if TYPE_CHECKING:
    from ..core.allowance import Room
    from ..core.method import Method
    from ..core.progress import Progress
    from ..core.release import Release
    from ..core.spans import Span
    from ..core.values import JsonObject
    from ..formats import Dataset
    from ..recognizers.roles import Role
    from .publish import Paths


def command(verb: str) -> Callable[..., None]:
    """The command of a verb."""
    method = declared(verb)

    def run(**given: object) -> None:
        with told_by_flag(method):
            _run(method, given)

    of_command = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for name, (kind, default) in parameters(method).items()
    ]
    run.__signature__ = inspect.Signature(of_command)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in of_command}
    run.__doc__ = f"{method.help}\n\nExample: sfumato {method.example}"
    return run


@dataclass(frozen=True, slots=True)
class VerbRequest:
    """What a command line asks for, beside the method's own options."""

    __repr__ = by_sizes

    method: Method
    values: JsonObject
    options: object
    stated: frozenset[str]

    @property
    def silent(self) -> bool:
        """Whether nothing is shown on the way."""
        return bool(self.values["quiet"] or self.values["json"])

    def read(self, path: object) -> Dataset:
        """A file as this command reads its input; several tables are joined."""
        return intake(self.method).read(path, self.values)

    @property
    def events(self) -> str | None:
        """The format of a file of events; None where the input is none."""
        values = self.values
        if not self.method.takes_sequences:
            return None
        if is_log(values):
            return "xes"
        if values["group_column"] is None:
            return None
        time = values["time_column"]
        return "events" if time is None else f"events:{time}"

    def reading(self) -> JsonObject:
        """How files are read that come in parts."""
        return intake(self.method).reading(self.values)

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
        named += intake(self.method).inputs(self.values)
        return named + files_named(self.values.get("recognizer"), self.values.get("spans"))

    @property
    def in_parts(self) -> bool:
        """Whether the input goes through in parts: when asked for, or when it is large."""
        from .stream import is_wanted

        values = self.values
        if self.method.parts is None or values["input"] is None:
            return False
        whole = values.get("spans") is not None and not self.method.recognizes
        if not whole and self.method.parts_if is not None:
            whole = not self.method.parts_if(self.options)
        return not whole and is_wanted(values["input"], values["format"], values["stream"])


def _format(values: JsonObject) -> str | None:
    """The format with what the options say of delimiter, header and separator."""
    from ..formats.form import form
    from ..formats.packing import split_name

    given = values["input"]
    path = given[0] if isinstance(given, list) and given else given
    suffix, packing = split_name(Path(path or "-").name)
    said = values["delimiter"], not values["no_header"], values["document_separator"]
    return form(values["format"], f"{suffix}.{packing}" if packing else suffix, *said)


def _run(method: Method, values: JsonObject) -> None:
    """Reads, releases, verifies and writes; or does what an action says."""
    context = values.pop("context")
    values["format"] = _format(values)
    of_method = options_of(method.options, "command")
    stated = frozenset(
        one.name for one in of_method if context.get_parameter_source(one.name).name != "DEFAULT"
    )
    chosen = method.with_options({one.name: value_of(one, values[one.name]) for one in of_method})
    actions = [one for one in method.actions if values[one.name]]
    if not actions and (values["input"] is None or values["output"] is None):
        raise BadInput(
            "no input or no output", where=method.verb, remedy="give INPUT and -o OUTPUT"
        )
    taken = intake(method)
    values = taken.completed(values)
    asked = VerbRequest(method, values, taken.options(chosen, values), stated)
    from . import show

    choose("engine", values["engine"], ["local", "spark"])
    if not actions:
        _paths(asked).require_free(_labels(asked))
        if values["engine"] == "spark":
            from .spark import release as release_on_spark

            release_on_spark(method, asked.options, stated, values, _paths(asked))
            return
    with show.progress_bar(asked.silent) as progress:
        given = _given(asked, progress)
        if actions:
            from .action import act

            chunked = asked.reading() if asked.in_parts else None
            act(actions[0], given, values, chunked)
        elif asked.in_parts:
            _release_parts(asked, given)
        else:
            _release(asked, given)


def _given(asked: VerbRequest, progress: Progress | None) -> MethodInput[object]:
    """What the method gets: the input is read here, unless it comes in parts or not at all."""
    from ..core.keys import read_key

    values, method = asked.values, asked.method
    given: MethodInput[object] = MethodInput(
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
    if method.recognizes and values["spans"] is None:
        given = replace(given, **intake(method).found_by(values))
    if values["input"] is None or asked.in_parts:
        return given
    memory = _bounded(asked)
    if memory is not None:
        _require_readable(memory, asked)
    with stage(progress, "read"):
        data = asked.read(values["input"])
    if memory is not None:
        room = load(f"{memory}:room")(asked.options, data)
        given = replace(given, room=room, options=replace(asked.options, memory=room.counting))  # type: ignore[type-var]
    reviewed = None
    if values.get("spans") is not None:
        reviewed = partial(_reviewed, asked, data)
    return replace(given, data=data, reviewed=reviewed)


def _bounded(asked: VerbRequest) -> str | None:
    """The module that says what the command takes, if an option bounds it; the heap is kept so."""
    from ..core.heap import give_back_freed, keep_freed

    module = asked.method.whole_memory
    if module is None or getattr(asked.options, "memory", None) is None:
        keep_freed()
        return None
    give_back_freed()
    return module


def _require_readable(memory: str, asked: VerbRequest) -> None:
    """Refuses a file that is too large to be read; what packed ones hold nobody knows yet."""
    from ..formats.packing import split_name

    path = Path(asked.values["input"])
    if str(path) != "-" and path.is_file() and split_name(path.name)[1] is None:
        load(f"{memory}:require_readable")(asked.options, path.stat().st_size)


def _reviewed(asked: VerbRequest, data: Dataset, roles: Sequence[str]) -> list[Span]:
    """The spans of the file that count as these, under the preset."""
    from ..recognizers import with_role
    from ..recognizers.files import read_spans

    texts, members = intake(asked.method).documents(data, asked.values)
    found = read_spans(asked.values["spans"], texts, members)
    every = set(roles) == {"direct", "quasi", "keep"}
    chosen = cast("list[Role]", list(roles))
    return found if every else with_role(found, texts, chosen, asked.values["preset"])


def _paths(asked: VerbRequest) -> Paths:
    from .publish import Paths

    values = asked.values
    names = "output", "certificate", "private_certificate", "key_file", "overwrite", "number_files"
    return Paths(**{name: values[name] for name in names})


def _labels(asked: VerbRequest) -> list[str]:
    """What tells the outputs apart where several values give several releases."""
    several = [one.name for one in options_of(asked.method.options) if one.about.nested]
    values = [getattr(asked.options, name) for name in several]
    return [f".k{one}" for some in values if isinstance(some, list) for one in some] or [""]


def _shown(asked: VerbRequest, release: Release) -> Release:
    """The release with the preset among its parameters: a later check reads spans alike."""
    if asked.values.get("spans") is None or asked.method.recognizes:
        return release
    return replace(release, parameters={**release.parameters, "preset": asked.values["preset"]})


def _release(asked: VerbRequest, given: MethodInput[object]) -> None:
    """The whole input at once."""
    from ..formats.source import placed
    from .publish import publish

    with placed(given.data), _arrays(given.room):
        call, releases = released(asked.method, given)
        publish(
            given.data,
            call,
            {label: _shown(asked, one) for label, one in releases.items()},
            _paths(asked),
            intake(asked.method).publishing(given.data.columns, asked.values, given.data.table),
            lists=asked.lists,
            json=asked.values["json"],
            quiet=asked.values["quiet"],
            memory=None if given.room is None else given.room.verification,
            progress=given.progress,
        )


@contextmanager
def _arrays(room: Room | None) -> Iterator[None]:
    """Where arrays lie that are too large for what is allowed."""
    if room is None or room.in_files is None:
        yield
        return
    from ..kernels import checks, spill

    with spill.arrays_in_files(room.in_files), checks.arrays_in_files(room.in_files):
        yield


def _release_parts(asked: VerbRequest, given: MethodInput[object]) -> None:
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
            lambda columns: intake(asked.method).publishing(columns, asked.values),
            lists=asked.lists,
            beside=parts.beside,
            warnings=parts.warnings,
            progress=given.progress,
            json=asked.values["json"],
            quiet=asked.values["quiet"],
        )
