"""Sfumato makes text, strings and tables safe to publish, and proves what it guarantees."""
