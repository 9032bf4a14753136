"""Sensitive words become more general words: t-plausibility."""

from .generalize import generalize

__all__ = ["generalize"]
