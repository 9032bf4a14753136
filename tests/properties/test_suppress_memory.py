"""`suppress` gives the same release when it may take next to no memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.errors import BadInput
from sfumato.core.options import check_memory
from sfumato.kernels import external

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

corpora = st.lists(st.text("ab ", max_size=14), min_size=1, max_size=6)
LITTLE = 1  # byte


def same(texts, **options):
    """The release with little memory, after checking it against the one in memory."""
    free, bound = (sf.suppress(texts, memory=memory, **options) for memory in (None, LITTLE))
    assert bound.data == free.data
    assert bound.parameters == free.parameters
    assert bound.claims == free.claims
    # Copies need the whole index in memory, so they are not told of.
    counted = {name: n for name, n in free.counts.items() if name != "copied_words"}
    lost = {name: n for name, n in free.loss.items() if name != "legible_in_copies"}
    assert bound.counts == {**counted, "capped": 0}
    assert "capped" not in free.counts
    assert {**bound.loss, "guess_rate": 0} == {**lost, "guess_rate": 0}
    assert all(verdict.holds for verdict in sf.verify(texts, bound))
    return bound


@settings(max_examples=150)
@given(corpora, st.integers(1, 4), st.sampled_from(["word", "character"]), st.data())
def test_every_counting_mode(texts, k, align, data):
    count = data.draw(st.sampled_from(["occurrences", "documents", "groups"]))
    size = len(texts)
    groups = data.draw(st.lists(st.sampled_from("xyz"), min_size=size, max_size=size))
    there = {"occurrences": sum(map(len, texts)) or 1, "documents": size}
    k = min(k, there.get(count, len(set(groups))))
    same(texts, k=k, align=align, count=count, groups=groups if count == "groups" else None)


@settings(max_examples=100)
@given(
    corpora,
    st.integers(1, 3),
    st.booleans(),
    st.sampled_from(["", " ", "b "]),
    st.sampled_from([("fewest", 0), ("fewest", 2), ("longest-first", 0)]),
    st.integers(1, 3),
)
def test_every_cover(texts, k, strict, keep, cover, min_run):
    how, price = cover
    k = min(k, len(texts))
    given = {"strict": strict, "keep": keep, "cover": how, "run_price": price, "min_run": min_run}
    same(texts, k=k, guess=None, **given)
    if how == "fewest" and not set(keep) & set("ab"):
        same(texts, k=k, **given)


@settings(max_examples=60)
@given(
    st.lists(st.text(max_size=12), min_size=1, max_size=4),
    st.integers(1, 3),
    st.sampled_from(["character", "grapheme", "word"]),
)
def test_any_unicode_in_every_unit(texts, k, unit):
    same(texts, k=min(k, len(texts)), unit=unit)


def test_many_buckets():
    texts = [
        f"{name} has flu, and {name * 3} has a cold; note {i}."
        for i, name in enumerate(["Ann", "Bob", "Eve", "Ann", "Bob", "Ann"] * 9)
    ]
    assert "★" in "".join(same(texts, k=9).data)
    same(texts, k=2, strict=True)
    same("".join(texts), k=4)


def test_several_k_are_the_same_and_nested():
    texts = ["abab ab a", "ab ab", "a b ab", "b a"] * 3
    free, bound = (sf.suppress(texts, k=[2, 5, 9], memory=memory) for memory in (None, LITTLE))
    assert [one.data for one in free.values()] == [one.data for one in bound.values()]


def test_what_fits_is_done_in_memory(monkeypatch):
    def never(*_, **__):
        raise AssertionError("the route by buckets was taken")

    monkeypatch.setattr(external, "repeat_lengths", never)
    release = sf.suppress(["ab ab"] * 3, k=2, memory="1MB")
    assert "capped" not in release.counts
    assert "guess_rate" in release.loss
    with pytest.raises(AssertionError, match="buckets"):
        sf.suppress(["ab ab"] * 3, k=2, memory=400)  # 18 symbols of 24 bytes


def test_a_cut_repeat_is_reported_and_the_claim_holds():
    texts = ["word " * 1800] * 3
    with pytest.warns(UserWarning, match="4096 symbols"):
        release = sf.suppress(texts, k=3, memory=LITTLE, guess=None)
    assert release.counts["capped"] > 0
    assert release.data[0].count("★") > 0
    assert sf.suppress(texts, k=3).data == texts
    assert all(verdict.holds for verdict in sf.verify(texts, release))


def test_spill_files_are_gone_after_an_exception(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def stop(_, share):
        if share > 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sf.suppress(["ab ab"] * 3000, k=2, memory=LITTLE, progress=stop)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("memory", ["", "GB", "two", "2 XB", "-1", -1, 0, "0.1", True, "1e9", [2]])
def test_amounts_that_are_none(memory):
    with pytest.raises(BadInput, match="memory"):
        sf.suppress("abc", k=1, memory=memory)


def test_amounts_of_memory():
    assert check_memory(None) is None
    assert check_memory("2GB") == check_memory("2 gb") == check_memory("2000MB") == 2 * 10**9
    assert check_memory("1GiB") == 2**30
    assert check_memory("512") == 512


MEASURED = """
import ctypes, gc, hashlib, json, re, sys, threading
import zstandard
from sfumato.core.corpus import Corpus
from sfumato.methods.substrings.legible import Rules, stars_for
from sfumato.methods.substrings.sequence import sequence_of
import numpy as np

def anonymous():
    with open("/proc/self/status") as status:
        return int(re.search(r"RssAnon:\\s+(\\d+) kB", status.read())[1]) * 1024

def watch(stop, seen):
    while not stop.wait(0.002):
        seen.append(anonymous())

def texts():
    with open(sys.argv[1], "rb") as file:
        raw = zstandard.ZstdDecompressor().stream_reader(file).read()
    return re.split(r"<<<DOC [^>]*>>>\\n", raw.decode("utf-8"))[1:]

def stars(corpus, memory):
    labels = np.arange(len(corpus.texts), dtype=np.int32)
    codes = sequence_of(corpus, "character", align="word", keep="", mask="*", at_least=5,
                        labels=labels, spill=memory is not None)
    return next(stars_for(codes, [5], labels, Rules(), strict=False, memory=memory))

corpus = Corpus.of(texts())
stars(Corpus.of(["a b"] * 9), 1)
gc.collect()
ctypes.CDLL(None).malloc_trim(0)  # what reading has freed must not hide what is taken
stop, seen, before = threading.Event(), [], anonymous()
thread = threading.Thread(target=watch, args=(stop, seen))
thread.start()
found = stars(corpus, int(sys.argv[2]))
stop.set()
thread.join()
sums = [hashlib.sha256(one.stars.tobytes()).hexdigest() for one in (found, stars(corpus, None))]
print(json.dumps({"bytes": max(seen) - before, "capped": found.capped, "sums": sums,
                  "symbols": len(found.stars)}))
"""


@pytest.mark.data
@pytest.mark.skipif(sys.platform != "linux", reason="anonymous memory is read from /proc")
def test_five_times_the_allowance_on_real_text(data_folder):
    """In a process of its own: all that is made beside the texts, and the same stars."""
    allowed = 1_880_000
    command = [sys.executable, "-c", MEASURED, str(data_folder / "medline_en.txt.zst"), allowed]
    done = subprocess.run(list(map(str, command)), capture_output=True, check=True, text=True)
    found = json.loads(done.stdout)
    assert found["symbols"] >= 5 * allowed
    assert found["capped"] == 0
    assert found["sums"][0] == found["sums"][1]
    assert found["bytes"] <= allowed
