"""From a moved slider to the drawn preview, for 200 documents, in Chromium.

    python benchmarks/studio_preview.py

Needs the extra `studio`, playwright and Chromium. Tells wall time and the CPU time of the process
that makes previews; the clock starts with the slider's event and stops when the page has drawn.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from support.studios import running, until

DOCUMENTS, TIMES = 200, 12
CLOCK = """(to) => new Promise((done) => {
  const slider = document.querySelector("input[type=range]");
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


def main() -> None:
    from importlib.resources import files

    from playwright.sync_api import sync_playwright

    lines = (files("sfumato.examples") / "clinic_notes.jsonl").read_text("utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in lines]
    some = [texts[i % len(texts)][: 600 + i] + f" Visit {i}." for i in range(DOCUMENTS)]
    people = [f"p{i % 150}" for i in range(DOCUMENTS)]
    content = "".join(
        json.dumps({"person": who, "note": text}) + "\n"
        for who, text in zip(people, some, strict=True)
    )
    with tempfile.TemporaryDirectory() as folder, running(Path(folder) / "files") as server:
        project, _ = server.upload("notes.jsonl", content.encode())
        server.client.get(f"/api/projects/{project}/look")
        with sync_playwright() as driver:
            browser = driver.chromium.launch(
                executable_path=os.environ.get("CHROMIUM") or shutil.which("chromium"),
                args=["--no-sandbox"],
            )
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            page.goto(server.url)
            page.wait_for_selector("text=Take the example")
            page.goto(f"{server.base}#/{project}/protect")
            page.wait_for_selector("mark", timeout=120_000)
            page.wait_for_selector(".badge.good", timeout=120_000)
            times = []
            for k in range(2, 2 + TIMES):
                times.append(page.evaluate(CLOCK, str(k + 4)))
                until(lambda: "checking" not in page.inner_text(".told.small"))
                time.sleep(0.2)
            back = [page.evaluate(CLOCK, str(k + 4)) for k in range(2, 8)]
            browser.close()
    symbols = sum(map(len, some))
    print(f"{DOCUMENTS} documents, {symbols:,} symbols, {len(set(people))} people; suppress")
    for name, some_times in (("a new k", times), ("a k again", back)):
        middle = statistics.median(some_times)
        print(f"{name}: median {middle:.0f} ms, {min(some_times):.0f} to {max(some_times):.0f}")
    print(f"load average {os.getloadavg()[0]:.1f}, cores {os.cpu_count()}")


if __name__ == "__main__":
    main()
