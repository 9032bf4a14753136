"""What the site needs beside its pages: links to files of the repository become plain text."""

from __future__ import annotations

import re
from typing import Any

OUTSIDE = re.compile(r"\[([^\]]+)\]\((?:\.\./)+(?!docs/)[A-Za-z][^)]*\)")
FENCE = re.compile(r"^```(\w+) [^\n]*$", re.MULTILINE)


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """A page as the site shows it.

    Links that leave `docs/` lose their target, and the names of files behind a fence, which the
    tests read, go: `yaml release.yaml` is yaml. The home page has its whole width for itself.
    """
    if page.file.src_uri == "index.md":
        page.meta["hide"] = ["navigation", "toc"]
    depth = page.file.src_uri.count("/")
    return FENCE.sub(r"```\1", _without_outside(markdown, depth))


def _without_outside(markdown: str, depth: int) -> str:
    def kept(match: re.Match[str]) -> str:
        target = match[0].rsplit("](", 1)[1]
        leaves = target.count("../") > depth
        return match[1] if leaves else match[0]

    return OUTSIDE.sub(kept, markdown)
