"""The cases of formats: every verb on texts over a small input in every format."""

from __future__ import annotations

KEY = "--key-file key"
WHO = "--group-column who"
# Of each format: the input, how its texts are named, whose they are, and the release's name.
READ = {
    "csv": ("notes.csv", "--text-column text", WHO, "out.csv"),
    "tsv": ("notes.tsv", "--text-column text", WHO, "out.tsv"),
    "jsonl": ("notes.jsonl", "--text-column text", WHO, "out.jsonl"),
    "jsonl-path": (
        "visits.jsonl",
        "--text-column note[].text",
        "--group-column patient",
        "out.jsonl",
    ),
    "json": (
        "visits.json",
        "--text-column entry[].note[].text",
        "--group-column entry[].patient",
        "out.json",
    ),
    "attachment": ("documents.jsonl", "--text-column content[].attachment.data", "", "out.jsonl"),
    "txt": ("note.txt", "", "", "out.txt"),
    "lines": ("notes.lines", "", "", "out.lines"),
    "as-lines": ("note.txt", "--format lines", "", "out.txt"),
    "folder": ("texts", "", "", "out"),
    "fasta": ("dna.fasta", "", "", "out.fasta"),
    "events": (
        "clicks.csv",
        "--text-column page --format events",
        "--group-column user",
        "out.csv",
    ),
    "parquet": ("notes.parquet", "--text-column text", WHO, "out.parquet"),
    "xlsx": ("notes.xlsx", "--text-column text", WHO, "out.xlsx"),
    "xlsx-shared": ("shared.xlsx", "--text-column text", WHO, "out.xlsx"),
    "xlsx-sheet": ("notes.xlsx", "--format xlsx:other --text-column remark", "", "out.xlsx"),
    "brat": ("brat", "", "", "out"),
    "i2b2": ("i2b2/p0.xml", "", "", "out.xml"),
    "i2b2-folder": ("i2b2", "", "", "out"),
    "csv-gz": ("notes.csv.gz", "--text-column text", WHO, "out.csv.gz"),
    "jsonl-zst": ("notes.jsonl.zst", "--text-column text", WHO, "out.jsonl.zst"),
}


def _lines(source: str, texts: str, groups: str, out: str) -> tuple[str, ...]:
    """Each verb, and the judgement of what it wrote; events are for those that take people."""
    stem, dot, ending = out.partition(".")
    patterns = "motifs.txt" if ending == "fasta" else "patterns.txt"
    verbs = {
        "suppress": (f"{groups} -k 2", groups),
        "redact": ("--terms terms.txt -k 2", "--terms terms.txt"),
        "generalize": (
            "--words asthma,cough,fever --ontology ontology.csv -t 2",
            "--ontology ontology.csv",
        ),
        "sanitize": (f"--patterns {patterns} --length 5", f"--patterns {patterns}"),
        "pseudonymize": (f"{groups} --mapping map", f"{groups} --mapping map"),
    }
    if "events" in texts:
        verbs = {verb: verbs[verb] for verb in ("suppress", "pseudonymize")}
    lines = []
    for verb, (given, judged) in verbs.items():
        target = f"{stem}-{verb}{dot}{ending}"
        lines.append(f"{verb} {source} {texts} {given} {KEY} -o {target}")
        lines.append(f"verify {source} {target} {texts} {judged} {KEY}")
    target = f"{stem}-pseudonymize{dot}{ending}"
    undo = f"pseudonymize {target} --undo --mapping map {texts} {groups} {KEY}"
    lines.append(f"{undo} -o back{dot}{ending}")
    if "events" not in texts:
        lines.append(f"recognise {source} {texts} -o found.jsonl")
    return tuple(" ".join(line.split()) for line in lines)


FORMATS = {f"format-{name}": _lines(*given) for name, given in READ.items()}
