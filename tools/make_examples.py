"""Writes reviews.csv, searches.csv, walks.csv and genome.fa into src/sfumato/examples.

    python tools/make_examples.py

Hotel reviews, a search log, walks through a town and a stretch of bases, for the tutorials. Most of
it is what many people write, search or do; some of it (names, addresses, small facts, walks to the
clinic) is one person's alone. Everybody and everything is invented. Same script, same bytes.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from make_example_corpus import FIRST, LAST, TOWNS, lines

FOLDER = Path(__file__).parent.parent / "src" / "sfumato" / "examples"
SEED = 1503
GUESTS, SEARCHERS, WALKERS, BASES = 180, 160, 150, 3000

PRAISE = lines(
    """
    The room was clean and quiet.
    Breakfast was fresh, with fruit and good coffee.
    The staff were friendly and spoke good English.
    The bed was comfortable and the shower was hot.
    It is five minutes on foot from the station.
    The view over the river was lovely.
    We would stay here again.
    The price was fair for the centre of town.
    """
)
BLAME = lines(
    """
    The walls are thin and we heard every door.
    The lift was out of order for two days.
    The wifi did not reach our room.
    Check-in took almost an hour.
    The bathroom needs to be painted.
    Parking was more expensive than we expected.
    """
)
OWN = lines(
    """
    We came for the wedding of {name} at the old mill.
    My husband {first} lost his wheelchair ramp and nobody looked for it.
    I teach the oboe in {town} and need silence before noon.
    Ask for {first} at the desk, she found my insulin pump under the bed.
    As the only vet of {town} I sleep with the telephone on.
    """
)
QUERIES = lines(
    """
    weather tomorrow
    weather this weekend
    cheap flights to lisbon
    cheap flights
    bus timetable
    bus timetable sunday
    pancake recipe
    pancake recipe without eggs
    how to boil an egg
    translate good morning
    train to the airport
    cinema tonight
    cinema near me
    pharmacy open now
    flu symptoms
    flu symptoms in children
    back pain exercises
    used bicycles
    used bicycles for children
    library opening hours
    """
)
SECRETS = lines(
    """
    {name} {town}
    {name} divorce lawyer
    can my boss see that {first} {last} searches for jobs
    {last} family tree {town}
    house for sale {number} mill lane {town}
    rare blood disease {last} syndrome
    {first}.{last}@post.example password forgotten
    """
)
PLACES = ("home", "bakery", "station", "office", "park", "school", "market", "gym", "library")
HIDDEN = ("pharmacy", "clinic", "pharmacy")
MOTIF = "GATTACCA"


def main() -> None:
    """All four files."""
    rng = random.Random(SEED)
    reviews(rng)
    searches(rng)
    walks(rng)
    genome(rng)


def person(rng: random.Random) -> dict[str, str]:
    """Somebody invented, for the sentences above."""
    first, last = rng.choice(FIRST), rng.choice(LAST)
    return {
        "name": f"{first} {last}",
        "first": first,
        "last": last,
        "town": rng.choice(TOWNS),
        "number": str(rng.randint(2, 98)),
    }


def reviews(rng: random.Random) -> None:
    """One to three reviews of each guest."""
    rows = []
    for guest in range(1, GUESTS + 1):
        somebody = person(rng)
        country = rng.choice(("Germany", "Germany", "France", "France", "Spain", "Norway"))
        for _ in range(rng.choice((1, 1, 2))):
            told = rng.sample(PRAISE, 3) + rng.sample(BLAME, rng.randint(0, 2))
            if rng.random() < 0.3:
                told.insert(rng.randint(1, len(told)), rng.choice(OWN).format(**somebody))
            day = datetime(2025, 1, 1) + timedelta(days=rng.randrange(360))
            score = rng.randint(4, 10)
            nights = rng.choice((1, 2, 2, 3, 7))
            row = (f"G{guest:03}", somebody["name"], country, day.date(), nights, score)
            rows.append((*row, " ".join(told)))
    header = ("guest", "name", "country", "date", "nights", "score", "review")
    table("reviews.csv", header, rows)


def searches(rng: random.Random) -> None:
    """Five to twelve queries of each person, one or two of them nobody else's."""
    rows = []
    for number in range(1, SEARCHERS + 1):
        somebody = person(rng)
        queries = rng.choices(QUERIES, k=rng.randint(5, 10))
        for _ in range(rng.randint(0, 2)):
            said = rng.choice(SECRETS).format(**somebody).lower()
            queries.insert(rng.randint(0, len(queries)), said)
        hour = datetime(2025, 5, 5, 6) + timedelta(minutes=rng.randrange(900))
        for query in queries:
            hour += timedelta(seconds=rng.randint(20, 4000))
            rows.append((f"U{number:03}", hour.isoformat(" "), query))
    table("searches.csv", ("user", "time", "query"), rows)


def walks(rng: random.Random) -> None:
    """A day of each walker, event by event; some go to the clinic between two pharmacies."""
    rows = []
    for number in range(1, WALKERS + 1):
        places = [rng.choice(PLACES) for _ in range(rng.randint(12, 20))]
        if rng.random() < 0.25:
            at = rng.randint(2, len(places) - 1)
            places[at:at] = HIDDEN
        elif rng.random() < 0.3:
            places.insert(rng.randint(1, len(places)), "pharmacy")
        rows += [(f"W{number:03}", place) for place in places]
    table("walks.csv", ("walker", "place"), rows)
    (FOLDER / "walks_patterns.txt").write_text(" ".join(HIDDEN) + "\n", encoding="utf-8")


def genome(rng: random.Random) -> None:
    """Bases with a motif that must not be seen, six times."""
    bases = rng.choices("ACGT", k=BASES)
    for place in range(6):
        at = rng.randint(400 * place, 400 * place + 300)
        bases[at : at + len(MOTIF)] = MOTIF
    text = "".join(bases)
    folded = "\n".join(text[i : i + 70] for i in range(0, len(text), 70))
    (FOLDER / "genome.fa").write_text(f">invented\n{folded}\n", encoding="utf-8")
    (FOLDER / "genome_patterns.txt").write_text(f"{MOTIF}\n", encoding="utf-8")


def table(name: str, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """One CSV file."""
    with (FOLDER / name).open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


if __name__ == "__main__":
    main()
