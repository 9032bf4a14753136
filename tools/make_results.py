"""Writes docs/results.md from the tables that the benchmarks recorded in docs/results.

python tools/make_results.py

A table stands under the part that its script gave it. The page begins with the questions that
people come with, each with its tables, and with a list of the papers' own tables and figures.
Digits beyond the third, long cells and rows beyond the first ones are left to the files.
"""

from __future__ import annotations

import csv
import html
import io
import re
from fnmatch import fnmatch
from pathlib import Path

from paper_tables import papers_section

DOCS = Path(__file__).parents[1] / "docs"
SHOWN, MOST, WIDE = 8, 14, 90  # rows above the fold, rows without one, letters of a cell
PARTS = {
    "Whole commands": "Commands as a user runs them: read, change, verify, write.",
    "suppress": "Stars on everything that fewer than k people share.",
    "redact": "Letters of listed terms hidden, so that every term looks like k others.",
    "sanitize": "Patterns that must not occur in a string; other patterns stay as they were.",
    "anonymize": "Tables with texts: classes of k people who look alike.",
    "generalize": "Words made more general, so that t texts may have been the original.",
    "Recognisers": "What finds names, dates and numbers in a text.",
    "Attacks": "Programs that try to find people or hidden text in a release.",
    "Policies": "Several verbs one after another.",
    "Large files": "Inputs that are read in parts.",
    "More than one machine": "The same release on Spark.",
    "Studio": "The pages in a browser.",
    "Peers": "Other software on the same input, installed into environments of their own.",
    "Ratios that are watched": "What `make bench-check` compares.",
}
QUESTIONS = {
    "How long does a command take, and how does that grow?": (
        *("scaling*", "suppress_command", "pipeline_speed", "startup*", "verify_shares"),
        "studio_*",
    ),
    "How fast are the methods themselves?": (
        *("suppress_speed", "suppress_libsais", "suppress_size", "text_speed", "terms_speed"),
        *("terms_baselines", "patterns_speed", "patterns_parameters", "patterns_etfs"),
        *("patterns_verify", "verify_speed", "meanings_notes", "meanings_searches*"),
        *("records_speed", "records_*_time*", "recognizers_speed"),
    ),
    "How large may the input be?": ("external_*", "streaming", "pipeline_stream", "spark_*"),
    "How does it compare with other software?": ("peers_*", "records_compared"),
    "What does a release lose?": (
        *("suppress_settings", "suppress_strict*", "terms_optimum", "terms_program", "terms_dense"),
        *("patterns_utility*", "patterns_implausible*", "patterns_mcsr", "patterns_edre"),
        *("records_loss", "records_demands", "meanings_baselines", "meanings_guarantees"),
        "downstream",
    ),
    "What does an attacker still find?": (
        *("attacks_*", "singled_*", "stars_*", "sweep_*", "small_worlds", "suppress_known_*"),
        *("suppress_lengths", "terms_attack", "patterns_attack", "meanings_inversion"),
        *("records_attacks", "records_inference", "records_knows_*", "records_risk"),
        *("entities*", "composed_*"),
    ),
    "How well are names and numbers found?": ("recognizers_*", "meanings_senses"),
    "Which classes, splits and losses does the records paper report?": (
        *("records_blogs_*", "records_hotels_*", "records_paper_*"),
    ),
    "Which precision and recall does the substrings paper report?": ("figure2_*",),
    "Which ratios may not get worse?": ("ratios",),
}
HEAD = """# Results

Every table and picture on this page was made by the command that stands below it, and the page by
`make docs`. `make bench` runs all of them again, `make bench-check` compares the ratios that
matter with the recorded ones. Whole tables, with all digits, are the CSV files that are linked.

How to read them:

- **CPU s** are seconds of processor time on a machine of two cores that others used at the same
  time. Compare within a table, not between two.
- **peak MB** is the most memory that a process had.
- **control** is the same attack on people who are not in the data. An attack that finds no more
  than its control has learnt nothing from the release. Brackets behind a share are its 95%
  interval.
- **linkage-rare**, **linkage-words**, **membership**, **singling-out** and the other attacks are
  shares of people found; [judging](judging.md) says what each one does.
- **NCP_A** and **NCP_X** are losses of columns and of texts: 0 is nothing, 1 is everything.
  **lambda** weighs columns against texts. **classes** are groups of people who look alike in the
  release.
- **found** is the share of marked mentions that a recogniser covers whole, **people** the same of
  people's names, **letters right** the share of covered letters that belong to a mention.
- Other words: [glossary](glossary.md).
"""
ROW = re.compile(r"(-?)(\d+)(?:\.(\d+))?")


def read(path: Path) -> tuple[dict[str, str], list[list[str]]]:
    """What is said about a table, and its rows; the first has the names of the columns."""
    lines = path.read_text("utf-8").splitlines(keepends=True)
    said = [line for line in lines if line.startswith("# ")]
    about = dict(line[2:].rstrip("\n").split(": ", 1) for line in said)
    return about, list(csv.reader(io.StringIO("".join(lines[len(said) :]))))


def cell(text: str) -> str:
    """A number with three digits that count, and commas; nothing for what is not a number."""
    if text == "nan":
        return ""
    if not (found := ROW.fullmatch(text)):
        return text.replace("|", "\\|")
    sign, whole, rest = found[1], found[2], found[3] or ""
    value = float(text)
    digits = len((whole + rest).lstrip("0"))
    if rest and digits > 3 and abs(value) >= 0.001:
        places = max(0, 3 - len(whole)) if int(whole) else 3 + len(rest) - len(rest.lstrip("0"))
        places += 1 <= abs(value) < 2  # 1.036 is a loss of 3.6%, not of 4%
        if round(abs(value), places) != round(abs(value)) or places == 0:
            return f"{value:,.{places}f}"
    return f"{sign}{int(whole):,}" + (f".{rest}" if rest else "")


def section(path: Path) -> str:
    """One table with what it shows, its pictures and its command."""
    about, (names, *rows) = read(path)
    lines = [f'<a id="{path.stem}"></a>', "", f"### {about['title']}", ""]
    if "note" in about:
        lines += [about["note"], ""]
    if pictures := _pictures(path):
        for one in pictures:
            what = one.stem.removeprefix(path.stem).strip("_").replace("_", " ")
            named = f"{about['title']}: {what}" if what else about["title"]
            lines += [f"![{named}](results/{one.name})", ""]
        lines += [f"(pictures made by `{about['command']}`)", ""]
    if about.get("listed") != "no":
        lines += _table(path, names, rows)
    return "\n".join([*lines, f"`{about['command']}` → [{path.name}](results/{path.name})", ""])


def _table(path: Path, names: list[str], rows: list[list[str]]) -> list[str]:
    """The columns that fit on a page; rows beyond the first are folded, or left to the file."""
    wide = {i for row in rows for i, one in enumerate(row) if len(one) > WIDE}
    kept = [i for i in range(len(names)) if i not in wide]
    shown = [[cell(row[i]) for i in kept] for row in rows]
    above = len(rows) if len(rows) <= MOST else SHOWN
    titles = [names[i].replace("|", "\\|") for i in kept]
    table = [titles, ["---"] * len(kept), *shown[:above]]
    lines = [*("| " + " | ".join(cells) + " |" for cells in table), ""]
    if left := [f"`{names[i]}`" for i in sorted(wide)]:
        lines += [f"The file has {' and '.join(left)} besides.", ""]
    if above < len(rows) <= 60:
        lines += [_folded([names[i] for i in kept], shown[above:]), ""]
    elif above < len(rows):
        lines += [f"The first {above} of {len(rows)} rows: the others are in the file.", ""]
    return lines


def _folded(names: list[str], rows: list[list[str]]) -> str:
    """Further rows behind a line that opens them; in HTML, since Markdown is not read there."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    body = [
        "<tr>"
        + "".join(f"<td>{_code(one.replace(chr(92) + '|', '|'))}</td>" for one in row)
        + "</tr>"
        for row in rows
    ]
    more = f"<details><summary>{len(rows)} more rows</summary><table>"
    return "\n".join([more, f"<tr>{head}</tr>", *body, "</table></details>"])


def _code(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))


def _pictures(path: Path) -> list[Path]:
    """Those named after this table, and after no longer name of another one."""
    stems = [other.stem for other in path.parent.glob("*.csv") if len(other.stem) > len(path.stem)]
    found = sorted(path.parent.glob(f"{path.stem}*.svg"))
    return [one for one in found if not any(one.stem.startswith(stem) for stem in stems)]


def question_of(name: str) -> str:
    """The first question that has this table."""
    for question, patterns in QUESTIONS.items():
        if any(fnmatch(name, pattern) for pattern in patterns):
            return question
    return "Other tables"


def contents(paths: list[Path]) -> str:
    """Every question with its tables."""
    lines = ["## By question", ""]
    asked: dict[str, list[Path]] = {question: [] for question in QUESTIONS}
    for path in paths:
        asked.setdefault(question_of(path.stem), []).append(path)
    for question, some in asked.items():
        links = [f'<li><a href="#{p.stem}">{_code(read(p)[0]["title"])}</a></li>' for p in some]
        lines += [f"<details><summary>{question} ({len(some)})</summary><ul>"]
        lines += [*links, "</ul></details>", ""]
    lines += ["Which tables and figures of the five papers are redone: [below](#papers).", ""]
    return "\n".join(lines)


def page(folder: Path = DOCS / "results") -> str:
    """The whole page: questions, papers, then tables by part."""
    paths = sorted(folder.glob("*.csv"))
    found: dict[str, list[str]] = {part: [] for part in PARTS}
    titles = {path.stem: read(path)[0]["title"] for path in paths}
    for path in paths:
        found.setdefault(read(path)[0]["part"], []).append(section(path))
    parts = [
        "\n\n".join([f"## {part}", *([PARTS[part]] if part in PARTS else []), "\n".join(some)])
        for part, some in found.items()
        if some
    ]
    return "\n".join([HEAD, contents(paths), papers_section(titles), *parts])


def main() -> None:
    """Writes the page."""
    (DOCS / "results.md").write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
