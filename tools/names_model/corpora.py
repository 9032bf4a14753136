"""Annotated corpora as texts and marks, split by document for development."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import zstandard

from sfumato.recognizers.names import TYPES

from .lists import share

ANY = "ANY"
WNUT = {"person": "PERSON", "location": "LOCATION", "corporation": "ORGANIZATION"}
WNUT |= {"group": "ORGANIZATION", "product": ANY, "creative-work": ANY}
BTC = {"PER": "PERSON", "LOC": "LOCATION", "ORG": "ORGANIZATION"}
NAMES = ("PERSON", "LOCATION", "ORGANIZATION")


@dataclass(frozen=True)
class Marked:
    """A text with its mentions (start, stop, type); which types were marked in it at all."""

    source: str
    text: str
    marks: tuple[tuple[int, int, str], ...]
    types: frozenset[str]
    worth: float = 1.0
    kept: bool = field(default=False)  # apart, for development


def unpacked(path: Path) -> str:
    """The text of a compressed file."""
    with path.open("rb") as stream:
        return zstandard.ZstdDecompressor().stream_reader(stream).read().decode("utf-8")


def gum(data: Path) -> Iterator[Marked]:
    """GUM by document: news, interviews, biographies, guides, academic texts, court."""
    for line in unpacked(data / "gum.jsonl.zst").splitlines():
        one = json.loads(line)
        marks = tuple((m["start"], m["stop"], m["label"]) for m in one["spans"])
        marks = tuple(tidied(one["text"], apart(marks)))
        genre = one["id"].split("_")[1]
        kept = share(one["id"], "gum") < 0.2
        types = frozenset((*NAMES, "DATE"))
        yield Marked(f"gum-{genre}", one["text"], marks, types, kept=kept)


JOINT = re.compile(r", (?:and )?| and | & ")


def tidied(text: str, marks: tuple[tuple[int, int, str], ...]) -> Iterator[tuple[int, int, str]]:
    """GUM's entities as names: one with a clause says nothing, people in a row are several."""
    for start, stop, kind in marks:
        words = text[start:stop].split()
        small = sum(word[0].islower() for word in words)
        if len(words) > 8 or small > 3:
            yield start, stop, ANY
        elif kind != "PERSON":
            yield start, stop, kind
        else:
            at = start
            for joint in (*JOINT.finditer(text, start, stop), None):
                end = stop if joint is None else joint.start()
                if at < end:
                    yield at, end, kind
                at = stop if joint is None else joint.end()


def apart(marks: tuple[tuple[int, int, str], ...]) -> tuple[tuple[int, int, str], ...]:
    """The marks in order, the longer of two that overlap."""
    result: list[tuple[int, int, str]] = []
    for mark in sorted(marks, key=lambda m: (m[0], -m[1])):
        if not result or result[-1][1] <= mark[0]:
            result.append(mark)
    return tuple(result)


NO_BLANK_BEFORE = re.compile(r"[.,;:!?)\]}%…]+|'s|'re|'ve|'ll|'d|'m|n't|’s", re.IGNORECASE)
NO_BLANK_AFTER = frozenset(("(", "[", "{", "#", "@", "$", "£", "€"))


def written(words: list[str], tags: list[str], labels: dict[str, str]) -> Marked:
    """A text of words as one would write it, and its mentions."""
    text, opened = "", False
    marks: list[tuple[int, int, str]] = []
    for number, (word, tag) in enumerate(zip(words, tags, strict=True)):
        word = '"' if word in ("'\"'", "``", "''") else word
        closing = word == '"' and opened
        glued = (
            number == 0 or NO_BLANK_BEFORE.fullmatch(word) or words[number - 1] in NO_BLANK_AFTER
        )
        if not (glued or closing or (text.endswith('"') and opened)):
            text += " "
        if word == '"':
            opened = not opened
        kind = labels.get(tag[2:], "")
        if word.startswith("@") or (text.endswith("@") and number):
            kind, tag = ANY, "B-"  # user names are marked here and there
        if kind:
            if tag[0] == "I" and marks and marks[-1][2] == kind:
                marks[-1] = (marks[-1][0], len(text) + len(word), kind)
            else:
                marks.append((len(text), len(text) + len(word), kind))
        text += word
    return Marked("", text, apart(tuple(marks)), frozenset(NAMES))


def conll(path: Path, labels: dict[str, str], source: str, block: int = 50) -> Iterator[Marked]:
    """Sentences of words and tags; blocks of lines are kept apart together."""
    words: list[str] = []
    tags: list[str] = []
    number = 0
    for line in [*unpacked(path).split("\n"), ""]:
        word, _, tag = line.partition("\t")
        if word.strip():
            words.append(word)
            tags.append(tag.strip())
        elif words:
            one = written(words, tags, labels)
            kept = share(str(number // block), source) < 0.2
            yield Marked(source, one.text, one.marks, one.types, kept=kept)
            words, tags, number = [], [], number + 1


def corpora(data: Path) -> list[Marked]:
    """GUM, the Broad Twitter Corpus and WNUT 2017."""
    names = data / "names"
    return [
        *gum(names),
        *conll(names / "btc.conll.zst", BTC, "btc"),
        *conll(names / "wnut17.conll.zst", WNUT, "wnut"),
    ]


def open_types(one: Marked) -> int:
    """A bit for each type that nobody marked in this text.

    Occupations count as marked: a trade that is mentioned is seldom somebody's. So do addresses,
    which stand in hardly any of these texts: left open, whole sentences were taken for them.
    """
    marked = one.types | {"OCCUPATION", "ADDRESS"}
    return sum(1 << i for i, kind in enumerate(TYPES) if kind not in marked)
