"""Writes src/sfumato/examples/clinic.csv and clinic_gold.jsonl, an invented clinic.

    python tools/make_clinic.py

Of 144 patients one or two admissions each: columns (name, birth date, sex, postcode, town,
occupation, admission, days, diagnosis) and a note. A note names people, dates, numbers and places
as forms do, which rules find, and in passing (nicknames, relatives, handles, small facts), which
rules miss. The gold spans list all of them, each with its label and its entity.
Everybody is invented; telephone numbers and postcodes lie in ranges nobody has. Same script, same
bytes.
"""

from __future__ import annotations

import csv
import io
import json
import random
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from make_example_corpus import (
    CONDITIONS,
    FACTS,
    FIRST,
    LAST,
    RARE,
    TOWNS,
    WAYS,
    pick,
    shuffled,
    words,
)

FOLDER = Path(__file__).parent.parent / "src" / "sfumato" / "examples"
TABLE, GOLD = FOLDER / "clinic.csv", FOLDER / "clinic_gold.jsonl"
SEED, PATIENTS = 1519, 144

COLUMNS = (
    *("patient_id", "name", "birth_date", "sex", "postcode", "town", "occupation"),
    *("admission", "days", "diagnosis", "note"),
)
DIAGNOSES = ("heart failure", "diabetes", "lung disease", "knee arthrosis", "migraine", "reflux")
OCCUPATIONS = (
    *("teacher", "nurse", "farmer", "clerk", "carpenter", "driver", "cook", "retired"),
    *("retired", "retired", "shop assistant", "engineer"),
)
DOCTORS = ("Dr. Amberley", "Dr. Castellane", "Dr. Vo", "Dr. Hallorsen")
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
NICKNAMES = (
    *("Tibby", "Old Moss", "Dotty", "Captain Ned", "Wink", "Biscuit", "The Heron", "Fizz"),
    *("Little Oak", "Marmalade", "Ducky", "Sparks", "Pip", "Professor Gull", "Bramble", "Soot"),
)
MEN = frozenset(
    words(
        """
        Barnaby Dorian Florian Hartmut Jorrit Leopold Norbert Percival Sigmund Ulric Wilfred Yorick
        Ambrose Caspar Edgar Gideon Ignatius Konrad Mortimer Osric Quentin Severin Umberto Wendel
        Alaric Crispin Emeric Godfrey Ivo
        """
    )
)
COUSINS = ("Tamsin", "Jago", "Merryn", "Piran", "Kerensa", "Denzil", "Loveday", "Branok")

# A piece of a note: shared prose, or (text, label, entity).
Piece = str | tuple[str, str, str]


@dataclass(frozen=True)
class Patient:
    """What is known of one patient."""

    number: int
    first: str
    last: str
    sex: str
    born: date
    postcode: str
    town: str
    occupation: str
    record: str
    telephone: str
    street: str
    condition: int
    passing: tuple[Piece, ...]

    @property
    def name(self) -> str:
        """First and last name."""
        return f"{self.first} {self.last}"


def patients(draw: random.Random) -> list[Patient]:
    """The patients: names may share a part, never both; towns have neighbouring postcodes."""
    firsts, lasts = shuffled(draw, FIRST), shuffled(draw, LAST)
    asides = passing_remarks(draw)
    people = []
    for i in range(PATIENTS):
        town = draw.randrange(len(TOWNS))
        first = firsts[i % len(FIRST)]
        people.append(
            Patient(
                number=i + 1,
                first=first,
                last=lasts[(i + 7 * (i // len(FIRST))) % len(LAST)],
                sex="male" if first in MEN else "female",
                born=date(1938, 1, 1) + timedelta(days=draw.randrange(365 * 62)),
                postcode=f"00{town // 5 + 1}{town % 5}{draw.randrange(4)}",
                town=TOWNS[town],
                occupation=pick(draw, OCCUPATIONS),
                record=f"{draw.randrange(10**7, 10**8)}",
                telephone=f"({draw.randrange(201, 990)}) 555-01{draw.randrange(100):02d}",
                street=f"{draw.randrange(1, 180)} {pick(draw, WAYS)} Lane",
                condition=i // 4 % len(CONDITIONS),
                passing=asides[i],
            )
        )
    return people


def passing_remarks(draw: random.Random) -> list[tuple[Piece, ...]]:
    """What notes tell in passing, of every second patient: no rule is made for it."""
    lasts = shuffled(draw, LAST)
    told: list[tuple[Piece, ...]] = []
    for fact in FACTS:
        told.append((" The patient ", (fact, "FACT", "fact"), "."))
    for name in NICKNAMES:
        told.append((" Known on the ward as ", (name, "PERSON", "nickname"), "."))
    for disease in RARE:
        told.append((" In addition ", (disease, "DIAGNOSIS", "rare"), " has been known for years."))
    for i, cousin in enumerate(COUSINS):
        who = f"{cousin} {lasts[i]}"
        told.append((" ", (who, "PERSON", "relative"), " takes care of the dog meanwhile."))
        handle = f"{lasts[i + 8].lower().replace('-', '')}_{draw.randrange(10, 99)}"
        told.append((" The patient is ", (handle, "HANDLE", "handle"), " in an online forum."))
    remarks: list[tuple[Piece, ...]] = [() for _ in range(PATIENTS)]
    for i, remark in enumerate(shuffled(draw, told)):
        remarks[2 * i] = remark
    return remarks


def note(draw: random.Random, person: Patient, day: date, first: bool) -> list[Piece]:
    """One note in pieces: prose of the condition around what identifies."""
    come, examined, plan, later = CONDITIONS[person.condition]
    doctor = pick(draw, DOCTORS)
    years = day.year - person.born.year - (day.timetuple()[1:3] < person.born.timetuple()[1:3])
    pieces: list[Piece] = [
        "Patient: ",
        (person.name, "PERSON", "patient"),
        ", born ",
        (person.born.isoformat(), "DATE", "birth"),
        ", MRN ",
        (person.record, "MRN", "record"),
        ". Seen by ",
        (doctor, "PERSON", "doctor"),
        " on ",
        (f"{MONTHS[day.month - 1]} {day.day}, {day.year}", "DATE", "admission"),
        ". ",
    ]
    if first:
        title = "Mrs. " if person.sex == "female" else "Mr. "
        pieces += [
            (f"{title}{person.last}", "PERSON", "patient"),
            ", ",
            (f"{years} years old", "AGE", "age"),
            " and living in ",
            (person.town, "LOCATION", "town"),
            f", {come[person.number % 2]}",
            *person.passing,
            f" {examined.split('. ')[0]}. Contact: ",
            (person.telephone, "PHONE", "telephone"),
            ", ",
            (person.street, "ADDRESS", "address"),
            f". {plan.split('. ')[0]}.",
        ]
    else:
        reached = (person.telephone, "PHONE", "telephone"), (person.street, "ADDRESS", "address")
        pieces += [f"The patient {later}", *person.passing, " Contact: ", reached[0], ", "]
        pieces += [reached[1], "."]
    return pieces


def table() -> tuple[bytes, bytes]:
    """The table as CSV, and the gold spans of its notes, one JSON object a line."""
    draw = random.Random(SEED)
    rows: list[tuple[str, list[str], list[Piece]]] = []
    for person in patients(draw):
        day = date(2022, 1, 3) + timedelta(days=draw.randrange(700))
        for visit in range(1 + (person.number % 4 < 2)):
            row = [
                f"P{person.number:03d}",
                person.name,
                person.born.isoformat(),
                person.sex,
                person.postcode,
                person.town,
                person.occupation,
                day.isoformat(),
                str(draw.randrange(1, 12)),
                DIAGNOSES[person.condition],
            ]
            rows.append((day.isoformat(), row, note(draw, person, day, visit == 0)))
            day += timedelta(days=draw.randrange(40, 200))
    rows.sort(key=lambda row: (row[0], row[1]))
    text, gold = io.StringIO(), []
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for document, (_, row, pieces) in enumerate(rows):
        writer.writerow([*row, "".join(p if isinstance(p, str) else p[0] for p in pieces)])
        gold += [
            json.dumps(span, separators=(",", ":")) for span in spans(document, row[0], pieces)
        ]
    return text.getvalue().encode(), ("\n".join(gold) + "\n").encode()


def spans(document: int, patient: str, pieces: list[Piece]) -> list[dict[str, object]]:
    """The places of one note that identify; an entity is the same in all notes of a patient."""
    found, at = [], 0
    for piece in pieces:
        text = piece if isinstance(piece, str) else piece[0]
        if not isinstance(piece, str):
            place = {"document": document, "start": at, "stop": at + len(text)}
            _, label, entity = piece
            whose = text if entity == "doctor" else patient
            found.append({**place, "label": label, "entity": f"{whose} {entity}"})
        at += len(text)
    return found


if __name__ == "__main__":
    made, annotated = table()
    TABLE.write_bytes(made)
    GOLD.write_bytes(annotated)
