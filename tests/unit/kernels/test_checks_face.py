"""What the checks refuse, report and leave alone."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from sfumato.kernels import checks

NONE32, NONE64 = np.array([], dtype=np.int32), np.array([], dtype=np.int64)
DOCUMENT = np.array([0], dtype=np.int32)
START, STOP = np.array([0]), np.array([2])
SECRET = "Zq"


def test_empty_inputs():
    nothing = checks.StretchCounts(smallest=3, first=-1, failures=0, checked=0)
    assert checks.count_stretches([], NONE32, NONE64, NONE64, [], 3) == nothing
    assert checks.count_stretches(["", "a"], NONE32, NONE64, NONE64, [""], 3) == nothing
    sequences = checks.count_sequences(
        NONE64, NONE64, NONE32, NONE64, NONE64, NONE64, NONE64, 3, labels=NONE32
    )
    assert sequences == nothing
    for compared in (
        checks.compare_masked([], [], "*"),
        checks.compare_masked(["", ""], ["", ""], "*"),
        checks.align_collapsed([""], [""], "[x]"),
    ):
        assert (compared.masked, compared.first_difference) == (0, None)
        assert compared.starts.tolist() == []
    assert [a.tolist() for a in checks.strip_kept([], NONE32, NONE64, NONE64, "a")] == [[], [], []]


def test_what_occurs_nowhere_has_count_zero():
    found = checks.count_stretches(["", "ab"], DOCUMENT, START, STOP, ["xy"], 2)
    assert found == checks.StretchCounts(smallest=0, first=0, failures=1, checked=1)
    assert checks.count_stretches([], DOCUMENT, START, STOP, ["xy"], 2).smallest == 0


def test_an_occurrence_never_crosses_a_documents_end():
    assert checks.count_stretches(["xa", "bx"], DOCUMENT, START, STOP, ["ab"], 1).failures == 1


def test_the_number_of_documents_is_compared():
    assert checks.compare_masked(["a", "b"], ["a"], "*").first_difference == (1, 0)
    assert checks.compare_masked(["a"], ["a", "*"], "*").first_difference == (1, 0)
    assert checks.align_collapsed(["a", ""], ["a"], "*").first_difference == (1, 0)


def test_where_an_alignment_fails():
    place = [checks.align_collapsed(["abcabd"], [r], "*").first_difference for r in PLACES]
    assert place == list(PLACES.values())


PLACES = {
    "a*d": None,
    "ab": (0, 2),  # the original goes on
    "abcabdd": (0, 6),  # and here the release does
    "abx*": (0, 2),
    "a*x*d": (0, 2),
    "a*ab*d": (0, 5),  # nothing is left for the second mask to hide
    "*ca*": None,
    "*abcabd": (0, 1),
    "abcabd*": (0, 7),
}


@pytest.mark.parametrize(
    "arrays",
    [
        (DOCUMENT.astype(np.int64), START, STOP),
        (DOCUMENT, START.astype(np.int32), STOP),
        (DOCUMENT, START, STOP.astype(np.float64)),
        (DOCUMENT, START, STOP.astype(np.uint64)),
        (DOCUMENT, START, [2]),
        (DOCUMENT, START, np.array([[2]])),
        (np.zeros(2, np.int32), np.zeros(2, np.int64), np.array([2, 0, 2, 0])[::2]),
    ],
)
def test_wrong_arrays_are_refused(arrays):
    with pytest.raises(TypeError):
        checks.count_stretches(["ab"], *arrays, ["ab"], 1)
    with pytest.raises(TypeError):
        checks.strip_kept(["ab"], *arrays, "a")
    with pytest.raises(TypeError):
        checks.count_stretches(["ab"], DOCUMENT, START, STOP, ["ab"], 1, within=arrays)


def test_wrong_labels_tokens_and_documents_are_refused():
    good = (DOCUMENT, START, STOP)
    with pytest.raises(TypeError):
        checks.count_stretches(["ab"], *good, ["ab"], 1, labels=np.array([0]))
    with pytest.raises(TypeError):
        checks.count_stretches(("ab",), *good, ["ab"], 1)
    with pytest.raises(TypeError):
        checks.count_stretches(["ab", b"ab"], *good, ["ab"], 1)
    with pytest.raises(TypeError):
        checks.count_stretches(["ab"], *good, ["ab"], 1.5)
    tokens, ends = np.array([1, 2]), np.array([2])
    for wrong in (tokens.astype(np.int32), tokens.astype(np.float64)):
        with pytest.raises(TypeError):
            checks.count_sequences(wrong, ends, *good, tokens, ends, 1)
        with pytest.raises(TypeError):
            checks.count_sequences(tokens, ends, *good, tokens, wrong, 1)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"k": 0}, "k must be"),
        ({"k": 2**31}, "k must be"),
        ({"starts": NONE64}, "one length"),
        ({"documents": np.array([1], dtype=np.int32)}, "stretch 0"),
        ({"documents": np.array([-1], dtype=np.int32)}, "stretch 0"),
        ({"starts": np.array([-1])}, "stretch 0"),
        ({"starts": np.array([2])}, "stretch 0"),
        ({"stops": np.array([3])}, "stretch 0"),
        ({"labels": NONE32}, "one label"),
        ({"at_once": 0}, "at_once"),
        ({"part_size": 0}, "part_size"),
        ({"within": (DOCUMENT, START, np.array([9]))}, "stretch 0"),
    ],
)
def test_inconsistent_arguments_are_refused_without_a_word_of_the_text(changes, words):
    arguments = {"documents": DOCUMENT, "starts": START, "stops": STOP, "k": 1} | changes
    with pytest.raises(ValueError, match=words) as error:
        checks.count_stretches([SECRET], queries=[SECRET], **arguments)
    assert SECRET not in str(error.value)


def test_tokens_are_never_cut_short():
    """Numbers that agree in their low 8, 16, 31 or 32 bits are different tokens."""
    for small in (0, 5, 2**8 - 1, 2**16 - 1, 2**31 - 1, 2**31, 2**32 - 1, -1):
        query, ends = np.array([small]), np.array([1])
        one = np.array([1])
        others = [small + 2**bits for bits in (8, 16, 31, 32, 40)]
        for reference in (np.array([other]) for other in others if other != small):
            found = checks.count_sequences(reference, ends, DOCUMENT, START, one, query, ends, 1)
            assert found.smallest == 0
        found = checks.count_sequences(query, ends, DOCUMENT, START, one, query, ends, 1)
        assert found.failures == 0


@pytest.mark.parametrize("ends", [[1], [2, 1], [-1, 2], [3]])
def test_ends_of_sequences_must_rise_to_the_number_of_tokens(ends):
    tokens = np.array([1, 2])
    with pytest.raises(ValueError, match="end"):
        checks.count_sequences(
            tokens, np.array(ends), NONE32, NONE64, NONE64, tokens, np.array([2]), 1
        )


def test_masks_must_be_one_symbol_or_at_least_not_empty():
    for mask in ("", "**"):
        with pytest.raises(ValueError, match="one symbol"):
            checks.compare_masked([SECRET], [SECRET], mask)
    with pytest.raises(ValueError, match="empty"):
        checks.align_collapsed([SECRET], [SECRET], "")


def test_progress_rises_and_can_interrupt():
    text = "ab" * 2_000_000
    shares: list[float] = []
    arguments = ([text], DOCUMENT, START, np.array([len(text) - 2]), [text], 2)
    assert checks.count_stretches(*arguments, progress=shares.append).failures == 0
    assert shares == sorted(shares)
    assert len(shares) > 3
    assert 0 <= shares[0] <= shares[-1] <= 1

    def stop(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        checks.count_stretches(*arguments, progress=stop)


def test_a_list_changed_during_the_work_changes_nothing():
    reference, queries = ["ab" * 1_000_000], ["ab" * 1_000_000]
    stop = np.array([1_999_998])

    def forget(share: float) -> None:
        reference.clear()
        queries.clear()

    found = checks.count_stretches(reference, DOCUMENT, START, stop, queries, 2, progress=forget)
    assert (found.failures, reference, queries) == (0, [], [])


def test_several_threads_at_once():
    text = "abracadabra" * 20_000
    stop = np.array([len(text) - 11])
    found: list[checks.StretchCounts] = []

    def work() -> None:
        found.append(checks.count_stretches([text], DOCUMENT, START, stop, [text], 2))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [counted.failures for counted in found] == [0, 0, 0, 0]
