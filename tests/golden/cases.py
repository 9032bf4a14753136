"""The cases: a name and the command lines that are run, one after another, in a fresh folder.

The folder holds a copy of `inputs/`, and in `clinic/`, where a line names it, the example data of
the package. `< FILE` at a line's end is standard input.
"""

from __future__ import annotations

import re

from golden.formats import FORMATS

KEY = "--key-file key"
TEXT = f"--text-column text {KEY}"
GROUPS = f"--text-column text --group-column who {KEY}"
CLINIC = f"--text-column text --group-column patient_id {KEY}"
NOTES = f"clinic/clinic_notes.jsonl {CLINIC}"
PRIVATE = "--private-certificate private.json"

SUPPRESS = {
    "suppress-clinic": (
        f"suppress {NOTES} -k 5 -o out.jsonl {PRIVATE}",
        f"verify clinic/clinic_notes.jsonl out.jsonl {CLINIC}",
        "verify out.jsonl",
        "attack clinic/clinic_notes.jsonl out.jsonl --text-column text "
        "--group-column patient_id --sample 40 --json",
    ),
    "suppress-several-k": (f"suppress notes.jsonl {GROUPS} -k 2,3 -o out.jsonl --json",),
    "suppress-strict": (
        f"suppress notes.jsonl {GROUPS} -k 2 --strict -o out.jsonl",
        "verify out.jsonl",
        f"verify notes.jsonl out.jsonl {GROUPS} --json",
    ),
    "suppress-documents": (f"suppress notes.jsonl {TEXT} -k 3 --count documents -o out.jsonl",),
    "suppress-occurrences": (f"suppress notes.jsonl {TEXT} -k 3 --count occurrences -o out.jsonl",),
    "suppress-words": (f"suppress notes.jsonl {TEXT} -k 2 --unit word --min-run 2 -o out.jsonl",),
    "suppress-graphemes": (
        f"suppress notes.jsonl {TEXT} -k 2 --unit grapheme --align character -o out.jsonl",
    ),
    "suppress-run-price": (f"suppress notes.jsonl {TEXT} -k 2 --run-price 3 -o out.jsonl",),
    "suppress-longest-first": (
        f"suppress notes.jsonl {TEXT} -k 2 --cover longest-first -o out.jsonl",
    ),
    "suppress-word-cover": (f"suppress notes.jsonl {TEXT} -k 2 --cover word -o out.jsonl",),
    "suppress-word-and-repeats": (
        f"suppress notes.jsonl {TEXT} -k 2 --cover word-and-repeats -o out.jsonl",
    ),
    "suppress-keep-collapse": (
        f"suppress notes.jsonl {TEXT} -k 2 --keep ' .,' --mask '#' --collapse -o out.jsonl",
    ),
    "suppress-spans": (
        f"suppress notes.jsonl {GROUPS} -k 2 --spans spans.jsonl -o out.jsonl {PRIVATE}",
        f"verify notes.jsonl out.jsonl {GROUPS} --spans spans.jsonl",
        f"verify notes.jsonl out.jsonl {GROUPS}",
    ),
    "suppress-hipaa": (
        f"suppress notes.jsonl {GROUPS} -k 2 --spans spans.jsonl --preset hipaa -o out.jsonl",
    ),
    "suppress-columns": (
        "suppress notes.csv --text-column text --text-column plan --group-column who "
        f"{KEY} -k 2 -o out.csv",
        "verify notes.csv out.csv --text-column text --text-column plan --group-column who",
    ),
    "suppress-stdin": (
        f"suppress - --format csv {GROUPS} -k 2 -o - --certificate c.json < notes.csv",
    ),
    "suppress-memory": (f"suppress notes.jsonl {TEXT} -k 2 --memory 1GB -o out.jsonl",),
    "suppress-quiet": (f"suppress notes.jsonl {TEXT} -k 2 -q -o out.jsonl",),
    "suppress-number-files": (
        f"suppress texts {KEY} -k 2 --number-files -o out",
        f"suppress texts {KEY} -k 2 -o out",
        f"suppress texts {KEY} -k 2 --overwrite -o out",
    ),
}
REDACT = {
    "redact-clinic": (
        f"redact clinic/clinic_notes.jsonl {TEXT} --terms terms.txt -k 3 -o out.jsonl {PRIVATE}",
        f"verify clinic/clinic_notes.jsonl out.jsonl {TEXT} --terms terms.txt",
    ),
    "redact-matching": (
        f"redact notes.jsonl {TEXT} --terms terms.txt -k 2 --guarantee matching -o out.jsonl",
        f"verify notes.jsonl out.jsonl {TEXT} --terms terms.txt",
    ),
    "redact-direct": (
        f"redact notes.jsonl {TEXT} --terms terms.txt --direct direct.txt -k 2 -o out.jsonl",
        f"verify notes.jsonl out.jsonl {TEXT} --terms terms.txt --direct direct.txt --json",
        f"verify notes.jsonl out.jsonl {TEXT} --terms terms.txt",
    ),
    "redact-dictionary": (
        f"redact notes.jsonl {TEXT} --terms terms.txt -k 2 -o out.jsonl "
        "--save-dictionary d.sfumato",
        f"verify notes.jsonl out.jsonl {TEXT} --terms d.sfumato",
        f"redact notes.csv {TEXT} --terms d.sfumato -k 2 -o again.csv",
    ),
    "redact-spans": (
        f"redact notes.jsonl {TEXT} --terms terms.txt --spans spans.jsonl -k 2 -o out.jsonl",
        f"verify notes.jsonl out.jsonl {TEXT} --terms terms.txt --spans spans.jsonl",
    ),
    "redact-star": (
        f"redact notes.jsonl {TEXT} --terms terms.txt -k 2 --rare-lengths star --mask + "
        "-o out.jsonl",
    ),
    "redact-folded": (
        f"redact notes.jsonl {TEXT} --terms terms.txt -k 2 --fold-case --fold-width "
        "--no-whole-words -o out.jsonl",
    ),
    "redact-asked": (
        "redact --terms terms.txt --explain Alton",
        "redact --terms terms.txt --tradeoff",
        "redact --terms terms.txt --explain Alton --json",
        "redact --terms terms.txt --tradeoff --json",
    ),
    "redact-stream": (
        f"redact notes.jsonl {TEXT} --terms terms.txt -k 2 --stream -o out.jsonl",
        f"verify notes.jsonl out.jsonl {TEXT} --terms terms.txt --stream",
    ),
}
GENERALIZE = {
    "generalize-words": (
        f"generalize notes.jsonl {TEXT} -t 8 --words 'asthma,cough,chest pain' -o out.jsonl "
        f"{PRIVATE}",
        f"verify notes.jsonl out.jsonl {TEXT}",
        f"verify notes.jsonl out.jsonl {TEXT} --private-certificate private.json",
    ),
    "generalize-nouns": (
        f"generalize note.txt {KEY} -t 4 -o out.txt",
        "verify note.txt out.txt",
    ),
    "generalize-ontology": (
        f"generalize notes.jsonl {TEXT} -t 2 --words-file words.txt --ontology ontology.csv "
        "-o out.jsonl",
        f"verify notes.jsonl out.jsonl {TEXT} --ontology ontology.csv",
    ),
    "generalize-search": (
        f"generalize notes.jsonl {TEXT} -t 2 --words asthma,cough --ontology ontology.csv "
        "--search lub --objective smallest --alpha 0.3 --min-volume 1 -o lub.jsonl",
        f"generalize notes.jsonl {TEXT} -t 2 --words asthma,cough --ontology ontology.csv "
        "--search exhaustive --volume level --sense first -o all.jsonl",
    ),
    "generalize-frequencies": (
        f"generalize notes.jsonl {TEXT} -t 2 --words asthma,cough --ontology ontology.csv "
        "--frequencies frequencies.csv -o out.jsonl",
        f"verify notes.jsonl out.jsonl {TEXT} --ontology ontology.csv "
        "--frequencies frequencies.csv",
    ),
    "generalize-segments": (
        f"generalize note.txt {KEY} -t 2 --segment sentence --words asthma,nurse --t-word nurse=4 "
        "-o out.txt",
        "verify note.txt out.txt --t-word nurse=4",
    ),
    "generalize-spans": (
        f"generalize notes.jsonl {TEXT} -t 2 --spans spans.jsonl -o out.jsonl",
        f"verify notes.jsonl out.jsonl {TEXT} --spans spans.jsonl",
    ),
    "generalize-unknown": (
        f"generalize notes.jsonl {TEXT} -t 2 --words asthma,nurse --ontology ontology.csv "
        "--unknown keep -o out.jsonl",
        f"generalize notes.jsonl {TEXT} -t 2 --words asthma,nurse --ontology ontology.csv "
        "--unknown fail -o out2.jsonl",
    ),
    "generalize-ladder": (
        "generalize notes.jsonl --text-column text --words asthma,cough --ontology ontology.csv "
        "-t 2 --show-ladder",
    ),
}
SANITIZE = {
    f"sanitize-{method}": (
        f"sanitize dna.fasta --patterns motifs.txt --length 5 --method {method} {KEY} -o out.fasta"
        + (" --rho -1" if method == "tmi" else ""),
        f"verify dna.fasta out.fasta {KEY} --patterns motifs.txt",
    )
    for method in ("tfs", "pfs", "etfs", "tpm", "tm", "tmi", "ba", "ba-reverse")
} | {
    "sanitize-mcsr": (
        f"sanitize dna.fasta --patterns motifs.txt --length 5 --replacement mcsr --tau 2 --theta 9 "
        f"{KEY} -o out.fasta",
    ),
    "sanitize-implausible": (
        f"sanitize dna.fasta --patterns motifs.txt --length 5 --tau 2 "
        f"--implausible implausible.txt {KEY} -o out.fasta",
        f"verify dna.fasta out.fasta {KEY} --patterns motifs.txt --implausible implausible.txt",
    ),
    "sanitize-draw": (
        f"sanitize dna.fasta --draw 2 --length 4 --seed 3 {KEY} -o out.fasta {PRIVATE}",
        f"verify dna.fasta out.fasta {KEY} --private-certificate private.json",
    ),
    "sanitize-positions": (
        f"sanitize dna.fasta --positions 0:3,1:2 --length 4 {KEY} -o out.fasta",
        f"verify dna.fasta out.fasta {KEY} --positions 0:3,1:2",
    ),
    "sanitize-events": (
        f"sanitize clicks.csv --person-column user --text-column page --unit token "
        f"--patterns pages.txt {KEY} -o out.csv",
        "verify clicks.csv out.csv --text-column page --group-column user --patterns pages.txt",
    ),
    "sanitize-delete": (
        f"sanitize clicks.csv --person-column user --text-column page --time-column at "
        f"--times exact --method delete --patterns pages.txt {KEY} -o out.csv",
        "verify clicks.csv out.csv --text-column page --group-column user --patterns pages.txt",
    ),
    "sanitize-replace": (
        f"sanitize dna.fasta --patterns motifs.txt --length 5 --method pfs {KEY} -o y.fasta -q",
        f"sanitize y.fasta --patterns motifs.txt --length 5 --method replace {KEY} -o out.fasta",
        f"verify y.fasta out.fasta {KEY} --patterns motifs.txt",
    ),
    "sanitize-lines": (
        f"sanitize note.txt --per-line --unit token --patterns pages.txt {KEY} -o out.txt",
    ),
    "sanitize-spans": (
        f"sanitize notes.jsonl {TEXT} --spans spans.jsonl --keep-short --separator § -o out.jsonl",
    ),
}
ANONYMIZE = {
    "anonymize-clinic": (
        "anonymize clinic/clinic.csv --schema clinic/clinic_schema.yaml -k 5 -l 2 "
        f"{KEY} -o out.csv {PRIVATE}",
    ),
    **{
        f"anonymize-{partitioner}": (
            f"anonymize people.csv --schema people.yaml -k 3 --partitioner {partitioner} {KEY} "
            "-o out.csv",
            f"verify people.csv out.csv --schema people.yaml {KEY}",
            "verify out.csv --schema people.yaml",
        )
        for partitioner in ("mondrian", "gdf", "clusters")
    },
    "anonymize-several-k": (
        f"anonymize people.csv --schema people.yaml -k 2,4 {KEY} -o out.csv --json",
    ),
    "anonymize-diversity": (
        f"anonymize people.csv --schema people.yaml -k 3 -l 2 --diversity entropy {KEY} -o e.csv",
        f"anonymize people.csv --schema people.yaml -k 3 -l 2 --diversity recursive --c 3 {KEY} "
        "-o r.csv",
        f"anonymize people.csv --schema people.yaml -k 3 -t 0.5 {KEY} -o t.csv",
    ),
    "anonymize-options": (
        f"anonymize people.csv --schema people.yaml -k 3 --relational-weight 0.2 --cuts printed "
        f"--suppress-share 0.1 {KEY} -o a.csv",
        f"anonymize people.csv --schema people.yaml -k 3 --unshared generalize --own-values all "
        f"{KEY} -o b.csv",
        f"anonymize people.csv --schema people.yaml -k 3 --partitioner clusters --block 10 "
        f"--own-values none --recognizer rules-en+ward.yaml {KEY} -o c.csv",
    ),
    "anonymize-joined": (
        f"anonymize registry.csv posts.csv --schema people.yaml -k 3 {KEY} -o out.csv",
    ),
    "anonymize-registry": (
        f"anonymize registry.csv --schema registry.yaml -k 3 {KEY} -o out.csv {PRIVATE}",
        "verify registry.csv out.csv --schema registry.yaml",
        f"attack registry.csv out.csv --schema registry.yaml {PRIVATE} --json",
        f"attack registry.csv out.csv --schema registry.yaml {PRIVATE}",
    ),
    "anonymize-terms": (
        f"anonymize people.csv --schema people.yaml -k 3 --terms people_terms.csv {KEY} -o out.csv",
    ),
    **{
        f"anonymize-{ending}": (
            f"anonymize people.{ending} --schema people.yaml -k 3 {KEY} -o out.{ending}",
            f"verify people.{ending} out.{ending} --schema people.yaml",
        )
        for ending in ("tsv", "jsonl", "parquet", "xlsx", "csv.gz")
    },
    "anonymize-stdin": (
        f"anonymize - --format csv --schema people.yaml -k 3 {KEY} -o - < people.csv",
    ),
}
PSEUDONYMIZE = {
    "pseudonymize-clinic": (
        f"pseudonymize {NOTES} -o out.jsonl {PRIVATE} --mapping map.sfumato",
        f"verify clinic/clinic_notes.jsonl out.jsonl {CLINIC} --mapping map.sfumato",
        f"pseudonymize out.jsonl --undo --mapping map.sfumato {CLINIC} -o back.jsonl",
    ),
    "pseudonymize-dates": (
        f"pseudonymize notes.jsonl {GROUPS} --dates keep -o keep.jsonl",
        f"pseudonymize notes.jsonl {GROUPS} --dates label -o label.jsonl --json",
    ),
    "pseudonymize-spans": (
        f"pseudonymize notes.jsonl {GROUPS} --spans spans.jsonl -o out.jsonl",
        f"verify notes.jsonl out.jsonl {GROUPS} --spans spans.jsonl",
    ),
    "pseudonymize-ward": (
        f"pseudonymize notes.jsonl {TEXT} --recognizer rules-en+ward.yaml -o out.jsonl",
    ),
    "pseudonymize-es": (f"pseudonymize notes.jsonl {TEXT} --recognizer rules-es -o out.jsonl",),
    "pseudonymize-stream": (
        f"pseudonymize notes.jsonl {GROUPS} --stream --mapping map.sfumato -o out.jsonl",
        f"verify notes.jsonl out.jsonl {GROUPS} --stream --mapping map.sfumato",
        f"pseudonymize out.jsonl --undo --stream --mapping map.sfumato {TEXT} -o back.jsonl",
    ),
}
RECOGNIZE = {
    "recognise-review": (
        "recognise notes.jsonl --text-column text -o spans.out.jsonl",
        "recognise notes.jsonl --text-column text --recognizer rules-en+ward.yaml -o - --json",
        "recognise notes.jsonl --text-column text --stream --roles direct -o direct.jsonl",
        "recognise notes.jsonl --text-column text --spans spans.jsonl --preset gdpr -o gdpr.jsonl",
    ),
    "recognise-exchange": (
        "recognise notes.jsonl --text-column text -o spans.json",
        "recognise notes.jsonl --text-column text --to brat -o ann",
        "recognise notes.jsonl --text-column text --to i2b2 -o xml",
        "recognise notes.jsonl --text-column text --spans spans.json -o a.jsonl",
        "recognise notes.jsonl --text-column text --spans ann -o b.jsonl",
        "recognise notes.jsonl --text-column text --spans xml -o c.jsonl",
    ),
    "recognise-folders": (
        "recognise brat --spans brat -o brat.jsonl",
        "recognise i2b2 --spans i2b2 -o i2b2.jsonl",
        "recognise texts -o texts.jsonl",
    ),
}
LEAVING = " ".join(f"--role {name}=insensitive" for name in ("id", "plan", "town", "label"))
WRITE = {
    "schema": (
        "schema guess people.csv",
        "schema guess clinic/clinic.csv -o guessed.yaml",
        "schema guess people.parquet --json",
        "schema check people.yaml people.csv",
        "schema check people.yaml notes.csv",
        "schema check clinic/clinic_schema.yaml clinic/clinic.csv --json",
        "schema json",
    ),
    "policy": (
        "policy json",
        "policy new --input notes.jsonl --columns text --person who -k 3 refused.yaml",
        f"policy new --input notes.jsonl --columns text --person who {LEAVING} -k 3 new.yaml",
        f"policy new --input notes.jsonl --columns text --person who {LEAVING} -k 3 -",
        "policy new --input people.csv --columns note --person id --stages anonymize,suppress "
        "--schema people.yaml -k 3 table.yaml --json",
        "policy new --input notes.jsonl --columns text --person who --stages "
        "pseudonymize,redact,sanitize --terms terms.txt --patterns patterns.txt "
        f"--recognizer rules-en -k 2 {LEAVING} several.yaml",
        "policy check new.yaml",
        "policy check table.yaml --json",
        "policy check release-four-stages.yaml",
        "policy check release-wrong.yaml",
        "policy check release-unmet.yaml",
        "policy check clinic/clinic_release.yaml",
    ),
}
RUN = {
    "run-clinic": (
        "run clinic/clinic_release.yaml -o out",
        "verify out",
        "verify clinic/clinic.csv out",
    ),
    **{
        f"run-{name}": (
            f"run release-{name}.yaml",
            "verify release",
            f"verify {original} release",
        )
        for name, original in {
            "suppress": "notes.jsonl",
            "suppress-options": "notes.jsonl",
            "redact": "notes.jsonl",
            "generalize": "notes.jsonl",
            "generalize-recognised": "notes.jsonl",
            "sanitize": "notes.jsonl",
            "pseudonymize": "notes.jsonl",
            "pseudonymize-suppress": "notes.jsonl",
            "four-stages": "notes.jsonl",
            "spans": "notes.jsonl",
            "several-columns": "notes.csv",
            "folder": "texts",
            "brat": "brat",
            "parquet": "notes.parquet",
            "xlsx": "notes.xlsx",
            "json": "visits.json",
            "table": "people.csv",
            "table-texts": "people.csv",
            "table-after": "people.csv",
            "two-stages": "notes.jsonl",
        }.items()
    },
    "run-plans": (
        "run release-four-stages.yaml --plan",
        "run release-table-texts.yaml --plan --json",
        "run release-pseudonymize-suppress.yaml --plan",
        "run clinic/clinic_release.yaml --plan",
    ),
    "run-samples": (
        "run release-two-stages.yaml --sample 50%",
        "run release-table.yaml --sample 50% --json",
        "run clinic/clinic_release.yaml --sample 20%",
        "run release-suppress.yaml --sample 1",
    ),
    "run-refused": (
        "run release-unmet.yaml",
        "run release-too-few.yaml",
        "run release-wrong.yaml",
        "run absent.yaml --json",
    ),
    "run-previous": (
        "run release-suppress.yaml -o first",
        "run release-spans.yaml -o second --previous first",
        "run release-suppress.yaml -o first",
        "run release-suppress.yaml -o first --overwrite --json",
        "run release-redact.yaml -o third --previous first",
        "verify third --json",
    ),
    "run-stream": (
        "run release-redact.yaml --stream -o parts",
        "run release-redact.yaml --whole -o whole",
        "run release-pseudonymize.yaml --stream -o surrogates",
        "verify notes.jsonl parts",
        "verify notes.jsonl surrogates",
    ),
    "run-without-private": (
        "run release-pseudonymize-suppress.yaml -q",
        "verify notes.jsonl release --private none",
        "verify notes.jsonl release",
        "verify release --json",
        "verify notes.csv release",
    ),
    "report": (
        "run release-suppress.yaml -q",
        "report release -o report.html",
        "report release -o sample.html --sample-records 1,3 --original notes.jsonl "
        "--columns text,town",
        "report release -o report.html --overwrite --json",
    ),
}
JUDGE = {
    "attack": (
        f"suppress notes.jsonl {GROUPS} -k 2 -q -o out.jsonl",
        "attack notes.jsonl out.jsonl --text-column text --group-column who",
        "attack notes.jsonl out.jsonl --text-column text --group-column who --background part "
        "--attacks linkage-words,membership,reconstruction --public note.txt --seed 4 --json",
        f"redact notes.jsonl {TEXT} --terms terms.txt -k 2 -q -o r.jsonl",
        "attack notes.jsonl r.jsonl --text-column text --attacks redact-inversion "
        "--certificate r.jsonl.certificate.json --terms terms.txt --json",
        f"sanitize dna.fasta --patterns motifs.txt --length 5 -q {KEY} -o s.fasta",
        "attack dna.fasta s.fasta --attacks sanitize-inversion "
        "--certificate s.fasta.certificate.json --patterns motifs.txt --json",
    ),
    "evaluate": (
        f"suppress notes.jsonl {GROUPS} -k 2 -q -o out.jsonl",
        "evaluate notes.jsonl out.jsonl --text-column text --gold gold.jsonl",
        "evaluate notes.jsonl out.jsonl --text-column text --gold gold.jsonl --group-column who "
        "--label-column label --share 0.5 --preset hipaa --json",
        "evaluate notes.jsonl out.jsonl --text-column text --gold spans.jsonl --exempt ' .' --json",
    ),
    "sweep": (
        "sweep notes.jsonl --text-column text --group-column who --values 2,3",
        "sweep notes.jsonl --text-column text --group-column who --values 2,3 --gold gold.jsonl "
        "-o sweep.csv --plot sweep.svg --json",
        "sweep notes.jsonl --text-column text --method redact --terms terms.txt --values 2,3",
        "sweep dna.fasta --method sanitize --patterns motifs.txt --values tfs,tpm -o - --json",
        "sweep people.csv --method anonymize --schema people.yaml --values 2,4",
        "sweep notes.jsonl --text-column text --method generalize --values 2,8",
        "sweep notes.jsonl --text-column text --parameter min_run --values 1,5",
    ),
    "demo": ("demo --raw raw", "demo --raw raw --json"),
}
REFUSED = {
    "refused-input": (
        "suppress absent.jsonl -o out.jsonl",
        "suppress notes.jsonl -o out.jsonl",
        "suppress notes.jsonl --text-column none -o out.jsonl",
        "suppress notes.csv --text-column text --group-column none -o out.csv --json",
        "suppress notes.jsonl --text-column text -k 0 -o out.jsonl",
        "suppress notes.jsonl --text-column text -k 2 -o notes.jsonl",
        "suppress notes.jsonl --text-column text -k 2 --mask a -o out.jsonl",
        "suppress notes.jsonl --text-column text -k 2 --key-file terms.txt -o out.jsonl",
        "suppress dna.fasta --text-column text -o out.fasta",
        "suppress ward.yaml -o out.yaml",
        "suppress notes.xlsx --format xlsx:none --text-column text -o out.xlsx",
        "suppress",
        "suppress notes.jsonl --text-column text --kk 2 -o out.jsonl",
    ),
    "refused-verbs": (
        "redact notes.jsonl --text-column text -k 2 -o out.jsonl",
        "redact notes.jsonl --text-column text --terms terms.txt -k 50 -o out.jsonl",
        "generalize notes.jsonl --text-column text -t 100 --words asthma --ontology ontology.csv "
        "-o out.jsonl",
        "generalize notes.jsonl --text-column text --words asthma --ontology none.csv -o out.jsonl",
        "sanitize dna.fasta --patterns motifs.txt -o out.fasta --separator A",
        "sanitize dna.fasta -o out.fasta",
        "anonymize people.csv --schema people.yaml -k 50 -o out.csv",
        "anonymize people.csv --schema none.yaml -o out.csv",
        "anonymize notes.csv --schema people.yaml -o out.csv",
        "pseudonymize notes.jsonl --text-column text --recognizer none -o out.jsonl",
        "pseudonymize notes.jsonl --text-column text --undo -o out.jsonl",
        "pseudonymize posts.csv --text-column note --spans spans.jsonl -o out.csv",
        "recognise notes.jsonl --text-column plan --spans spans.jsonl -o out.jsonl",
        "sweep notes.jsonl --text-column text --method none --values 2",
        "attack notes.jsonl notes.csv --text-column text --attacks none",
    ),
    "refused-verify": (
        f"suppress notes.jsonl {GROUPS} -k 2 -q -o out.jsonl",
        f"verify notes.csv out.jsonl {GROUPS}",
        f"verify visits.jsonl out.jsonl {GROUPS}",
        f"verify notes.jsonl notes.jsonl {GROUPS} --certificate out.jsonl.certificate.json",
        "verify notes.jsonl out.jsonl --text-column text --key-file ward.yaml",
        "verify notes.jsonl out.jsonl --text-column text",
        "verify notes.jsonl --json",
        "verify out.jsonl --certificate people.yaml",
    ),
}

# Columns beside the texts repeat words that are hidden: who releases them says so.
LEAVING = re.compile(r"(suppress|redact|generalize|sanitize|pseudonymize) (?!.*--undo)")


def allowed(lines: tuple[str, ...]) -> tuple[str, ...]:
    """The lines of a case, in which releases may leave all other columns as they are."""
    return tuple(
        line.replace(" -o ", " --publish all -o ", 1) if LEAVING.match(line) else line
        for line in lines
    )


_ALL: dict[str, tuple[str, ...]] = (
    SUPPRESS
    | REDACT
    | GENERALIZE
    | SANITIZE
    | ANONYMIZE
    | PSEUDONYMIZE
    | RECOGNIZE
    | WRITE
    | RUN
    | JUDGE
    | REFUSED
    | FORMATS
)
# One case without the allowance is the refusal.
CASES = {
    name: lines if name == "suppress-clinic" else allowed(lines) for name, lines in _ALL.items()
}
