"""A verb's command on Spark: files that Spark reads, a folder that it writes, verified before."""

from __future__ import annotations

import json as json_module
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import formats
from ..core.certificate import certificate_of, sealed
from ..core.errors import BadInput
from ..core.keys import read_key
from ..core.method import MethodInput
from ..core.release import Sides
from ..engines import COMMANDS, verify
from . import show
from .intake import allowed
from .publish import Paths, outcome_shown, quiet_warnings, require

if TYPE_CHECKING:
    from ..core.claims import Verdict
    from ..core.method import Method
    from ..core.release import Release
    from ..core.values import JsonObject
    from ..engines.spark import SparkEngine

REFUSED = (
    *("private_certificate", "spans", "delimiter", "document_separator"),
    *("no_header", "number_files", "stream"),
)


def release(
    method: Method, options: object, stated: frozenset[str], values: JsonObject, paths: Paths
) -> None:
    """Reads, releases, verifies and writes."""
    if method.verb not in COMMANDS:
        raise BadInput(
            f"the command {method.verb} does not run on Spark",
            where="engine",
            remedy="drop it, or see docs/scale.md",
        )
    _refuse(values)
    from ..engines.spark import started
    from ..engines.spark_files import kind_of, read

    kind = kind_of(values["input"], values["format"])
    named = values["text_column"] or []
    if len(named) > 1:
        raise BadInput("on Spark one column is released", where="text_column", remedy="name one")
    engine = replace(started(), text_column=named[0] if named else None)
    try:
        frame = read(engine, values["input"], kind)
        given: MethodInput[Any] = MethodInput(
            options=options,
            stated=stated,
            data=None,
            file=lambda name: None if name is None else Path(name),
            seed=values["seed"],
        )
        with quiet_warnings():
            made = _called(method, given, frame, engine, values)
        several = made if isinstance(made, dict) else {"": made}
        labels = {one: f".k{one}" if isinstance(made, dict) else "" for one in several}
        judged = {labels[one]: (some, verify(frame, some)) for one, some in several.items()}
        for _, verdicts in judged.values():
            require(verdicts)
        _write(engine, frame, kind, judged, values, paths)
    finally:
        engine.session.stop()


def _refuse(values: JsonObject) -> None:
    for name in REFUSED:
        if values.get(name):
            raise BadInput("does not go with --engine spark", where=name, remedy="drop it")
    for name in ("input", "output"):
        if values[name] == "-":
            raise BadInput("Spark reads and writes folders", where=name, remedy="name one")
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
    frame: Any,
    kind: str,
    judged: dict[str, tuple[Release, list[Verdict]]],
    values: JsonObject,
    paths: Paths,
) -> None:
    """The folders of all releases, and their certificates."""
    from ..engines.spark_files import digests, repeats, write
    from ..verification.untouched_columns import Publishing

    key = read_key(paths.key_file)
    outcomes = {}
    for label, (made, verdicts) in judged.items():
        target = paths.variant(label)
        column = made.sides.engine.text_column
        others = [name for name in frame.columns if name != column]
        publishing = Publishing.of(others, allowed(values["publish"]))
        publishing = replace(publishing, repeats=repeats(engine, frame, made.data, column))
        publishing.require()
        told = replace(made, warnings=(*made.warnings, *publishing.warnings()))
        write(made.data, target.output, kind, overwrite=paths.overwrite)
        outcomes[target.output] = told, verdicts
        files = digests(target.output)
        under = key or told.key
        whole = json_module.dumps(files, sort_keys=True).encode()
        stated = certificate_of(
            replace(told, sides=Sides()),
            tuple(verdicts),
            {"release": _sha256(whole)},
            private=False,
            key=under,
        )
        stated = replace(stated, columns=publishing.as_dict(), files=files)
        certificate = target.public_certificate()
        assert certificate is not None
        with formats.atomic_files(overwrite=paths.overwrite) as written:
            with written.open(certificate, private=False) as stream:
                content = json_module.dumps(
                    sealed(stated.as_dict(), under), ensure_ascii=False, indent=2
                )
                stream.write((content + "\n").encode("utf-8"))
            written.commit()
    with show.progress_bar(True):
        outcome_shown(outcomes, paths.output, json=values["json"], quiet=values["quiet"])


def _sha256(content: bytes) -> bytes:
    import hashlib

    return hashlib.sha256(content).digest()
