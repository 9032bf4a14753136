"""People with columns and two texts each: names, places, own values, dropped columns."""

from __future__ import annotations

import random

import polars as pl

KEY = "a key of sixteen bytes"
SCHEMA = {
    "person": "id",
    "own_values": "all",
    "entities": {"PROFESSION": "quasi"},
    "columns": {
        "name": {"role": "drop"},
        "age": {"kind": "number", "entities": ["AGE"]},
        "city": {"entities": ["CITY", "GPE"]},
        "born": {"kind": "date", "entities": ["DATE"]},
        "tags": {"kind": "set", "separator": ";"},
        "illness": {"role": "sensitive"},
        "note": {"kind": "text"},
        "plan": {"kind": "text"},
    },
    "recognizers": ["en"],
}
FIRST = ["Ann", "Edwin", "Maria", "Robert", "Zoë", "Ivan", "Hiroko", "Paul"]
LAST = ["Harrow", "Marlow", "García", "Stone", "Petrov", "Tanaka", "O'Neil"]
CITIES = ["Boston", "Paris", "Kyoto", "Lima", "New York"]
JOBS = ["nurse", "teacher", "engineer", "pilot", "carpenter"]
ILLS = ["flu", "gout", "asthma"]


def people(rows=120, persons=70, seed=1):
    choice = random.Random(seed)
    held = {
        i: {
            "id": f"P{i}",
            "name": f"{choice.choice(FIRST)} {choice.choice(LAST)}",
            "age": str(choice.randint(20, 60)),
            "city": choice.choice(CITIES) if choice.random() > 0.1 else None,
            "born": f"19{choice.randint(60, 89)}-0{choice.randint(1, 9)}-1{choice.randint(0, 9)}",
            "tags": ";".join(choice.sample(["red", "blue", "green"], choice.randint(0, 2))),
        }
        for i in range(persons)
    }
    found = []
    for number in range(rows):
        one = held[number % persons if number < persons else choice.randrange(persons)]
        found.append(
            {
                **one,
                "illness": choice.choice(ILLS),
                "note": None if number % 17 == 3 else _note(choice, one),
                "plan": choice.choice(
                    [
                        f"See an {choice.choice(JOBS)} in {choice.choice(CITIES)}.",
                        f"Call 617-555-01{choice.randint(10, 99)} on 5/1{number % 10}/2004.",
                        "",
                        f"Likes {one['tags'] or 'nothing'}; born {one['born']}.",
                    ]
                ),
            }
        )
    return pl.DataFrame(found)


def _note(choice, one):
    return choice.choice(
        [
            f"{one['name']}, {one['age']} years old, of {one['city']}, works as a "
            f"{choice.choice(JOBS)}.",
            f"An {choice.choice(JOBS)} from {choice.choice(CITIES)} met {choice.choice(FIRST)} "
            f"{choice.choice(LAST)}; {one['name'].split()[0]} is {one['age']}.",
            f"Seen in {one['born'][:4]} by Dr. {choice.choice(LAST)} at {choice.choice(CITIES)}.",
            "Nothing to say.",
        ]
    )
