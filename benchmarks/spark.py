"""Verbs on one machine and on a standalone cluster, at several sizes.

    python benchmarks/spark.py [--sizes 1,5,5/3,20,50] [--data blogs] [--k 5] [--reach M] [--strict]
    python benchmarks/spark.py --sizes 5,20,50 --gathered 100000
    python benchmarks/spark.py --here --sizes 1,5,20
    python benchmarks/spark.py --verbs --sizes 5
    python benchmarks/spark.py --people 30000,300000 [--k 5]

Posts of the Blog Authorship Corpus, k bloggers; or abstracts of MEDLINE, k of them (SFUMATO_DATA).
With `--here` blocks of two megabytes are worked on in this process, without Spark: what is left of
Spark's CPU is moving and scheduling. With `--gathered` no task has more words of all blocks than
that, as with texts too large for it; blocks are then of two megabytes. With `--verbs` the verbs
that work document by document are tried instead of `suppress`. With `--people` records of Adult's
form are anonymized: drawn from Adult with noise. The cluster is a master and two workers of one
core each, on this machine, as in tests/spark, with a heap of 512 MB for each executor. Start-up is
apart, and so is a first run of one megabyte in four blocks by the same route, in which Java loads
its classes. `5/3` is 5 MB in three blocks, where one would do. Releases are compared byte for byte.
CPU is that of all processes of the workers, bytes shuffled are from Spark's event log. Memory is
the largest sum that was seen once a second, shared pages counted once (PSS): of the executors'
Java, of their Python, and of the driver (Python and its Java).
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import re
import sys
import tempfile
import time
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import zstandard
from spark_cluster import Measured, on_cluster
from tables import DATA, RESULTS, record, text_of

QUASI = ("age", "workclass", "education", "marital-status", "occupation", "race", "sex")


def posts(megabytes: float) -> list[tuple[str, str]]:
    """The first posts of every so many bloggers, until there are so many bytes."""
    rows, size = [], 0
    with (DATA / "blogs.csv.zst").open("rb") as packed:
        text = io.TextIOWrapper(
            zstandard.ZstdDecompressor().stream_reader(packed), "utf-8", newline=""
        )
        for row in csv.DictReader(text):
            rows.append((row["id"], row["text"]))
            size += len(row["text"].encode())
            if size >= megabytes * 1e6:
                break
    return rows


def abstracts(megabytes: float) -> list[tuple[str, str]]:
    """The first abstracts, each by itself, until there are so many bytes."""
    texts = re.split(r"<<<DOC [^>]*>>>\n", text_of("medline_en.txt.zst", int(megabytes * 1e6)))[1:]
    return [(str(i), text) for i, text in enumerate(texts)]


def people(count: int) -> list[dict[str, object]]:
    """So many records like Adult's: each is one of Adult's with an age and hours a little off."""
    import random

    choice = random.Random(5)
    with (DATA / "adult" / "adult.csv").open(encoding="utf-8") as file:
        known = [one for one in csv.DictReader(file, delimiter=";") if one["age"].isdigit()]
    rows = []
    for _ in range(count):
        one = choice.choice(known)
        row: dict[str, object] = {name: one[name] for name in QUASI}
        row["age"] = int(one["age"]) + choice.randint(-2, 2)
        rows.append(row)
    return rows


def main() -> None:
    warnings.simplefilter("ignore")
    given = asked()
    if given.here:
        in_blocks(given)
        return
    with tempfile.TemporaryDirectory() as folder, on_cluster(Path(folder)) as (session, workers):
        on_spark(given, session, workers, folder)


def asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="1,5,5/3,20,50", help="megabytes, and blocks")
    parser.add_argument("--people", help="so many people, in place of texts")
    parser.add_argument("--data", default="blogs", choices=("blogs", "medline"))
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--reach", type=int)
    parser.add_argument("--blocks", type=int)
    parser.add_argument("--gathered", type=int, help="words that one task may have of all blocks")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--verbs", action="store_true", help="those that take each text by itself")
    parser.add_argument("--verify", action="store_true")
    parser.add_argument("--here", action="store_true", help="blocks in this process, no Spark")
    parser.add_argument("--add", action="store_true", help="to the rows of other sizes")
    return parser.parse_args()


def in_blocks(given) -> None:
    """Without Spark."""
    rows = [in_process(given, float(size)) for size in given.sizes.split(",")]
    how = "" if given.strict else ", not strict"
    title = f"suppress, k={given.k}{how}: {given.data}, in blocks of two megabytes, one process"
    name = "spark_blocks"
    if given.gathered is not None:
        title, name = f"{title}, at most {given.gathered} words together", f"{name}_apart"
    record(name, rows, part="More than one machine", title=title)


def on_spark(given, session, workers, folder) -> None:
    """What is asked for, on a cluster that is there."""
    there = given, session, workers, folder
    if given.people:
        rows = [anonymized(*there, int(n)) for n in given.people.split(",")]
        name, what = "spark_records", f"anonymize, k={given.k}: records like Adult's"
    elif given.verbs:
        rows = [one for size in map(float, given.sizes.split(",")) for one in each(*there, size)]
        name, what = "spark_verbs", f"verbs by document: {given.data}"
    else:
        warm_up(given, session)
        rows = [suppressed(*there, size) for size in given.sizes.split(",")]
        name, what = named(given)
    command = ""
    if given.add:
        rows, command = with_earlier(name, rows)
    record(
        name,
        rows,
        command=command,
        part="More than one machine",
        title=f"{what}, on one machine and on a cluster of two workers",
        note="One core each, on a machine that others used: CPU seconds are to be trusted, "
        "wall times hardly. Memory in MB.",
    )


def named(given) -> tuple[str, str]:
    """The table of `suppress`, and what it says."""
    how = "" if given.strict else ", not strict"
    name = f"spark_{given.data}{'_strict' if given.strict else ''}"
    if given.reach is not None:
        how, name = f"{how}, reach {given.reach}", f"{name}_reach"
    if given.gathered is not None:
        how = f"{how}, in blocks that have at most {given.gathered} words together"
        name = f"{name}_apart"
    return name, f"suppress, k={given.k}{how}: {given.data}"


def with_earlier(name: str, rows: list[dict[str, object]]) -> tuple[list[dict[str, object]], str]:
    """The rows of earlier runs for other sizes too, and the command that makes all of them."""
    path, keys = RESULTS / f"{name}.csv", ("verb", "size", "blocks")
    kept: list[dict[str, object]] = []
    if path.exists():
        lines = [one for one in path.read_text("utf-8").splitlines() if one[:1] != "#"]
        new = {tuple(str(row.get(key)) for key in keys) for row in rows}
        kept = [
            {**one, "size": float(one["size"].replace(",", ""))} for one in csv.DictReader(lines)
        ]
        kept = [one for one in kept if tuple(str(one.get(key)) for key in keys) not in new]
    both = sorted([*kept, *rows], key=lambda one: (one["size"], int(str(one.get("blocks", 0)))))
    asked = [one for one in sys.argv[1:] if one != "--add"]
    at = asked.index("--people" if "--people" in asked else "--sizes")
    known: dict[str, str] = {}
    for one in both:  # a size that is there already is said with its blocks
        size = f"{one['size']:g}"
        known[f"{size}/{one['blocks']}" if size in known and "blocks" in one else size] = size
    told = list(known)
    if asked[at] == "--people":
        told = [f"{one['size'] * 1000:g}" for one in both]
    asked[at + 1] = ",".join(told)
    return both, f"python benchmarks/spark.py {' '.join(asked)}"


def warm_up(given, session) -> None:
    """A megabyte in four blocks, by the route that is measured: Java loads its classes."""
    import sfumato as sf

    before = time.time()
    frame = session.createDataFrame(posts(1), "who string, text string")
    more = {} if given.gathered is None else {"gathered": 20_000}
    engine = sf.SparkEngine(session, text_column="text", blocks=4, **more)
    options = {"k": given.k, "reach": given.reach, "strict": given.strict}
    release = sf.suppress(frame, groups="who", engine=engine, **options)
    release.data.write.format("noop").mode("overwrite").save()
    engine.forget()
    session.catalog.clearCache()
    print(f"a first megabyte: {time.time() - before:.0f} s", flush=True)


def in_process(given, size) -> dict[str, object]:
    """What blocks compute, without Spark; compared with the verb byte for byte."""
    import inspect
    from zlib import crc32

    import numpy as np

    import sfumato as sf
    from sfumato.core.corpus import Corpus
    from sfumato.engines.exchange import GATHERED, Here
    from sfumato.engines.spark_suppress import OPTIONS
    from sfumato.engines.suppress import starred
    from sfumato.methods.substrings.options import checked

    rows = posts(size) if given.data == "blogs" else abstracts(size)
    whose, texts = [a for a, _ in rows], [b for _, b in rows]
    options = {"k": given.k, "reach": given.reach, "strict": given.strict}
    cpu = time.process_time()
    here = sf.suppress(texts, groups=whose, **options)
    cpu = time.process_time() - cpu
    count = given.blocks or max(2, round(size / 2))
    part = np.array([crc32(one.encode()) % count for one in whose])
    blocks = []
    for b in range(count):
        at = np.flatnonzero(part == b)
        _, labels = np.unique([whose[i] for i in at], return_inverse=True)
        state = {"ids": at, "texts": [texts[i] for i in at], "labels": labels.astype(np.int32)}
        blocks.append(state)
    usual = {name: one.default for name, one in inspect.signature(sf.suppress).parameters.items()}
    chosen = {**{name: usual[name] for name in OPTIONS}, **options, "guess": 0.5}
    chosen.pop("k")
    used = time.process_time()
    most = GATHERED if given.gathered is None else given.gathered
    ((_, rounds, made),) = starred(
        *(Here(count), blocks, [given.k], checked(Corpus([], []), "who", **chosen)), most=most
    )
    used = time.process_time() - used
    found = dict(pair for one in made for pair in zip(one["ids"], one["texts"], strict=True))
    row = {
        "size": size,
        "blocks": count,
        "here CPU s": cpu,
        "blocks CPU s": used,
        "CPU s a unit": used / size,
        "rounds": rounds,
        "same": "yes" if [found[i] for i in range(len(texts))] == here.data else "NO",
    }
    print(row, flush=True)
    return row


def suppressed(given, session, workers, folder, asked) -> dict[str, object]:
    import sfumato as sf

    size, _, several = asked.partition("/")
    size, blocks = float(size), int(several) if several else given.blocks
    path, there = Path(folder, f"{size}.parquet"), Path(folder, f"{size}.{blocks}.out")
    options = {"k": given.k, "reach": given.reach, "strict": given.strict}
    wall, cpu, expected = apart(_suppressed_here, given.data, size, str(path), options)
    more = {} if given.gathered is None else {"gathered": given.gathered}
    if given.gathered is not None and blocks is None:
        blocks = max(2, round(size / 2))
    measured = Measured(workers, folder)
    engine = sf.SparkEngine(session, text_column="text", blocks=blocks, **more)
    frame = session.read.parquet(str(path))
    release = sf.suppress(frame, groups="who", engine=engine, **options)
    release.data.write.parquet(str(there))
    row = measured.row(size, wall, cpu, digest_of(there) == expected)
    row = {"size": row.pop("size"), "blocks": engine.parts_for(frame, "text"), **row}
    print(row, flush=True)
    if given.verify:
        checked = Measured(workers, folder)
        (verdict,) = sf.verify(frame, release)
        used = checked.row(size, 0, 0, verdict.holds)
        row |= {"verified": used["same"], "verifying CPU s": used["Spark CPU s"]}
        print(f"verified: {verdict.holds}, {used['Spark CPU s']:.1f} CPU s", flush=True)
    engine.forget()
    session.catalog.clearCache()
    return row


def apart(work, *arguments):
    """What a function gives in a process of its own, whose memory nobody counts as the driver's."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, *arguments).result()


def _suppressed_here(data, size, path, options):
    """Writes the texts to a file; what one machine takes, and the digest of its release."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    import sfumato as sf

    warnings.simplefilter("ignore")
    rows = posts(size) if data == "blogs" else abstracts(size)
    whose, texts = [a for a, _ in rows], [b for _, b in rows]
    pq.write_table(pa.table({"who": whose, "text": texts}), path)
    wall, cpu = time.time(), time.process_time()
    here = sf.suppress(texts, groups=whose, **options)
    return time.time() - wall, time.process_time() - cpu, digest(here.data)


def digest(texts) -> str:
    whole = hashlib.sha256()
    for text in texts:
        whole.update(b"%d\n" % len(text.encode()) + text.encode())
    return whole.hexdigest()


def digest_of(folder: Path) -> str:
    """The same of the texts that Spark wrote, part after part."""
    import pyarrow.parquet as pq

    parts = sorted(folder.glob("*.parquet"))
    return digest(text.as_py() for part in parts for text in pq.read_table(part).column("text"))


def each(given, session, workers, folder, size):
    """The verbs that take each text by itself."""
    import sfumato as sf

    path = Path(folder, f"{size}.verbs.parquet")
    for verb in VERBS:
        wall, cpu, expected = apart(_worked_here, given.data, size, str(path), verb)
        arguments, options = of_verb(verb, path)
        measured = Measured(workers, folder)
        frame, there = session.read.parquet(str(path)), Path(folder, f"{size}.{verb}.out")
        engine = sf.SparkEngine(session)
        release = getattr(sf, verb)(frame, *arguments, **options, engine=engine)
        release.data.write.parquet(str(there))
        row = {"verb": verb, **measured.row(size, wall, cpu, digest_of(there) == expected)}
        print(row, flush=True)
        engine.forget()
        session.catalog.clearCache()
        yield row


VERBS = ("redact", "generalize", "pseudonymize", "sanitize")


def of_verb(verb: str, path: Path) -> tuple[tuple[object, ...], dict[str, object]]:
    """What a verb is given; the terms of redact are the commonest words of the first texts."""
    import pyarrow.parquet as pq

    if verb == "redact":
        first = next(pq.ParquetFile(path).iter_batches(2000, columns=["text"]))
        found = (re.findall("[a-z]{5,9}", text.as_py()) for text in first.column(0))
        counts = Counter(word for some in found for word in some)
        return ([word for word, _ in counts.most_common(200)],), {"k": 5, "mask": "\u2592"}
    return {
        "generalize": ((), {"words": ["doctor", "school", "city", "friend"], "t": 8}),
        "pseudonymize": (("rules-en",), {"key": "a key of sixteen bytes"}),
        "sanitize": ((["drunk ", "hates "],), {"method": "tfs", "separator": "\u241f"}),
    }[verb]


def _worked_here(data, size, path, verb):
    import pyarrow as pa
    import pyarrow.parquet as pq

    import sfumato as sf

    warnings.simplefilter("ignore")
    texts = [text for _, text in (posts(size) if data == "blogs" else abstracts(size))]
    pq.write_table(pa.table({"text": texts}), path)
    arguments, options = of_verb(verb, path)
    more = {"collection": True} if verb == "sanitize" else {}
    wall, cpu = time.time(), time.process_time()
    here = getattr(sf, verb)(texts, *arguments, **options, **more)
    return time.time() - wall, time.process_time() - cpu, digest(here.data)


def anonymized(given, session, workers, folder, count) -> dict[str, object]:
    import polars as pl

    import sfumato as sf

    table = pl.DataFrame(people(count))
    path, there = Path(folder, f"{count}.parquet"), Path(folder, f"{count}.out")
    table.write_parquet(path)
    schema = {"columns": {name: {} for name in QUASI}}
    schema["columns"]["age"] = {"kind": "number"}
    key = "a key of sixteen bytes"
    wall, cpu = time.time(), time.process_time()
    here = sf.anonymize(table, schema, k=given.k, key=key)
    wall, cpu = time.time() - wall, time.process_time() - cpu
    measured = Measured(workers, folder)
    frame = session.read.parquet(str(path))
    release = sf.anonymize(frame, schema, k=given.k, key=key, engine=sf.SparkEngine(session))
    release.data.write.parquet(str(there))
    found = pl.concat([pl.read_parquet(part) for part in sorted(there.glob("*.parquet"))])
    row = measured.row(count / 1000, wall, cpu, found.equals(here.data))
    print(row, flush=True)
    session.catalog.clearCache()
    return row


if __name__ == "__main__":
    main()
