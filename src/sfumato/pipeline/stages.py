"""One stage on one column: the verb's call, from what the policy says."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import BadInput
from ..formats.sequences import Shape, require_one_case

if TYPE_CHECKING:
    from ..core.progress import Progress
    from ..core.release import Release
    from ..core.spans import Span
    from ..formats import Source
    from ..methods.terms import TermDictionary
    from . import verbs
    from .policy import Written

# The settings of a stage that name files.
FILES = ("terms", "direct", "words_file", "ontology", "patterns", "implausible")


def files_of(stage: Any, written: Written) -> list[tuple[str, Path]]:
    """The files a stage reads, by the names of its settings."""
    if stage.verb == "anonymize":  # its `terms` says what becomes of them
        return []
    given = ((name, getattr(stage, name, None)) for name in FILES)
    return [(name, written.path(value)) for name, value in given if value is not None]


@dataclass(frozen=True, slots=True)
class Step:
    """A stage on one of its columns (None: the input has no columns)."""

    number: int
    stage: verbs.Stage
    column: str | None

    @property
    def name(self) -> str:
        """The step for messages.

        >>> from .policy import parse
        >>> policy = parse("{version: 1, input: {path: a.txt}, stages: [{verb: suppress}]}")
        >>> steps_of(policy)[0].name
        'stage 1 (suppress)'
        """
        column = "" if self.column is None else f" of {self.column}"
        return f"stage {self.number + 1} ({self.stage.verb}{column})"


def steps_of(policy: Any) -> list[Step]:
    """The steps of a policy: every stage on each of its columns, in order."""
    return [
        Step(number, stage, column)
        for number, stage in enumerate(policy.stages)
        for column in _columns(stage, policy)
    ]


def _columns(stage: Any, policy: Any) -> list[str | None]:
    if stage.verb == "anonymize":  # takes the table whole
        return [None]
    return list(stage.columns or policy.input.columns or [None])


@dataclass(frozen=True, slots=True)
class Setting:
    """What all stages of a run share."""

    written: Written
    key: bytes
    progress: Progress | None = None

    def file(self, given: str | None) -> Path | None:
        """A file of the policy."""
        return None if given is None else self.written.path(given)


def call(
    step: Step,
    source: Source,
    spans: Callable[[], list[Span]],
    setting: Setting,
    dictionary: TermDictionary | None = None,
) -> tuple[Release, list[str]]:
    """The verb's release of a column, and its texts; a verb warns with its release, not here.

    `dictionary` is a redacting stage's, where it was read before.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        if dictionary is not None:
            release = _redact(step.stage, source, dictionary, setting)  # type: ignore[arg-type]
        else:
            release = _CALLS[step.stage.verb](step.stage, source, spans, setting)
    shape = shape_of(step)
    if shape is not None:
        return release, shape.texts(source, release.data)
    from ..core.corpus import Corpus

    return release, list(Corpus.of(release.data).texts)


def shape_of(step: Step) -> Shape | None:
    """How texts become sequences, for the verb that works on sequences."""
    return Shape(step.stage.unit) if step.stage.verb == "sanitize" else None


def _suppress(stage: verbs.Suppress, source: Source, spans: Any, setting: Setting) -> Release:
    from ..methods.substrings import suppress

    by_group = source.groups is not None and stage.count in (None, "groups")
    return suppress(
        source.data,
        stage.k,
        stage.count,
        source.groups if by_group else None,
        stage.unit,
        stage.align,
        stage.min_run,
        stage.run_price,
        stage.cover,
        stage.keep,
        stage.mask,
        stage.collapse,
        strict=True,
        spans=spans() if stage.hide == "recognised" else None,
        memory=stage.memory,
        seed=setting.written.policy.seed,
        progress=setting.progress,
    )


def _redact(stage: verbs.Redact, source: Source, terms: Any, setting: Setting) -> Release:
    from ..methods.terms import TermDictionary, redact

    return redact(
        source.data,
        terms if isinstance(terms, TermDictionary) else dictionary_of(stage, setting),
        stage.k,
        stage.guarantee,
        setting.file(stage.direct),
        stage.rare_lengths,
        stage.mask,
        whole_words=stage.whole_words,
        seed=setting.written.policy.seed,
        progress=setting.progress,
    )


def dictionary_of(stage: verbs.Redact, setting: Setting) -> TermDictionary:
    """The terms of a stage: a list, or a dictionary that `redact` saved."""
    from ..methods.terms import TermDictionary
    from ..methods.terms.saved import is_saved

    path = setting.written.path(stage.terms)
    try:
        with path.open("rb") as stream:
            saved = is_saved(stream.read(16))
    except OSError as problem:
        raise BadInput(f"cannot be read ({problem.strerror})", where=str(path)) from None
    if saved:
        return TermDictionary.load(path)
    return TermDictionary(path, fold_case=stage.fold_case, fold_width=stage.fold_width)


def _generalize(
    stage: verbs.Generalize, source: Source, spans: Callable[[], list[Span]], setting: Setting
) -> Release:
    from ..methods.meanings import generalize

    words: Any = None
    if stage.words == "recognised":
        words = spans()
    elif stage.words != "nouns" or stage.words_file is not None:
        words = list(stage.words) if isinstance(stage.words, list) else []
        words += _lines(setting.file(stage.words_file))
        if not words:
            raise BadInput("no word is listed", where="words", remedy="list words, or say nouns")
    return generalize(
        source.data,
        stage.t,
        words,
        stage.objective,
        stage.search,
        stage.alpha,
        stage.min_volume,
        setting.file(stage.ontology),
        stage.volume,
        stage.sense,
        stage.unknown,
        stage.segment,
        t_words=stage.t_words,
        mask=stage.mask,
        seed=setting.written.policy.seed,
        progress=setting.progress,
    )


def _lines(path: Path | None) -> list[str]:
    if path is None:
        return []
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError):
        raise BadInput("cannot be read as UTF-8", where=str(path)) from None
    return [line.strip() for line in lines if line.strip()]


def _sanitize(stage: verbs.Sanitize, source: Source, spans: Any, setting: Setting) -> Release:
    from ..methods.patterns import sanitize

    shape = Shape(stage.unit)
    implausible = setting.file(stage.implausible)
    patterns = shape.patterns(setting.written.path(stage.patterns))
    if source.format == "fasta" and stage.unit == "character":
        require_one_case([*(text or "" for text in source.texts), *patterns], source.place)
    return sanitize(
        shape.sequences(source),
        patterns,
        stage.method,
        stage.replacement,
        stage.tau,
        stage.theta,
        stage.rho,
        stage.separator,
        stage.length,
        implausible=None if implausible is None else shape.patterns(implausible),
        collection=not source.is_single,
        seed=setting.written.policy.seed,
        progress=setting.progress,
    )


def _pseudonymize(
    stage: verbs.Pseudonymize, source: Source, spans: Callable[[], list[Span]], setting: Setting
) -> Release:
    from ..methods.pseudonyms import pseudonymize

    return pseudonymize(
        source.data,
        spans(),
        setting.key,
        stage.dates,
        source.groups,
        seed=setting.written.policy.seed,
        progress=setting.progress,
    )


_CALLS: dict[str, Callable[[Any, Any, Any, Any], Release]] = {
    "suppress": _suppress,
    "redact": _redact,
    "generalize": _generalize,
    "sanitize": _sanitize,
    "pseudonymize": _pseudonymize,
}


def side_inputs(step: Step, source: Source, release: Release, setting: Setting) -> dict[str, Any]:
    """What the checks of a stage's claims need, from the policy's files, as its verb had it."""
    stage: Any = step.stage
    private: dict[str, Any] = {}
    parameters = release.parameters
    if stage.verb == "redact":
        from ..methods.terms.publication import Plan, Strings
        from ..methods.terms.term_list import read_terms

        dictionary = dictionary_of(stage, setting)
        plan = Plan(stage.guarantee, stage.k, stage.rare_lengths)
        private["terms"] = dictionary.terms
        private["published"] = Strings(
            dictionary.publication(plan), dictionary.terms, str(parameters["mask"])
        )
        if stage.direct is not None:
            private["direct"] = read_terms(setting.file(stage.direct), dictionary.folding)
    elif stage.verb == "generalize" and stage.ontology is not None:
        from ..ontologies import read_ontology

        private["ontology"] = read_ontology(setting.written.path(stage.ontology))
    elif source.groups is not None and (stage.verb == "pseudonymize" or _counts_groups(release)):
        private["groups"] = source.groups
    return private


def _counts_groups(release: Release) -> bool:
    return any(claim.parameters.get("count") == "groups" for claim in release.claims)


def digest_of(step: Step, setting: Setting, before: str) -> str:
    """The key of a stage's result: the version, the parameters, every file it reads, its input."""
    from importlib.metadata import version

    policy = setting.written.policy
    stage = step.stage.model_dump(mode="json", exclude={"columns"})
    files = {name: file_digest(path) for name, path in files_of(step.stage, setting.written)}
    told: dict[str, Any] = {
        "version": version("sfumato"),
        "stage": stage | files,
        "column": step.column,
        "seed": policy.seed,
        "person": policy.input.person,
        "read_as": [setting.written.input_name, policy.input.read_as, policy.input.encoding],
        "before": before,
    }
    named = "recognised" in (stage.get("words"), stage.get("hide"))
    if step.stage.verb == "pseudonymize" or named:
        told["recognizer"] = recogniser_digest(setting)
    if step.stage.verb == "pseudonymize":
        told["key"] = hashlib.sha256(b"stage" + setting.key).hexdigest()
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def recogniser_digest(setting: Setting) -> str:
    """What the recogniser is: its name with its files, or the review file."""
    policy = setting.written.policy
    if policy.spans is not None:
        return file_digest(setting.written.path(policy.spans))
    parts = []
    for name in (policy.recognizer or "rules-en").split("+"):
        rules = name.strip().endswith((".yaml", ".yml"))
        parts.append(file_digest(setting.written.path(name.strip())) if rules else name.strip())
    return "+".join(parts)


def file_digest(path: Path) -> str:
    """The SHA-256 of a file, or of every file of a folder with its name."""
    from ..formats import file_digests

    if not path.exists():
        raise BadInput("no such file or folder", where=str(path), remedy="check the policy's paths")
    found = file_digests(path)
    if path.is_file():
        return next(iter(found.values()))
    return hashlib.sha256(json.dumps(sorted(found.items())).encode()).hexdigest()


def found_spans(source: Source, setting: Setting) -> list[Span]:
    """What the policy's recogniser or review file finds in the original texts of a column."""
    return recognised([text or "" for text in source.texts], setting)


def recognised(texts: list[str], setting: Setting) -> list[Span]:
    """What the policy's recogniser or review file finds in original texts."""
    from ..recognizers import review, spans_of

    policy = setting.written.policy
    if policy.spans is None:
        return spans_of(recogniser_name(setting), texts, setting.progress)
    path = setting.written.path(policy.spans)
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise BadInput(f"cannot be read ({problem.strerror})", where=str(path)) from None
    return review.read(content, texts, policy.spans)


def recogniser_name(setting: Setting) -> str:
    """The recogniser that finds what stages change; its files stand beside the policy."""
    names = map(str.strip, (setting.written.policy.recognizer or "rules-en").split("+"))
    return "+".join(
        str(setting.written.path(name)) if name.endswith((".yaml", ".yml")) else name
        for name in names
    )
