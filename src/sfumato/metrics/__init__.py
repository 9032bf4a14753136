"""Measures of releases and of what recognisers find."""
