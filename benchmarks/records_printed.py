"""What the paper on records prints in its Tables 6 to 15, to stand beside what we measure.

Tables 6 to 9 are rows of Tables 12 to 15, which records_printed.txt has: data and entity types,
then for every run counts, mean sizes and standard deviations of the classes by k. Our copy of
Table 13 has six deviations of GDF for seven k; the one at k = 2 is missing, by how large it can be.
"""

from __future__ import annotations

from pathlib import Path

KS = (2, 3, 4, 5, 10, 20, 50)

# Table 10: distinct terms in the blogs, in the hotels' negative and positive reviews.
TERMS = {
    "DATE": (83_972, 2_672, 1_993),
    "EVENT": (13_883, 161, 244),
    "FAC": (32_864, 3_452, 14_070),
    "GPE": (34_639, 1_058, 2_512),
    "LANGUAGE": (761, 30, 30),
    "LAW": (5_153, 12, 3),
    "LOC": (13_635, 480, 1_370),
    "MAIL": (3_225, 0, 0),
    "MONEY": (16_050, 2_089, 625),
    "NORP": (9_676, 293, 344),
    "ORG": (162_555, 3_887, 9_444),
    "PERCENT": (4_104, 30, 25),
    "PERSON": (245_667, 2_273, 5_728),
    "PHONE": (442, 1, 0),
    "POSTCODE": (739, 7, 8),
    "PRODUCT": (48_207, 842, 892),
    "TIME": (61_669, 4_311, 2_366),
    "URL": (29_297, 0, 0),
    "WORK_OF_ART": (145_421, 290, 349),
}

# Table 11, hours:minutes:seconds: blogs with all types and GPE, hotels with all types and GPE.
TIMES = {
    "GDF": ("10:25:12", "03:50:13", "00:12:55", "00:10:26"),
    "lambda 0.0": ("15:19:31", "02:46:14", "00:29:26", "00:11:44"),
    "lambda 0.1": ("15:01:34", "01:32:25", "00:29:56", "00:13:16"),
    "lambda 0.2": ("14:43:37", "01:30:11", "00:29:44", "00:12:58"),
    "lambda 0.3": ("14:32:23", "01:24:31", "00:29:17", "00:12:49"),
    "lambda 0.4": ("13:59:02", "01:15:58", "00:27:59", "00:12:44"),
    "lambda 0.5": ("11:03:43", "01:04:59", "00:25:13", "00:12:18"),
    "lambda 0.8": ("11:03:33", "01:04:50", "00:25:01", "00:12:23"),
    "lambda 1.0": ("01:48:41", "00:47:22", "00:12:48", "00:11:17"),
}


def classes(data: str, kind: str) -> dict[str, dict[int, str]]:
    """By run and k, as our tables show them: count (mean size ± standard deviation)."""
    found: dict[str, dict[int, str]] = {}
    text = Path(__file__).with_suffix(".txt").read_text("utf-8")
    for line in text.split(f"[{data} {kind}]\n")[1].split("\n\n")[0].splitlines():
        run, _, cells = line.partition(": ")
        counts, sizes, deviations = (part.split() for part in cells.split("; "))
        found[run] = {
            k: f"{int(count):,} ({size}{'' if spread == '-' else f' ± {spread}'})"
            for k, count, size, spread in zip(KS, counts, sizes, deviations, strict=True)
        }
    return found
