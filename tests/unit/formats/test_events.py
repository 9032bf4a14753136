"""Event logs: times, several attributes, symbols with blanks; XES in and out."""

from __future__ import annotations

import csv
import json
from xml.etree import ElementTree

import pytest

from sfumato import formats
from sfumato.cli.app import run
from sfumato.core.errors import BadInput
from sfumato.formats import events, xes

SECRET = "Zyxomme"
ROWS = [
    ("2021-03-01T10:00:00", "ann", "blood test", "ward 3"),
    ("2021-03-01T12:00:00", "bob", "admitted", "ward 1"),
    ("2021-03-01T09:00:00", "ann", "admitted", "ward 1"),
    ("2021-03-02T09:00:00", "bob", "sent home", "ward 1"),
    ("2021-03-01T11:00:00", "ann", "sent home", "ward 1"),
]


def table(rows=ROWS):
    lines = ["time,who,what,where,note", *(",".join((*row, SECRET)) for row in rows)]
    return ("\n".join(lines) + "\n").encode()


def log(rows=ROWS, head="", person="concept:name"):
    traces = {}
    for time, who, what, where in sorted(rows, key=lambda row: (row[1], row[0])):
        event = (
            f'<event><string key="concept:name" value="{what}"/>'
            f'<string key="org:resource" value="{where}"/>'
            f'<date key="time:timestamp" value="{time}"/>'
            f'<string key="note" value="{SECRET}"><string key="meta" value="{SECRET}"/></string>'
            "</event>"
        )
        traces.setdefault(who, []).append(event)
    body = "".join(
        f'<trace><string key="{person}" value="{who}"/><string key="doctor" value="{SECRET}"/>'
        f"{''.join(some)}</trace>"
        for who, some in traces.items()
    )
    return (
        f'<?xml version="1.0"?>{head}<log xmlns="http://www.xes-standard.org/" '
        f'openxes.version="{SECRET}"><!-- {SECRET} --><string key="source" value="{SECRET}"/>'
        f'<global scope="event"><string key="concept:name" value="{SECRET}"/></global>'
        f'<classifier name="{SECRET}" keys="concept:name"/>{body}</log>'
    ).encode()


def test_events_are_taken_in_the_order_of_their_times():
    options = {"text_column": "what", "group_column": "who"}
    assert events.read(table(), "e.csv", **options).texts[0].startswith("blood test")
    timed = events.read(table(), "e.csv", **options, time_column="time")
    assert timed.texts[0].split("\x1f") == ["admitted", "blood test", "sent home"]


@pytest.mark.parametrize(
    ("times", "is_right"),
    [
        (("9", "10", "1.5e1"), True),
        (("2021-01-01", "2021-01-02T00:00", "2021-01-03"), True),
        (("2021-01-01T00:00+02:00", "2021-01-01T00:00Z", "2021-01-02T00:00Z"), True),
        (("2021-01-01T00:00+02:00", "2021-01-02T00:00", "2021-01-03"), False),
        (("soon", "2021-01-02", "2021-01-03"), False),
        (("", "2021-01-02", "2021-01-03"), False),
    ],
)
def test_times(times, is_right):
    raw = "t,who,what\n" + "".join(f"{time},a,{i}\n" for i, time in enumerate(times))
    options = {"text_column": "what", "group_column": "who", "time_column": "t"}
    if is_right:
        assert events.read(raw.encode(), "e", **options).texts == ["0\x1f1\x1f2"]
    else:
        with pytest.raises(BadInput, match="times"):
            events.read(raw.encode(), "e", **options)


def test_several_attributes_are_one_symbol():
    source = events.read(table(), "e.csv", text_column=["what", "where"], group_column="who")
    assert source.texts[0].split("\x1f")[0] == "blood test | ward 3"
    made = b"".join(source.pieces([None, "#\x1fadmitted | ward 1"])).decode()
    rows = list(csv.reader(made.splitlines()))
    assert rows[0] == ["who", "what", "where"]
    assert rows[-2:] == [["bob", "#", "#"], ["bob", "admitted", "ward 1"]]
    assert SECRET not in made


def test_an_attribute_with_a_bar_is_refused_among_several():
    with pytest.raises(BadInput, match="plain fields"):
        events.read(b"w,a,b\nx,p|q,r\n", "e", text_column=["a", "b"], group_column="w")


def test_a_log_comes_back_with_its_traces_alone():
    source = xes.read(log(), "log.xes")
    assert source.groups == ["ann", "bob"]
    assert source.texts[0].split("\x1f") == ["admitted", "blood test", "sent home"]
    made = b"".join(source.pieces(source.texts))
    assert SECRET.encode() not in made
    assert b"timestamp" not in made
    root = ElementTree.fromstring(made)
    assert [len(one.findall("event")) for one in root.iter("trace")] == [3, 2]
    assert xes.read(made, "again").texts == source.texts


def test_a_release_says_whose_its_traces_are_by_their_names():
    source = xes.read(log(person="patient"), "log.xes", group_column="patient")
    made = b"".join(source.pieces(source.texts))
    again = xes.read(made, "again", group_column="patient")
    assert (again.texts, again.groups) == (source.texts, source.groups)
    with pytest.raises(BadInput, match="whose"):
        xes.read(log(), "log.xes", group_column="patient")


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"<log><trace>", "no XML"),
        (b"<logs/>", "no XES log"),
        (b"<log/>", "no XES log with traces"),
        (b"<log><trace><event/></trace></log>", "whose"),
        (log(head="<!DOCTYPE log [<!ENTITY a 'b'>]>"), "document type"),
    ],
)
def test_logs_that_are_refused(raw, told):
    with pytest.raises(BadInput, match=told):
        xes.read(raw, "log.xes")


def many():
    times = [f"2021-03-01T{hour:02}:00:00" for hour in range(24)]
    what = ("admitted", "blood test", "scan", "sent home")
    return [
        (times[i % 24], f"p{i // 8}", what[i * i // 3 % 4], f"ward {i % 2}") for i in range(160)
    ]


def test_sanitize_hides_a_pattern_with_blanks_in_a_log(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.xes.gz").write_bytes(__import__("gzip").compress(log(many())))
    (tmp_path / "patterns.csv").write_text("blood test,scan\n")
    options = ["--patterns", "patterns.csv", "--method", "tfs", "--length", "2", "-q"]
    assert run(["sanitize", "log.xes.gz", *options, "-o", "out.xes"]) == 0
    released = formats.read("out.xes")
    assert all("blood test\x1fscan" not in (text or "") for text in released.texts)
    assert SECRET not in (tmp_path / "out.xes").read_text()
    judged = ["verify", "log.xes.gz", "out.xes", "--patterns", "patterns.csv", "-q"]
    assert run([*judged, "--certificate", "out.xes.certificate.json"]) == 0


def test_sanitize_events_with_times_and_attributes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.csv").write_bytes(table(many()))
    (tmp_path / "patterns.csv").write_text("blood test | ward 1,admitted | ward 0\n")
    columns = ["--text-column", "what", "--text-column", "where", "--group-column", "who"]
    options = ["--patterns", "patterns.csv", "--method", "tfs", "--length", "2", "-q"]
    timed = ["--time-column", "time"]
    assert run(["sanitize", "log.csv", *columns, *timed, *options, "-o", "out.csv"]) == 0
    with (tmp_path / "out.csv").open(newline="") as file:
        assert next(csv.reader(file)) == ["who", "what", "where"]
    judged = ["verify", "log.csv", "out.csv", *columns, "--patterns", "patterns.csv", "-q"]
    as_events = ["--format", "events:time", "--certificate", "out.csv.certificate.json"]
    assert run([*judged, *as_events]) == 0


@pytest.mark.parametrize("kind", ["csv", "xes"])
def test_delete_keeps_the_times_of_events_and_makes_none(tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)
    rows = many()
    raw = table(rows) if kind == "csv" else log(rows)
    (tmp_path / f"log.{kind}").write_bytes(raw)
    (tmp_path / "patterns.csv").write_text("blood test,admitted\nsent home,blood test\n")
    columns = ["--text-column", "what", "--group-column", "who"] if kind == "csv" else []
    time = "time" if kind == "csv" else "time:timestamp"
    options = ["--patterns", "patterns.csv", "--method", "delete", "-q", "--time-column", time]
    options += ["--times", "exact"]
    out = f"out.{kind}"
    assert run(["sanitize", f"log.{kind}", *columns, *options, "-o", out]) == 0
    made = (tmp_path / out).read_text()
    assert SECRET not in made
    if kind == "csv":
        assert made.splitlines()[0] == "who,what,time"
        found = {(time, who, what) for who, what, time in csv.reader(made.splitlines()[1:])}
    else:
        found = {
            tuple(one.get("value") for one in (event[1], trace[0], event[0]))
            for trace in ElementTree.fromstring(made).iter("trace")
            for event in trace.iter("event")
        }
    assert found < {(time, who, what) for time, who, what, _ in rows}
    judge = ["verify", f"log.{kind}", out, *columns, "--patterns", "patterns.csv", "-q"]
    judge += ["--certificate", f"{out}.certificate.json"]
    assert run(judge) == 0
    certificate = tmp_path / f"{out}.certificate.json"
    stated = json.loads(certificate.read_text())
    assert stated["parameters"]["times"] == time
    del stated["hashes"]["files"], stated["seal"]  # so that the claims themselves are judged
    certificate.write_text(json.dumps(stated))
    hour = "T05:00:00"
    assert hour in made
    (tmp_path / out).write_text(made.replace(hour, "T05:30:00", 1))
    assert run(judge) == 4


def test_times_are_kept_only_where_they_are_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.xes").write_bytes(log(many()))
    (tmp_path / "patterns.csv").write_text("blood test,scan\n")
    options = ["--patterns", "patterns.csv", "--method", "delete", "-q", "-o", "out.xes"]
    assert run(["sanitize", "log.xes", *options, "--times", "exact"]) == 2
    assert "--time-column" in capsys.readouterr().err
    named = ["--time-column", "time:timestamp"]
    assert run(["sanitize", "log.xes", *options, *named, "--overwrite"]) == 0  # their order alone
    assert "timestamp" not in (tmp_path / "out.xes").read_text()
    options += ["--overwrite"]
    assert run(["sanitize", "log.xes", *options, "--time-column", "when", "--times", "exact"]) == 2
    assert "time:timestamp" in capsys.readouterr().err
    assert run(["sanitize", "log.xes", *options]) == 0
    assert "timestamp" not in (tmp_path / "out.xes").read_text()
