"""Rare substrings become stars: substring k-anonymity by k-repeating substrings."""

from .suppress import suppress

__all__ = ["suppress"]
