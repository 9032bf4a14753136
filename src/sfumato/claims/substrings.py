"""What is legible is shared: substrings and words, in one release or in several together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from ..core.figures import Figure, chosen
from ..core.stated_parameters import StatedParameters
from .claim_kind import ClaimKind, Parameters, Side, Statement, told

COUNTED = {
    "occurrences": "occurs at least {k} times in {where}",
    "documents": "occurs in at least {k} documents of {where}",
    "groups": "occurs in the texts of at least {k} people (groups) of {where}",
}
FORMERLY = {
    "occurrences": "occurs at least {k} times in {where}",
    "documents": "occurs in at least {k} documents in {where}",
    "groups": "occurs with at least {k} different groups (people) in {where}",
}


COPIED = 12
"""A passage is copied that has at least so many words, and that another's text has before."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MaskedParameters(StatedParameters):
    """How a release with stars is read, and by which reader."""

    mask: str
    collapse: bool
    keep: str = ""
    guess: float | None = None
    public: bool = False

    @property
    def share(self) -> Fraction:
        """The share from which on the reader writes a word, exactly as it is written."""
        if self.guess is None:
            raise ValueError("no reader is named")
        return Fraction(repr(self.guess))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CountedParameters(MaskedParameters):
    """A claim about what is legible, whatever is counted."""

    k: int
    count: Literal["occurrences", "documents", "groups"]
    reach: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LegibleParameters(CountedParameters):
    """A claim about legible stretches or words."""

    unit: Literal["character", "grapheme", "word"]
    strict: bool
    copies: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class KnownParameters(CountedParameters):
    """A claim about sets of words that somebody may know."""

    knows: int
    common: float


def _counted(given: Parameters, words: Mapping[str, str] = COUNTED) -> str:
    where = "the release itself" if given["strict"] else "the original"
    return words[str(given["count"])].format(k=given["k"], where=where)


def _substrings(given: Parameters) -> Statement:
    by_word, keep = given["unit"] == "word", given["keep"]
    if not isinstance(keep, str):
        raise TypeError("expected the kept symbols as text")
    if given.get("guess") is not None:
        return _against_reader(given, keep)
    exempt = ["symbols between words are exempt"] if by_word else []
    if keep:
        exempt.append(
            f"the symbols {keep!r} are never starred: they are stripped from both "
            "ends of a stretch before it is counted, and stretches of them alone are exempt"
        )
    what = "sequence of words" if by_word else "stretch of text"
    text, before = (f"Every legible {what} {_counted(given, by)}." for by in (COUNTED, FORMERLY))
    return Statement(text, tuple(exempt)).once(before)


def _against_reader(given: Parameters, keep: str) -> Statement:
    """The reader is the one of docs/reader.md; the claim is made against no other."""
    reach = given.get("reach")
    long = "" if reach is None else f" of at most {reach} words"
    exempt = list(_reader(given))
    if keep:
        exempt.append(f"the symbols {keep!r} between words are shown whoever shares them")
    if given.get("copies") == "once":
        exempt.append(
            f"a passage of at least {COPIED} words that stands in an earlier text of the input "
            "counts for its first author only"
        )
    return Statement(
        f"Every legible word or phrase{long} {_counted(given)}. Starred words that a reader can "
        "guess count as legible.",
        tuple(exempt),
        (_formerly_against_reader(given, keep),),
    )


def _reader(given: Parameters) -> tuple[str, str, str]:
    """What the reader knows and does, and how words are compared."""
    texts = " and the public texts" if given.get("public") else ""
    length = "" if given["collapse"] else " and the length of the starred word"
    return (
        "the reader (the neighbour reader) knows all words outside the "
        f"{OUTSIDE[str(given['count'])]}{texts}, sees the words beside a star{length}, and guesses "
        f"a word whose share of what stands in such places elsewhere is at least {given['guess']}; "
        "a better guesser may read more",
        "in a document without a legible word the reader guesses nothing",
        "words are compared as they are written; what stands between words is not counted with "
        "them: white space is shown as it is, other symbols only where as many share them, and "
        "as blanks otherwise",
    )


OUTSIDE = {"occurrences": "place", "documents": "document", "groups": "person's texts"}
OWN = {"occurrences": "place", "documents": "document", "groups": "person"}


def _formerly_against_reader(given: Parameters, keep: str) -> Statement:
    """The same in the words of earlier versions."""
    reach = given.get("reach")
    what = "stretch of words" if reach is None else f"phrase of at most {reach} words"
    exempt = list(_formerly_reader(given))
    if keep:
        exempt.append(f"the symbols {keep!r} between words are shown whoever shares them")
    if given.get("copies") == "once":
        exempt.append(
            f"a passage of at least {COPIED} words that another text has before, in the order of "
            "the input, counts for its first author only"
        )
    return Statement(
        f"Every {what} that is legible once a reader has written back each starred word that can "
        f"be guessed {_counted(given, FORMERLY)}.",
        tuple(exempt),
    )


def _formerly_reader(given: Parameters) -> tuple[str, str, str]:
    texts = " and the public texts" if given.get("public") else ""
    length = "" if given["collapse"] else ", and sees the word's length"
    return (
        f"the reader knows all words but those of the {OWN[str(given['count'])]}{texts}, and the "
        f"words beside a star{length}, and writes a word with a share of {given['guess']} of what "
        "stands there elsewhere (the neighbour reader); a better guesser may read more",
        "of a document without a legible word nothing is written back",
        "words are compared as written; what stands between them is not counted with them: blanks "
        "are shown as they are, other symbols where as many share them, else as blanks",
    )


SHOWN = {"documents": "documents", "groups": "people"}


def _known(given: Parameters) -> Statement:
    """Sets of words, read as the reader of docs/reader.md has them."""
    k, m, who = int(given["k"]), int(given["knows"]), SHOWN[str(given["count"])]
    known = "any one word" if m == 1 else f"any {m} words or fewer"
    share = f"{float(given['common']):.4%}".rstrip("%").rstrip("0").rstrip(".")
    one = "person" if who == "people" else "document"
    knows_more = (
        f"nobody knows more than {m} of a {one}'s words that are not common, nor where they stand"
    )
    common = f"a word is common that more than {share}% of the {who} show, and at least {k}"
    before = Statement(
        f"Whoever knows {known} of a {one}, of words that are not common, finds at least {k} {who} "
        "that show them, or none.",
        (common, knows_more, *_formerly_reader(given)),
    )
    return Statement(
        f"Whoever knows {known} of a {one}, common words aside, finds at least {k} {who} whose "
        f"released texts show {'it' if m == 1 else 'them'}, or none.",
        (
            f"a word is common if more than {share}% of the {who}, and at least {k}, show it",
            knows_more,
            *_reader(given),
        ),
        (before,),
    )


def _words(given: Parameters) -> Statement:
    text, before = (f"Every legible word {_counted(given, by)}." for by in (COUNTED, FORMERLY))
    return Statement(text).once(before)


TOGETHER = {
    "occurrences": "occurs at least {k} times",
    "documents": "stands in at least {k} documents",
    "groups": "stands in the texts of at least {k} people (groups)",
}


def _together(given: Parameters) -> Statement:
    reach = given.get("reach")
    what = "Whatever" if reach is None else f"Every phrase of at most {reach} words that"
    new = "Everything that" if reach is None else what
    read = ("words that the reader guesses where no release shows them count as shown",)
    shown, k = "this release and the earlier ones show together", given["k"]
    return Statement(
        f"{new} {shown} {TOGETHER[str(given['count'])].format(k=k)}, counted over all of them.",
        () if given.get("guess") is None else read,
    ).once(f"{what} {shown} has a count of at least {k} {given['count']} in all of them.")


def _by_group(given: Parameters) -> bool:
    return bool(given.get("count") == "groups")


def _alone(given: Parameters) -> bool:
    """Whether the release shows all that is counted: of a strict one nothing is written back.

    But starred spans may be. That stars stand against the reader, the original alone can tell.
    """
    if given.get("spans"):
        return False
    if not isinstance(given["strict"], bool):
        raise TypeError("expected true or false")
    return given["strict"]


SETTINGS = frozenset(("k", "count", "unit", "keep", "collapse", "strict"))

_PUBLIC = {
    **chosen("k count unit strict guess reach public copies", "what is claimed"),
    **chosen("keep mask collapse", "how the release is read"),
    **chosen("spans", "whether spans were starred too"),
}
_IN_RELEASE = Figure(
    "shown",
    "it is counted in the release, by nothing that the release lacks",
    lambda given: _alone(given) and given["count"] != "groups",
)
_MEASURED = {"smallest_count": _IN_RELEASE, "stretches": _IN_RELEASE}

KINDS = (
    ClaimKind(
        name="substring-k-anonymity",
        words=_substrings,
        check="verification.substrings:check_substrings",
        needs_if={Side.GROUPS: _by_group, Side.PUBLIC: told("public")},
        from_release=_alone,
        survives="recount",
        stronger={"k": "more", "guess": "less"},
        bounded_by=frozenset(("reach",)),
        settings=SETTINGS,
        in_any={
            "unit": "character",
            "keep": "",
            "mask": "★",
            "collapse": False,
            "strict": True,
        },
        public=_PUBLIC,
        measured=_MEASURED,
    ),
    ClaimKind(
        name="word-k-anonymity",
        words=_words,
        check="verification.substrings:check_substrings",
        needs_if={Side.GROUPS: _by_group},
        from_release=lambda given: given["strict"],
        survives="recount",
        stronger={"k": "more"},
        settings=SETTINGS,
        public=_PUBLIC,
        measured=_MEASURED,
    ),
    ClaimKind(
        name="word-km-anonymity",
        words=_known,
        check="verification.known_words:check_known_words",
        needs_if={Side.GROUPS: _by_group, Side.PUBLIC: told("public")},
        from_release=lambda given: not given.get("spans"),
        survives="recount",
        stronger={"k": "more", "knows": "more", "common": "less", "guess": "less"},
        settings=frozenset(("k", "knows", "common", "count", "keep", "collapse")),
        public={**_PUBLIC, **chosen("knows common", "what is claimed")},
        measured={
            "smallest_count": Figure(
                "shown",
                "it is counted in the release, by nothing that the release lacks",
                lambda given: not given.get("spans") and given["count"] != "groups",
            )
        },
        since=2,
    ),
    ClaimKind(
        name="substring-k-anonymity-together",
        words=_together,
        check=None,  # it needs every release; whoever has them counts (pipeline)
        needs_if={Side.GROUPS: _by_group},
        stronger={"k": "more"},
    ),
)
