"""What a policy would do: its steps, and how long and how much memory they are likely to take.

The constants are seconds and bytes for each byte of input, with everything a stage brings along
(reading, keeping, checking), measured by benchmarks/pipeline_speed.py on one core of a 2-core
machine; another machine differs by a factor, the proportions hardly do.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .certificate import CLAIMS
from .stages import steps_of

if TYPE_CHECKING:
    from .policy import Written

# verb: (seconds a megabyte, bytes of memory a byte). python benchmarks/pipeline_speed.py
COST = {
    "suppress": (1.1, 25.0),
    "redact": (0.5, 18.0),
    "generalize": (1.3, 8.0),
    "sanitize": (5.2, 290.0),
    "pseudonymize": (0.6, 8.0),
    "anonymize": (0.6, 24.0),
}
BASE_MEMORY = 200 * 10**6
PACKED = {".gz": 4, ".zst": 4, ".xz": 5, ".bz2": 5}  # what text usually becomes when unpacked


@dataclass(frozen=True, slots=True)
class Planned:
    """One step: what it is, what it will claim, and what it is likely to take."""

    name: str
    does: str
    claims: tuple[str, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps of a policy, in order."""

    bytes: int
    steps: tuple[Planned, ...]
    memory: int
    writes: str

    @property
    def seconds(self) -> float:
        """The time of all steps together."""
        return sum(step.seconds for step in self.steps)


def plan(written: Written, output: str | Path | None = None) -> Plan:
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
    steps = [
        Planned(
            step.name,
            _does(step.stage),
            _claims(step.stage),
            size / 1e6 * COST[step.stage.verb][0],
        )
        for step in steps_of(policy)
    ]
    memory = BASE_MEMORY + int(size * max(COST[stage.verb][1] for stage in policy.stages))
    target = Path(output) if output is not None else written.path(policy.output.path)
    return Plan(size, tuple(steps), memory, str(target))


def _claims(stage: Any) -> tuple[str, ...]:
    """The claims a stage with these settings can give."""
    wanted = {
        "substring-k-anonymity": getattr(stage, "cover", None) != "word",
        "word-k-anonymity": getattr(stage, "cover", None) == "word",
        "spans-hidden": getattr(stage, "hide", None) is not None,
        "l-diversity": getattr(stage, "l", None) is not None,
        "t-closeness": getattr(stage, "t", None) is not None,
    }
    return tuple(name for name in CLAIMS[stage.verb] if wanted.get(name, True))


def _does(stage: Any) -> str:
    """The settings that are not the default ones."""
    stated = stage.model_dump(exclude_defaults=True, exclude={"verb", "columns"})
    for name in ("words", "t_words"):
        if isinstance(stated.get(name), list | dict):
            stated[name] = f"{len(stated[name])} given"
    return ", ".join(f"{name} {value}" for name, value in stated.items()) or "as usual"


def size_of(path: Path) -> int:
    """The bytes of a file or folder, packed ones as they unpack."""
    if path.is_dir():
        found = (Path(parent, name) for parent, _, names in os.walk(path) for name in names)
        return sum(size_of(one) for one in found)
    return path.stat().st_size * PACKED.get(path.suffix, 1)
