"""Releases against marked identifiers, and a task learned from them: tables of docs/judging.md."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from gold import blogs, meddocan, note_gold, notes, patients
from judging_attacks import share, suppressed
from tables import FIGURES, Row, record

import sfumato as sf
from sfumato.metrics.masked_symbols import masked
from sfumato.metrics.tokens import token_scores
from sfumato.recognizers import spans_of, with_role

KS = [2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 18]
METHODS: dict[str, dict[str, Any]] = {
    "MR": {"cover": "longest-first", "align": "character"},
    "Word": {"cover": "word"},
    "MR+Word": {"cover": "word-and-repeats"},
    "ours, against no reader": {"cover": "fewest", "guess": None},
    "ours, the default": {},
}
TUNED = {"min_run": (1, 3, 6, 9), "share": (0.0, 0.2, 0.5, 0.8)}  # the paper's l and R
SHOWN = (2, 5, 10, 18)
FINDS = {"rules": "the rules find", "spaCy": "spaCy finds", "both": "both find"}


def figure2(name: str) -> None:
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
    points: list[Row] = []
    for method, options in METHODS.items():
        chosen = _tuned(method, development, gold_development, options)
        for k, scores in _scores(test, gold_test, KS, options, **chosen):
            points.append({"method": method, "k": k, **chosen, **scores.as_dict()})
            print(points[-1], flush=True)
    rows = [
        {
            "method": one["method"],
            "l": one["min_run"],
            "R": one["share"],
            "k": one["k"],
            "precision": f"{one['precision']:.3f}",
            "recall": f"{one['recall']:.3f}",
            "F": f"{one['f1']:.3f}",
        }
        for one in points
        if one["k"] in SHOWN
    ]
    record(
        f"figure2_{name}",
        rows,
        part="Attacks",
        title=f"Figure 2 of the substrings paper: identifying tokens of {name}",
        note="""Precision and recall of starred tokens against the marked ones. Documents are
        divided as in the paper (283 : 388); l and R are those with the best F on the development
        part. Occurrences are counted, as in the paper.""",
    )
    _draw(points, name)


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
        for least in TUNED["share"]:
            found = max(token_scores(texts, one, gold, least).f1 for one in flags)
            if found > best[0]:
                best = found, {"min_run": min_run, "share": least}
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


def _draw(points: list[Row], name: str) -> None:
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
    FIGURES.mkdir(parents=True, exist_ok=True)
    path = FIGURES / f"figure2_{name}.svg"
    path.write_text(chart.svg(), encoding="utf-8")


def entities(ner: bool) -> None:
    """TAB's measures of recognisers, pseudonymize and suppress, alone and one after the other."""
    texts, gold, groups = notes()[0], note_gold(), patients()
    key = "a key of sixteen bytes"
    found = {"rules": "rules-en"}
    if ner:
        found |= {"spaCy": "en_core_web_sm", "both": "rules-en+en_core_web_sm"}
    spans = {said: list(spans_of(name, texts)) for said, name in found.items()}
    releases: dict[str, Any] = {
        f"pseudonymize, {said}": sf.pseudonymize(texts, some, key, groups=groups)
        for said, some in spans.items()
    }
    starred = {f"stars on what {FINDS[said]}": _masked(texts, some) for said, some in spans.items()}
    releases |= starred
    for k in (2, 5):
        releases[f"suppress, k = {k}"] = sf.suppress(texts, k, groups=groups)
    for said, data in starred.items():
        releases[f"{said}, then suppress, k = 5"] = sf.suppress(data, 5, groups=groups).data
    rows = []
    for said, data in releases.items():
        judged = sf.evaluate(texts, data, gold)
        one = judged.entities
        shares = {
            "direct": one.direct_recall,
            "quasi": one.quasi_recall,
            "mentions": one.mention_recall,
            "precision": one.precision,
            "weighted precision": one.weighted_precision,
            "symbols masked": judged.masked_share,
        }
        rows.append({"release": said} | {title: f"{value:.3f}" for title, value in shares.items()})
        print(rows[-1], flush=True)
    record(
        "entities_ner" if ner else "entities",
        rows,
        part="Attacks",
        title="Identifiers of the notes that are hidden" + (", with spaCy" if ner else ""),
        note="""Recall of direct and of quasi-identifying entities (all mentions hidden) and of
        mentions; precision of masked words, plain and weighted by information content; the share
        of symbols masked. `suppress` with its defaults.""",
    )


def _masked(texts: list[str], found: list[sf.Span]) -> list[str]:
    """What a recogniser calls direct or quasi, starred."""
    symbols = [list(text) for text in texts]
    for span in with_role(found, texts, ["direct", "quasi"]):
        symbols[span.document][span.start : span.stop] = "★" * (span.stop - span.start)
    return ["".join(one) for one in symbols]


def downstream(people: int | None) -> None:
    """Age group and topic of bloggers, learned from releases, tested on originals."""
    frame = blogs(people)
    texts, groups = frame["text"].to_list(), frame["id"].to_list()
    ages = ["10s" if int(age) < 20 else "20s" if int(age) < 30 else "30s" for age in frame["age"]]
    named = [topic if topic != "indUnk" else None for topic in frame["topic"].to_list()]
    told = [i for i, topic in enumerate(named) if topic is not None]
    tasks = {"age group": (list(range(len(texts))), ages), "topic": (told, named)}
    rows = []
    for title, release in suppressed(texts, groups, [2, 5, 20]).items():
        data = release.data if isinstance(release, sf.Release) else release
        for task, (which, labels) in tasks.items():
            found = sf.evaluate(
                [texts[i] for i in which],
                [data[i] for i in which],
                labels=[labels[i] for i in which],
                groups=[groups[i] for i in which],
            )
            one = found.downstream
            rows.append(
                {
                    "task": f"{task}, {one.classes} classes",
                    "release": title,
                    "accuracy": share(one.released, one.released_low, one.released_high),
                    "trained on the original": f"{one.original:.3f}",
                    "most frequent class": f"{one.majority:.3f}",
                    "posts tested": one.tested,
                    "symbols starred": f"{found.masked_share:.3f}",
                }
            )
            print(rows[-1], flush=True)
    record(
        "downstream",
        sorted(rows, key=lambda row: row["task"]),
        part="Attacks",
        title=f"A task learned from the release: posts of {len(set(groups)):,} bloggers",
        note="""Naive Bayes, trained on the released posts of 70% of the people, tested on original
        posts of the others, beside the same trained on originals and always taking the most
        frequent class.""",
    )
