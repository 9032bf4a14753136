"""How the command line takes a dataset: by what the method declares that it takes."""

from __future__ import annotations

import inspect
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from ..core.errors import BadInput
from ..recognizers.installed_recognizers import DEFAULT
from . import options

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import PurePath

    import polars as pl

    from ..core.method import Method, Takes
    from ..core.values import JsonObject, JsonValues
    from ..formats import Dataset, Source
    from ..verification.untouched_columns import Publishing

    Values = JsonValues
    Parameter = tuple[object, object]


def read_texts(
    path: str,
    text_column: list[str] | None,
    group_column: str | None,
    format: str | None,
    encoding: str,
    *,
    quiet: bool,
) -> Source:
    """The texts of a file or folder, with a moving bar while they are read."""
    from .. import formats
    from . import show

    with show.working("read", quiet):
        return formats.read(
            path,
            text_column=text_column,
            group_column=group_column,
            format=format,
            encoding=encoding,
        )


class Texts:
    """Texts of a file, a folder or standard input; columns are named by options."""

    described: ClassVar[dict[str, Parameter]] = {}
    """What a command must be told of the input."""
    recognizer: ClassVar[str | None] = DEFAULT

    def argument(self, optional: bool) -> Parameter:
        """The argument that names the input."""
        if optional:
            return Annotated[str | None, options.INPUT], None
        return Annotated[str, options.INPUT], inspect.Parameter.empty

    def columns(self, method: Method) -> dict[str, Parameter]:
        """The options that name columns."""
        found: dict[str, Parameter] = {"text_column": (options.TextColumn, None)}
        if method.group_help is not None:
            found["group_column"] = (options.group_column(method.group_help), None)
        return found

    def completed(self, values: Values) -> dict[str, object]:
        """What was typed, with the files that describe the input read."""
        return {**values}

    def options(self, chosen: object, values: Values) -> Any:
        """The method's options, with what the columns say of them."""
        return chosen

    def reading(self, values: Values) -> JsonObject:
        """How files are read."""
        return {
            "text_column": values["text_column"],
            "group_column": values.get("group_column"),
            "format": values["format"],
            "encoding": values["encoding"],
        }

    def read(self, path: Any, values: Values) -> Dataset:
        """A file, as this command reads its input."""
        from .. import formats

        return formats.read(path, **self.reading(values))

    def inputs(self, values: Values) -> list[Path]:
        """The files that no output may replace, beside the one that was read."""
        return []

    def documents(
        self, dataset: Dataset, values: Values
    ) -> tuple[list[str], Sequence[PurePath] | None]:
        """The texts that spans are of, and of a folder their files."""
        return dataset.filled, dataset.members

    def found_by(self, values: Values) -> JsonObject:
        """The recogniser, by its name and as it is called."""
        from ..recognizers import recognizer

        name = values["recognizer"]
        return {
            "recognizer": recognizer(name, processes=values["processes"]),
            "recognizer_name": name,
        }

    def publishing(
        self, columns: Sequence[str], values: Values, table: pl.DataFrame | None = None
    ) -> Publishing:
        """The columns that leave as they are: those that hold none of the texts."""
        from ..verification.untouched_columns import Publishing

        if str(self.reading(values)["format"]).startswith(("events", "timed", "xes")):
            columns = ()  # the release of events has no other column
        named = values["text_column"] or []
        texts = {name.partition("[")[0].partition(".")[0] for name in named} | set(named)
        left = [name for name in columns if name not in texts]
        return Publishing.of(left, allowed(values["publish"]))


class Sequences(Texts):
    """Texts as sequences; with a column of people, the events of each."""

    recognizer = None

    def columns(self, method: Method) -> dict[str, Parameter]:
        """The options that name columns."""
        times: dict[str, Parameter] = {
            "time_column": (options.TimeColumn, None),
            "times": (options.Times, "order"),
        }
        return {**super().columns(method), **times}

    def options(self, chosen: Any, values: Values) -> Any:
        """Each event is a symbol, where the rows are events."""
        return chosen if self._events(values) is None else replace(chosen, unit="event")

    def reading(self, values: Values) -> JsonObject:
        """How files are read."""
        return {**super().reading(values), "format": self._events(values) or values["format"]}

    def _events(self, values: Values) -> str | None:
        """The format of a file of events; None where the input is none."""
        time, is_kept = values.get("time_column"), values.get("times") == "exact"
        # Where events are deleted and none is made, each may keep its time.
        if is_kept and (time is None or values.get("method") != "delete"):
            raise BadInput(
                "exact times are those of a column, of events that are deleted or kept",
                where="--times",
                remedy="give --time-column and --method delete, or leave it out",
            )
        if is_log(values):
            if is_kept and time != "time:timestamp":
                problem = "the times of an event log are its time:timestamp"
                raise BadInput(problem, where="--time-column", remedy="name that, or none")
            return "xes:timed" if is_kept else "xes"
        if values["group_column"] is None:
            return None
        return "events" if time is None else f"{'timed' if is_kept else 'events'}:{time}"


def is_log(values: Values) -> bool:
    """Whether the input is an event log of process mining."""
    from ..formats.packing import split_name

    named = values["format"] or Path(values["input"] or "-").name
    return split_name(named.partition(":")[0])[0] == "xes" or named == "xes"


class Table(Texts):
    """A table whose columns a schema describes; several are joined on the person."""

    described: ClassVar[dict[str, Parameter]] = {
        "schema": (options.Schema, inspect.Parameter.empty)
    }
    recognizer = None

    def argument(self, optional: bool) -> Parameter:
        """The argument that names the tables."""
        return options.Tables, inspect.Parameter.empty

    def columns(self, method: Method) -> dict[str, Parameter]:
        """None: the schema says what they are."""
        return {}

    def completed(self, values: Values) -> dict[str, object]:
        """What was typed, with the schema read."""
        from ..schema import as_schema

        if values["schema"] is None:
            problem, remedy = "the schema of the table is needed", "name its file"
            raise BadInput(problem, where="--schema", remedy=remedy)
        return {**values, "schema_file": values["schema"], "schema": as_schema(values["schema"])}

    def read(self, path: Any, values: Values) -> Dataset:
        """One table, or several joined."""
        from .tables import read_tables

        paths = [path] if isinstance(path, str) else path
        return read_tables(paths, values["schema"], values["format"], values["encoding"])

    def inputs(self, values: Values) -> list[Path]:
        """The tables that were joined, and the schema."""
        return [values["schema_file"], *map(Path, values["input"])]

    def documents(
        self, dataset: Dataset, values: Values
    ) -> tuple[list[str], Sequence[PurePath] | None]:
        """The texts that the schema names, row by row."""
        from ..schema.frames import documents_of

        return documents_of(dataset.frame, values["schema"].texts), None

    def found_by(self, values: Values) -> JsonObject:
        """The recogniser by its name: the schema may say more."""
        return {"recognizer": values["recognizer"]}

    def publishing(
        self, columns: Sequence[str], values: Values, table: pl.DataFrame | None = None
    ) -> Publishing:
        """The columns that leave as they are: those that the schema says nothing of."""
        from ..pipeline.published_columns import publishing_of_table

        assert table is not None
        schema = values["schema"]
        known = {*schema.columns, schema.person}
        left = [name for name in columns if name not in known and schema.others != "drop"]
        return publishing_of_table(table, schema, left, allowed(values["publish"]))


def allowed(given: str | None) -> list[str] | str:
    """The columns that somebody allowed to leave as they are.

    >>> allowed("name, town"), allowed("all")
    (['name', 'town'], 'all')
    """
    if given == "all":
        return given
    return [] if given is None else [name.strip() for name in given.split(",") if name.strip()]


_BY_KIND: dict[Takes, Texts] = {"texts": Texts(), "sequences": Sequences(), "table": Table()}


def intake(method: Method) -> Texts:
    """How the input of a method's command is taken."""
    return _BY_KIND[method.takes]
