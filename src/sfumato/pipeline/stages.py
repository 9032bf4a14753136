"""One stage on one column: the verb's call, from what the policy says."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import formats
from ..claims import Side, kind
from ..core.errors import BadInput
from ..core.method import MethodInput, released
from ..formats.sequences import Shape
from ..methods import method
from ..recognizers.installed_recognizers import DEFAULT
from .verbs import files_in, options_in

if TYPE_CHECKING:
    from ..core.release import Release
    from ..core.spans import Span
    from ..core.values import Data, JsonObject
    from ..formats import Source
    from .policy import PolicyFile
    from .steps import RunContext, Step
    from .verbs import Stage


def files_of(stage: Stage, written: PolicyFile) -> list[tuple[str, Path]]:
    """The files a stage reads, by the names of its settings."""
    return [(name, written.path(value)) for name, value in files_in(stage)]


def call(
    step: Step, source: Source, spans: Callable[[], list[Span]], context: RunContext
) -> tuple[Release, list[str]]:
    """The verb's release of a column, and its texts; a verb warns with its release, not here."""
    made, releases = released(method(step.stage.verb), given_to(step, source, context, spans))
    (release,) = releases.values()
    if made.texts is not None:
        return release, made.texts(release.data)
    from ..core.corpus import Corpus

    return release, list(Corpus.of(release.data).texts)


def given_to(
    step: Step,
    data: Data,
    context: RunContext,
    spans: Callable[[], list[Span]] | None = None,
    **more: Any,
) -> MethodInput[Any]:
    """What a step's method gets from the policy."""
    given = context.written.policy.input
    return MethodInput(
        options=options_in(step.stage),
        stated=frozenset(type(step.stage).model_fields),
        data=data,
        file=context.file,
        recognized=spans,
        key=context.key if method(step.stage.verb).keyed else None,
        read=lambda path: formats.read(
            path, text_column=step.column, format=given.read_as, encoding=given.encoding
        ),
        seed=context.written.policy.seed,
        progress=context.progress,
        **more,
    )


def shape_of(step: Step) -> Shape | None:
    """How texts become sequences, for a verb that works on sequences."""
    return Shape(options_in(step.stage).unit) if method(step.stage.verb).takes_sequences else None


def side_inputs(step: Step, source: Source, release: Release, context: RunContext) -> JsonObject:
    """What the checks of a stage's claims need, from the policy's files, as its verb had it."""
    declared = method(step.stage.verb)
    private: JsonObject = {}
    if declared.sides is not None:
        given = given_to(step, source, context, stretched=context.stretched)
        private = declared.sides(given, release)
    needed = (kind(claim.name).sides(claim.parameters) for claim in release.claims)
    if source.groups is not None and any(Side.GROUPS in some for some in needed):
        private["groups"] = source.groups
    return private


def digest_of(step: Step, context: RunContext, before: str) -> str:
    """The key of a stage's result: the version, the parameters, every file it reads, its input."""
    from importlib.metadata import version

    policy = context.written.policy
    stage = step.stage.model_dump(mode="json", exclude={"columns"})
    files = {name: file_digest(path) for name, path in files_of(step.stage, context.written)}
    told: dict[str, object] = {
        "version": version("sfumato"),
        "stage": stage | files,
        "column": step.column,
        "seed": policy.seed,
        "person": policy.input.person,
        "read_as": [context.written.input_name, policy.input.read_as, policy.input.encoding],
        "before": before,
    }
    named = {"recognised", "recognized"} & {str(stage.get("words")), str(stage.get("hide"))}
    if method(step.stage.verb).recognizes or named:
        told["recognizer"] = recognizer_digest(context)
    if method(step.stage.verb).keyed:
        told["key"] = hashlib.sha256(b"stage" + context.key).hexdigest()
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def recognizer_digest(context: RunContext) -> str:
    """What the recogniser is: its name with its files, or the review file."""
    policy = context.written.policy
    if policy.spans is not None:
        return file_digest(context.written.path(policy.spans))
    parts = []
    for name in (policy.recognizer or DEFAULT).split("+"):
        rules = name.strip().endswith((".yaml", ".yml", ".model"))
        parts.append(file_digest(context.written.path(name.strip())) if rules else name.strip())
    return "+".join(parts)


def file_digest(path: Path) -> str:
    """The SHA-256 of a file, or of every file of a folder with its name."""
    from ..formats import bytes_digest

    if not path.exists():
        raise BadInput("no such file or folder", where=str(path), remedy="check the policy's paths")
    return bytes_digest(path)


def found_spans(source: Source, context: RunContext) -> list[Span]:
    """What the policy's recogniser or review file finds in the original texts of a column."""
    return recognized(source.filled, context, source.groups)


def recognized(
    texts: list[str], context: RunContext, groups: list[str] | None = None
) -> list[Span]:
    """What the policy's recogniser or review file finds in original texts."""
    from ..recognizers import review, spans_of

    policy = context.written.policy
    if policy.spans is None:
        return spans_of(recognizer_name(context), texts, context.progress, groups)
    path = context.written.path(policy.spans)
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise BadInput(f"cannot be read ({problem.strerror})", where=str(path)) from None
    return review.read(content, texts, policy.spans)


def recognizer_name(context: RunContext) -> str:
    """The recogniser that finds what stages change; its files stand beside the policy."""
    names = map(str.strip, (context.written.policy.recognizer or DEFAULT).split("+"))
    return "+".join(
        str(context.written.path(name)) if name.endswith((".yaml", ".yml", ".model")) else name
        for name in names
    )
