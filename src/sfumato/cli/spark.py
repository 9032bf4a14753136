"""A verb's command on Spark: files that Spark reads, a folder that it writes, verified before."""

from __future__ import annotations

import json as json_module
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from .. import formats
from ..core.certificate import certificate_of, sealed
from ..core.errors import BadInput
from ..core.keys import read_key
from ..core.method import MethodInput
from ..core.progress import stage
from ..core.release import Sides
from ..engines import VERBS, verify
from . import show
from .intake import allowed
from .publish import Paths, outcome_shown, quiet_warnings, require

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..core.claims import Verdict
    from ..core.method import Method
    from ..core.progress import Progress
    from ..core.release import Release
    from ..core.values import Data, JsonObject
    from ..engines.spark import SparkEngine
    from ..verification.untouched_columns import Publishing

    Outcomes = dict[str, tuple[Release, list[Verdict]]]

REFUSED = (
    *("private_certificate", "spans", "delimiter", "document_separator"),
    *("no_header", "number_files", "stream"),
)


def release(
    method: Method, options: object, stated: frozenset[str], values: JsonObject, paths: Paths
) -> None:
    """Reads, releases, verifies and writes; says what was written."""
    with show.spark_bar(values["quiet"] or values["json"]) as progress:
        outcomes = _released(method, options, stated, values, paths, progress)
    outcome_shown(outcomes, paths.output, json=values["json"], quiet=values["quiet"])


def _released(
    method: Method,
    options: object,
    stated: frozenset[str],
    values: JsonObject,
    paths: Paths,
    progress: Progress | None,
) -> Outcomes:
    """The releases and their verdicts, which are written."""
    if method.verb not in VERBS:
        raise BadInput(
            f"the command {method.verb} does not run on Spark",
            where="engine",
            remedy="drop it, or see docs/scale.md",
        )
    from ..engines.spark import started
    from ..engines.spark_faults import readable
    from ..engines.spark_files import kind_of, read_in_order, text_column_of
    from ..engines.spark_json import read_table

    values = {**values, "input": _one_input(values["input"])}
    values["mapping"] = getattr(options, "mapping", None)
    _refuse(values)
    kind = kind_of(values["input"], values["format"])
    engine = replace(started(), text_column=text_column_of(values.get("text_column"), kind))
    with readable(values["input"]), _until_done(engine):
        read = read_table if method.takes_table else read_in_order
        with stage(progress, "read"):
            frame = read(engine, values["input"], kind)
        given: MethodInput[object] = MethodInput(
            options=options,
            stated=stated,
            data=None,
            file=lambda name: None if name is None else Path(name),
            key=read_key(values["key_file"]) if method.keyed else None,
            schema=values.get("schema"),
            recognizer_name=values.get("recognizer"),
            seed=values["seed"],
        )
        with quiet_warnings(), stage(progress, method.verb):
            made = _called(method, given, frame, engine, values)
        several = made if isinstance(made, dict) else {"": made}
        labels = {one: f".k{one}" if isinstance(made, dict) else "" for one in several}
        with stage(progress, "verify"):
            judged = {labels[one]: (some, verify(frame, some)) for one, some in several.items()}
        for _, verdicts in judged.values():
            require(verdicts)
        with stage(progress, "write"):
            return _write(engine, frame, kind, judged, values, paths)


@contextmanager
def _until_done(engine: SparkEngine) -> Iterator[None]:
    """The session ends with the command, and all that it kept."""
    try:
        yield
    finally:
        engine.session.stop()


def _one_input(given: object) -> str:
    """The file or folder that is read; several tables are not joined there."""
    if isinstance(given, list):
        if len(given) != 1:
            raise BadInput("on Spark one table is read", where="input", remedy="join them first")
        return str(given[0])
    return str(given)


def _refuse(values: JsonObject) -> None:
    for name in REFUSED:
        if values.get(name):
            raise BadInput("does not go with --engine spark", where=name, remedy="drop it")
    for name in ("input", "output"):
        if values[name] == "-":
            raise BadInput("Spark reads and writes folders", where=name, remedy="name one")
    if "://" in values["output"]:
        raise BadInput(
            "the files of a release are hashed by the driver, as a folder",
            where="output",
            remedy="name a folder that all machines see, and copy it from there",
        )
    if values["encoding"].casefold().replace("_", "-") not in ("utf-8", "utf8"):
        raise BadInput("Spark reads UTF-8", where="encoding", remedy="convert the files")


def _called(
    method: Method,
    given: MethodInput[object],
    frame: object,
    engine: SparkEngine,
    values: JsonObject,
) -> Release | dict[int, Release]:
    """The verb's releases."""
    from ..engines import arguments

    found = arguments(method.verb, given)
    if values.get("group_column") is not None:
        found["groups"] = values["group_column"]
    made: Release | dict[int, Release]
    made = method.call()(frame, **found, engine=engine, seed=given.seed)
    return made


def _write(
    engine: SparkEngine,
    frame: Data,
    kind: str,
    judged: Outcomes,
    values: JsonObject,
    paths: Paths,
) -> Outcomes:
    """The folders of all releases and their certificates: all of them, or none."""
    from ..engines.spark import ROW
    from ..engines.spark_files import digests, write
    from ..engines.spark_json import as_given
    from ..engines.spark_mapping import write_mapping

    outcomes: Outcomes = {}
    with formats.atomic_files(overwrite=paths.overwrite) as files:
        files.protect(values["input"])
        for label, (made, verdicts) in judged.items():
            target = paths.variant(label)
            publishing = _leaving(engine, frame, made, values)
            told = replace(made, warnings=(*made.warnings, *publishing.warnings()))
            data = made.data
            if made.sides.schema is None:
                data = data.orderBy(ROW).drop(ROW)
            else:
                data = as_given(engine, data, values["input"], kind)
            folder = files.folder(target.output)
            write(data, str(folder), kind)
            outcomes[target.output] = told, verdicts
            content = _certified(told, verdicts, publishing, digests(str(folder)), paths)
            certificate = target.public_certificate()
            assert certificate is not None
            with files.open(certificate, private=False) as stream:
                stream.write(content)
            if values["mapping"] is not None:
                with files.open(values["mapping"], private=True) as stream:
                    write_mapping(stream, _key(values), frame, made, values["input"])
        files.commit()
    return outcomes


def _key(values: JsonObject) -> bytes:
    key = read_key(values["key_file"])
    assert key is not None  # the verb has asked for it
    return key


def _leaving(engine: SparkEngine, frame: Data, made: Release, values: JsonObject) -> Publishing:
    """The columns that leave as they are; refused where they give back what was hidden."""
    from ..engines.spark import ROW
    from ..engines.spark_files import repeats
    from ..verification.untouched_columns import Publishing

    column, schema = made.sides.engine.text_column, made.sides.schema
    known = {column} if schema is None else {*schema.columns, schema.person}
    others = [name for name in frame.columns if name not in {*known, ROW}]
    if schema is not None:
        others = _of_table(others, schema.others, allowed(values["publish"]))
    publishing = Publishing.of(others, allowed(values["publish"]))
    if schema is None:
        found = repeats(engine, frame, made.data, column, others)
        publishing = replace(publishing, repeats=found)
    publishing.require()
    return publishing


def _certified(
    made: Release,
    verdicts: list[Verdict],
    publishing: Publishing,
    files: dict[str, str],
    paths: Paths,
) -> bytes:
    """The certificate of a folder of files."""
    under = read_key(paths.key_file) or made.key
    whole = json_module.dumps(files, sort_keys=True).encode()
    stated = certificate_of(
        replace(made, sides=Sides()),
        tuple(verdicts),
        {"release": _sha256(whole)},
        private=False,
        key=under,
    )
    stated = replace(stated, columns=publishing.as_dict(), files=files)
    content = json_module.dumps(sealed(stated.as_dict(), under), ensure_ascii=False, indent=2)
    return (content + "\n").encode("utf-8")


def _of_table(others: list[str], fate: str, published: list[str] | str) -> list[str]:
    """The columns of a table that no line of the schema names: each is to be published by name."""
    if fate == "drop":
        return []
    left = [] if published == "all" else [name for name in others if name not in published]
    if left:
        raise BadInput(
            f"{len(left)} columns stand in no line of the schema, and are not looked at on Spark",
            where="publish",
            remedy="name them with --publish, or say `others: drop`",
        )
    return others


def _sha256(content: bytes) -> bytes:
    import hashlib

    return hashlib.sha256(content).digest()


def recognize_on_spark(
    source: str,
    output: str,
    recognizer: str | None,
    roles: Sequence[str],
    preset: str,
    text_column: list[str] | None,
    group_column: str | None,
    format: str | None,
    *,
    overwrite: bool,
) -> tuple[int, dict[str, int]]:
    """A folder of review lines, part after part in the order of documents."""
    from ..engines.spark import started
    from ..engines.spark_faults import readable
    from ..engines.spark_files import kind_of, read_in_order, text_column_of, write_lines
    from ..engines.spark_recognize import reviewed
    from ..recognizers.installed_recognizers import DEFAULT

    kind = kind_of(source, format)
    column = text_column_of(text_column, kind)
    if not overwrite:
        formats.require_free(Path(output))
    engine = replace(started(), text_column=column)
    with readable(source), _until_done(engine):
        lines, documents, labels = reviewed(
            engine,
            read_in_order(engine, source, kind),
            recognizer or DEFAULT,
            group_column,
            roles,
            preset,
        )
        write_lines(lines, output, overwrite=overwrite)
    return documents, dict(sorted(labels.items()))
