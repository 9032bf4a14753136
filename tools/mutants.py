"""Tests that must notice a change of a module of `sfumato.verification`, quick ones first."""

from __future__ import annotations

_GENERAL = (
    "tests/unit/verification/test_blind.py",
    "tests/unit/verification/test_meanings.py",
    "tests/unit/methods/test_generalize.py",
    "tests/adversarial/test_red_team.py::test_a_mask_in_place_of_a_known_word_is_rejected",
    "tests/properties/test_meanings_published.py",
    "tests/unit/cli/test_generalize.py",
    "tests/properties/test_meanings_verb.py",
)
_STARS = (
    "tests/unit/verification/test_stars_defined.py",
    "tests/unit/verification/test_guessed_words.py",
    "tests/unit/verification/test_stretches.py",
    "tests/unit/verification/test_reader.py",
    "tests/unit/cli/test_suppress.py",
    "tests/properties/test_suppress_runs.py",
    "tests/properties/test_checks.py",
    "tests/properties/test_suppress.py",
    "tests/properties/test_suppress_reader.py",
)
_TERMS = (
    "tests/unit/verification/test_terms_defined.py",
    "tests/unit/cli/test_redact.py",
    "tests/properties/test_terms_read.py",
    "tests/properties/test_terms_redact.py",
    "tests/properties/test_terms_places.py",
)
_PATTERNS = (
    "tests/unit/verification/test_patterns_defined.py",
    "tests/properties/test_patterns_verification.py",
    "tests/properties/test_patterns_deletion.py",
)
_TABLES = (
    "tests/unit/verification/test_records_pieces.py",
    "tests/unit/verification/test_records.py",
    "tests/properties/test_records_verification.py",
    "tests/unit/cli/test_verify_records.py",
    "tests/unit/verification/test_records_alone.py",
)
_TEXTS_OF_TABLES = (
    "tests/unit/verification/test_records.py",
    "tests/unit/methods/test_anonymize_texts.py",
    "tests/properties/test_records_verification.py",
    "tests/unit/methods/test_own_values.py",
    "tests/unit/methods/test_own_forms.py",
)
_COMPOSED = (
    "tests/unit/verification/test_composed.py",
    "tests/unit/verification/test_composed_records.py",
    "tests/unit/pipeline/test_known_words.py",
    "tests/unit/pipeline/test_run.py",
    "tests/unit/pipeline/test_tables.py",
    "tests/unit/pipeline/test_table_orders.py",
)
_SURROGATES = (
    "tests/unit/methods/test_operators.py",
    "tests/properties/test_pseudonyms_found.py",
    "tests/unit/cli/test_pseudonymize.py",
)
_SPANS = ("tests/properties/test_spans.py", "tests/unit/cli/test_spans.py")
_WRITTEN = (
    "tests/unit/verification/test_written.py",
    "tests/unit/formats/test_one_form.py",
    "tests/unit/formats/test_read_back.py",
    "tests/unit/formats/test_tables_as_they_are.py",
)

_NEAR = "NEAR = 20  # letters before a place in which a word stands that may be written otherwise"
_STRAIGHT = "if text[at : found.start] != new[there : there + size]:"
_KEPT = "kept: list[search.Folded | None] | None = [None] * len(released) if about.direct else None"
_KEYS = "keys: list[object] = list(some) if together else [some]"
_NUMBER = "replace(place, node=number if some else None)"
_IN_ORDER = 'return counts.group_by("class", maintain_order=True).agg('
_OPEN = "open_ = ~in_left & ~in_right & (from_left.part > 0) & (from_right.part > 0)"
_MOST = 'most = int(later["left"].max() or 0)  # type: ignore[arg-type]'
_WAYS = "ways = np.array([float(comb(n, size - 1)) for n in range(most + 1)])"
_WEIGHTS = 'weights = by_item.group_by("item", maintain_order=True).agg(pl.col("ways").sum())'

TESTS: dict[str, tuple[str, ...]] = {
    "alignment": _GENERAL,
    "base_values": _GENERAL,
    "composed_claims": _COMPOSED,
    "composed_records": _COMPOSED,
    "copies": (
        "tests/unit/verification/test_copies.py",
        "tests/properties/test_suppress_copies.py",
        "tests/unit/verification/test_reader.py",
    ),
    "given_back": (
        "tests/unit/methods/test_give_back.py",
        "tests/adversarial/test_red_team_options.py::"
        "test_a_base_value_that_was_given_back_is_rejected",
    ),
    "guessed_words": _STARS,
    "known_sets": (
        "tests/unit/verification/test_known_sets.py",
        "tests/properties/test_suppress_known.py",
    ),
    "known_words": (
        "tests/properties/test_suppress_known.py",
        "tests/unit/pipeline/test_known_words.py",
    ),
    "labels": ("tests/unit/core/test_corpus.py", *_TABLES),
    "listed_words": ("tests/unit/verification/test_listed_words.py", *_GENERAL),
    "marked_spans": (*_GENERAL, *_SPANS),
    "marks": (*_STARS[:4], *_GENERAL[1:3], *_TERMS[:1]),
    "meanings": _GENERAL,
    "own_groups": _GENERAL,
    "pattern_numbers": _PATTERNS,
    "patterns": _PATTERNS,
    "pseudonyms": _SURROGATES,
    "published_blind": _GENERAL,
    "published_meanings": (*_GENERAL, *_SPANS),
    "published_texts": _GENERAL,
    "reader": _STARS,
    "reader_texts": (*_STARS[:1], "tests/unit/studio/test_guessing.py", *_STARS[1:]),
    "records": _TABLES,
    "records_alone": _TABLES,
    "records_articles": _TEXTS_OF_TABLES,
    "records_cells": (*_TABLES[:1], "tests/properties/test_records_measures.py", *_TABLES[1:]),
    "records_cover": ("tests/properties/test_records_drawn.py", *_TABLES),
    "records_dates": _TEXTS_OF_TABLES,
    "records_known": ("tests/properties/test_records_known.py",),
    "records_legible": _TEXTS_OF_TABLES,
    "records_own_values": _TEXTS_OF_TABLES,
    "records_population": (
        "tests/properties/test_records_population.py",
        "tests/unit/pipeline/test_population.py",
    ),
    "records_redundant": _TEXTS_OF_TABLES,
    "records_rows": (*_TABLES, "tests/unit/methods/test_anonymize.py"),
    "records_secrets": _TABLES,
    "records_texts": _TEXTS_OF_TABLES,
    "records_view": _TABLES,
    "records_words": _TEXTS_OF_TABLES,
    "sheet_written": ("tests/unit/formats/test_sheet_tables.py",),
    "singular_forms": ("tests/unit/ontologies/test_ontologies.py", *_GENERAL),
    "spans": _SPANS,
    "stated_changes": (
        "tests/unit/verification/test_stated_changes.py",
        *_GENERAL,
        "tests/unit/methods/test_give_back.py",
    ),
    "substrings": _STARS,
    "term_beginnings": _TERMS,
    "term_candidates": _TERMS,
    "term_judging": _TERMS,
    "term_places": _TERMS,
    "term_sounds": _TERMS,
    "term_walk": _TERMS,
    "terms": _TERMS,
    "trace": ("tests/properties/test_trace.py", *_SURROGATES),
    "untouched_columns": ("tests/unit/verification/test_untouched.py",),
    "weekdays": _SURROGATES,
    "written_bytes": _WRITTEN,
}

# Survivors that were looked at: module, line, what stood there; and why no test can notice it.
EXPLAINED: dict[tuple[str, str, str], str] = {
    ("known_sets", 'left=pl.len().over("owner") - 1 - pl.int_range(pl.len()).over("owner")', one): (
        "sets are listed in other parts"
    )
    for one in ("pl.len().over('owner') - 1", "1")
} | {
    ("composed_claims", "places, document, shift = [], -1, 0", "0"): "begun anew at each document",
    ("copies", "while 2 * size <= least:", "2"): "longer runs are joined of shorter ones",
    ("guessed_words", _OPEN, "from_left.part > 0"): "three words elsewhere are two elsewhere",
    ("guessed_words", _OPEN, "from_right.part > 0"): "three words elsewhere are two elsewhere",
    ("term_beginnings", _NEAR, "20"): "a letter more is looked at, where no word is so long",
    ("term_candidates", "if self.known[near] >= enough:", "self.known[near] >= enough"): (
        "a quicker way to the same count"
    ),
    ("term_judging", "if found >= self.k:", "found >= self.k"): "enough is at most raised",
    ("term_places", "if not len(places):", "not len(places)"): "nothing is left to follow",
    ("term_sounds", "if released is None:", "released is None"): "worked out once more, alike",
    ("term_walk", "if self.direct or self.marks:", "self.direct or self.marks"): (
        "a search finds the way that is straight"
    ),
    ("term_walk", _STRAIGHT, "there + size"): "a search finds the way that is straight",
    ("terms", _KEPT, "about.direct"): "texts are kept that nobody asks for",
    ("terms", "and lengths[len(term)] < given.k", "lengths[len(term)] < given.k"): (
        "of k terms as long those with another string would be too few"
    ),
    ("terms", "if given.candidates and given.k > 1:", "given.k > 1"): (
        "the term itself could always stand there"
    ),
    ("patterns", "if wanted < 0 and found < 0:", "found < 0"): "the release begins later",
    ("published_blind", _KEYS, "together"): "later every form is given each of its meanings",
    ("published_blind", _NUMBER, "some"): "later every form is given each of its meanings",
    ("records", "if worst > limit + _EPSILON:", "worst > limit + _EPSILON"): (
        "no distance is the limit and a thousand-millionth"
    ),
    ("records_secrets", _IN_ORDER, "True"): "the worst of all classes, in any order",
    ("known_sets", _MOST, "0"): "room for one more number",
    ("known_sets", _WAYS, "1"): "room for one more number",
    ("known_sets", _WEIGHTS, "True"): "sets are listed in other parts",
}
