"""Names in Word documents that people chose: of styles, themes, lists, shapes and namespaces.

Styles of the document's own are given numbers; names that only programs read are taken out. Names
of fonts stay, and those of the styles that every Word has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput
from sfumato.formats.hidden_words import words
from sfumato.formats.markup import edited_tag, tokens
from sfumato.formats.package import is_known, local, plain_theme, without

if TYPE_CHECKING:
    from sfumato.formats.markup import Token

STYLES = "word/styles.xml"
_REFERENCES = {
    *("pStyle", "rStyle", "tblStyle", "basedOn", "next", "link", "numStyleLink", "styleLink"),
}
_VML = ("urn:schemas-microsoft-com:vml", "urn:schemas-microsoft-com:office:office")
_SHAPE = re.compile(r"#?_x0000_[a-z]+[0-9]+")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,4}){0,2}|x-none")
_PREFIX = re.compile(r"[a-z]{1,3}[0-9]{2}[a-z]{0,6}")
_COMPATIBLE = {
    *("compatibilityMode", "overrideTableStyleFontSizeAndJustification"),
    *("enableOpenTypeFeatures", "doNotFlipMirrorIndents", "differentiateMultirowTableHeaders"),
    *("useWord2013TrackBottomHyphenation", "allowHyphenationAtTrackBottom"),
    *("allowSpaceOfSameStyleInTable",),
}
# Words that lists of many documents are numbered with.
_NUMBERS = """
    chapter section article appendix part figure table step item note annex clause paragraph rule
    kapitel abschnitt anhang artikel teil bild tabelle abbildung schritt chapitre partie annexe
    capítulo sección apéndice parte figura tabla
"""
_NUMBERED = frozenset(_NUMBERS.split())


class Names:
    """The names of a document: what becomes of each attribute that may hold one."""

    def __init__(self, styles: bytes, place: str) -> None:
        self._styles: dict[str, str] = {}
        self._place, count = place, 0
        for token in tokens(styles or b"<a/>", place, spaces=True):
            if token.kind == "open" and local(token) == "style":
                own = _stated(token)
                if own.get("customStyle") in ("1", "true", "on"):
                    count += 1
                    self._styles[own.get("styleId", "")] = f"S{count}"
                else:
                    self._styles[own.get("styleId", "")] = own.get("styleId", "")

    def attribute(self, token: Token) -> Callable[[str, str], str | None]:
        """What becomes of an attribute of a tag: another value, the same one, or None: it goes."""
        space, _, element = token.name.rpartition(" ")
        foreign = {name.rpartition(" ")[2] for name in token.attributes if not _is_home(name)}

        def becomes(name: str, value: str) -> str | None:
            prefix, _, own = name.rpartition(":")
            if name.startswith("xmlns"):
                return value if is_known(value) else None
            if prefix and own in foreign:
                return None
            if own == "Ignorable":
                return " ".join(one for one in value.split() if _PREFIX.fullmatch(one))
            if element in _REFERENCES and own == "val":
                return self._styles.get(value, "S0")
            if element in ("lang", "themeFontLang"):
                return value if _LANGUAGE.fullmatch(value) else None
            if space in _VML and own in ("id", "class", "type"):
                return value if _SHAPE.fullmatch(value) else None
            if element == "graphicData" and own == "uri":
                return value if is_known(value) else ""
            return value

        return becomes

    def part(self, name: str, raw: bytes) -> bytes:
        """A part that holds no text, without the names that people chose."""
        if name.startswith("word/theme/"):
            return plain_theme(raw, self._place)
        edits: list[tuple[int, int, bytes]] = []
        path: list[Token] = []
        for token in tokens(raw, self._place, spaces=True):
            if token.kind == "open":
                tag = raw[token.start : token.stop]
                made = edited_tag(tag, self._named(token, path))
                if made != tag:
                    edits.append((token.start, token.stop, made))
                path.append(token)
            elif token.kind == "close":
                path.pop()
        return without(raw, self._place, _gone, edits)

    def _named(self, token: Token, path: list[Token]) -> Callable[[str, str], str | None]:
        element, usual = local(token), self.attribute(token)
        home = path[-1] if path else token
        style = _stated(home).get("styleId", "") if local(home) == "style" else ""
        is_own = self._styles.get(style, style) != style

        def becomes(name: str, value: str) -> str | None:
            own = name.rpartition(":")[2]
            if element == "style" and own == "styleId":
                return self._styles.get(value, "S0")
            if element == "name" and own == "val" and is_own:
                return f"Style {self._styles[style][1:]}"
            if element == "lvlText" and own == "val":
                self._require_plain(value)
            return usual(name, value)

        return becomes

    def _require_plain(self, value: str) -> None:
        """Refuses lists that are numbered with words: nobody would read them as text."""
        told = {one for one in words(value) if len(one) > 2 and not one.isdecimal()}
        if told - _NUMBERED:
            problem, remedy = "the numbers of a list are written with words", "change the list"
            raise BadInput(problem, where=self._place, remedy=remedy)


def _gone(path: list[str], tag: Token) -> bool:
    name = local(tag)
    if not is_known(tag.name.rpartition(" ")[0]) or name in ("rsid", "aliases", "altName"):
        return True
    if name == "compatSetting":
        return _stated(tag).get("name") not in _COMPATIBLE
    return name.startswith("embed") or (name == "name" and path[-1:] == ["abstractNum"])


def _stated(token: Token) -> Mapping[str, str]:
    """The attributes of a tag by their names without namespaces."""
    return {name.rpartition(" ")[2]: value for name, value in token.attributes.items()}


def _is_home(name: str) -> bool:
    return is_known(name.rpartition(" ")[0])
