"""Sensitive patterns are concealed from a sequence: combinatorial string sanitization."""

from .sanitize import sanitize

__all__ = ["sanitize"]
