"""What an attack achieved, beside what guessing and general knowledge achieve."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ..metrics.intervals import interval


@dataclass(frozen=True, slots=True)
class AttackResult:
    """How often one attack was right: shares with 95% confidence intervals, and no text.

    `success` is the share of `trials` (each a `unit`: person, document, star, ...) where it was
    right; `baseline` what guessing without the release gives; `control` the same attack against
    people who are not in the data, so what it owes to general knowledge alone; None where nobody
    can stand outside. `detail` holds further numbers.

    >>> result = AttackResult.of("linkage", 9, 10, baseline=0.01, control=(1, 10), unit="person")
    >>> result.success, round(result.low, 2), round(result.risk, 2), result.is_above_control
    (0.9, 0.55, 0.89, True)
    """

    name: str
    success: float
    low: float
    high: float
    baseline: float
    control: float | None
    control_low: float | None
    control_high: float | None
    trials: int
    unit: str
    detail: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def of(
        cls,
        name: str,
        successes: int,
        trials: int,
        *,
        baseline: float,
        unit: str,
        control: tuple[int, int] | None = None,
        detail: Mapping[str, float] | None = None,
    ) -> AttackResult:
        """The result of so many successes; `control` is (successes, trials) of those outside."""
        low, high = interval(successes, trials)
        outside = (None, None, None)
        if control is not None:
            outside = (_share(*control), *interval(*control))  # type: ignore[assignment]
        return cls(
            *(name, _share(successes, trials), low, high, baseline, *outside, trials, unit),
            MappingProxyType(dict(detail or {})),
        )

    @property
    def risk(self) -> float:
        """The share of what general knowledge leaves open that the release gives away."""
        known = self.baseline if self.control is None else max(self.control, self.baseline)
        return max(0.0, (self.success - known) / (1 - known)) if known < 1 else 0.0

    @property
    def is_above_control(self) -> bool:
        """Whether success is above control (baseline where there is none) beyond chance."""
        return is_above(self.low, self.control_high, self.baseline)

    def as_dict(self) -> dict[str, object]:
        """The result as plain JSON values."""
        return {
            "name": self.name,
            "success": self.success,
            "low": self.low,
            "high": self.high,
            "baseline": self.baseline,
            "control": self.control,
            "control_low": self.control_low,
            "control_high": self.control_high,
            "trials": self.trials,
            "unit": self.unit,
            "risk": self.risk,
            "detail": dict(self.detail),
        }


def is_above(low: float, known: float | None, baseline: float) -> bool:
    """Whether success, from `low` on, is above what is known of others, and above guessing.

    >>> is_above(0.4, 0.2, 0.1), is_above(0.4, None, 0.5)
    (True, False)
    """
    return low > (baseline if known is None else max(known, baseline))


def _share(successes: int, trials: int) -> float:
    return successes / trials if trials else 0.0
