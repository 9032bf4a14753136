"""Consistent surrogates for what a recogniser found, and the way back."""

from .mapping import save_mapping, undo
from .pseudonymize import pseudonymize

__all__ = ["pseudonymize", "save_mapping", "undo"]
