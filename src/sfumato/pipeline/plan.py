"""What a policy would do: its steps, and how long and how much memory they are likely to take.

What each method declares as its cost are seconds and bytes for each byte of input, with everything
a stage brings along (reading, keeping, checking), measured by benchmarks/pipeline_speed.py on one
core of a 2-core machine; another machine differs by a factor, the proportions hardly do.
"""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..engines.spark import ALONE, BLOCK, MOST_BLOCKS
from ..methods import method
from .steps import is_on_spark, steps_of
from .verbs import options_in, secret_options

if TYPE_CHECKING:
    from ..core.method import Cost
    from .policy import PolicyFile
    from .verbs import Stage

BASE_MEMORY = 200 * 10**6
# Of Spark: CPU seconds of a stage whatever its size, bytes that a core needs for each symbol of its
# block (docs/scale.md), and how often texts are moved for each stage: to where all texts of a
# person are, and beside each other where two are compared, by the stage's check and by that of all
# stages together.
STAGE, OF_BLOCK, MOVED = 10.0, 700, 5
PACKED = {".gz": 4, ".zst": 4, ".xz": 5, ".bz2": 5}  # what text usually becomes when unpacked


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """One step: what it is, what it will claim, and what it is likely to take."""

    name: str
    does: str
    claims: tuple[str, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class SparkPlan:
    """What a policy is likely to take on Spark; seconds are of CPU, divided among all cores."""

    shuffled: int
    """Bytes."""
    blocks: int
    """Into how many parts texts are divided where what is rare is counted."""
    memory_of_core: int


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps of a policy, in order."""

    bytes: int
    steps: tuple[PlannedStep, ...]
    memory: int
    writes: str
    on_spark: SparkPlan | None = None

    @property
    def seconds(self) -> float:
        """The time of all steps together."""
        return sum(step.seconds for step in self.steps)


def plan(written: PolicyFile, output: str | Path | None = None, engine: object = None) -> Plan:
    """The plan of a policy; nothing is read but sizes.

    >>> import tempfile
    >>> from . import policy
    >>> with tempfile.TemporaryDirectory() as place:
    ...     _ = Path(place, "a.txt").write_text("abracadabra")
    ...     _ = Path(place, "release.yaml").write_text(
    ...         "{version: 1, input: {path: a.txt}, stages: [{verb: suppress, k: 2}]}")
    ...     plan(policy.read(Path(place, "release.yaml"))).steps[0].does
    'k 2'
    """
    policy = written.policy
    size = size_of(written.path(policy.input.path))
    spark = is_on_spark(policy, engine)
    steps = [
        PlannedStep(
            step.name,
            _does(step.stage),
            _claims(step.stage),
            _seconds(method(step.stage.verb).cost, size, spark),
        )
        for step in steps_of(policy)
    ]
    memory = BASE_MEMORY + int(
        size * max(method(stage.verb).cost.memory for stage in policy.stages)
    )
    target = Path(output) if output is not None else written.path(policy.output.path)
    there = _there(written, size) if spark else None
    return Plan(size, tuple(steps), memory, str(target), there)


def _seconds(cost: Cost, size: int, spark: bool) -> float:
    if not spark:
        return size / 1e6 * cost.seconds
    by_blocks = cost.on_spark if size > ALONE else 0
    return STAGE + size / 1e6 * (by_blocks or cost.seconds)


def _there(written: PolicyFile, size: int) -> SparkPlan:
    """What is shuffled, and what a core needs."""
    costs = [method(step.stage.verb).cost for step in steps_of(written.policy)]
    block = max(BLOCK, -(-size // MOST_BLOCKS))
    asked = sum(one.shuffled for one in costs) if size > ALONE else 0
    shuffled = int(size * (asked + MOVED * len(costs)))
    if size <= ALONE:
        memory = BASE_MEMORY + int(size * max(one.memory for one in costs))
        return SparkPlan(shuffled, 1, memory)
    return SparkPlan(shuffled, -(-size // block), BASE_MEMORY + block * OF_BLOCK)


def _claims(stage: Stage) -> tuple[str, ...]:
    """The claims a stage with these settings gives."""
    return method(stage.verb).claims(asdict(options_in(stage)))


def _does(stage: Stage) -> str:
    """The settings that are not the default ones."""
    stated = stage.model_dump(exclude_defaults=True, exclude={"verb", "columns"})
    for name in secret_options(stage.verb):
        if isinstance(stated.get(name), list | dict):
            stated[name] = f"{len(stated[name])} given"
    return ", ".join(f"{name} {value}" for name, value in stated.items()) or "default settings"


def size_of(path: Path) -> int:
    """The bytes of a file or folder, packed ones as they unpack."""
    if path.is_dir():
        found = (Path(parent, name) for parent, _, names in os.walk(path) for name in names)
        return sum(size_of(one) for one in found)
    return path.stat().st_size * PACKED.get(path.suffix, 1)
