"""Writes src/sfumato/examples/clinic_notes.jsonl, the notes of an invented clinic.

    python tools/make_example_corpus.py

Sixty patients, each with one to three notes. The prose comes from a few templates, as in a busy
clinic, so that most of it is shared by many patients; names, addresses, numbers, rare diseases
and small personal facts are drawn for each patient alone. All of them are invented; telephone
numbers lie in the range reserved for fiction (555-0100 to 555-0199). Same script, same bytes.
"""

from __future__ import annotations

import json
import random
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator

TARGET = Path(__file__).parent.parent / "src" / "sfumato" / "examples" / "clinic_notes.jsonl"
SEED = 1517
NOTES = (1, 2, 3, 2, 2)  # of one patient after another

T = TypeVar("T")


def words(block: str) -> list[str]:
    """The words of a block of text."""
    return block.split()


def lines(block: str) -> list[str]:
    """The lines of a block of text."""
    return [line.strip() for line in block.strip().splitlines()]


FIRST = words(
    """
    Adeline Barnaby Cosima Dorian Elspeth Florian Gwendolyn Hartmut Isolde Jorrit Katinka Leopold
    Marisol Norbert Ottoline Percival Quirina Rosalind Sigmund Theodora Ulric Verena Wilfred
    Xanthe Yorick Zelda Ambrose Bettina Caspar Dagmar Edgar Fenella Gideon Henrike Ignatius
    Jessamy Konrad Lavinia Mortimer Nerissa Osric Petronella Quentin Ramona Severin Tabitha
    Umberto Viveca Wendel Yolanda Alaric Birgitta Crispin Desdemona Emeric Felicia Godfrey Hedwig
    Ivo Jolanda
    """
)
LAST = words(
    """
    Ashdrake Brindlewood Crowhollow Dunmarsh Eldergrove Fenwhistle Grimsbeck Harrowfield Ironmoor
    Jaspergate Kettlebrook Larkenshaw Mossridge Netherquist Oakenfold Pellworthy Quillhaven
    Ravenholt-Bly Stonebarrow Thornquist Umberlow Vantongeren Wetherlane Yarrowdale Zimmerhoek
    Applegarth Blackmere Cinderfall Dovecrag Emberlin Frostwick Galloran Hollinsett Inglethorn
    Jorvikson Kelderholm Lindqvarn Marchbanker Nightingall Overbrook Pumphreyson Quarrington
    Rookhaven Silverthwaite Tanglemere Underhillock Vossenaar Windermoss Yelverstone Zuiderveld
    Ambercoat Bracknoll Copperthwaite Drumlanreek Everdeane Fallowmead Gossamer Heatherstone
    Islewick Juniperus
    """
)
WAYS = words(
    """
    Harbinger Tannery Sparrow Lantern Millpond Cobbler Foxglove Saltmarsh Bellfounder Candlewick
    Weaver Plover Gallows Orchard Beechnut Ferryman Quarry Thistle Wren Ropewalk
    """
)
KINDS = ("Lane", "Street", "Road")
TOWNS = lines(
    """
    Little Averham
    Port Calloway
    Dunsmere
    Westering
    Upper Quell
    St. Orrin
    Marlowe Ferry
    Hexley Vale
    Brackwater
    Nether Tolland
    Castle Wyre
    Ambergate Sands
    Holloway Cross
    Tidewell
    Greyfriars Mount
    """
)
RARE = lines(
    """
    Erdheim-Chester disease
    stiff person syndrome
    Fabry disease
    Alkaptonuria
    Castleman disease
    Moyamoya disease
    Whipple disease
    Takayasu arteritis
    Gorham-Stout disease
    Kikuchi disease
    Susac syndrome
    hereditary angioedema
    Wilson disease
    Gitelman syndrome
    Schnitzler syndrome
    """
)
FACTS = lines(
    """
    tunes the organ of the cathedral
    was struck by lightning on a golf course in 1998
    keeps forty beehives behind the old brewery
    lost two fingers of the left hand in a sawmill
    sang the part of Papageno at the summer opera
    won the county chess championship three times
    repairs lighthouse lamps along the northern coast
    was bitten by a llama at the spring fair
    teaches Sanskrit at the evening college
    drove the last tram of the town before the line closed
    is the only falconer of the valley
    was born on board a ferry during a storm
    carves figureheads for sailing ships
    served nine years as mayor of the island
    has a twin who lives in Patagonia
    plays the bassoon in the police orchestra
    rowed across the sound with a broken rib
    paints the scenery of the puppet theatre
    breeds white peacocks
    walked to Santiago twice on one kidney
    """
)
KIN = ("husband", "wife", "daughter", "son", "sister", "brother")

# Of each condition: two ways to come, one examination, one plan, one later visit.
CONDITIONS = [
    (
        (
            "came to the clinic because of shortness of breath on climbing stairs and swelling "
            "of both ankles in the evening. There was no chest pain at rest, no fever and no "
            "cough.",
            "was referred by the family doctor because of increasing tiredness and shortness of "
            "breath when lying flat. The patient sleeps with three pillows and wakes up twice at "
            "night.",
        ),
        "On examination the jugular veins were distended, and fine crackles were heard over both "
        "lung bases. There was pitting oedema of both legs up to the knee. The echocardiogram "
        "showed a moderately reduced ejection fraction and no relevant valve disease.",
        "We started furosemide 40 mg in the morning and ramipril 2.5 mg in the evening. The "
        "patient was asked to weigh every morning and to call if the weight rises by more than "
        "two kilograms in three days. Kidney function and potassium will be checked in one week.",
        "reports that the breathing has improved and that the swelling of the legs has gone "
        "down. The weight has been stable. The lungs were clear, and there was no oedema. We "
        "continue the treatment unchanged and will repeat the echocardiogram in six months.",
    ),
    (
        (
            "came to the clinic because of thirst, frequent urination and a weight loss of five "
            "kilograms in two months. There was no abdominal pain and no vomiting.",
            "was sent to us after a raised blood sugar had been found in a routine check. The "
            "patient has had blurred vision for some weeks and feels tired after meals.",
        ),
        "On examination the skin was dry, and the abdomen was soft and not tender. Sensation to "
        "the monofilament was reduced on the soles of both feet. The fasting glucose and the "
        "HbA1c were clearly raised, and ketones were not found in the urine.",
        "We started metformin 500 mg twice daily with meals and arranged a course on diet and on "
        "measuring blood sugar at home. An appointment for the examination of the eyes was made. "
        "The feet should be looked at every day, and shoes should not press.",
        "brought a diary with blood sugars that were mostly in the target range. There had been "
        "no hypoglycaemia. The HbA1c has fallen. We increased metformin to 1000 mg twice daily "
        "and will see the patient again in three months.",
    ),
    (
        (
            "came to the clinic because of a productive cough that has lasted since the autumn, "
            "with wheezing in cold air. The patient smoked one pack a day for thirty years.",
            "was referred because of repeated infections of the airways in the past winter, each "
            "of which needed antibiotics. Walking on level ground is limited to about two "
            "hundred metres.",
        ),
        "On examination the chest was hyperinflated, and breath sounds were weak with a long "
        "expiration. Oxygen saturation was normal at rest. Spirometry showed an obstruction that "
        "was not reversible after salbutamol, and the chest film showed no infiltrate.",
        "We started tiotropium once daily and salbutamol as needed, and checked that the inhaler "
        "is used correctly. The patient was offered a course to stop smoking and vaccinations "
        "against influenza and pneumococci. Pulmonary rehabilitation was requested.",
        "says that the cough is less and that the stairs at home are easier. There has been no "
        "infection since the last visit. The inhaler is used correctly. We continue the "
        "treatment and will repeat spirometry at the next visit.",
    ),
    (
        (
            "came to the clinic because of pain in the right knee that is worst when going "
            "downstairs and in the first minutes after sitting. There was no injury and no "
            "locking of the joint.",
            "was referred because of pain and stiffness of both knees for several years. Walking "
            "distance has become shorter, and ibuprofen helps only for some hours.",
        ),
        "On examination there was a small effusion and crepitus on movement. Flexion was limited "
        "to one hundred and ten degrees, and the ligaments were stable. The film showed "
        "narrowing of the medial joint space with osteophytes.",
        "We advised exercises for the thigh muscles twice a week and a reduction of weight, and "
        "prescribed topical diclofenac. Physiotherapy was arranged. If the pain does not improve "
        "in three months an injection can be discussed, and later an operation.",
        "has done the exercises regularly and reports less pain on stairs. The effusion has "
        "gone, and flexion has improved a little. We continue physiotherapy and advised against "
        "an operation at present.",
    ),
    (
        (
            "came to the clinic because of headaches on one side of the head with nausea and "
            "sensitivity to light, four times a month. Sleep in a dark room helps.",
            "was referred because of recurrent headaches which begin with flickering lights in "
            "one half of the visual field. They last for about a day and prevent any work.",
        ),
        "The neurological examination was normal, and there was no stiffness of the neck. The "
        "fundi were normal on both sides. Magnetic resonance imaging of the head showed no "
        "bleeding, no tumour and no sign of inflammation.",
        "We explained the diagnosis of migraine and started propranolol 40 mg twice daily to "
        "prevent attacks. For the attacks themselves sumatriptan 50 mg can be taken on not more "
        "than nine days a month. A headache diary was handed out.",
        "brought the headache diary, which shows fewer attacks than before. Propranolol is "
        "tolerated well. There were no new neurological symptoms. We continue the treatment for "
        "six months and will then try to reduce it.",
    ),
    (
        (
            "came to the clinic because of burning pain behind the breastbone after meals and at "
            "night. There was no difficulty in swallowing and no loss of weight.",
            "was referred because of pain in the upper abdomen for two months, which is relieved "
            "by eating and returns some hours later. Stools were of normal colour.",
        ),
        "On examination the upper abdomen was slightly tender without guarding, and bowel sounds "
        "were normal. Gastroscopy showed a mild inflammation of the lower oesophagus and a small "
        "hiatal hernia. The test for Helicobacter was negative, and haemoglobin was normal.",
        "We started pantoprazole 40 mg before breakfast for eight weeks. The patient was advised "
        "to raise the head of the bed, to avoid late meals and to reduce coffee and alcohol. "
        "Painkillers such as ibuprofen should be avoided.",
        "has had no more pain since the second week of treatment. Appetite and weight are "
        "normal. The abdomen was soft and not tender. Pantoprazole can now be reduced to 20 mg "
        "and stopped after four weeks.",
    ),
]
HISTORIES = [
    "Past history: high blood pressure for many years, treated with amlodipine. Appendectomy in "
    "childhood. No known allergies. The patient does not smoke and drinks alcohol only on "
    "occasion.",
    "Past history: no serious illnesses and no operations. No regular medication until now. No "
    "known allergies. The parents both lived to a great age.",
    "Past history: raised cholesterol, treated with simvastatin. Fracture of the wrist some "
    "years ago, healed without problems. Penicillin caused a rash. The patient stopped smoking "
    "long ago.",
    "Past history: underactive thyroid, treated with levothyroxine. Removal of the gall bladder. "
    "No known allergies. One of the parents had a stroke in old age.",
]
CLOSINGS = [
    "The findings and the treatment were explained, and the patient agreed with the plan.",
    "All questions were answered. The family doctor receives a copy of this letter.",
    "The patient was told to come back at once if the symptoms become worse.",
]


def pick(draw: random.Random, choices: list[T] | tuple[T, ...]) -> T:
    """One of the choices."""
    return choices[draw.randrange(len(choices))]


def shuffled(draw: random.Random, choices: list[T]) -> list[T]:
    """The choices in random order."""
    left = list(choices)
    return [left.pop(draw.randrange(len(left))) for _ in choices]


def telephones(draw: random.Random) -> Iterator[str]:
    """Numbers from the range reserved for fiction; an ending comes back after a hundred others."""
    while True:
        for ending in shuffled(draw, list(range(100))):
            yield f"({draw.randrange(201, 990)}) 555-01{ending:02d}"


def patients(draw: random.Random) -> list[dict[str, str]]:
    """What is known of each patient; names, rare diseases and facts are nobody else's."""
    firsts, lasts = shuffled(draw, FIRST), shuffled(draw, LAST)
    relatives, facts, rare = shuffled(draw, FIRST), shuffled(draw, FACTS), shuffled(draw, RARE)
    streets = shuffled(draw, [f"{way} {kind}" for way in WAYS for kind in KINDS])
    people, numbers = [], telephones(draw)
    for i, (first, last) in enumerate(zip(firsts, lasts, strict=True)):
        born = date(1935, 1, 1) + timedelta(days=draw.randrange(365 * 65))
        address = f"{draw.randrange(1, 180)} {streets[i]}, {pick(draw, TOWNS)}"
        people.append(
            {
                "name": f"{first} {last}",
                "surname": last,
                "born": born.isoformat(),
                "record": f"{draw.randrange(10**7, 10**8)}",
                "address": address,
                "telephone": next(numbers),
                "kin": f"The {pick(draw, KIN)}, {relatives[i]} {last}, can be reached at "
                f"{next(numbers)}.",
                "fact": f" The patient {facts[i // 3]}." if i % 3 == 0 else "",
                "rare": f" In addition {rare[i // 4]} has been known for years."
                if i % 4 == 0
                else "",
                "history": pick(draw, HISTORIES),
            }
        )
    return people


def first_note(draw: random.Random, i: int, person: dict[str, str], day: date) -> str:
    """The letter after a patient's first visit."""
    come, examined, plan, _ = CONDITIONS[i % len(CONDITIONS)]
    years = day.year - int(person["born"][:4])
    vitals = (
        f"Blood pressure {pick(draw, (120, 130, 140, 150))}/{pick(draw, (70, 80, 90))} mmHg, "
        f"heart rate {pick(draw, (64, 72, 76, 80))} per minute, temperature normal."
    )
    return (
        f"Patient: {person['name']}, born {person['born']}, record number {person['record']}.\n"
        f"Address: {person['address']}. Telephone: {person['telephone']}.\n\n"
        f"The patient, {years} years old, {come[i // len(CONDITIONS) % 2]}{person['fact']}\n\n"
        f"{person['history']}{person['rare']}\n\n{examined} {vitals}\n\n{plan}\n\n"
        f"{pick(draw, CLOSINGS)} {person['kin']}\n"
    )


def later_note(draw: random.Random, i: int, person: dict[str, str], day: date, last: date) -> str:
    """The letter after a further visit."""
    later = CONDITIONS[i % len(CONDITIONS)][3]
    return (
        f"Patient: {person['name']}, born {person['born']}, record number {person['record']}.\n\n"
        f"Follow-up of the visit on {last.isoformat()}. The patient {later}\n\n"
        f"{person['history']}{person['rare']}\n\n"
        f"Blood pressure {pick(draw, (120, 130, 140))}/{pick(draw, (70, 80))} mmHg. There were no "
        "side effects of the treatment, and no new medicines were taken. The laboratory values of "
        "today, among them blood count, electrolytes, creatinine and liver enzymes, were in the "
        "normal range.\n\n"
        f"{pick(draw, CLOSINGS)} A change of the telephone number {person['telephone']} "
        "should be reported to the secretary.\n"
    )


def corpus() -> bytes:
    """The notes in the order of their dates, one JSON object a line."""
    draw = random.Random(SEED)
    notes = []
    for i, person in enumerate(patients(draw)):
        day = date(2023, 1, 2) + timedelta(days=draw.randrange(300))
        text = first_note(draw, i, person, day)
        notes.append((day.isoformat(), f"P{i + 1:03d}", text))
        for _ in range(NOTES[i % len(NOTES)] - 1):
            last, day = day, day + timedelta(days=draw.randrange(60, 200))
            text = later_note(draw, i, person, day, last)
            notes.append((day.isoformat(), f"P{i + 1:03d}", text))
    records = [
        json.dumps({"note_id": f"N{n:04d}", "patient_id": who, "date": day, "text": text})
        for n, (day, who, text) in enumerate(sorted(notes), 1)
    ]
    return ("\n".join(records) + "\n").encode()


if __name__ == "__main__":
    TARGET.write_bytes(corpus())
