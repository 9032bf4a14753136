"""The sense by context beats the first sense on the benchmark's sentences, held-out ones too."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))
import meanings_senses as sentences


@pytest.mark.parametrize("some", [sentences.SENTENCES, sentences.HELD_OUT])
def test_context_beats_the_first_sense(some):
    first, context, _ = sentences.accuracy(some)
    assert context >= 0.8 > first
