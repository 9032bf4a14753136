"""How long `suppress` takes from codes to stars, against divsufsort with Kasai in the same run.

    python benchmarks/suppress_speed.py [--quick]

CPU seconds, best of 3, with a picture. Needs the package pydivsufsort and the data of SFUMATO_DATA.
`--quick` takes a tenth of every text.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from tables import RESULTS, record, text_of

try:
    import pydivsufsort
except ImportError:
    print("pydivsufsort is not installed: nothing to compare with; pip install pydivsufsort")
    sys.exit(5)

import sfumato as sf
from sfumato.kernels.covers import cover
from sfumato.kernels.repeats import SuffixIndex
from sfumato.kernels.text import encode

MILLION = 1_000_000


def codes_of(text: str, k: int = 5) -> np.ndarray:
    return encode([text], at_least=k).codes


def best(work: Callable[[], Any], times: int = 3) -> float:
    seconds = []
    for _ in range(times):
        began = time.process_time()
        work()
        seconds.append(time.process_time() - began)
    return min(seconds)


def stars(codes: np.ndarray, k: int = 5) -> np.ndarray:
    lengths = SuffixIndex(codes).repeat_lengths(k, last=True)
    return cover(lengths, np.array([len(codes) - 1], np.int64))


def sort_and_kasai(codes: np.ndarray) -> None:
    pydivsufsort.kasai(codes, pydivsufsort.divsufsort(codes))


def fibonacci(symbols: int) -> np.ndarray:
    old, new = "a", "ab"
    while len(new) < symbols:
        old, new = new, new + old
    return codes_of(new[:symbols])


def de_bruijn(order: int) -> np.ndarray:
    """A binary de Bruijn sequence by a shift register that prefers 1."""
    seen, register, bits = bytearray(1 << order), 0, []
    full = (1 << order) - 1
    for _ in range(1 << order):
        one, zero = (register << 1 | 1) & full, (register << 1) & full
        register = zero if seen[one] else one
        seen[register] = 1
        bits.append(register & 1)
    return np.array([bit + 1 for bit in bits] + [0], np.uint8)


def memory(name: str, symbols: int, count: str) -> float:
    """Peak bytes a symbol over the text, in a process of its own."""
    code = f"""
import resource, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import numpy as np
from tables import text_of
from sfumato.kernels.text import encode
from sfumato.kernels.repeats import SuffixIndex
import sfumato as sf
from sfumato.kernels.covers import cover
text = text_of({name!r}, {symbols})
def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
if {count!r} == "occurrences":
    texts, labels = [text], None
else:
    texts = [text[i : i + 20000] for i in range(0, len(text), 20000)]
    labels = np.arange(len(texts), dtype=np.int32)
del text
with open("/proc/self/clear_refs", "w") as reset: reset.write("5")
resident = int(open("/proc/self/statm").read().split()[1]) * 4096
encoded = encode(texts, at_least=5, labels=labels)
index = SuffixIndex(encoded.codes)
lengths = index.repeat_lengths(
    5, labels=labels, ends=None if labels is None else encoded.ends, last=True
)
del index
cover(lengths, encoded.ends)
for line in open("/proc/self/status"):
    if line.startswith("VmHWM"):
        print((int(line.split()[1]) * 1024 - resident) / len(encoded.codes))
"""
    run = [sys.executable, "-c", code]
    return float(subprocess.run(run, check=True, capture_output=True, text=True).stdout)


def verification(text: str) -> dict[str, float]:
    """The time of sf.verify as a share of sf.suppress, both from texts, whole words starred."""
    documents = [text[i : i + 20_000] for i in range(0, len(text), 20_000)]
    ratios = {}
    for count in ("occurrences", "documents"):
        released = sf.suppress(documents, k=5, count=count)
        suppressing = best(lambda c=count: sf.suppress(documents, k=5, count=c))
        ratios[count] = best(lambda r=released: sf.verify(documents, r)) / suppressing
    return ratios


def measure(share: float) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []

    def add(part: str, case: str, value: float, unit: str) -> None:
        rows.append({"part": part, "case": case, "value": value, "unit": unit})
        print(f"{part:18s} {case:34s} {value:10.3f} {unit}", flush=True)

    english, japanese = int(50 * MILLION * share), int(17 * MILLION * share)
    trials = text_of("trials_en.txt.zst", english)
    for name, text in (
        ("trials_en", trials),
        ("aozora_ja", text_of("aozora_ja.txt.zst", japanese)),
    ):
        codes = codes_of(text)
        ours, peer = best(lambda c=codes: stars(c)), best(lambda c=codes: sort_and_kasai(c))
        label = f"{name}, {len(codes):,} x {codes.dtype}"
        add("seconds", label, ours, "s")
        add("peer", label, peer, "s")
        add("ratio", label, ours / peer, "of divsufsort + kasai")
    for size in (1, 2, 5, 10, 20, 50):
        codes = codes_of(trials[: int(size * MILLION * share)])
        add("size", f"{size}", best(lambda c=codes: stars(c)) / len(codes) * 1e9, "ns a symbol")
    codes = codes_of(trials[: english // 5])
    for k in (2, 5, 20, 100, 1000, 10_000):
        add("k", f"{k}", best(lambda k=k: stars(codes, k)) / len(codes) * 1e9, "ns a symbol")
    note = codes_of(trials[:1000], 1)[:-1]
    hostile = {
        "English": codes_of(trials[: int(10 * MILLION * share)]),
        "aaaa": codes_of("a" * int(10 * MILLION * share)),
        "Fibonacci": fibonacci(int(10 * MILLION * share)),
        "de Bruijn": de_bruijn(22 if share > 0.5 else 19),
        "DNA": codes_of(text_of("dna.txt.zst", int(10 * MILLION * share))),
        "10,000 copies": np.append(
            np.tile(np.append(note, 0).astype(note.dtype), 10_000), 0
        ).astype(note.dtype),
    }
    for name, codes in hostile.items():
        add("text", name, best(lambda c=codes: stars(c)) / len(codes) * 1e9, "ns a symbol")
    for count, ratio in verification(trials[: english // 5]).items():
        add("verify", count, ratio, "of suppress")
    for count in ("occurrences", "documents"):
        add("memory", count, memory("trials_en.txt.zst", english, count), "bytes a symbol")
    return rows


def draw(rows: list[dict[str, Any]]) -> str:
    """Four panels: time against size, k and kind of text, and memory."""
    import vl_convert

    def panel(part: str, title: str, kind: str) -> dict[str, Any]:
        ordered = {"field": "case", "type": "ordinal", "sort": None, "title": title}
        return {
            "width": 220,
            "height": 180,
            "data": {"values": [row for row in rows if row["part"] == part]},
            "mark": {"type": kind, "point": True} if kind == "line" else "bar",
            "encoding": {
                "x": ordered,
                "y": {
                    "field": "value",
                    "type": "quantitative",
                    "title": "bytes a symbol" if part == "memory" else "CPU ns a symbol",
                },
            },
        }

    spec = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "hconcat": [
            panel("size", "million symbols of English, k = 5", "line"),
            panel("k", "k", "line"),
            panel("text", "kind of text", "bar"),
            panel("memory", "counted", "bar"),
        ],
    }
    return str(vl_convert.vegalite_to_svg(spec))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of every text")
    rows = measure(0.1 if parser.parse_args().quick else 1.0)
    record(
        "suppress_speed",
        [{**row, "value": float(f"{row['value']:.3g}")} for row in rows],
        part="suppress",
        title="From codes to stars",
        note="""Suffix array, PLCP, L and the cover with the fewest stars, k = 5 if not said
        otherwise; verification beside the whole verb, from texts.""",
    )
    (RESULTS / "suppress_speed.svg").write_text(draw(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
