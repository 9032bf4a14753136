"""The styles of a workbook: which cells are dates, and the few styles that a new workbook uses.

A released table has one style for a column. Of the old styles those are written anew, element by
element, and nothing else: other styles, their names and their formats may tell of other cells.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.sax.saxutils import quoteattr

from sfumato.core.printed_form import by_sizes
from sfumato.formats.markup import Token, tokens
from sfumato.formats.package import local

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
# The lists a style takes from, by the attribute that does, with what every list begins with.
_LISTS = {
    "fontId": ("fonts", ['<font><sz val="11"/><name val="Calibri"/></font>']),
    "fillId": (
        "fills",
        [
            '<fill><patternFill patternType="none"/></fill>',
            '<fill><patternFill patternType="gray125"/></fill>',
        ],
    ),
    "borderId": ("borders", ["<border><left/><right/><top/><bottom/><diagonal/></border>"]),
}
_NAMES = [name for name, _ in _LISTS.values()]
# The formats that have a number and no code.
_DATES, _TIMES = {*range(14, 18), 22, *range(27, 37), *range(50, 59)}, {*range(18, 22), 45, 46, 47}
_OWN = 164  # the first number of a format with a code
_LITERAL = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?![hms]+\])[^\]]*\]', re.IGNORECASE)


@dataclass(slots=True)
class Styles:
    """The elements of the lists that styles take from, the codes of formats, and the styles."""

    __repr__ = by_sizes

    lists: dict[str, list[str]] = field(default_factory=lambda: {one: [] for one in _NAMES})
    codes: dict[int, str] = field(default_factory=dict)
    cells: list[dict[str, str]] = field(default_factory=list)
    """Of each style of cells its attributes, and its alignment as it is written."""

    def code(self, style: str) -> str:
        """The code of a style's format, which may show a text beside every number."""
        return self.codes.get(self._number(style, "numFmtId"), "")

    def kind(self, style: str) -> str:
        """What a number in a cell of this style is: a number, a date or a time.

        >>> Styles(cells=[{}, {"numFmtId": "14"}]).kind("1")
        'date'
        """
        number = self._number(style, "numFmtId")
        if number in self.codes:
            return kind_of(self.codes[number])
        return "date" if number in _DATES else "time" if number in _TIMES else "number"

    def _number(self, style: str, key: str) -> int:
        stated = self._of(style).get(key, "0")
        return int(stated) if stated.isascii() and stated.isdecimal() else 0

    def _of(self, style: str) -> dict[str, str]:
        at = int(style) if style.isascii() and style.isdecimal() else 0
        return self.cells[at] if at < len(self.cells) else {}

    def written(self, used: Sequence[str]) -> str:
        """A part with the default style and, after it, the used ones in this order."""
        lists = {name: list(first) for name, first in _LISTS.values()}
        codes: dict[int, int] = {}
        default = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>'
        styles = [default]
        for one in used:
            format = self._number(one, "numFmtId")
            if format in self.codes:
                format = codes.setdefault(format, _OWN + len(codes))
            taken = f'<xf numFmtId="{format}" applyNumberFormat="1" applyAlignment="1"'
            for key, (name, first) in _LISTS.items():
                number, known = self._number(one, key), self.lists[name]
                at = 0
                if number < len(known) and (name == "fonts" or number >= len(first)):
                    lists[name].append(known[number])
                    at = len(lists[name]) - 1
                taken += f' {key}="{at}" apply{key.removesuffix("Id").title()}="1"'
            styles.append(f"{taken}>{self._of(one).get('', '')}</xf>")
        made = [
            f'<numFmt numFmtId="{new}" formatCode={quoteattr(self.codes[old])}/>'
            for old, new in codes.items()
        ]
        parts = [_list("numFmts", made)] if made else []
        parts += [_list(name, some) for name, some in lists.items()]
        parts += [_list("cellStyleXfs", [default]), _list("cellXfs", styles)]
        parts += [_list("cellStyles", ['<cellStyle name="Normal" xfId="0" builtinId="0"/>'])]
        return f'<styleSheet xmlns="{MAIN}">{"".join(parts)}</styleSheet>'


def _list(name: str, elements: Sequence[str]) -> str:
    return f'<{name} count="{len(elements)}">{"".join(elements)}</{name}>'


def kind_of(code: str) -> str:
    """What a number of this format is: a number, a date or a time.

    >>> kind_of("0.00"), kind_of("yyyy\\\\-mm\\\\-dd"), kind_of("[h]:mm"), kind_of('0 "days"')
    ('number', 'date', 'time', 'number')
    """
    plain = _LITERAL.sub("", code.split(";")[0]).lower().replace("general", "")
    if re.search("[yd]", plain) or re.fullmatch(r"[^hs0#?]*m{1,5}[^hs0#?]*", plain):
        return "date"
    return "time" if re.search("[hs]", plain) else "number"


def styles_of(raw: bytes, place: str) -> Styles:
    """The styles that a part holds; what is not of Excel's own namespace is left out."""
    styles, path, made = Styles(), list[Token](), list[str]()
    for token in tokens(raw, place, spaces=True):
        if token.kind not in ("open", "close"):
            continue
        if token.kind == "open":
            path.append(token)
            _noted(styles, path)
        home = local(path[1]) if len(path) > 2 else ""
        if home in _NAMES and _is_plain(path):
            tag = f"{local(token)}{_attributes(token)}" if token.kind == "open" else local(token)
            made.append(f"<{tag}>" if token.kind == "open" else f"</{tag}>")
        if token.kind == "close":
            path.pop()
            if home in _NAMES and len(path) == 2:
                styles.lists[home].append("".join(made))
                made = []
    return styles


def _noted(styles: Styles, path: Sequence[Token]) -> None:
    """Notes the code of a format, a style of cells, or its alignment."""
    token, home = path[-1], [local(one) for one in path]
    stated = token.attributes
    if home[1:] == ["numFmts", "numFmt"] and stated.get("numFmtId", "").isdecimal():
        styles.codes[int(stated["numFmtId"])] = stated.get("formatCode", "")
    elif home[1:] == ["cellXfs", "xf"]:
        styles.cells.append(dict(stated))
    elif home[1:] == ["cellXfs", "xf", "alignment"]:
        styles.cells[-1][""] = f"<alignment{_attributes(token)}/>"


def _is_plain(path: Sequence[Token]) -> bool:
    return all("/spreadsheetml/" in one.name and local(one) != "extLst" for one in path)


def _attributes(token: Token) -> str:
    plain = {name: value for name, value in token.attributes.items() if " " not in name}
    return "".join(f" {name}={quoteattr(value)}" for name, value in plain.items())
