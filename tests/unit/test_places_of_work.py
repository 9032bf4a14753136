"""Where people work: scikit-learn, Hugging Face datasets, pre-commit, frames for whole tables."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import sfumato as sf
import sfumato.pandas
import sfumato.polars
from sfumato.cli.app import run
from sfumato.cli.hook import main
from sfumato.core.errors import BadInput
from sfumato.datasets import mapped

ROOT = Path(__file__).parents[2]
NOTES = ["the cat sat", "the dog sat", "the cat sat"]
STARRED = ["the cat sat", "the ★★★ sat", "the cat sat"]


@pytest.mark.parametrize("kind", ["list", "numpy", "column", "series", "frame"])
def test_a_transformer_gives_what_it_was_given(kind):
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    import numpy as np

    from sfumato.sklearn import Released

    given = {
        "list": NOTES,
        "numpy": np.array(NOTES, dtype=object),
        "column": np.array(NOTES, dtype=object).reshape(-1, 1),
        "series": pd.Series(NOTES, name="note"),
        "frame": pd.DataFrame({"note": NOTES}),
    }[kind]
    made = Released("suppress", k=2).fit_transform(given)
    assert type(made) is type(given)
    assert getattr(made, "shape", None) == getattr(given, "shape", None)
    flat = made["note"].tolist() if kind == "frame" else np.ravel(made).tolist()
    assert flat == STARRED


def test_a_transformer_in_a_pipeline():
    sklearn = pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    from sklearn.compose import ColumnTransformer
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.pipeline import make_pipeline

    from sfumato.sklearn import Released

    words = make_pipeline(Released("suppress", k=2), CountVectorizer())
    words.fit(NOTES)
    assert set(words[-1].vocabulary_) == {"the", "cat", "sat"}
    copied = sklearn.base.clone(Released("suppress", k=3)).set_params(k=2)
    assert copied.get_params() == {"verb": "suppress", "k": 2}
    columns = ColumnTransformer([("note", Released("suppress", k=2), ["note"])], remainder="drop")
    made = columns.fit_transform(pd.DataFrame({"note": NOTES, "who": [1, 2, 3]}))
    assert [row[0] for row in made] == STARRED


def test_two_columns_are_refused():
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    from sfumato.sklearn import Released

    with pytest.raises(BadInput, match="one column"):
        Released("suppress").fit_transform(pd.DataFrame({"a": NOTES, "b": NOTES}))


def test_a_dataset_by_map():
    datasets = pytest.importorskip("datasets", reason="Hugging Face datasets is not installed")
    given = datasets.Dataset.from_dict({"who": ["a", "b", "c"], "note": NOTES})
    change = mapped("suppress", "note", groups="who", k=2)
    assert given.map(change, batched=True, batch_size=None)["note"][:] == STARRED
    many = datasets.Dataset.from_dict({"who": list("abcdef"), "note": NOTES * 2})
    with pytest.raises(BadInput, match="second batch"):
        many.map(mapped("suppress", "note", k=2), batched=True, batch_size=3)


@pytest.mark.parametrize("verb", ["redact", "generalize", "pseudonymize"])
def test_every_verb_by_map(verb):
    options = {"redact": {"terms": ["cat", "dog"], "k": 2}, "generalize": {"t": 2}}.get(verb, {})
    if verb == "pseudonymize":
        options = {"key": "0123456789abcdef", "recognizer": "rules-en"}
    made = mapped(verb, "note", **options)({"note": NOTES})
    assert made == {"note": getattr(sf, verb)(NOTES, **options).data}


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_a_whole_frame_is_anonymized(kind):
    given = kind({"age": [30, 31, 50, 51], "job": ["a", "a", "b", "b"]})
    schema = {"columns": {"age": {"kind": "number"}, "job": {}}}
    release = given.sfumato.anonymize(schema, k=2, shuffle=False)
    assert isinstance(release.data, kind)
    assert list(release.data["job"]) == ["a", "a", "b", "b"]
    assert all(one.holds for one in sf.verify(given, release))


@pytest.fixture
def released(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.lines").write_text("\n".join(NOTES) + "\n")
    policy = "{version: 1, input: {path: notes.lines}, stages: [{verb: suppress, k: 2}]}"
    (tmp_path / "release.yaml").write_text(policy)
    assert run(["run", "release.yaml", "-q"]) == 0
    shutil.rmtree("release.private")
    return tmp_path


def test_the_hook_verifies_what_is_committed(released):
    assert main(["release/certificate.json"]) == 0
    (released / "release" / "data" / "notes.lines").write_text("\n".join(NOTES) + "\n")
    assert main(["release/certificate.json"]) == 4


@pytest.mark.apart
def test_pre_commit_runs_the_hook(released):
    commit = shutil.which("pre-commit", path=str(ROOT / ".venv" / "bin"))
    if commit is None or shutil.which("git") is None:
        pytest.skip("pre-commit or git is not installed")
    import yaml

    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert shutil.which(hook["entry"], path=str(ROOT / ".venv" / "bin")) or hook["entry"]
    entry = f"{ROOT / '.venv/bin/python'} -c 'from sfumato.cli.hook import main; exit(main())'"
    local = {**hook, "language": "system", "entry": entry}
    (released / ".pre-commit-config.yaml").write_text(
        yaml.safe_dump({"repos": [{"repo": "local", "hooks": [local]}]})
    )

    def call(*command):
        return subprocess.run(command, cwd=released, capture_output=True, text=True, check=False)

    call("git", "init", "-q")
    call("git", "add", ".")
    made = call(commit, "run", "--all-files")
    assert made.returncode == 0, made.stdout + made.stderr
    certificate = json.loads((released / "release" / "certificate.json").read_text())
    certificate["claims"] = []
    (released / "release" / "certificate.json").write_text(json.dumps(certificate))
    call("git", "add", ".")
    assert call(commit, "run", "--all-files").returncode != 0
