"""Each attack in one sentence, what a bad number is, and what to change."""

from __future__ import annotations

_LESS = "raise k, or drop a column"
_STAR = "raise k of suppress, or review what the recogniser misses"

ATTACKS: dict[str, dict[str, str]] = {
    "prosecutor": {
        "sentence": "Somebody knows that a person is in the data and guesses the record in the "
        "person's class.",
        "bad": "more than 1/k",
        "change": _LESS,
    },
    "journalist": {
        "sentence": "Somebody picks the most exposed person and guesses the record.",
        "bad": "more than 1/k",
        "change": _LESS,
    },
    "marketer": {
        "sentence": "Somebody guesses the records of everybody; this share is right.",
        "bad": "more than 1/k",
        "change": _LESS,
    },
    "linkage": {
        "sentence": "Somebody knows all of a person's columns and terms and looks for the record.",
        "bad": "clearly above the same attack on people who are not in the data",
        "change": _LESS,
    },
    "linkage-rare": {
        "sentence": "Somebody knows 50 words of a person's text and looks for the record that "
        "shares its rarest stretch.",
        "bad": "clearly above the same attack on people who are not in the data",
        "change": _STAR,
    },
    "linkage-words": {
        "sentence": "Somebody knows 50 words of a person's text and looks for the record that "
        "shares most of them.",
        "bad": "clearly above the same attack on people who are not in the data",
        "change": _STAR,
    },
    "membership": {
        "sentence": "Somebody knows a text of a person and tells whether the person is in the "
        "release.",
        "bad": "clearly above the same attack on people who are not in the data",
        "change": _STAR,
    },
    "singling-out-word": {
        "sentence": "Somebody looks for a word that only one person's record shows.",
        "bad": "anything above nothing, where suppress is a stage",
        "change": _STAR,
    },
    "singling-out-pair": {
        "sentence": "Somebody looks for two words that only one person's record shows together.",
        "bad": "clearly above the half of the people that is not in the release",
        "change": "raise k of suppress; pairs of usual words remain, and k does not speak of them",
    },
    "reconstruction": {
        "sentence": "A model of the released texts fills in the stars.",
        "bad": "clearly above guessing the most usual word",
        "change": "let guess be smaller, so that what can be filled in counts as legible",
    },
    "redact-inversion": {
        "sentence": "Somebody has the list of terms and guesses which one a published string was.",
        "bad": "more than 1/k",
        "change": "raise k of redact",
    },
    "generalize-inversion": {
        "sentence": "Somebody runs the method on every candidate and guesses the word.",
        "bad": "more than 1/t",
        "change": "raise t",
    },
    "sanitize-inversion": {
        "sentence": "Somebody looks for the places where patterns were taken out.",
        "bad": "clearly above guessing",
        "change": "choose the method tpm, or hide-and-mine as the replacement",
    },
}
