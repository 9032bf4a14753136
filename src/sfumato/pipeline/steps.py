"""What is executed: the steps of a policy, what they share, and what each of them gave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ..core.engine import is_elsewhere
from ..core.printed_form import by_sizes
from .verbs import takes_table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ..core.progress import Progress
    from ..core.release import Release
    from ..formats import Source
    from .policy import Policy, PolicyFile
    from .verbs import Stage


@dataclass(frozen=True, slots=True)
class Step:
    """A stage on one of its columns (None: the input has no columns)."""

    number: int
    stage: Stage
    column: str | None

    __repr__ = by_sizes

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

    @property
    def takes_table(self) -> bool:
        """Whether it takes the whole table, not the texts of a column."""
        return takes_table(self.stage.verb)


def steps_of(policy: Policy) -> list[Step]:
    """The steps of a policy: every stage on each of its columns, in order."""
    return [
        Step(number, stage, column)
        for number, stage in enumerate(policy.stages)
        for column in _columns(stage, policy)
    ]


def _columns(stage: Stage, policy: Policy) -> list[str | None]:
    if takes_table(stage.verb):
        return [None]
    return [*(stage.columns or policy.input.columns or ())] or [None]


def table_place(steps: Sequence[Step]) -> int | None:
    """Which step takes the table; None where all work on texts."""
    return next((i for i, one in enumerate(steps) if one.takes_table), None)


def is_table(policy: Policy) -> bool:
    """Whether a stage of a policy takes the whole table."""
    return any(takes_table(stage.verb) for stage in policy.stages)


def is_on_spark(policy: Policy, engine: object = None) -> bool:
    """Whether a policy runs on Spark: as whoever runs it says, or as it says itself.

    >>> from .policy import parse
    >>> policy = parse("{version: 1, engine: spark, input: {path: a.csv}, "
    ...                "stages: [{verb: suppress}]}")
    >>> is_on_spark(policy), is_on_spark(policy, "local")
    (True, False)
    """
    return is_elsewhere(policy.engine if engine is None else engine)


@dataclass(frozen=True, slots=True)
class RunContext:
    """What all steps of a run share."""

    written: PolicyFile
    key: bytes
    progress: Progress | None = None
    stretched: bool = True
    """Whether surrogates are drawn by the stretched key; a release of format 1 was made before."""

    __repr__ = by_sizes

    def file(self, given: str | None) -> Path | None:
        """A file of the policy."""
        return None if given is None else self.written.path(given)


class TakenStage(Protocol):
    """A step that was taken, wherever its data are: what certificates and demands ask of it."""

    @property
    def step(self) -> Step:
        """Which it was."""

    @property
    def release(self) -> Release:
        """What it gave."""

    @property
    def hashes(self) -> dict[str, str]:
        """The plain SHA-256 of its side inputs."""


@dataclass(frozen=True, slots=True, eq=False)
class StageResult:
    """A step that was taken: what it read, and its release as it is kept."""

    step: Step
    source: Source
    release: Release
    hashes: dict[str, str]
    """The plain SHA-256 of its side inputs."""
    key: str
    fresh: bool

    __repr__ = by_sizes


def reporter(progress: Progress | None, name: str) -> Progress | None:
    """Progress of one step, under one name whatever its verb reports."""
    if progress is None:
        return None
    return lambda part, share: progress(name, share)
