"""A place where a secret may stand, and what inputs are written from."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from adversarial.search import SECRET

Expected = Literal["hidden", "hidden or refused", "stays", "name stays"]
"""What is promised of a place. What stays may stand in the released data and nowhere else; a name
that stays also where the released files are listed."""


Rows = list[dict[str, str]]


@dataclass(frozen=True)
class Place:
    """A place: how the input is written, how it is read, and what is promised of the secret."""

    name: str
    input: str
    write: Callable[[Path], None]
    expected: Expected = "hidden"
    options: str = "--text-column text"
    people: str = "--group-column who"

    @property
    def output(self) -> str:
        """The release's name: of a folder none has a dot."""
        _, dot, ending = Path(self.input).name.partition(".")
        return f"out{dot}{ending}"


PLAIN = "The patient was seen for asthma and chest pain."


TEXT = f"The patient {SECRET} was seen for asthma and chest pain."


TEXTS = [PLAIN, PLAIN, TEXT, PLAIN, PLAIN, PLAIN]


ROWS = [
    {"who": f"p{i}", "town": "Ulm", "text": text} for i, text in enumerate(TEXTS)
]  # the secret stands in the third text, and in the place under trial


ESCAPED = "".join(f"\\u{ord(letter):04x}" for letter in SECRET)


ENTITIES = "".join(f"&#{ord(letter)};" for letter in SECRET)


def fields(
    rows: list[dict[str, str]], quoting: int = csv.QUOTE_MINIMAL, separator: str = ","
) -> str:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(rows[0]), delimiter=separator, quoting=quoting)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def lines(rows: list[dict[str, object]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def third(**more: str) -> list[dict[str, str]]:
    """The rows, with other values in the third."""
    return [{**row, **more} if i == 2 else row for i, row in enumerate(ROWS)]


def put(name: str, content: str | bytes) -> Callable[[Path], None]:
    raw = content.encode() if isinstance(content, str) else content

    def write(folder: Path) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)

    return write


def file(name: str, ending: str, content: str | bytes, *given: str, **more: str) -> Place:
    return Place(name, f"in.{ending}", put(f"in.{ending}", content), *given, **more)


def all_put(contents: dict[str, str]) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        for name, content in contents.items():
            put(name, content)(folder)

    return write


def all_bytes(contents: dict[str, bytes]) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        for name, content in contents.items():
            put(name, content)(folder)

    return write


NAKED = {"options": "", "people": ""}


SECRET_HEADER = [{(SECRET if k == "town" else k): v for k, v in row.items()} for row in ROWS]


SHORT = {f"p{i}.txt": text for i, text in enumerate(TEXTS)}
