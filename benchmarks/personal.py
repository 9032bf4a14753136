"""Made sentences with personal data of many countries, to develop recognisers on.

    python benchmarks/personal.py [--count 3000] [--misses LABEL] [--recognizer en]

The values are Faker's (people, addresses, firms, telephone numbers, cards, accounts, national
numbers of 30 locales), the sentences are below and in no list that the tagger learns from. Faker's
given names and surnames are on the tagger's lists, its addresses, firms and numbers are not.
Rules and templates were chosen looking at what is missed here: it is no test.

A mention counts as found when all of its symbols are covered, under whatever label; letters are
right that lie in a mention.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from random import Random
from typing import Any

from fakes import american, fakes, filled
from found import judged

from sfumato.recognizers import recognizer

LOCALES = (
    *(
        "en_US",
        "en_US",
        "en_US",
        "en_GB",
        "en_CA",
        "en_AU",
        "en_IN",
        "en_IE",
        "en_NZ",
        "de_DE",
        "de_AT",
    ),
    *("fr_FR", "fr_CH", "es_ES", "es_MX", "it_IT", "pt_PT", "pt_BR", "nl_NL", "nl_BE", "sv_SE"),
    *(
        "da_DK",
        "no_NO",
        "fi_FI",
        "pl_PL",
        "cs_CZ",
        "hu_HU",
        "ro_RO",
        "tr_TR",
        "id_ID",
        "hr_HR",
        "sl_SI",
    ),
)
SENTENCES = """
Hi, {PERSON} here, I was double charged on card {CARD} at {ORG}.
Could someone check why {PERSON} at {ADDRESS} never got the parcel?
{TITLE} {LAST} would like the papers posted to {ADDRESS}
I was born on {DATE} and my social security number is {SSN}.
My phone number is {PHONE}, please ring before {TIME}.
You can reach me on {PHONE} or at {EMAIL}.
As promised I send you the details of {PERSON}: {ADDRESS}, {PHONE}
The account {IBAN} is in the name of {PERSON}
{FIRST} {LAST} ({AGE}) grew up in {CITY} and now teaches at {ORG}.
We had dinner with {FIRST} and {FIRST} in {CITY} last {DAY}
{ORG} is looking for a {JOB} in {COUNTRY}
What does a {JOB} at {ORG} earn in {CITY}, {COUNTRY}?
{PERSON} is {NATIONALITY}, her husband {NATIONALITY}.
She became a {NATIONALITY} citizen in {YEAR}.
A lot of {NATIONALITY} people moved to {CITY}
The best {NATIONALITY} cook I know is {FIRST}.
My zip code is {ZIP}, what is the delivery fee?
Does the service exist in {ZIP} {CITY}?
Card: {CARD}, valid till {EXPIRY}
Refund to {IBAN} please, not to my card ending {LAST4}.
Someone logged in from {IP} with the address {EMAIL}
See {URL} for the menu of {ORG}
I'm {AGE} years old and from {COUNTRY}
He turned {AGE} in {MONTH}.
Happy to help, {FIRST}! Best, {PERSON}, {JOB}, {ORG}
{PERSON}\\n{ORG}\\n{ADDRESS}\\n{PHONE}
{PERSON}\\n{ADDRESS}\\n{COUNTRY}
Where can I find {ORG} in {CITY}? I'm on {STREET} now.
Please update my address. Old one: {ADDRESS}. New one: {ADDRESS}.
Is the {ORG} on {STREET} still open?
The office moved from {STREET} to {ADDRESS}
Our driver {FIRST} will bring it to {ADDRESS} on {DATE}
{LAST} and {LAST} wrote the book in {YEAR}
{FIRST}'s sister {FIRST} is a {JOB}
Passport of {PERSON}, born {DATE} in {CITY}
Driver's license: {LICENSE}, plate {PLATE}
The number plate of the van was {PLATE}.
Her driving licence number is {LICENSE}
I lost my wallet with my {NATIONALITY} id card on {STREET}
Who is the mayor of {CITY}? Is it {TITLE} {LAST}?
{TITLE} {PERSON} will see you on {DATE} at {TIME}
They cancelled my order of {DATE}.
My grandma {FIRST} turns {AGE} on {DATE}
Send the invoice to {ORG}, {ADDRESS}
When will {ORG} open a branch in {CITY}?
I used to be a {JOB} for {ORG}, then moved to {COUNTRY}.
Ask {TITLE} {LAST} about the contract with {ORG}
{FIRST}, can you translate this into {NATIONALITY}?
How do I withdraw {MONEY} with my card {CARD}?
The wifi password of {FIRST} is written on the fridge
{ORG} was founded by {PERSON} and {PERSON} in {YEAR}
In {CITY} the {NATIONALITY} team of {LAST} lost again
My SSN: {SSN}\\nMy name: {PERSON}\\nMy employer: {ORG}
{PERSON}, {AGE}, {JOB}, {CITY}
dear {FIRST}, i'm writing from {COUNTRY}, it's raining
The bitcoin address is {BTC}
Our server {IP} went down at {TIME}
I have a meeting with {FIRST} {LAST} from {ORG} on {DATE}
Is {DOMAIN} owned by {ORG}?
The {NATIONALITY} couple living at {ADDRESS} complained
Does {PERSON} still work as a {JOB}?
Can you tell me how old {PERSON} is? - {AGE} years.
Billing: {PERSON}, {ADDRESS}, {COUNTRY}. Shipping: {PERSON}, {ADDRESS}, {COUNTRY}.
I'd like to book a flight to {CITY} for {PERSON} and {PERSON} leaving {DATE}
The manager, {PERSON}, told me to call {PHONE}.
Fax {PHONE}, phone {PHONE}
{COUNTRY} and {COUNTRY} were the first to sign
A man of {AGE} from {CITY} was rescued by {ORG}
Dear {TITLE} {LAST}, thank you for choosing {ORG}.
My {NATIONALITY} friend {FIRST} lives on {STREET}, {CITY}.
The phone {PHONE} belongs to {FIRST} {LAST}.
{PERSON} studied at the university in {CITY} from {YEAR} to {YEAR}.
I moved here from {CITY}, {STATE} in {YEAR}
Just got to {STATE}, calling {FIRST} now
""".strip().split("\n")
NATIONALITIES = [
    "American",
    "Canadian",
    "Mexican",
    "Brazilian",
    "French",
    "German",
    "Dutch",
    "Italian",
    "Spanish",
    "Portuguese",
    "Swedish",
    "Norwegian",
    "Danish",
    "Finnish",
    "Polish",
    "Czech",
    "Hungarian",
    "Romanian",
    "Turkish",
    "Greek",
    "Russian",
    "Ukrainian",
    "Chinese",
    "Japanese",
    "Korean",
    "Vietnamese",
    "Thai",
    "Indian",
    "Pakistani",
    "Nigerian",
    "Ghanaian",
    "Kenyan",
    "Egyptian",
    "Moroccan",
    "Israeli",
    "Iranian",
    "Iraqi",
    "Syrian",
    "Lebanese",
    "Australian",
    "Irish",
    "Scottish",
    "Welsh",
    "British",
    "Belgian",
    "Swiss",
    "Austrian",
    "Croatian",
    "Slovenian",
    "Serbian",
    "Bulgarian",
    "Cuban",
    "Peruvian",
    "Chilean",
    "Argentine",
]


def plates(fake: Any) -> str:
    try:
        return str(fake.license_plate())
    except AttributeError:
        return "KX52 BDR"


def address(fake: Any, random: Random) -> str:
    text = str(fake.address())
    return text if random.random() < 0.6 else text.replace("\n", ", ")


def number_of(fake: Any) -> str:
    try:
        return str(fake.ssn())
    except AttributeError:
        return "123-45-6789"


DATES = (
    "%d/%m/%Y",
    "%m/%d/%y",
    "%B %d, %Y",
    "%d %B %Y",
    "%Y-%m-%d",
    "%A",
    "%d.%m.%Y",
    "%b %d",
    "%B %Y",
    "%A, %B %d",
)
MAKERS: dict[str, Callable[[Any, Random], str]] = {
    "PERSON": lambda f, r: f"{f.first_name()} {f.last_name()}",
    "FIRST": lambda f, r: f.first_name(),
    "LAST": lambda f, r: f.last_name(),
    "TITLE": lambda f, r: r.choice(("Mr.", "Mrs.", "Ms.", "Dr.", "Mr", "Miss", "Prof.")),
    "ADDRESS": address,
    "STREET": lambda f, r: f.street_name(),
    "CITY": lambda f, r: f.city(),
    "STATE": lambda f, r: american().state(),
    "COUNTRY": lambda f, r: american().country(),
    "ORG": lambda f, r: f.company(),
    "PHONE": lambda f, r: f.phone_number(),
    "EMAIL": lambda f, r: f.email(),
    "URL": lambda f, r: f.uri(),
    "DOMAIN": lambda f, r: f.domain_name(),
    "IP": lambda f, r: f.ipv4() if r.random() < 0.8 else f.ipv6(),
    "CARD": lambda f, r: f.credit_card_number(),
    "IBAN": lambda f, r: f.iban(),
    "SSN": lambda f, r: american().ssn(),
    "ZIP": lambda f, r: f.postcode(),
    "AGE": lambda f, r: str(r.randrange(1, 96)),
    "DATE": lambda f, r: f.date_object().strftime(r.choice(DATES)),
    "YEAR": lambda f, r: str(r.randrange(1940, 2025)),
    "MONTH": lambda f, r: r.choice(("May", "June", "October", "January")),
    "DAY": lambda f, r: r.choice(("Monday", "Friday", "week", "Sunday")),
    "TIME": lambda f, r: r.choice(("4 pm", "16:30", "noon")),
    "EXPIRY": lambda f, r: f"{r.randrange(1, 13):02}/{r.randrange(25, 31)}",
    "LAST4": lambda f, r: f"{r.randrange(10000):04}",
    "MONEY": lambda f, r: f"${r.randrange(1000)}",
    "NATIONALITY": lambda f, r: r.choice(NATIONALITIES),
    "JOB": lambda f, r: american().job(),
    "LICENSE": lambda f, r: f.bothify(
        r.choice(("?#######", "########", "##-###-###", "??######"))
    ).upper(),
    "PLATE": lambda f, r: plates(f),
    "BTC": lambda f, r: (
        "1"
        + "".join(
            r.choice("abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ123456789")
            for _ in range(32)
        )
    ),
}
# What nobody must find, and what is marked but seldom asked for.
PLAIN = frozenset(("TIME", "MONEY", "LAST4", "EXPIRY", "JOB", "DAY"))
NAMES = {
    "FIRST": "PERSON",
    "LAST": "PERSON",
    "STREET": "ADDRESS",
    "CITY": "LOCATION",
    "STATE": "LOCATION",
}
NAMES |= {"COUNTRY": "LOCATION", "YEAR": "DATE", "MONTH": "DATE", "DOMAIN": "URL"}
SLOT = re.compile(r"\{([A-Z0-9]+)\}")


def made(count: int, seed: int) -> list[tuple[str, list[tuple[int, int, str]]]]:
    """Texts with their mentions; the same for the same seed."""
    random = Random(seed)
    every = fakes(LOCALES, seed)
    found = []
    for number in range(count):
        fake = every[random.choice(LOCALES)]
        template = SENTENCES[number % len(SENTENCES)].replace("\\n", "\n")
        found.append(
            filled(
                SLOT,
                template,
                lambda label, fake=fake: MAKERS[label](fake, random),
                lambda label: None if label in PLAIN else NAMES.get(label, label),
            )
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--recognizer", default="en")
    parser.add_argument("--misses", default="")
    parser.add_argument("--wrong", action="store_true")
    arguments = parser.parse_args()
    documents = made(arguments.count, arguments.seed)
    spans = recognizer(arguments.recognizer)([text for text, _ in documents])
    seen = judged(documents, spans)
    print(
        f"{arguments.recognizer}: {seen.gold.total():,} mentions, found {seen.recall:.3f}, letters"
        f" right {seen.precision:.3f}"
    )
    for kind in sorted(seen.gold):
        print(f"  {kind} {seen.gold[kind]} {seen.found[kind] / seen.gold[kind]:.3f}")
    for kind, value, text in seen.missed:
        if kind in arguments.misses.split(","):
            print(f"{kind}\t{value!r}\t{text!r}")
    if arguments.wrong:
        for span in spans:
            text, marks = documents[span.document]
            if not any(start < span.stop and span.start < stop for start, stop, _ in marks):
                print(f"WRONG {span.label}\t{text[span.start : span.stop]!r}\t{span.why}\t{text!r}")


if __name__ == "__main__":
    main()
