"""Sentences of our own making: templates, filled with names of many origins."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

from sfumato.recognizers.names import TYPES

from .corpora import Marked
from .values import Values

TEMPLATES = Path(__file__).parent / "templates.txt"
KEPT = frozenset(("insurance", "email", "culture", "legal", "questions", "travel"))
PART = re.compile(r"\[([^\]]*)\]|\{([^}]+)\}")

SLOTS: dict[str, tuple[str, Callable[[Values], str]]] = {
    "p": ("PERSON", Values.person),
    "g": ("PERSON", Values.given),
    "s": ("PERSON", Values.surname),
    "SU": ("PERSON", lambda v: v.surname().upper()),
    "G": ("PERSON", lambda v: v.given()[0]),
    "ms": ("PERSON", Values.surname),
    "pl": ("LOCATION", Values.place),
    "c": ("LOCATION", Values.city),
    "k": ("LOCATION", Values.country),
    "o": ("ORGANIZATION", Values.organisation),
    "n": ("NATIONALITY", Values.nationality),
    "ns": ("NATIONALITY", Values.nationals),
    "n1": ("NATIONALITY", Values.national),
    "j": ("OCCUPATION", Values.job),
    "J": ("OCCUPATION", lambda v: v.job().title()),
    "d": ("DATE", Values.date),
    "y": ("DATE", Values.year),
    "a": ("ADDRESS", Values.address),
    "A": ("ADDRESS", Values.address_lines),
    "st": ("ADDRESS", Values.street),
    "ph": ("", Values.phone),
    "e": ("", Values.email),
    "u": ("", Values.url),
    "m": ("", Values.money),
    "t": ("", Values.clock),
    "id": ("", Values.identifier),
    "cc": ("", Values.card),
    "iban": ("", Values.iban),
    "ip": ("", Values.ip),
    "user": ("", Values.user),
    "age": ("", Values.age),
    "#": ("", Values.digit),
    "w": ("", Values.word),
    "W": ("", lambda v: v.word().title()),
    "WU": ("", lambda v: v.word().upper()),
    "x": ("", Values.usual),
    "X": ("", lambda v: v.usual().title()),
    "XU": ("", lambda v: v.usual().upper()),
    "prod": ("", lambda v: v.of("products")),
}
TITLES = ("Mr.", "Mr", "Mrs.", "Mrs", "Ms.", "Ms", "Miss", "Dr.", "Dr")


def templates() -> dict[str, list[str]]:
    """The templates by family."""
    families: dict[str, list[str]] = {}
    for line in TEMPLATES.read_text("utf-8").splitlines():
        if line.startswith("## "):
            families[line[3:]] = []
        elif line and not line.startswith("#"):
            families[list(families)[-1]].append(line.replace("\\n", "\n"))
    return families


def chosen(template: str, random: Random) -> str:
    """A template with its choices made, innermost first."""

    def pick(match: re.Match[str]) -> str:
        options = match[1].split("|")
        return options[int(random.random() * len(options))]

    while "[" in template:
        template = re.sub(r"\[([^\[\]]*)\]", pick, template)
    return template


def filled(template: str, values: Values) -> tuple[str, list[tuple[int, int, str]]]:
    """The text of a template and its mentions."""
    text, at = "", 0
    marks: list[tuple[int, int, str]] = []
    template = chosen(template, values.random)
    for match in re.finditer(r"\{([A-Za-z#]+[0-9]?)\}", template):
        text += template[at : match.start()]
        at = match.end()
        slot = match[1] if match[1] in SLOTS else match[1].rstrip("0123456789")
        label, make = SLOTS[slot]
        if slot == "ms":
            text += values.one(TITLES) + " "
        value = make(values)
        if label == "PERSON" and slot == "p" and values.chance(0.07):
            text += values.one(TITLES) + " "
        if label and marks and marks[-1][2] == label == "PERSON" and text[marks[-1][1] :] == " ":
            marks[-1] = (marks[-1][0], len(text) + len(value), label)  # {g} {s}
        elif label:
            marks.append((len(text), len(text) + len(value), label))
        text += value
    return text + template[at:], marks


def sentences(
    families: Sequence[list[str]], values: Values, count: int, source: str, kept: bool = False
) -> Iterator[Marked]:
    """Made documents: one to three sentences each, some in lower or upper case or mistyped.

    Every template is used equally often within its family, longer families more often.
    """
    random = values.random
    every = [one for family in families for one in family]
    for number in range(count):
        text, marks = filled(every[number % len(every)], values)
        while values.chance(0.25):
            more, later = filled(values.one(every), values)
            between = "\n" if values.chance(0.3) else " "
            shift = len(text) + len(between)
            text += between + more
            marks += [(start + shift, stop + shift, label) for start, stop, label in later]
        if not values.plain_only:
            text = varied(text, random)
        yield Marked(source, text, tuple(marks), frozenset(TYPES), kept=kept)


def varied(text: str, random: Random) -> str:
    """The text as it is, or in one case, or mistyped; of the same length."""
    dice = random.random()
    if dice < 0.08:
        return one_case(text, str.lower)
    if dice < 0.13:
        return one_case(text, str.upper)
    if dice < 0.17:
        return mistyped(text, random)
    return text


def one_case(text: str, change: Callable[[str], str]) -> str:
    """The text in one case, symbol by symbol, so that places stay.

    >>> one_case("Straße", str.upper)
    'STRAßE'
    """
    return "".join(x if len(change(x)) != 1 else change(x) for x in text)


def mistyped(text: str, random: Random) -> str:
    """A few neighbouring letters exchanged, places stay."""
    letters = list(text)
    for i in range(len(letters) - 1):
        if letters[i].islower() and letters[i + 1].islower() and random.random() < 0.02:
            letters[i], letters[i + 1] = letters[i + 1], letters[i]
    return "".join(letters)


def made(count: int, seed: int, kept: bool) -> Iterator[Marked]:
    """Made documents to learn from, or to develop on: families and values of their own."""
    families = templates()
    some = [lines for name, lines in families.items() if (name in KEPT) == kept]
    yield from sentences(some, Values(Random(seed), kept), count, "made", kept)


def made_final(count: int, seed: int) -> Iterator[Marked]:
    """Made documents of all families and values, for the weights that are released."""
    yield from sentences(list(templates().values()), Values(Random(seed), None), count, "made")
