"""`sf.review` in a notebook: the page in its frame, decided by keys, and nobody else's."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

import sfumato as sf
from support.studios import PATIENCE, until

pytestmark = pytest.mark.browser
TEXTS = ["Dr. Ann Ho saw a 49-year-old man.", "Mrs. Eve Ho left <b>early</b>.", "Ann Ho wrote."]


@pytest.fixture
def notebook():
    """A page of another address that shows what a cell gave, as Jupyter does."""
    shown = {"html": ""}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            body = f"<!doctype html><title>notebook</title>{shown['html']}".encode()
            self.send_response(200)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *given):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    shown["port"] = server.server_address[1]
    yield shown
    server.shutdown()
    server.server_close()


def test_a_cell_s_review_is_decided_by_keys(chromium, notebook):
    review = sf.review(TEXTS, recognizer="rules-en")
    notebook["html"] = review._repr_html_()
    before = {(one.document, one.start, one.stop) for one in review.spans}
    context = chromium.new_context(viewport={"width": 1000, "height": 900})
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{notebook['port']}/")
    frame = page.frame_locator("iframe")
    paper = frame.get_by_role("application")
    paper.locator(".span.now").wait_for()
    first = review.places[0].span
    paper.press("r")
    gone = (first.document, first.start, first.stop)
    until(lambda: gone not in {(one.document, one.start, one.stop) for one in review.spans})
    paper.press("u")
    until(lambda: {(one.document, one.start, one.stop) for one in review.spans} == before)
    for _ in range(len(review)):
        paper.press("r")
    until(lambda: review.spans == [])
    frame.locator("text=Every place is decided").wait_for()
    page.reload()  # a notebook draws its frames again
    frame.locator("text=Every place is decided").wait_for()
    other = chromium.new_context()
    page = other.new_page()
    elsewhere = f"http://localhost:{notebook['port']}/"
    page.goto(elsewhere)  # a saved notebook, opened by somebody else: its token is spent
    page.frame_locator("iframe").locator("text=opened before").wait_for()
    notebook["html"] = review._repr_html_()  # the cell is run again
    page.goto(elsewhere)
    page.frame_locator("iframe").locator("text=Every place is decided").wait_for()
    other.close()
    context.close()


def test_other_pages_and_users_get_nothing():
    httpx = pytest.importorskip("httpx")
    review = sf.review(TEXTS, recognizer="rules-en")
    from sfumato.studio.beside import BESIDE

    address, _, token = BESIDE.address(review).partition("#")
    base = address.removesuffix("/review")
    own = {"origin": base}
    assert "Ann" not in httpx.get(address).text
    assert httpx.get(f"{base}/api/projects/here/places").status_code == 401
    enter = {"token": token}
    for headers in ({}, {"origin": "http://evil.example"}, {"origin": "null"}):
        assert httpx.post(f"{base}/api/enter", json=enter, headers=headers).status_code == 403
    wrong = httpx.post(f"{base}/api/enter", json={"token": "x"}, headers=own)
    assert wrong.status_code == 401
    assert httpx.get(address, headers={"host": "evil.example"}).status_code == 403
    key = httpx.post(f"{base}/api/enter", json=enter, headers=own).json()["key"]
    assert httpx.post(f"{base}/api/enter", json=enter, headers=own).status_code == 401, "spent"
    mine = {**own, "authorization": f"Bearer {key}"}
    answer = httpx.get(f"{base}/api/projects/here/texts/0", headers=mine)
    assert answer.json() == {"text": TEXTS[0]}
    assert "frame-ancestors http://localhost:*" in answer.headers["content-security-policy"]
    for path in ("texts/9", "texts/x", "files/key", "../../x"):
        found = httpx.get(f"{base}/api/projects/here/{path}", headers=mine)
        assert found.status_code in (401, 404), path
    for wrong in ({"document": 0}, {"document": 99, "start": 0, "stop": 3, "label": "X"}):
        body = {"decisions": [wrong]}
        sent = httpx.put(f"{base}/api/projects/here/review", json=body, headers=mine)
        assert sent.status_code == 400
        assert "Ann" not in sent.text
    start = TEXTS[1].index("early")
    added = {
        "document": 1,
        "start": start,
        "stop": start + 5,
        "label": "NAME",
        "decision": "accept",
    }
    body = {"decisions": [{**added, "scope": "everywhere"}]}
    sent = httpx.put(f"{base}/api/projects/here/review", json=body, headers=mine)
    assert sent.status_code == 200, sent.text
    assert any(one.label == "NAME" and one.document == 1 for one in review.spans)
    assert json.loads(json.dumps(review.as_places()))["decisions"] == body["decisions"]
