"""Traces against the oracle that follows every symbol."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import trace as oracle
from sfumato.core.spans import Change
from sfumato.verification.trace import Trace


@st.composite
def histories(draw):
    text = draw(st.text("abc", max_size=12))
    size, rounds = len(text), []
    for _ in range(draw(st.integers(1, 3))):
        cuts = sorted(draw(st.sets(st.integers(0, size), max_size=6)))
        pairs = list(zip(cuts[::2], cuts[1::2], strict=False))
        changes = [(a, b, draw(st.text("xy", max_size=4))) for a, b in pairs]
        rounds.append(changes)
        size += sum(len(new) - (b - a) for a, b, new in changes)
    return text, rounds


@given(histories())
@settings(max_examples=400)
def test_a_trace_knows_what_every_symbol_became(history):
    text, rounds = history
    now, trace = oracle.begun(text), Trace()
    for changes in rounds:
        now = oracle.changed(now, changes)
        trace = trace.then([Change(0, a, b, new, "") for a, b, new in changes])
    assert trace.applied(text) == "".join(symbol for symbol, _ in now)
    kept = oracle.survivors(now)
    covered = {i for piece in trace.pieces for i in range(piece.start, piece.stop)}
    assert set(range(len(text))) - covered <= set(kept)
    for place in set(range(len(text))) - covered:
        assert trace.image(place, place + 1) == (kept[place], kept[place] + 1)
    stops = [piece.stop for piece in trace.pieces]
    assert all(piece.start >= stop for stop, piece in zip(stops, trace.pieces[1:], strict=False))


@given(histories(), st.integers(0, 12), st.integers(0, 12))
def test_an_image_holds_whatever_of_a_stretch_survived(history, a, b):
    text, rounds = history
    start, stop = sorted((min(a, len(text)), min(b, len(text))))
    now, trace = oracle.begun(text), Trace()
    for changes in rounds:
        now = oracle.changed(now, changes)
        trace = trace.then([Change(0, x, y, new, "") for x, y, new in changes])
    low, high = trace.image(start, stop)
    for place, at in oracle.survivors(now).items():
        if start <= place < stop:
            assert low <= at < high
            first, last = trace.origin(at, at + 1)
            assert first <= place < last
    covered = {i for piece in trace.pieces for i in range(piece.start, piece.stop)}
    for place, at in oracle.survivors(now).items():
        if place not in covered:
            assert trace.origin(at, at + 1) == (place, place + 1)
