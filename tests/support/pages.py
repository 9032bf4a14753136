"""A page of the studio as tests use it: files given to it, waited for, looked at."""

from __future__ import annotations

import os
from pathlib import Path

from support.studios import until

NAMES = ("Anna", "Boris", "Clara", "Dmitri", "Elena", "Felix")
DAYS = ("Monday", "Tuesday", "Friday")
NOTES = [
    f"The patient {NAMES[i % 6]} has mild flu and was sent home on {DAYS[i % 3]} "
    f"by Dr. {'Lee' if i % 7 else 'Quentin'}, case {i}."
    for i in range(40)
]


def give(page, name, content):
    """Gives a file as a newcomer does, and waits for the next page."""
    file = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    page.set_input_files("#pick", file)
    page.wait_for_selector("text=The data as it came")


def drop(page, *paths):
    """Drops files or folders of this machine on the page, as a hand does, and waits."""
    box = page.locator(".drop").bounding_box()
    place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + 20}
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    hand = page.context.new_cdp_session(page)
    for kind in ("dragEnter", "dragOver", "drop"):
        hand.send("Input.dispatchDragEvent", {"type": kind, **place, "data": data})
    hand.detach()
    page.wait_for_selector("text=The data as it came")


def wait(page, expression):
    """Until an expression holds; the page's own policy forbids it to evaluate strings."""
    until(lambda: page.evaluate(expression))


def previewed(page):
    wait(page, "Number(document.body.dataset.preview ?? 0) > 0")
    return int(page.evaluate("document.body.dataset.preview"))


def shoot(page, name, full=False):
    folder = os.environ.get("SFUMATO_SCREENSHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=f"{folder}/{name}.png", full_page=full)
