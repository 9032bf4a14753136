"""A report says what the certificate and the figures say, escapes everything, loads nothing."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest

import sfumato as sf
from sfumato.cli.app import run
from sfumato.core.errors import BadInput
from sfumato.reports.attack_verdict import verdict
from sfumato.reports.report import report
from sfumato.reports.sample import Record, changed
from sfumato.reports.sections import judged
from unit.reports.test_charts import ATTACK, CURVE

NOTES = ["Ann has flu.", "Bob has flu.", "Eve has flu."]
FIGURES = {
    "loss_by_column": {"age": 0.4},
    "loss_by_entity_type": {"PERSON": 1.0},
    "class_sizes": {"5": 3},
    "curves": [CURVE],
    "attacks": [ATTACK],
    "evaluation": {"recall": 0.75, "benchmark": {"direct": 0.5}},
}
VOID = {"meta", "link", "br"}


class Outline(HTMLParser):
    """Checks that elements close in order; collects identifiers, attributes and text."""

    def __init__(self, html: str):
        super().__init__()
        self.open, self.ids, self.attributes, self.text = [], [], set(), ""
        self.feed(html)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.attributes |= {name for name, _ in attributes}
        self.ids += [value for name, value in attributes if name == "id"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.fixture(scope="module")
def certificate():
    release = sf.suppress(NOTES, k=3)
    return release.certificate(sf.verify(NOTES, release))


@pytest.fixture(scope="module")
def full(certificate):
    return report(certificate, FIGURES, name="notes", policy="version: 1", files={"a": "ff" * 32})


def test_every_section_is_there_and_well_formed(full):
    outline = Outline(full)
    for name in ("released", "claims", "not-protected", "loss", "attacks", "evaluation", "hashes"):
        assert outline.ids.count(name) == 1
        assert f'href="#{name}"' in full
    assert len(outline.ids) == len(set(outline.ids))
    assert "✓ Verified" in outline.text
    assert "secrets that occur often" in outline.text
    assert "30% (20–40%)" in outline.text
    assert "ff" * 32 in outline.text
    assert full.count("<svg") == 5


def test_nothing_leaves_the_page(full):
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', full)[1]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    outside = set(re.findall(r'(?:src|href|action)="([^"#][^"]*)"', full))
    assert outside == {"data:,"}
    assert not re.search(r"<script|javascript:|@import|url\(", full)
    attributes = Outline(full).attributes
    assert not {name for name in attributes if name.startswith("on")} | (attributes & {"style"})


def test_same_arguments_same_bytes(certificate, full):
    files = {"a": "ff" * 32}
    assert full == report(certificate, FIGURES, name="notes", policy="version: 1", files=files)


def test_what_comes_from_outside_is_escaped(certificate):
    evil = "<img src=x onerror=alert(1)>"
    given = json.loads(json.dumps(certificate))
    given["claims"][0]["statement"] = given["not_protected"][0] = given["verb"] = evil
    given["parameters"][evil] = given["counts"][evil] = evil
    given["hashes"][evil] = {evil: evil}
    given["stages"] = [{"verb": evil, "parameters": {evil: evil}}]
    figures = {
        "loss": {evil: 1},
        "loss_by_column": {evil: 1.0},
        "attacks": [{**ATTACK, "name": evil}],
        "curves": [{**CURVE, "measure": evil, "label": evil}],
        "evaluation": {evil: {evil: 1}},
    }
    sample = [Record(1, ((evil, evil, evil + "x"),))]
    html = report(given, figures, name=evil, policy=evil, files={evil: evil}, sample=sample)
    assert "<img" not in html
    Outline(html)


def test_a_claim_that_fails_or_was_not_judged_is_said(certificate):
    failed = {**certificate, "verdicts": [{**certificate["verdicts"][0], "holds": False}]}
    assert "✗ Does not hold" in report(failed)
    assert "0 of 1" in report(failed)
    assert "Not judged" in report({**certificate, "verdicts": []})
    assert "claims nothing" in report({**certificate, "claims": [], "verdicts": []})


def test_verdicts_of_two_claims_with_one_name_are_not_mixed():
    claims = [{"name": "a", "n": 1}, {"name": "a", "n": 2}]
    verdicts = [{"claim": "a", "holds": True}, {"claim": "a", "holds": False}]
    found = judged({"claims": claims, "verdicts": verdicts})
    assert [verdict["holds"] for _, verdict in found] == [True, False]


def test_private_certificates_are_refused(certificate):
    with pytest.raises(BadInput, match="public"):
        report({**certificate, "certificate": "private"})


def test_an_attack_is_above_its_control_only_beyond_both_intervals():
    assert verdict(ATTACK) == "perhaps above"
    assert verdict({**ATTACK, "success": 0.2}) == "near"
    assert verdict({**ATTACK, "low": 0.25}) == "above"
    assert verdict({**ATTACK, "low": 0.25, "baseline": 0.3}) == "above"
    assert verdict({**ATTACK, "high": 0.01, "low": 0.0}) == "below"
    none = {"control": None, "control_low": None, "control_high": None}
    assert verdict({**ATTACK, **none}) == verdict({"name": "a", "success": 1.0}) == "no control"


def test_attacks_tell_what_was_known_and_whose_the_control_is(certificate):
    told = {"background": "a part", "control_of": "people held out", "at_most": 0.3}
    html = report(certificate, {"attacks": [{**ATTACK, **told}]})
    assert "the attacker knows a part; the control is people held out." in html
    assert "at most, by the policy" in html


def test_names_of_the_user_stand_as_they_are(certificate):
    lost = {"loss_by_column": {"stay_in_days": 0.5}, "loss": {"NCP_A:stay_in_days": 0.5}}
    html = report(certificate, lost, name="hotel_iso.csv", files={"data/hotel_iso.csv": "00"})
    assert "hotel iso" not in html
    assert "stay in days" not in html
    assert html.count("hotel_iso.csv") >= 3


@pytest.mark.parametrize("value", [0.9992, 0.99999999, 0.00001, 1e-12])
def test_no_rounding_makes_a_certainty(certificate, value):
    attack = {**ATTACK, "success": value, "low": value, "high": value, "baseline": value}
    html = report(
        certificate, {"attacks": [attack], "loss": {"changed_share": value, "NCP": value}}
    )
    told = re.sub(r"<svg\b.*?</svg>", "", html, flags=re.DOTALL).partition('id="attacks"')[2]
    for certain in (">100%<", ">0%<", ">1<", ">0<", "100%)"):
        assert certain not in told.partition("</section>")[0]
        assert f"changed</th><td{certain}" not in html
    assert "<dd>100%</dd>" not in html


def test_a_card_counts_classes_once(certificate):
    claim = {"name": "k-anonymity", "statement": "Alike.", "parameters": {"k": 2, "classes": 9}}
    judged = {"claim": "k-anonymity", "holds": True, "measured": {"classes": 7}}
    html = report({**certificate, "claims": [claim], "verdicts": [judged]})
    card = html.partition('<div class="claim')[2].partition("</div>")[0]
    assert "classes of people who look alike: 7" in card
    assert "look alike: 9" not in card


def test_sample_is_marked_and_warned_about(certificate, full):
    html = report(certificate, sample=[Record(2, (("note", NOTES[1], "★★★ has flu."),))])
    assert "Private, do not publish: shows original text" in html
    assert "This part shows original text of real records." in html
    assert "<mark>Bob</mark> has flu." in html
    assert "<mark>★★★</mark> has flu." in html
    assert "shows original text" not in full
    assert "Private, do not publish: has figures measured on the original" in full
    assert not any(name in full for name in ("Ann", "Bob"))


def test_changed_places_rebuild_the_other_text():
    pairs = [("a b c", "a X c"), ("a b c", "a c"), ("", "x"), ("same", "same"), ("ab", "xyz w")]
    for before, after in pairs:
        rebuilt, at = "", 0
        for (start, stop), (first, last) in changed(before, after):
            rebuilt += before[at:start] + after[first:last]
            at = stop
        assert rebuilt + before[at:] == after


@pytest.fixture
def released(tmp_path):
    lines = [json.dumps({"id": i, "note": note}) for i, note in enumerate(NOTES)]
    original, target = tmp_path / "notes.jsonl", tmp_path / "out.jsonl"
    original.write_text("\n".join(lines) + "\n")
    command = ["suppress", str(original), "-k", "3", "--text-column", "note", "-o", str(target)]
    assert run([*command, "-q"]) == 0
    return original, target


def test_command_reports_a_file(released, tmp_path, capsys):
    _, target = released
    page, attacks = tmp_path / "report.html", tmp_path / "attacks.json"
    attacks.write_text(json.dumps([ATTACK]))
    assert run(["report", str(target), "-o", str(page), "--figures", str(attacks), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"output": str(page), "private": False}
    html = page.read_text()
    assert "linkage" in html
    assert "Bob" not in html


def test_command_reports_a_folder(released, tmp_path):
    _, target = released
    folder = tmp_path / "release"
    (folder / "data").mkdir(parents=True)
    certificate = target.with_name("out.jsonl.certificate.json")
    (folder / "certificate.json").write_bytes(certificate.read_bytes())
    (folder / "data" / "notes.jsonl").write_bytes(target.read_bytes())
    (folder / "figures.json").write_text(json.dumps(FIGURES))
    (folder / "policy.yaml").write_text("version: 1  # the policy\n")
    page = folder / "report.html"
    assert run(["report", str(folder), "-o", str(page), "-q"]) == 0
    html = page.read_text()
    assert "# the policy" in html
    assert html.count("<svg") == 5


def test_command_makes_the_report_that_a_run_has_signed(tmp_path):
    (tmp_path / "a.txt").write_text("abracadabra")
    policy = "{version: 1, input: {path: a.txt}, stages: [{verb: suppress, k: 2}]}"
    (tmp_path / "release.yaml").write_text(policy)
    assert run(["run", str(tmp_path / "release.yaml"), "-q"]) == 0
    signed, page = tmp_path / "release" / "report.html", tmp_path / "again.html"
    assert run(["report", str(signed.parent), "-o", str(page), "-q"]) == 0
    assert page.read_bytes() == signed.read_bytes()
    assert "report.html" in (signed.parent / "SHA256SUMS").read_text()
    assert run(["verify", str(signed.parent), "-q"]) == 0


def test_command_shows_chosen_records_in_a_private_file(released, tmp_path):
    original, target = released
    page = tmp_path / "report.html"
    command = ["report", str(target), "-o", str(page), "-q", "--columns", "note"]
    assert run([*command, "--original", str(original), "--sample-records", "2"]) == 0
    html = page.read_text()
    assert "<mark>Bob</mark>" in html
    assert "Ann" not in html
    assert page.stat().st_mode & 0o777 == 0o600


def test_command_refuses(released, tmp_path, capsys):
    original, target = released
    page = tmp_path / "report.html"
    command = ["report", str(target), "-o", str(page), "--columns", "note"]
    assert run([*command, "--sample-records", "1"]) == 2  # no original
    for wrong in ("0", "4", "a", ""):
        given = ["--original", str(original), "--sample-records", wrong]
        assert run([*command, *given]) == 2
    assert run([*command, "--figures", str(original)]) == 2
    assert run([*command, "--certificate", str(original)]) == 4  # no certificate
    target.write_text(target.read_text().replace("flu", "flux"))
    assert run(command) == 4
    assert not page.exists()
    assert "Bob" not in capsys.readouterr().err


def test_the_verdict_for_who_decides_stands_first(certificate, full):
    top = full[: full.index('<dl class="glance">')]
    assert "The guarantee was checked and holds" in top
    assert "An attacker still finds" in top
    failed = {**certificate, "verdicts": [{**certificate["verdicts"][0], "holds": False}]}
    assert "Do not publish: 1 of 1 guarantees does not hold" in report(failed)
    assert "Not checked yet: 1 of 1 guarantees" in report({**certificate, "verdicts": []})
    assert "Nothing is guaranteed about" in report({**certificate, "claims": [], "verdicts": []})


def test_an_attack_above_its_control_is_named_at_the_top(certificate):
    strong = {**ATTACK, "success": 0.9, "low": 0.8, "high": 1.0, "control": 0.1}
    strong |= {"control_low": 0.05, "control_high": 0.2, "name": "linkage-rare"}
    top = report(certificate, {"attacks": [strong]}).split('<dl class="glance">')[0]
    assert "Linkage by rare phrases: right in 90% of the cases" in top
    assert "The guarantee was checked and holds, but 1 attack still succeeds" in top
    assert '<div class="verdict care">' in top
    assert "(10% on people who are not in the data)" in top


def test_every_attack_is_explained():
    from sfumato.attacks.explanations import EXPLAINED
    from sfumato.attacks.run import NAMES

    assert set(NAMES) <= set(EXPLAINED)


def test_a_claim_in_short_says_its_numbers_and_never_fails():
    from sfumato.reports.short_claims import in_short

    given = {"k": 8, "count": "groups", "guess": 0.5, "strict": True, "reach": 3}
    stated = {"name": "substring-k-anonymity", "statement": "Exactly so.", "column": "note"}
    told = in_short({**stated, "parameters": given})
    assert "of up to 3 words that can be read in note occurs in the texts of at least 8" in told
    assert "of the original" in in_short({**stated, "parameters": {**given, "strict": False}})
    for broken in ({}, {"guess": 0.5}, {**given, "count": "cows"}, {**given, "guess": None}):
        assert in_short({**stated, "parameters": broken}) == "Exactly so (in note)."
    diverse = {"name": "l-diversity", "statement": "As stated.", "parameters": {"l": 2.0}}
    assert in_short(diverse) == "As stated."
    diverse["parameters"] |= {"diversity": "distinct", "column": "diagnosis"}
    assert "diagnosis has at least 2 different values" in in_short(diverse)
