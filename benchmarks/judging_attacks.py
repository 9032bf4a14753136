"""Attacks on releases of texts, lists of terms and sequences: tables of docs/judging.md."""

from __future__ import annotations

import time
from typing import Any

from gold import blogs, meddocan, medline, notes, patients
from tables import FIGURES, Row, record

import sfumato as sf

LINKS = ["linkage-rare", "linkage-words", "membership"]
SINGLES = ["singling-out-word", "singling-out-pair"]
KNOWN = {"another": "another text", "part": "50 words of the text"}
SWEPT = [1, 2, 3, 5, 8, 10, 15, 20, 30]


def share(value: float | None, low: float | None, high: float | None) -> str:
    """A share with its 95% interval; nothing where there is none."""
    return "" if value is None else f"{value:.3f} [{low:.2f}, {high:.2f}]"


def cells(found: list[Any]) -> Row:
    """For each attack its success and its control, with intervals."""
    row: Row = {}
    for one in found:
        row[one.name] = share(one.success, one.low, one.high)
        row[f"{one.name}, control"] = share(one.control, one.control_low, one.control_high)
    return row


def suppressed(texts: list[str], groups: list[str] | None, ks: list[int]) -> dict[str, list[str]]:
    """The raw texts, and their releases by the default for these k."""
    found = sf.suppress(texts, ks, groups=groups)
    return {"raw": texts, **{f"suppress, k = {k}": one for k, one in found.items()}}


def on_texts(name: str, people: int | None, *, linkage: bool, singling: bool) -> None:
    """Linkage, membership and singling out, for what an attacker may know of a person."""
    if name == "notes":
        texts, groups = notes()[0], patients()
    else:
        frame = blogs(people)
        texts, groups = frame["text"].to_list(), frame["id"].to_list()
    whose = f"{name}, {len(texts):,} texts of {len(set(groups)):,} people"
    releases = suppressed(texts, groups, [2, 5, 20])
    if linkage:
        _linked(name, whose, texts, releases, groups)
    if singling:
        _singled(name, whose, texts, releases, groups)


def _linked(
    name: str, whose: str, texts: list[str], releases: dict[str, Any], groups: list[str]
) -> None:
    rows = []
    for known, said in KNOWN.items():
        for title, release in releases.items():
            begun = time.process_time()
            found = sf.attack(texts, release, LINKS, groups, known)
            spent = time.process_time() - begun
            rows.append({"known": said, "release": title, **cells(found), "CPU s": f"{spent:.0f}"})
            print(rows[-1], flush=True)
    record(
        f"attacks_{name}",
        rows,
        part="Attacks",
        title=f"Linking people to their texts: {whose}",
        note=f"""{found[0].trials:,} people are attacked. Success is the share of them who are
        linked rightly, or whose presence is told; control the same for people who are not in the
        data. `suppress` with its defaults. 95% intervals; time is of the attacks.""",
    )


def _singled(
    name: str, whose: str, texts: list[str], releases: dict[str, Any], groups: list[str]
) -> None:
    rows = []
    for title, release in releases.items():
        found = sf.attack(texts, release, SINGLES, groups)
        row: Row = {"release": title, **cells(found)}
        if title != "raw":
            (stars,) = sf.attack(texts, release, ["reconstruction"], groups)
            row["runs of stars restored"] = f"{stars.success:.3f}"
            row["by the most frequent word"] = f"{stars.baseline:.3f}"
        rows.append(row)
        print(row, flush=True)
    record(
        f"singled_{name}",
        rows,
        part="Attacks",
        title=f"Singling out, and stars filled in: {whose}",
        note="""A word, or a pair of words, that one person of the release uses, and whether that
        person is alone with it in the originals; then the share of runs of stars that a reader
        fills in rightly, beside always taking the most frequent word of that length.""",
    )


def stars_with_public_text() -> None:
    """Stars of the notes filled in by models of the release, then also of MEDLINE abstracts."""
    texts, groups = notes()[0], patients()
    public, rows = medline(), []
    for title, release in suppressed(texts, groups, [2, 5, 20]).items():
        if title == "raw":
            continue
        for said, known in (("the release", None), ("the release and MEDLINE", public)):
            names = ["reconstruction", "reconstruction-symbols"]
            runs, symbols = sf.attack(texts, release, names, groups, public=known)
            rows.append(
                {
                    "release": title,
                    "the attacker has read": said,
                    "runs restored": share(runs.success, runs.low, runs.high),
                    "symbols guessed": share(symbols.success, symbols.low, symbols.high),
                    "symbols, control": share(
                        symbols.control, symbols.control_low, symbols.control_high
                    ),
                    "symbols, most frequent": f"{symbols.baseline:.3f}",
                }
            )
            print(rows[-1], flush=True)
    record(
        "attacks_public",
        rows,
        part="Attacks",
        title="Stars of the notes filled in with the help of public text",
        note=f"""Whole runs by the reader, and single symbols by an n-gram model of the release.
        MEDLINE is {len(public):,} abstracts. The control has stars of people whose texts the
        model has not read: no better on the others means that it knows language, not people.""",
    )


def on_terms() -> None:
    """Guessing which term of the list stands behind what `redact` published."""
    texts, spans, direct = notes()
    listed = {texts[one.document][one.start : one.stop] for one in spans if one.label not in direct}
    rows = []
    for k in (2, 5, 10):
        release = sf.redact(texts, sorted(listed), k, mask=["*", "★"])
        (one,) = sf.attack(texts, release, ["redact-inversion"], patients())
        rows.append(
            {
                "release": f"redact, k = {k}",
                "places": one.trials,
                "guessed rightly": share(one.success, one.low, one.high),
                "the words beside alone": share(one.control, one.control_low, one.control_high),
                "one of the string's terms blindly": f"{one.baseline:.3f}",
            }
        )
    record(
        "attacks_terms",
        rows,
        part="Attacks",
        title="Guessing redacted terms of the notes",
        note="""The attacker knows the list of terms, and which words stand beside each of them
        elsewhere. No published string has fewer than k terms behind it.""",
    )


def on_patterns(name: str) -> None:
    """Undoing what `sanitize` wrote, for each of its methods."""
    from patterns_common import SEPARATOR, SETTINGS, load

    text, setting = load(name), SETTINGS[name]
    size, count, tau = setting["k"][0], setting["patterns"][0], setting["tau"]
    drawn = sf.sanitize(text, draw=count, length=size, tau=tau, method="tfs", separator=SEPARATOR)
    rows = []
    for method in ("tfs", "pfs", "tm", "tpm"):
        release = sf.sanitize(text, drawn.sides.patterns, method, tau=tau, separator=SEPARATOR)
        (one,) = sf.attack(text, release)
        rows.append(
            {
                "release": f"sanitize, {method.upper()}",
                "places": one.trials,
                "right": share(one.success, one.low, one.high),
                "random places undone": share(one.control, one.control_low, one.control_high),
                "sensitive windows": f"{one.baseline:.3f}",
            }
        )
    record(
        f"attacks_{name.lower()}",
        rows,
        part="Attacks",
        title=f"Undoing sanitize: {name}, {count} sensitive patterns of {size} symbols",
        note="""How often undoing a suspected place gives a sensitive pattern, beside random places,
        and the share of all windows of the string that are sensitive.""",
    )


def swept(name: str) -> None:
    """Attacks against loss for a range of k; k = 1 is the raw text."""
    texts = (notes if name == "notes" else meddocan)()[0]
    groups = patients() if name == "notes" else None
    found = sf.sweep(texts, values=SWEPT, groups=groups, attacks=LINKS[:2])
    rows = [
        {"k": point.value, "symbols starred": f"{point.loss:.3f}", **cells(list(point.attacks))}
        for point in found.points
    ]
    record(
        f"sweep_{name}",
        rows,
        part="Attacks",
        title=f"Attacks against loss: {name}, k from 1 to 30",
        note=f"""k = 1 is the raw text; 50 words of a text are known. The knee of the curve
        of the first attack is at k = {found.knee}.""",
    )
    FIGURES.mkdir(parents=True, exist_ok=True)
    (FIGURES / f"sweep_{name}.svg").write_text(found.svg(), encoding="utf-8")
