"""The code blocks of the documentation, as its pages have them.

What the word after the fence says: `python` (doctests, or lines with their value behind `#`), `sh`
(commands, run one block after another in one folder that has the files of `inputs`), `text` (what
the block before it prints), `yaml NAME` (the file NAME of that folder), `sh not-run` (commands that
install something or take long: names and options are checked alone). A fence without a word shows
something that is no code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block: its words (`sh`, `yaml release.yaml`), its content, its line."""

    words: str
    content: str
    line: int

    @property
    def lines(self) -> list[str]:
        """Its commands, continued lines joined, without comments and blank lines."""
        joined = self.content.replace("\\\n", " ").splitlines()
        found = [re.sub(r"(^|\s)#\s.*", "", line).strip() for line in joined]
        return [line for line in found if line]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(match[1].strip(), match[2], text.count("\n", 0, match.start()) + 1)
        for match in FENCE.finditer(text)
    ]
