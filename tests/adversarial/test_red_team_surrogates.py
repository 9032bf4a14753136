"""What surrogates tell somebody without the key: which values nobody's surrogate is.

No surrogate is a value that was found, so the values of a form that are missing among surrogates
are more likely to be in the data. Where a form has few values they would be exactly those.
"""

from __future__ import annotations

import random

import pytest

import sfumato as sf

pytestmark = pytest.mark.filterwarnings("ignore")
FORMS = {"MRN": "{:03d}", "ACCOUNT": "{:02d}", "IDENTIFIER": "K-{:03d}", "POSTCODE": "{:04d}"}


def numbers(label):
    size = 10 ** int(FORMS[label][-3])
    return [FORMS[label].format(one) for one in range(size)]


def surrogates(label, found, key=b"k" * 16):
    texts = [f"No. {one} was seen." for one in found]
    spans = [sf.Span(i, 4, 4 + len(one), label) for i, one in enumerate(found)]
    release = sf.pseudonymize(texts, spans, key=key)
    assert all(verdict.holds for verdict in sf.verify(texts, release))
    return [text[4:-10] for text in release.data]


@pytest.mark.parametrize("share", [0.005, 0.02, 0.1, 0.6, 1])
@pytest.mark.parametrize("label", FORMS)
def test_values_that_are_nobodys_surrogate_are_not_those_that_were_found(label, share):
    """Who looks at what is missing guesses hardly better than who looks at nothing."""
    every = numbers(label)
    found = random.Random(0).sample(every, max(1, int(share * len(every))))
    shown = set(surrogates(label, found))
    assert len(shown) == len(found)
    missing = set(every) - shown
    before, after = len(found) / len(every), len(set(found) & missing) / len(missing)
    assert after <= before * 1.02


def test_a_form_with_room_is_kept():
    assert surrogates("MRN", ["4711-0815"])[0][4] == "-"
    (one,) = surrogates("MRN", ["12"])
    assert len(one) == 2


def test_forms_do_not_crowd_each_other():
    """Many numbers of two digits are no reason to lose the form of a long one."""
    *_, last = surrogates("MRN", [*(f"{one:02d}" for one in range(50)), "20210304"])
    assert len(last) == 8
    assert last.isdigit()
