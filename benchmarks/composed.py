"""How many gold identifiers survive each stage alone and both together, and at what loss of text.

    python benchmarks/composed.py [notes|meddocan] [-k 5] [--documents N]

Every line is a policy's run, verified on its final text. A gold identifier survives when all of its
symbols stand in the release where they stood; `half` counts those of which at least half do. Loss
is the share of all symbols that were changed, and of those outside gold identifiers. People are
the patients of `notes`; in `meddocan` every document is a person. Data from SFUMATO_DATA or
../shared/data.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from gold import meddocan, notes, patients
from tables import Row, record

from sfumato.pipeline import policy
from sfumato.pipeline.chains import of_column, table_at, traces
from sfumato.pipeline.execute import execute
from sfumato.pipeline.result_folder import ResultFolder
from sfumato.pipeline.steps import RunContext, steps_of
from sfumato.pipeline.store import DiskStore
from sfumato.pipeline.verdicts import judge_results

if TYPE_CHECKING:
    from sfumato.core.spans import Span
    from sfumato.verification.trace import Trace

KEY = b"a key of more than sixteen bytes"


def policies(corpus: str, k: int) -> dict[str, list[dict[str, object]]]:
    suppress: dict[str, object] = {"verb": "suppress", "k": k}
    pseudonyms: dict[str, object] = {"verb": "pseudonymize", "dates": "label"}
    general: dict[str, object] = {"verb": "generalize", "words": "recognised", "t": 32}
    found: dict[str, list[dict[str, object]]] = {
        "pseudonymize": [pseudonyms],
        "suppress": [suppress],
        "suppress, hiding what was recognised": [{**suppress, "hide": "recognised"}],
        "pseudonymize, then suppress": [pseudonyms, suppress],
    }
    table: dict[str, object] = {"verb": "anonymize", "k": k}
    found |= {"anonymize": [table], "anonymize, then suppress": [table, suppress]}
    if corpus == "notes":  # WordNet is English
        found["generalize"] = [general]
        found["generalize, then suppress"] = [general, suppress]
    return found


def traced(done: Sequence[Any]) -> list[Trace]:
    """What the stages wrote over each text; a table's rows were shuffled."""
    table = table_at(done)
    if table is None:
        return traces(done)
    rows = done[table].release.sides.of_table.rows.tolist()
    found = dict(zip(rows, traces(of_column(done, "text")), strict=True))
    return [found[row] for row in range(len(rows))]


def legible(texts: Sequence[str], pieces: Sequence[object]) -> list[np.ndarray]:
    """Which symbols of each original stand in the release."""
    kept = [np.ones(len(text), bool) for text in texts]
    for document, trace in enumerate(pieces):
        for piece in trace.pieces:  # type: ignore[attr-defined]
            kept[document][piece.start : piece.stop] = False
    return kept


def survived(spans: Sequence[Span], kept: Sequence[np.ndarray], least: float) -> int:
    return sum(kept[one.document][one.start : one.stop].mean() >= least for one in spans)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", nargs="?", choices=["notes", "meddocan"], default="notes")
    parser.add_argument("-k", type=int, default=5)
    parser.add_argument("--documents", type=int, default=10**9)
    parser.add_argument("--only", default="", help="Lines whose stages have this word.")
    asked = parser.parse_args()
    texts, spans, direct = (notes if asked.corpus == "notes" else meddocan)()
    people = [f"p{i}" for i in range(len(texts))]
    if asked.corpus == "notes":
        people = patients()
    texts, people = texts[: asked.documents], people[: asked.documents]
    spans = [one for one in spans if one.document < len(texts)]
    certain = [one for one in spans if one.label in direct]
    outside = [np.ones(len(text), bool) for text in texts]
    for one in spans:
        outside[one.document][one.start : one.stop] = False
    found: list[Row] = []
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        rows = (
            json.dumps({"who": who, "text": text}) for who, text in zip(people, texts, strict=True)
        )
        (place / "texts.jsonl").write_text("\n".join(rows) + "\n")
        schema = {"person": "who", "columns": {"text": {"kind": "text"}}}
        (place / "schema.yaml").write_text(json.dumps(schema))
        for title, stages in policies(asked.corpus, asked.k).items():
            if asked.only not in title:
                continue
            given = {
                "version": 1,
                "input": {"path": "texts.jsonl", "columns": ["text"], "person": "who"},
                "recognizer": "rules-en" if asked.corpus == "notes" else "rules-es",
                "schema": "schema.yaml",
                "stages": stages,
            }
            written = policy.PolicyFile(policy.parse(json.dumps(given)), place)
            began = resource.getrusage(resource.RUSAGE_SELF).ru_utime
            context = RunContext(written, KEY)
            store = DiskStore(context, ResultFolder(place / "stages"))
            done = execute(steps_of(written.policy), store, context)
            verdicts = [one.verdict for some in judge_results(done).values() for one in some]
            seconds = resource.getrusage(resource.RUSAGE_SELF).ru_utime - began
            kept = legible(texts, traced(done))
            lost = 1 - sum(one.sum() for one in kept) / sum(map(len, texts))
            beside = sum((free & ~one).sum() for free, one in zip(outside, kept, strict=True))
            row: Row = {
                "stages": title,
                "direct": f"{survived(certain, kept, 1.0):,}",
                "all": f"{survived(spans, kept, 1.0):,}",
                "half legible": f"{survived(spans, kept, 0.5):,}",
                "text changed": f"{lost:.1%}",
                "outside gold": f"{beside / sum(one.sum() for one in outside):.1%}",
                "claims that hold": f"{sum(v.holds for v in verdicts)} of {len(verdicts)}",
                "CPU s": f"{seconds:.0f}",
            }
            print(row, flush=True)
            found.append(row)
    if asked.only or asked.documents < 10**9:  # no whole table
        return
    record(
        f"composed_{asked.corpus}",
        found,
        part="Policies",
        title=f"Identifiers left by stages alone and together: {asked.corpus}",
        note=f"""{len(texts):,} documents of {len(set(people)):,} people, {len(spans):,} marked
        identifiers, {len(certain):,} of them direct, k = {asked.k}. How many are unchanged in the
        release, or legible by half; the share of the text, and of the text outside marked
        identifiers, that was changed.""",
    )


if __name__ == "__main__":
    main()
