"""The share from which a guess counts, as the fraction that was written."""

from __future__ import annotations

from fractions import Fraction

MOST_PARTS = 10**6


def fraction(guess: float) -> Fraction:
    """A share as it is written.

    >>> fraction(0.3)
    Fraction(3, 10)
    """
    return Fraction(repr(float(guess)))
