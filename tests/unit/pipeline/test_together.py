"""Two releases of the same people: what they show together is counted, and more is hidden."""

from __future__ import annotations

import json

import pytest

from support.commands import call


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rows(place, texts, owners=None):
    owners = owners or [f"p{i}" for i in range(len(texts))]
    lines = (json.dumps({"who": w, "text": t}) + "\n" for w, t in zip(owners, texts, strict=True))
    (place / "notes.jsonl").write_text("".join(lines))


def policy(place, *stages, name="release.yaml"):
    given = {
        "version": 1,
        "publish": "all",
        "input": {"path": "notes.jsonl", "columns": ["text"], "person": "who"},
        "stages": list(stages),
    }
    (place / name).write_text(json.dumps(given))
    return name


def texts(place, folder):
    lines = (place / folder / "data/notes.jsonl").read_text().splitlines()
    return [json.loads(line)["text"] for line in lines]


def together(place, folder):
    return json.loads((place / f"{folder}.private/certificate.json").read_text())["together"][0]


def union(first, second, mask="★"):
    return [
        "".join(a if a != mask else b for a, b in zip(x, y, strict=True))
        for x, y in zip(first, second, strict=True)
    ]


def least_crowd(shown, mask="★"):
    """The definition: the fewest people that share a legible stretch of the union."""
    counts = []
    for text in shown:
        for stretch in filter(None, text.split(mask)):
            having = [o for o in shown if any(stretch in part for part in o.split(mask))]
            counts.append(len(having))
    return min(counts, default=10**9)


def test_the_union_of_two_releases_is_counted_and_more_is_hidden(place):
    """Each release alone is 2-anonymous; together they would show whole sentences of one."""
    rows(place, ["abcd", "abxx", "yycd", "abcz"])
    first = policy(place, {"verb": "suppress", "k": 2, "align": "character"})
    assert call("run", first, "-q", "-o", "one") == 0
    second = policy(place, {"verb": "suppress", "k": 2, "align": "character", "min_run": 2})
    assert call("run", second, "-q", "-o", "plain") == 0
    assert call("run", second, "-q", "-o", "two", "--previous", "one") == 0
    assert least_crowd(union(texts(place, "one"), texts(place, "two"))) >= 2
    assert together(place, "two")["verdicts"][0]["holds"] is True
    assert call("verify", "two") == 0
    assert call("verify", "notes.jsonl", "two") == 0


def test_what_is_hidden_in_one_column_is_hidden_in_the_file_of_all(place):
    """The last file is written by the stage of another column: it must hold the hidden text."""
    notes = ["c aba", "abac", "a ac c", "abb", "ca b b", "accca"]
    lines = (json.dumps({"who": i, "text": t, "more": t}) + "\n" for i, t in enumerate(notes))
    (place / "notes.jsonl").write_text("".join(lines))

    def released(output, *more, **stage):
        given = {
            "version": 1,
            "input": {"path": "notes.jsonl", "columns": ["text", "more"], "person": "who"},
            "stages": [{"verb": "suppress", "k": 2, "guess": None, **stage}],
        }
        (place / "release.yaml").write_text(json.dumps(given))
        assert call("run", "release.yaml", "-q", "-o", output, *more) == 0

    released("one")
    released("plain", align="character", min_run=2)
    assert least_crowd(union(texts(place, "one"), texts(place, "plain"))) < 2
    released("two", "--previous", "one", align="character", min_run=2)
    assert least_crowd(union(texts(place, "one"), texts(place, "two"))) >= 2
    assert call("verify", "two") == 0
    assert call("verify", "notes.jsonl", "two") == 0


def test_complementary_releases_are_adapted(place, monkeypatch):
    """Words that one release hides and the other shows, side by side."""
    notes = ["aa bb cc", "aa bb dd", "ee bb cc", "aa ff cc", "ee ff dd", "aa bb cc x"]
    rows(place, notes)
    first = policy(place, {"verb": "suppress", "k": 3, "cover": "longest-first"})
    assert call("run", first, "-q", "-o", "one") == 0
    for k in (2, 3, 4):
        second = policy(place, {"verb": "suppress", "k": k, "guess": None})
        assert call("run", second, "-q", "-o", f"two{k}", "--previous", "one") == 0
        shown = union(texts(place, "one"), texts(place, f"two{k}"))
        assert least_crowd(shown) >= min(3, k)
        assert least_crowd(texts(place, f"two{k}")) >= k
    told = together(place, "two4")
    assert any("less than the 4" in sentence for sentence in told["in_words"])
    assert told["symbols"]["only_earlier"] > 0


def test_a_release_that_showed_everything_cannot_be_made_good(place, capsys):
    rows(place, [f"Seen by Dr. {name} Ho." for name in ("Ann", "Bob", "Eve", "Flo", "Gus")])
    assert call("run", policy(place, {"verb": "pseudonymize"}), "-q", "-o", "one") == 0
    second = policy(place, {"verb": "suppress", "k": 5})
    assert call("run", second, "-o", "two", "--previous", "one") in (0, 3)
    rows(place, ["one alpha", "one beta", "one gamma"])
    assert call("run", policy(place, {"verb": "pseudonymize"}), "-q", "-o", "three") == 0
    second = policy(place, {"verb": "suppress", "k": 3})
    capsys.readouterr()
    assert call("run", second, "-o", "four", "--previous", "three") == 3
    assert "earlier releases show" in capsys.readouterr().err
    assert not (place / "four").exists()


def test_new_people_and_new_documents(place):
    rows(place, ["aa bb", "aa bb", "cc dd"])
    one = policy(place, {"verb": "suppress", "k": 2})
    assert call("run", one, "-q", "-o", "one") == 0
    rows(place, ["aa bb", "cc dd", "cc dd", "aa"], ["p0", "p2", "p7", "p8"])
    assert call("run", one, "-q", "-o", "two", "--previous", "one") == 0
    told = together(place, "two")
    assert told["documents_in_both"] == [2]
    assert told["documents_only_earlier"] == [1]


def test_different_strings_of_one_term_can_be_intersected(place, capsys):
    rows(place, ["the crew", "the craw", "the drew", "the draw", "the brew", "the braw"])
    (place / "terms.txt").write_text("crew\ncraw\ndrew\ndraw\nbrew\nbraw\n")
    redact = {"verb": "redact", "terms": "terms.txt", "k": 2}
    assert call("run", policy(place, redact), "-q", "-o", "one") == 0
    assert call("run", policy(place, redact), "-q", "-o", "same", "--previous", "one") == 0
    other = policy(place, {**redact, "k": 3})
    assert call("run", other, "-o", "two", "--previous", "one") == 3
    assert "terms fit both strings" in capsys.readouterr().err
    (place / "terms.txt").write_text("crew\ncraw\ndrew\ndraw\nbree\nbraa\n")
    assert call("run", policy(place, redact), "-o", "two", "--previous", "one") in (2, 3)
    rows(place, ["the crew", "the craw", "the drew", "the draw", "the brew", "the braw"])
    assert not (place / "two").exists()


def test_a_word_that_the_other_release_shows_is_undone(place, capsys):
    rows(place, ["Uses marijuana", "Uses marijuana", "Uses marijuana"])
    general = {"verb": "generalize", "t": 3, "words": ["marijuana"]}
    assert call("run", policy(place, general), "-q", "-o", "one") == 0
    plain = policy(place, {"verb": "suppress", "k": 2})
    assert call("run", plain, "-o", "two", "--previous", "one") == 3
    assert "what generalize replaced in the earlier release one stands in clear in this one" in (
        capsys.readouterr().err
    )
    assert call("run", plain, "-q", "-o", "two") == 0
    again = policy(place, general, {"verb": "suppress", "k": 2})
    assert call("run", again, "-o", "three", "--previous", "two") == 3
    assert "what generalize replaced in this release" in capsys.readouterr().err


def test_two_general_words_leave_what_both_allow(place, capsys):
    rows(place, ["Uses marijuana now"] * 3)
    few = {"verb": "generalize", "t": 2, "words": ["marijuana"]}
    many = {"verb": "generalize", "t": 30, "words": ["marijuana"]}
    assert call("run", policy(place, few), "-q", "-o", "few") == 0
    assert call("run", policy(place, many), "-q", "-o", "many", "--previous", "few") == 0
    assert texts(place, "few") != texts(place, "many")


def test_classes_of_general_words_are_not_worked_out_where_both_releases_are_alike(
    place, monkeypatch
):
    from sfumato.verification.published_meanings import PublishedJudge

    asked = []
    known = PublishedJudge.alike
    monkeypatch.setattr(
        PublishedJudge, "alike", lambda judge, *given: asked.append(1) or known(judge, *given)
    )
    rows(place, ["Uses marijuana now", "Had a cough", "Has asthma"])
    stage = {"verb": "generalize", "t": 4, "words": ["marijuana", "cough", "asthma"]}
    assert call("run", policy(place, stage), "-q", "-o", "one") == 0
    assert call("run", policy(place, stage), "-q", "-o", "two", "--previous", "one") == 0
    assert not asked
    other = policy(place, {**stage, "t": 5})
    assert call("run", other, "-q", "-o", "three", "--previous", "one") == 0
    assert asked
