"""Large inputs through whole commands: `python benchmarks/load.py --megabytes 500` (make load).

Clinical notes of invented people as JSONL, through `recognize`, `redact`, `generalize` and
`pseudonymize`, and as one text or note by note through `suppress`: each command in a process of its
own (`people` against the reader, `characters` without one). Told of each: CPU seconds, the most
memory, the anonymous part of it, megabytes written, exit code. With several sizes memory that grows
is seen side by side. `--texts` has inputs made to do harm at size (one letter, a de Bruijn
sequence, one document, documents without text). Needs several times the size on disk, in a
temporary folder that is removed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

NAMES = ("Ann Ho", "Bob Lindqvist", "Carla Meier", "Dev Patel", "Ewa Nowak", "Finn O'Hara")
TOWNS = ("Ulm", "Leeds", "Porto", "Gdansk", "Lyon", "Bristol")
ILLS = ("asthma", "cough", "influenza", "fever", "sinusitis", "migraine", "gout", "anaemia")
TERMS = ("asthma", "cough", "influenza", "fever")
# About as many nouns for a line as notes have; the numbers keep lines from being all the same.
LINES = (
    "{name} came on {date} because of {ill} that had been getting worse for about a week.",
    "We talked about what could be done and agreed to wait until {date} before doing more.",
    "Slept badly again, but feels better than last time and wants to go back to {town} soon.",
    "No {ill} so far; told to call 0{number} if it comes back, otherwise to come again later.",
    "As before nothing was found that would explain it, and so {name} was sent home by {town}.",
    "Took {number} of them over the weekend, which did not help much, and then stopped by herself.",
)
POOL = 100_000  # different lines, made once: at 5 GB making each anew takes longer than a command
PROGRAM = "from sfumato.cli import main; main()"
JSONL = ["in.jsonl", "--text-column", "text"]
PEOPLE = [*JSONL, "--group-column", "who", "-k", "5", "-o", "out.jsonl"]
COMMANDS = {
    "recognize": ["recognize", *JSONL, "-o", "out.jsonl"],
    "redact": ["redact", *JSONL, "--terms", "terms.txt", "-k", "2", "-o", "out.jsonl"],
    "generalize": ["generalize", *JSONL, "-t", "2", "-o", "out.jsonl"],
    "pseudonymize": ["pseudonymize", *JSONL, "--key-file", "key", "-o", "out.jsonl"],
    "occurrences": ["suppress", "in.txt", "-k", "5", "--guess", "none", "-o", "out.txt"],
    "people": ["suppress", *PEOPLE],
    "characters": ["suppress", *PEOPLE, "--guess", "none"],
}


def notes(size: int, seed: int = 0) -> Iterator[tuple[str, str]]:
    """Who a note is of, and its text, until they have so many letters."""
    chance, made = random.Random(seed), 0
    lines = [_line(chance) for _ in range(min(POOL, size))]
    while made < size:
        text = " ".join(chance.choices(lines, k=chance.randint(4, 24)))
        made += len(text)
        yield f"p{chance.randrange(100_000)}", text


def _line(chance: random.Random) -> str:
    return chance.choice(LINES).format(
        name=chance.choice(NAMES),
        town=chance.choice(TOWNS),
        ill=chance.choice(ILLS),
        number=chance.randrange(100_000),
        date=f"{chance.randint(1, 28)} March {chance.randint(1990, 2024)}",
    )


def write_notes(folder: Path, size: int) -> None:
    """The notes as lines of JSON and as one text, a list of terms, a key."""
    with (
        (folder / "in.jsonl").open("w", encoding="ascii") as lines,
        (folder / "in.txt").open("w", encoding="ascii") as whole,
    ):
        for who, text in notes(size):  # they have nothing that JSON writes otherwise
            lines.write(f'{{"who": "{who}", "text": "{text}"}}\n')
            whole.write(text + "\n")
    (folder / "terms.txt").write_text("".join(f"{one}\n" for one in TERMS), "utf-8")
    (folder / "key").write_text("a key of more than sixteen bytes\n", "utf-8")


def de_bruijn(size: int, letters: str = "abcd") -> str:
    """A beginning of a sequence with every window of `order` letters at most once."""
    order = 1
    while len(letters) ** order < size:
        order += 1
    return "".join(letters[one] for one in _necklaces(len(letters), order, size))


def _necklaces(many: int, order: int, size: int) -> Iterator[int]:
    """Lyndon words whose lengths divide the order, one after another (Fredricksen, Kessler)."""
    word, told = [0], 0
    while word and told < size:
        if order % len(word) == 0:
            yield from word
            told += len(word)
        word = [word[i % len(word)] for i in range(order)]
        while word and word[-1] == many - 1:
            word.pop()
        if word:
            word[-1] += 1


def write_one_letter(folder: Path, size: int) -> None:
    """One letter, again and again, as one text and as one document."""
    _one_text(folder, "a" * size)


def write_de_bruijn(folder: Path, size: int) -> None:
    """Every window once: nothing is shared."""
    _one_text(folder, de_bruijn(size))


def write_one_document(folder: Path, size: int) -> None:
    """All notes as one document of one person beside five short ones."""
    _one_text(folder, " ".join(text for _, text in notes(size)))


def write_empty(folder: Path, size: int) -> None:
    """Documents without text: one for each hundred bytes asked for."""
    write_notes(folder, 1)
    with (folder / "in.jsonl").open("w", encoding="utf-8") as lines:
        lines.writelines(f'{{"who": "p{i}", "text": ""}}\n' for i in range(size // 100))
    (folder / "in.txt").write_text("\n" * (size // 100))


def _one_text(folder: Path, text: str) -> None:
    write_notes(folder, 1)
    (folder / "in.txt").write_text(text, "utf-8")
    with (folder / "in.jsonl").open("w", encoding="utf-8") as lines:
        for i, each in enumerate([text, *["calm"] * 5]):
            lines.write(json.dumps({"who": f"p{i}", "text": each}) + "\n")


TEXTS: dict[str, Callable[[Path, int], None]] = {
    "notes": write_notes,
    "one letter": write_one_letter,
    "de Bruijn": write_de_bruijn,
    "one document": write_one_document,
    "empty": write_empty,
}


def watched(child: int) -> tuple[int, resource.struct_rusage, int]:
    """How a process ended, what it used, and the most anonymous memory it was seen with, in kB.

    Pages of mapped files count for the most memory too, though the system can drop them.
    """
    most = 0
    while True:
        done, status, used = os.wait4(child, os.WNOHANG)
        if done:
            return status, used, most
        try:
            told = Path(f"/proc/{child}/status").read_text("ascii")
        except OSError:  # it has just ended, or the system has no such files
            told = ""
        found = re.search(r"RssAnon:\s+(\d+) kB", told)
        most = max(most, int(found[1]) if found else 0)
        time.sleep(0.02)


def measured(folder: Path, name: str, more: list[str]) -> dict[str, object]:
    """Runs one command."""
    command = [sys.executable, "-c", PROGRAM, *COMMANDS[name], *more, "-q"]
    given = set(os.listdir(folder))
    begun = time.monotonic()
    child = os.fork()
    if not child:
        os.chdir(folder)
        os.execv(command[0], command)
    status, used, most = watched(child)
    left = [folder / one for one in sorted(set(os.listdir(folder)) - given)]
    row = {
        "command": " ".join([name, *more]),
        "seconds": round(time.monotonic() - begun, 1),
        "CPU seconds": round(used.ru_utime + used.ru_stime, 1),
        "most memory, MB": used.ru_maxrss // 1024,
        "anonymous, MB": most // 1000,
        "files": len(left),
        "written, MB": round(sum(one.stat().st_size for one in left) / 1e6, 1),
        "exit code": os.waitstatus_to_exitcode(status),
    }
    for one in left:
        one.unlink()
    return row


def main() -> None:
    """Prints one row for each command, and ends with 1 where a command did."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", default="500,5000", help="sizes, with commas")
    parser.add_argument("--commands", default=",".join(COMMANDS))
    parser.add_argument(
        "--texts", default="notes", help="kinds of input, with commas; all: every one"
    )
    parser.add_argument("--memory", help="the allowance of suppress")
    parser.add_argument("--stream", action="store_true", help="in parts, also below 64 MB")
    given = parser.parse_args()
    codes = set()
    for kind in TEXTS if given.texts == "all" else given.texts.split(","):
        for size in map(int, given.megabytes.split(",")):
            with tempfile.TemporaryDirectory() as made:
                folder = Path(made)
                TEXTS[kind](folder, size * 1_000_000)
                for name in given.commands.split(","):
                    limited = given.memory and COMMANDS[name][0] == "suppress"
                    more = ["--memory", given.memory] if limited else []
                    more += ["--stream"] if given.stream else []
                    row = {"texts": kind, "MB": size, **measured(folder, name, more)}
                    print(row, flush=True)
                    codes.add(row["exit code"])
    if codes - {0}:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
