"""Rare substrings become stars: substring k-anonymity by k-repeating substrings."""
