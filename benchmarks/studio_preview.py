"""From a moved slider to the drawn preview, for 200 documents, in Chromium.

    python benchmarks/studio_preview.py [--only guess]

Every slider that stages have: k, reach and guess of suppress; t of generalize; k, relational weight
and knows of anonymize. Needs the extra `studio`, playwright and Chromium. The clock starts with the
slider's event and stops when the page has drawn. A table of 100,000 rows and a text of 5 MB are
scrolled too. Beside it stands the CPU time of the process that
makes previews, which does not depend on what else the machine does.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from tables import Row, record

from support.studios import running, until

DOCUMENTS = 200
TICK = os.sysconf("SC_CLK_TCK")
CLOCK = """([id, to]) => new Promise((done) => {
  const slider = document.getElementById(id);
  const before = document.body.dataset.preview;
  const start = performance.now();
  new MutationObserver((found, watch) => {
    if (document.body.dataset.preview !== before) {
      watch.disconnect();
      requestAnimationFrame(() => done(performance.now() - start));
    }
  }).observe(document.body, {attributes: true});
  slider.value = to;
  slider.dispatchEvent(new Event("input"));
})"""
SCROLL = """(box) => new Promise((done) => {
  const gaps = [];
  let last = performance.now();
  const step = (now) => {
    gaps.push(now - last);
    last = now;
    box.scrollTop += box.scrollHeight / 120;
    if (gaps.length < 120) requestAnimationFrame(step); else done(gaps.slice(1));
  };
  requestAnimationFrame(step);
})"""
SUPPRESS = [{"verb": "suppress", "k": 5}]
GENERALIZE = [{"verb": "generalize", "t": 16}]
ANONYMIZE = [{"verb": "anonymize", "k": 5}]
BOTH = [{"verb": "anonymize", "k": 5}, {"verb": "suppress", "k": 5}]
# the data, the stages, the stage and option of the slider, its values
SLIDERS: list[tuple[str, list[dict[str, Any]], int, str, list[float]]] = [
    ("notes", SUPPRESS, 0, "k", [6, 7, 8, 9, 10, 11, 12]),
    ("notes", SUPPRESS, 0, "reach", [2, 3, 4, 5, 6, 7]),
    ("notes", SUPPRESS, 0, "guess", [0.3, 0.4, 0.6, 0.7, 0.8]),
    ("notes", GENERALIZE, 0, "t", [20, 24, 28, 36, 40, 48]),
    ("clinic", ANONYMIZE, 0, "k", [6, 7, 8, 9, 10, 11]),
    ("clinic", ANONYMIZE, 0, "relational_weight", [0.2, 0.3, 0.4, 0.6, 0.7, 0.8]),
    ("clinic", ANONYMIZE, 0, "knows", [1, 2, 3, 4, 5]),
    ("clinic", BOTH, 0, "k", [6, 7, 8, 9, 10, 11]),
    ("clinic", BOTH, 1, "k", [6, 7, 8, 9, 10, 11]),
]


def notes() -> bytes:
    """200 invented notes of 150 people."""
    from importlib.resources import files

    lines = (files("sfumato.examples") / "clinic_notes.jsonl").read_text("utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in lines]
    some = [texts[i % len(texts)][: 600 + i] + f" Visit {i}." for i in range(DOCUMENTS)]
    told = ({"person": f"p{i % 150}", "note": text} for i, text in enumerate(some))
    return "".join(json.dumps(one) + "\n" for one in told).encode()


def cpu_seconds(server: Any) -> float:
    """What the server's processes took so far."""
    total = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            told = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if server.process.pid in (int(told[1]), int(path.parent.name)):
            total += int(told[11]) + int(told[12])
    return total / TICK


def measured(server: Any, page: Any, project: str, stages: Any, at: int, option: str, values: Any):
    """Wall and CPU milliseconds of every value of a slider."""
    path = f"/api/projects/{project}/policy"
    stated = server.client.get(path).json()["stated"]
    kept = server.client.put(path, json={"stated": {**stated, "stages": stages}}).json()
    assert kept["problem"] is None, kept["problem"]
    page.goto("about:blank")
    page.goto(f"{server.base}#/{project}/protect")
    page.wait_for_selector("mark", timeout=120_000)
    wall, cpu = [], []
    for value in values:
        until(lambda: page.locator(".legend .read").count())  # claims and reader are done
        time.sleep(0.3)
        before = cpu_seconds(server)
        wall.append(page.evaluate(CLOCK, [f"o{at}{option}", str(value)]))
        cpu.append((cpu_seconds(server) - before) * 1000)
    return wall[1:], cpu[1:]  # the first one warms up


def scrolled(server: Any, page: Any) -> list[Row]:
    """The time between frames while a long table and a long text are scrolled from end to end."""
    found: list[Row] = []
    rows = b"id,word\n" + b"".join(b"%d,w%d\n" % (i, i) for i in range(100_000))
    given = {"many.csv": rows, "long.txt": b"A calm evening by the sea. " * 190_000}
    for name, content in given.items():
        project, _ = server.upload(name, content)
        server.client.get(f"/api/projects/{project}/look")
        page.goto("about:blank")
        page.goto(f"{server.base}#/{project}/start")
        page.wait_for_selector(".grid .line")
        gaps = page.locator(".grid").evaluate(SCROLL)
        found.append(
            {
                "scrolled": f"{name}, {len(content) / 1e6:.1f} MB",
                "median ms between frames": round(statistics.median(gaps)),
                "most": round(max(gaps)),
            }
        )
    return found


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", help="one option, and no scrolling")
    only = parser.parse_args().only
    rows: list[Row] = []
    gaps: list[Row] = []
    with tempfile.TemporaryDirectory() as folder, running(Path(folder) / "files") as server:
        projects = {"notes": server.upload("notes.jsonl", notes())[0]}
        told = server.client.post("/api/projects", json={"example": "clinic"}).json()
        projects["clinic"] = told["id"]
        for project in projects.values():
            server.client.get(f"/api/projects/{project}/look")
        with sync_playwright() as driver:
            browser = driver.chromium.launch(
                executable_path=os.environ.get("CHROMIUM") or shutil.which("chromium"),
                args=["--no-sandbox"],
            )
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            page.goto(server.url)
            page.wait_for_selector("text=Take the example")
            for data, stages, at, option, values in SLIDERS:
                if only not in (None, option):
                    continue
                wall, cpu = measured(server, page, projects[data], stages, at, option, values)
                verbs = ", ".join(stage["verb"] for stage in stages)
                rows.append(
                    {
                        "data": data,
                        "stages": verbs,
                        "slider": f"{option} of {stages[at]['verb']}",
                        "median ms": round(statistics.median(wall)),
                        "longest ms": round(max(wall)),
                        "CPU ms of the server": round(statistics.median(cpu)),
                    }
                )
                print(rows[-1], flush=True)
            if only is None:
                gaps = scrolled(server, page)
            browser.close()
    if only is None:
        keep(rows, gaps)


def keep(rows: list[Row], gaps: list[Row]) -> None:
    """Records both tables."""
    record(
        "studio_preview",
        rows,
        part="Studio",
        title=f"From a moved slider to the drawn preview of {DOCUMENTS} documents, in Chromium",
        note=f"""Median and longest over the values of the slider, and the CPU time of the process
        that makes previews. Load average at the end: {os.getloadavg()[0]:.1f}. The clinic has 216
        documents.""",
    )
    record(
        "studio_scroll",
        gaps,
        part="Studio",
        title="Scrolling a long table and a long text from end to end: time between frames",
        note="17 ms are 60 frames a second.",
    )


if __name__ == "__main__":
    main()
