"""What an attack achieved, beside what guessing and general knowledge achieve."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import hypot
from types import MappingProxyType
from typing import Literal

from ..metrics.intervals import interval

Word = Literal["above", "perhaps above", "near", "below", "no control", "no trials"]


@dataclass(frozen=True, slots=True)
class AttackResult:
    """How often one attack was right: shares with 95% confidence intervals, and no text.

    `success` is the share of `trials` (each a `unit`: person, document, star, ...) where it was
    right; `background` says what the attacker knows beside the release; `baseline` is what guessing
    without the release gives; `control` the same attack against those whom the release does not
    speak of (`control_of` says who they are), so what it owes to general knowledge alone; None
    where nobody stands outside. `detail` holds further numbers.

    >>> result = AttackResult.of("linkage", 9, 10, baseline=0.01, unit="person",
    ...                          background="a part", control=(1, 10), control_of="held out")
    >>> result.success, round(result.low, 2), round(result.risk, 2), result.verdict
    (0.9, 0.55, 0.89, 'above')
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
    background: str
    control_of: str | None = None
    control_trials: int = 0
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
        background: str,
        control: tuple[int, int] | None = None,
        control_of: str | None = None,
        detail: Mapping[str, float] | None = None,
    ) -> AttackResult:
        """The result of so many successes; `control` is (successes, trials) of those outside.

        A control of nobody tells nothing: it is none.
        """
        low, high = interval(successes, trials)
        outside, others = (None, None, None), 0 if control is None else control[1]
        if control is not None and others:
            outside = (_share(*control), *interval(*control))  # type: ignore[assignment]
        return cls(
            *(name, _share(successes, trials), low, high, baseline, *outside, trials, unit),
            *(background, control_of if others else None, others),
            MappingProxyType(dict(detail or {})),
        )

    @property
    def risk(self) -> float:
        """The share of what general knowledge leaves open that the release gives away."""
        known = self.baseline if self.control is None else max(self.control, self.baseline)
        return max(0.0, (self.success - known) / (1 - known)) if known < 1 else 0.0

    @property
    def verdict(self) -> Word:
        """Where success stands beside the control: `verdict_of` their intervals."""
        found = (self.success, self.low, self.high)
        outside = (self.control, self.control_low, self.control_high)
        return verdict_of(found, outside, self.trials)

    @property
    def is_above_control(self) -> bool:
        """Whether success is above control beyond chance; not known where there is no control."""
        return self.verdict == "above"

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
            "control_of": self.control_of,
            "control_trials": self.control_trials,
            "trials": self.trials,
            "unit": self.unit,
            "background": self.background,
            "verdict": self.verdict,
            "risk": self.risk,
            "detail": dict(self.detail),
        }


Bounded = tuple[float | None, float | None, float | None]
"""A share and the ends of its 95% interval."""


def verdict_of(success: Bounded, control: Bounded, trials: int = 1) -> Word:
    """Above or below the control where the two intervals have no value in common, else near it.

    Intervals that overlap a little may belong to shares that differ all the same. Where success is
    higher, and 0 lies outside the 95% interval of the difference (Newcombe's, from the two
    intervals), it is perhaps above.

    >>> verdict_of((0.061, 0.048, 0.078), (0.001, 0.0, 0.006))
    'above'
    >>> verdict_of((0.26, 0.2, 0.34), (0.14, 0.09, 0.21))
    'perhaps above'
    >>> verdict_of((0.4, 0.3, 0.5), (0.3, 0.2, 0.4))
    'near'
    >>> verdict_of((0.5, 0.4, 0.6), (None,) * 3), verdict_of((0, 0, 1), (0, 0, 0.1), trials=0)
    ('no control', 'no trials')
    """
    (share, low, high), (outside, outside_low, outside_high) = success, control
    if not trials or share is None or low is None or high is None:
        return "no trials"
    if outside is None or outside_low is None or outside_high is None:
        return "no control"
    if low > outside_high:
        return "above"
    if high < outside_low:
        return "below"
    differs = share - outside > hypot(share - low, outside_high - outside)
    return "perhaps above" if differs else "near"


def _share(successes: int, trials: int) -> float:
    return successes / trials if trials else 0.0
