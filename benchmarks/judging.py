"""Attacks, evaluation and downstream utility of releases of real data; prints figures, no text.

    python benchmarks/judging.py attacks [notes|blogs|terms|OLD|MSN] [--people N] [--linkage-alone]
    python benchmarks/judging.py methods
    python benchmarks/judging.py public
    python benchmarks/judging.py sweep [notes|meddocan] [--svg sweep.svg]
    python benchmarks/judging.py figure2 [notes|meddocan] [--svg figure2.svg]
    python benchmarks/judging.py entities [--ner]
    python benchmarks/judging.py downstream [--people N]

`--people` takes the first N bloggers only; `--linkage-alone` leaves out singling out and stars,
and all k but 5.

Data from SFUMATO_DATA or ../shared/data. CPU seconds stand beside each release.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import re
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars
from gold import meddocan, notes, unpacked

import sfumato as sf
from sfumato.metrics.masked_symbols import masked
from sfumato.metrics.tokens import token_scores

KS = list(range(2, 19))
METHODS = {
    "MR": {"cover": "longest-first", "align": "character"},
    "Word": {"cover": "word"},
    "MR+Word": {"cover": "word-and-repeats"},
    "fewest, words whole": {"cover": "fewest"},
}
TUNED = {"min_run": (1, 3, 6, 9), "share": (0.0, 0.2, 0.5, 0.8)}  # the paper's l and R


def patients() -> list[str]:
    return [json.loads(line)["patient_id"] for line in unpacked("notes.jsonl.zst").splitlines()]


def note_gold() -> list[list[dict[str, Any]]]:
    return [json.loads(line)["spans"] for line in unpacked("notes.jsonl.zst").splitlines()]


def blogs(people: int | None) -> polars.DataFrame:
    frame = polars.read_csv(io.BytesIO(unpacked("blogs.csv.zst")), infer_schema=False)
    chosen = frame["id"].unique(maintain_order=True)[:people]
    return frame.filter(polars.col("id").is_in(chosen.implode())).with_columns(
        polars.col("text").fill_null("")
    )


def attacked(title: str, original: Any, release: Any, groups: Any, **options: Any) -> None:
    start = time.process_time()
    results = sf.attack(original, release, groups=groups, **options)
    print(f"\n{title} ({time.process_time() - start:.0f} s)")
    for one in results:
        control = "" if one.control is None else (
            f"control {one.control:.3f} [{one.control_low:.3f}, {one.control_high:.3f}]"
        )  # fmt: skip
        detail = ", ".join(f"{name} {value:.3g}" for name, value in one.detail.items())
        print(
            f"  {one.name:18} {one.success:.3f} [{one.low:.3f}, {one.high:.3f}]  {control}  "
            f"guessing {one.baseline:.4f}  {one.trials:,} {one.unit}s  ({detail})",
            flush=True,
        )


def attacks_on_texts(name: str, people: int | None, linkage_alone: bool) -> None:
    if name == "notes":
        texts, groups = notes()[0], patients()
    else:
        frame = blogs(people)
        texts, groups = frame["text"].to_list(), frame["id"].to_list()
    ks = [5] if linkage_alone else [2, 5, 20]
    releases: dict[str, Any] = {"raw": texts, **_suppressed(texts, groups, name, ks)}
    for background in ("another", "part"):
        for title, release in releases.items():
            attacked(f"{name}, {title}, knows {background}", texts, release, groups,
                     attacks=["linkage-rare", "linkage-words", "membership"],
                     background=background)  # fmt: skip
    if linkage_alone:
        return
    single = ["singling-out-word", "singling-out-pair"]
    for title, release in releases.items():
        stars = ["reconstruction"] if title != "raw" else []
        attacked(f"{name}, {title}", texts, release, groups, attacks=single + stars)


def _suppressed(
    texts: list[str], groups: list[str], name: str, ks: list[int]
) -> dict[str, sf.Release]:
    start = time.process_time()
    found = {
        f"suppress k={k}": release for k, release in sf.suppress(texts, ks, groups=groups).items()
    }
    print(f"{name}: suppress in {time.process_time() - start:.0f} s", flush=True)
    return found


def stars_with_public_text() -> None:
    """Stars of the notes filled in by a model of the release, then also of MEDLINE abstracts."""
    texts, groups = notes()[0], patients()
    abstracts = unpacked("medline_en.txt.zst").decode()
    public = re.split(r"^<<<DOC .*>>>$", abstracts, flags=re.MULTILINE)
    for title, release in _suppressed(texts, groups, "notes", [2, 5, 20]).items():
        for name, known in (("", None), (", MEDLINE known", public)):
            attacked(f"{title}{name}", texts, release, groups, attacks=["reconstruction"],
                     public=known)  # fmt: skip


def attacks_on_terms() -> None:
    texts, spans, direct = notes()
    listed = {texts[one.document][one.start : one.stop] for one in spans if one.label not in direct}
    for k in (2, 5, 10):
        release = sf.redact(texts, sorted(listed), k, mask=["*", "★"])
        attacked(
            f"terms of notes, redact k={k}",
            texts,
            release,
            patients(),
            attacks=["redact-inversion"],
        )


def attacks_on_patterns(name: str) -> None:
    from patterns_common import SEPARATOR, SETTINGS, load

    text, setting = load(name), SETTINGS[name]
    k, tau = setting["k"][0], setting["tau"]
    drawn = sf.sanitize(
        text, draw=setting["patterns"][0], length=k, tau=tau, method="tfs", separator=SEPARATOR
    )
    for method in ("tfs", "pfs", "tm", "tpm"):
        release = sf.sanitize(text, drawn.sides.patterns, method, tau=tau, separator=SEPARATOR)
        attacked(f"{name}, sanitize {method}", text, release, None)


def swept(name: str, svg: str | None) -> None:
    """Attacks against loss for a range of k; k = 1 is the raw text."""
    texts = (notes if name == "notes" else meddocan)()[0]
    groups = patients() if name == "notes" else None
    start = time.process_time()
    found = sf.sweep(texts, values=[1, 2, 3, 5, 8, 10, 15, 20, 30], groups=groups)
    print(f"{name}, knee at k = {found.knee} ({time.process_time() - start:.0f} s)")
    for point in found.points:
        told = ", ".join(
            f"{one.name} {one.success:.3f} [{one.low:.3f}, {one.high:.3f}] ({one.control:.3f})"
            for one in point.attacks
        )
        print(f"k={point.value:2} loss {point.loss:.4f}  {told}", flush=True)
    if svg:
        Path(svg).write_text(found.svg(), encoding="utf-8")


def figure2(name: str, svg: str | None) -> None:
    """Precision and recall of tokens for k from 2 to 18; l and R chosen on the development part."""
    texts, gold, _ = notes() if name == "notes" else meddocan()
    order = list(range(len(texts)))
    random.Random(0).shuffle(order)
    cut = round(len(order) * 283 / (283 + 388))  # as the paper divides
    parts = [sorted(order[:cut]), sorted(order[cut:])]
    development, test = ([texts[i] for i in part] for part in parts)
    gold_development, gold_test = (
        [
            sf.Span(place[one.document], one.start, one.stop, one.label)
            for one in gold
            if one.document in place
        ]
        for place in ({document: i for i, document in enumerate(part)} for part in parts)
    )
    points = []
    for method, options in METHODS.items():
        chosen = _tuned(method, development, gold_development, options)
        for k, scores in _scores(test, gold_test, KS, options, **chosen):
            points.append({"method": method, "k": k, **scores.as_dict()})
        title = f"{name} {method:20} l={chosen['min_run']} R={chosen['share']}"
        for one in points:
            if one["method"] == method:
                shares = f"precision {one['precision']:.3f} recall {one['recall']:.3f}"
                print(f"{title} k={one['k']:2} {shares} F {one['f1']:.3f}", flush=True)
    if svg:
        _draw(points, svg, name)


def _tuned(
    method: str, texts: list[str], gold: list[sf.Span], options: dict[str, Any]
) -> dict[str, Any]:
    """The l and R with the best F at its best k on the development part."""
    best: tuple[float, dict[str, Any]] = (-1.0, {})
    for min_run in TUNED["min_run"] if method in ("MR", "MR+Word") else (1,):
        releases = sf.suppress(
            texts, [2, 4, 8, 16], count="occurrences", min_run=min_run, **options
        )
        flags = [masked(texts, release) for release in releases.values()]
        for share in TUNED["share"]:
            found = max(token_scores(texts, one, gold, share).f1 for one in flags)
            if found > best[0]:
                best = found, {"min_run": min_run, "share": share}
    return best[1]


def _scores(
    texts: list[str],
    gold: list[sf.Span],
    ks: list[int],
    options: dict[str, Any],
    min_run: int,
    share: float,
) -> Iterator[tuple[int, Any]]:
    # Each k by itself: nested releases would carry the stars of smaller k along.
    for k in ks:
        release = sf.suppress(texts, k, count="occurrences", min_run=min_run, **options)
        yield k, token_scores(texts, masked(texts, release), gold, share)


def _draw(points: list[dict[str, Any]], path: str, name: str) -> None:
    from sfumato.judging.plot import PAPER, SERIES, framed

    axis = {"scale": {"domain": [0, 1]}, "axis": {"format": "~%", "tickCount": 5}}
    axes = {
        "x": {"field": "recall", "type": "quantitative", **axis},
        "y": {"field": "precision", "type": "quantitative", **axis},
        "color": {"field": "method", "type": "nominal", "sort": None, "scale": {"range": SERIES}},
        "order": {"field": "k", "type": "quantitative"},
    }
    chart = framed(
        title=f"Tokens of {name}: precision and recall for k from 2 to 18",
        background=PAPER,
        data={"values": points},
        mark={"type": "line", "point": True},
        encoding=axes,
        width=440,
        height=320,
    )
    Path(path).write_text(chart.svg(), encoding="utf-8")
    print(f"written: {path}")


def entities(ner: bool) -> None:
    """TAB's measures of recognisers, pseudonymize and suppress, alone and one after the other."""
    texts, gold, groups = notes()[0], note_gold(), patients()
    key = "a key of sixteen bytes"
    releases: dict[str, Any] = {
        "pseudonymize, rules": sf.pseudonymize(texts, "rules-en", key, groups=groups),
    }
    if ner:
        both = "rules-en+en_core_web_sm"
        releases["pseudonymize, NER"] = sf.pseudonymize(texts, "en_core_web_sm", key, groups=groups)
        releases["pseudonymize, rules and NER"] = sf.pseudonymize(texts, both, key, groups=groups)
    starred = {f"mask, {name}": _masked(texts, name) for name in _recognizers(ner)}
    releases |= starred
    for k in (2, 5):
        releases[f"suppress k={k}"] = sf.suppress(texts, k, groups=groups).data
    for name, data in starred.items():
        releases[f"{name}, then suppress k=5"] = sf.suppress(data, 5, groups=groups).data
    print(f"{'release':42} direct  quasi  mentions  precision  weighted  masked")
    for name, data in releases.items():
        found = sf.evaluate(texts, data, gold)
        one = found.entities
        print(
            f"{name:42} {one.direct_recall:.3f}   {one.quasi_recall:.3f}  {one.mention_recall:.3f}"
            f"     {one.precision:.3f}      {one.weighted_precision:.3f}     "
            f"{found.masked_share:.3f}",
            flush=True,
        )


def _recognizers(ner: bool) -> list[str]:
    return ["rules-en", "en_core_web_sm", "rules-en+en_core_web_sm"] if ner else ["rules-en"]


def _masked(texts: list[str], name: str) -> list[str]:
    """What a recogniser calls direct or quasi, starred."""
    from sfumato.recognizers import spans_of, with_role

    symbols = [list(text) for text in texts]
    for span in with_role(spans_of(name, texts), texts, ["direct", "quasi"]):
        symbols[span.document][span.start : span.stop] = "★" * (span.stop - span.start)
    return ["".join(one) for one in symbols]


def downstream(people: int | None) -> None:
    """Age group and topic of bloggers, learned from releases, tested on originals."""
    frame = blogs(people)
    texts, groups = frame["text"].to_list(), frame["id"].to_list()
    ages = [("10s", "20s", "30s and more")[(int(age) >= 20) + (int(age) >= 30)]
            for age in frame["age"]]  # fmt: skip
    named = [topic if topic != "indUnk" else None for topic in frame["topic"].to_list()]
    told = [i for i, topic in enumerate(named) if topic is not None]
    releases = _suppressed(texts, groups, "blogs", [2, 5, 20])
    for title, release in {"raw": texts, **releases}.items():
        data = release.data if isinstance(release, sf.Release) else release
        age = sf.evaluate(texts, data, labels=ages, groups=groups)
        topic = sf.evaluate(
            [texts[i] for i in told],
            [data[i] for i in told],
            labels=[named[i] for i in told],
            groups=[groups[i] for i in told],
        )
        for task, found in (("age group", age), ("topic", topic)):
            one = found.downstream
            print(f"{title:16} {task:10} release {one.released:.3f} [{one.released_low:.3f}, "
                  f"{one.released_high:.3f}]  original {one.original:.3f}  majority "
                  f"{one.majority:.3f}  {one.classes} classes, {one.tested:,} tested, masked "
                  f"{found.masked_share:.3f}", flush=True)  # fmt: skip


def main() -> None:
    warnings.simplefilter("ignore", UserWarning)
    parser = argparse.ArgumentParser()
    kinds = ["attacks", "methods", "public", "sweep", "figure2", "entities", "downstream"]
    parser.add_argument("what", choices=kinds)
    parser.add_argument("data", nargs="?", default="notes")
    parser.add_argument("--svg")
    parser.add_argument("--people", type=int)
    parser.add_argument("--ner", action="store_true")
    parser.add_argument("--linkage-alone", action="store_true")
    given = parser.parse_args()
    if given.what == "methods":
        from judging_methods import on_notes, on_records, on_sequences

        on_notes(notes()[0], patients())
        on_sequences()
        on_records()
    elif given.what == "public":
        stars_with_public_text()
    elif given.what == "sweep":
        swept(given.data, given.svg)
    elif given.what == "figure2":
        figure2(given.data, given.svg)
    elif given.what == "entities":
        entities(given.ner)
    elif given.what == "downstream":
        downstream(given.people)
    elif given.data == "terms":
        attacks_on_terms()
    elif given.data in ("notes", "blogs"):
        attacks_on_texts(given.data, given.people, given.linkage_alone)
    else:
        attacks_on_patterns(given.data)


if __name__ == "__main__":
    main()
