"""Slow, literal definitions that the fast versions are compared with."""
