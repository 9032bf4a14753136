"""Sensitive patterns are concealed from a sequence: combinatorial string sanitization."""
