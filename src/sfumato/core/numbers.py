"""Numbers as people read them, in reports and on the terminal.

Rounding never makes a certainty: 0%, 100%, 0 and 1 are shown only where they are exact.
"""

from __future__ import annotations

from math import isfinite

DECIMALS = 3  # the most that a share or a percentage has


def percent(value: float | None) -> str:
    """A share in percent, with as many digits as it needs; nothing known is a dash.

    >>> percent(0.5), percent(0.07), percent(0.0123), percent(1.0), percent(None)
    ('50%', '7%', '1.2%', '100%', '–')
    >>> percent(0.9992), percent(0.999999999), percent(0.0000001)
    ('99.9%', '>99.999%', '<0.001%')
    """
    if value is None:
        return "–"
    shown = 100 * value
    whole = abs(shown - round(shown)) < 1e-9 and (value in (0, 1) or 0 < round(shown) < 100)
    if whole or 10 <= shown < 99 or not 0 <= value <= 1:
        return f"{shown:.0f}%"
    return f"{_kept(shown, 100, 1 if shown > 1 else 2)}%"


def share(value: float | None) -> str:
    """A share from 0 to 1 with three decimals; nothing known is a dash.

    >>> share(0.0614), share(1.0), share(0.0), share(None)
    ('0.061', '1.000', '0.000', '–')
    >>> share(0.9996), share(0.0004)
    ('>0.999', '<0.001')
    """
    if value is None:
        return "–"
    return f"{value:.3f}" if value in (0, 1) else _kept(value, 1, DECIMALS)


def number(value: float) -> str:
    """A number with its thousands, or with three digits that count.

    >>> number(12345), number(0.84567), number(7.0), number(12345.6)
    ('12,345', '0.846', '7', '12,346')
    >>> number(0.99984), number(0.9999999), number(-0.99999)
    ('0.9998', '>0.999999', '-0.99999')
    """
    if not isfinite(value):
        return str(value)
    if value == round(value):
        return f"{value:,.0f}"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    for digits in range(3, 7):
        text = f"{value:.{digits}g}"
        if abs(value) > 1 or float(text) not in (-1, 0, 1):
            return text
    return ">0.999999" if value > 0 else "<-0.999999"


def power_of_two(logarithm: float) -> str:
    """A count that is known by its logarithm to base 2, never more than it is.

    >>> power_of_two(14.92), power_of_two(5.0), power_of_two(60.0)
    ('31,000', '32', 'more than a million million')
    """
    if logarithm >= 40:
        return "more than a million million"
    return f"{int(2**logarithm + 1e-6):,}"


def _kept(value: float, whole: int, decimals: int) -> str:
    """A value between 0 and the whole with the fewest decimals that show neither of them."""
    for digits in range(decimals, DECIMALS + 1):
        text = f"{value:.{digits}f}"
        if float(text) not in (0, whole):
            return text
    least = 10**-DECIMALS
    return f">{whole - least:.{DECIMALS}f}" if value > whole / 2 else f"<{least:.{DECIMALS}f}"
