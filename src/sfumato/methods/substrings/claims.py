"""What a suppressed release claims, in words, and what it does not protect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.claims import Claim

if TYPE_CHECKING:
    from collections.abc import Mapping

COUNTED = {
    "occurrences": "occurs at least {k} times",
    "documents": "occurs in at least {k} documents",
    "groups": "occurs with at least {k} different groups (people)",
}


def claims_of(parameters: Mapping[str, object], spans: int | None) -> tuple[Claim, ...]:
    """The claims that go with a cover (substrings, single words, or none), and with spans."""
    if spans is None:
        return _counted(parameters)
    given = {"spans": spans, "mask": parameters["mask"], "collapse": parameters["collapse"]}
    statement = f"Of the {spans} listed spans no symbol is legible."
    return (*_counted(parameters), Claim("spans-hidden", statement, given))


def _counted(parameters: Mapping[str, object]) -> tuple[Claim, ...]:
    cover = parameters["cover"]
    if cover == "word-and-repeats":
        return ()
    k, count = parameters["k"], str(parameters["count"])
    where = "the release itself" if parameters["strict"] else "the original"
    counted = COUNTED[count].format(k=k)
    checked = ("k", "count", "unit", "keep", "mask", "collapse", "strict")
    given = {name: parameters[name] for name in checked}
    if cover == "word":
        return (Claim("word-k-anonymity", f"Every legible word {counted} in {where}.", given),)
    what = "sequence of words" if parameters["unit"] == "word" else "stretch of text"
    exempt = []
    if parameters["unit"] == "word":
        exempt.append("symbols between words are exempt")
    if parameters["keep"]:
        exempt.append(
            f"the symbols {parameters['keep']!r} are never starred: they are stripped from both "
            "ends of a stretch before it is counted, and stretches of them alone are exempt"
        )
    return (
        Claim(
            "substring-k-anonymity",
            f"Every legible {what} {counted} in {where}.",
            given,
            tuple(exempt),
        ),
    )


def not_protected(parameters: Mapping[str, object]) -> tuple[str, ...]:
    """What a reader may still learn."""
    result = ["secrets that occur often", "the meaning of what stays legible"]
    if not parameters["collapse"]:
        result.append("the number of symbols behind the stars (collapse=True hides it)")
    else:
        result.append("how many symbols all stars hide together: counts and loss tell it")
    if parameters["count"] == "occurrences":
        result.append("a name that its owner's own text repeats (count documents or groups)")
    if not parameters["strict"]:
        result.append(
            "stretches that occur often in the original but rarely in the release (strict)"
        )
    if parameters["cover"] == "word":
        result.append("rare combinations of frequent words")
    if parameters["cover"] == "word-and-repeats":
        result.append("anything: this cover is for comparison only and claims nothing")
    return tuple(result)
