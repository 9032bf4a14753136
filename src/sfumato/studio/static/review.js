// Review: what was recognised, the most doubtful first; a key both decides and goes on.

import { api, because, count, guarded, h, percent, say, several, watch } from "./dom.js";
import { points } from "./marked.js";

const KEYS = [["A", "accept, and go on"], ["R", "reject, and go on"], ["1 – 9", "another label, and go on"], ["Shift + A / R", "the same for all places with this text"],
  ["→ / ←", "next, earlier place"], ["] / [", "next, earlier document"], ["U", "undo"], ["M", "mark what was missed; or drag over it, or double-click"]];

export async function review({ main, project, signal, go, beside = false }) {
  main.replaceChildren(h("p", { class: "quiet pad" }, "Looking for names, places, dates and numbers…"));
  const told = await api(`/projects/${project}/places`, { signal });
  const key = (one) => `${one[0]}:${one[1]}:${one[2]}`;
  const decided = new Map();
  const history = [];
  for (const one of told.decisions) decided.set(`${one.document}:${one.start}:${one.stop}`, one);
  const places = told.places;
  const labels = [...new Set([...told.labels, "PERSON", "LOCATION", "DATE"])].sort();
  const byDocument = new Map();
  for (const one of places) {
    if (!byDocument.has(one[0])) byDocument.set(one[0], []);
    byDocument.get(one[0]).push(one);
  }
  const texts = new Map();
  let at = Math.max(0, places.findIndex((one) => !decided.has(key(one))));
  const same = (one) => one[8]; // the text, by which a decision for all places finds its like
  const byKey = new Map(places.map((one) => [key(one), one]));
  const wide = () => new Map([...decided].filter(([name, one]) => one.scope === "everywhere" && byKey.has(name)).map(([name, one]) => [same(byKey.get(name)), one]));
  let everywhere = wide();
  const isOpen = (one) => !decided.has(key(one)) && !everywhere.has(same(one));
  at = Math.max(0, places.findIndex(isOpen));
  let lastLabel = "PERSON";
  let saving = null;
  let page = null; // a document that is looked at for itself, whether anything was recognised in it or not

  const paper = h("div", { class: "card doc text", tabindex: "0", role: "application", "aria-label": "The document. Keys: A accepts, R rejects, digits give another label, arrows move, brackets go to other documents, U undoes, M marks what was missed." });
  const now = h("div", { class: "stack tight", role: "status", "aria-live": "polite" });
  const progress = h("div", { class: "told small" });
  const saved = h("span", { class: "quiet small" });

  const textOf = async (document_) => {
    if (!texts.has(document_)) texts.set(document_, (await api(`/projects/${project}/texts/${document_}`, { signal })).text);
    return texts.get(document_);
  };
  const tone = (label) => `tone${Math.max(0, labels.indexOf(label)) % 5}`;
  const wordOf = async (one) => { const text = points(await textOf(one[0])); const part = text.slice(one[1], one[2]); return typeof part === "string" ? part : part.join(""); };

  function save() {
    clearTimeout(saving);
    saved.textContent = "saving…";
    saving = setTimeout(async () => {
      try {
        await api(`/projects/${project}/review`, { method: "PUT", json: { decisions: [...decided.values()] } });
        saved.textContent = beside ? "kept in the notebook" : "saved in review.jsonl";
        document.body.dataset.saved = String(decided.size);
      } catch (problem) { say(problem); saved.textContent = "not saved"; }
    }, 300);
  }
  function decide(decision, more = {}) {
    const one = places[at];
    if (!one || page !== null) return;
    history.push([key(one), decided.get(key(one)), at]);
    decided.set(key(one), { document: one[0], start: one[1], stop: one[2], label: one[3], decision, scope: "here", ...more });
    everywhere = wide();
    save();
    const next = places.findIndex((two, i) => i > at && isOpen(two));
    move(next < 0 ? 1 : next - at);
  }
  function undo() {
    const last = history.pop();
    if (!last) return;
    const [name, before, place] = last;
    if (before) decided.set(name, before); else decided.delete(name);
    at = place;
    page = null;
    everywhere = wide();
    save();
    draw();
  }
  function turn(by) {
    const from = page ?? places[at]?.[0] ?? 0;
    page = Math.min(told.documents - 1, Math.max(0, from + by));
    const first = places.findIndex((one) => one[0] === page);
    if (first >= 0) { at = first; page = null; }
    draw();
  }
  function move(by) {
    page = null;
    at = Math.min(places.length - 1, Math.max(0, at + by));
    draw();
  }
  function stateOf(one) {
    const mine = decided.get(key(one)) ?? everywhere.get(same(one));
    if (mine) return mine.decision === "reject" ? "off sure" : "sure";
    return one[5] ? "" : "off";
  }

  const draw = guarded(async () => {
    if (!places.length) page ??= 0;
    const one = page === null ? places[at] : [page];
    const text = points(await textOf(one[0]));
    if (signal.aborted) return;
    const part = (low, high) => { const some = text.slice(low, high); return typeof some === "string" ? some : some.join(""); };
    const mine = [...(byDocument.get(one[0]) ?? []), ...[...decided.values()].filter((two) => two.added && two.document === one[0]).map((two) => [two.document, two.start, two.stop, two.label, 1, true, "added"])].sort((a, b) => a[1] - b[1] || b[2] - a[2]);
    const out = [];
    let done = 0;
    let current = null;
    for (const place of mine) {
      if (place[1] < done) continue;
      out.push(part(done, place[1]));
      const label = decided.get(key(place))?.new_label ?? place[3];
      const box = h("span", { class: `span ${tone(label)} ${stateOf(place)}${place === one ? " now" : ""}`, title: label, onclick: () => { const to = places.indexOf(place); if (to >= 0) { page = null; at = to; draw(); } } }, part(place[1], place[2]));
      if (place === one) current = box;
      out.push(box);
      done = place[2];
    }
    out.push(part(done, text.length));
    paper.replaceChildren(...out);
    paper.base = one[0];
    current?.scrollIntoView({ block: "nearest" });
    const count_ = decided.size;
    document_.textContent = `document ${count(one[0] + 1)} of ${count(told.documents)}`;
    deciding.hidden = page !== null;
    progress.replaceChildren(places.length ? h("span", {}, h("b", {}, `${count(at + 1)} of ${count(places.length)}`), " places, the most doubtful first") : "", h("span", {}, h("b", {}, count(count_)), " decided"));
    if (page !== null) { now.replaceChildren(h("p", { class: "small quiet" }, mine.length ? "Nothing else was recognised in this document." : "Nothing was recognised in this document. Double-click a word, drag over a few, or press M, to mark what was missed.")); return; }
    const decision = decided.get(key(one)) ?? everywhere.get(same(one));
    label.value = decision?.new_label ?? one[3];
    all.checked = decision?.scope === "everywhere";
    now.replaceChildren(
      h("b", {}, part(one[1], one[2])),
      h("p", { class: "small quiet" }, `${one[5] ? `found, sure to ${percent(one[4])}` : "nearly found"}; ${one[6] || "no reason given"}; ${{ direct: "identifies directly", quasi: "identifies together with others", keep: "is kept by default" }[one[7]] ?? ""}`),
      decision ? h("p", { class: "small" }, `decided: ${decision.decision}${decision.scope === "everywhere" ? ", everywhere" : ""}`) : h("p", { class: "small quiet" }, "not decided yet"),
      ...(places.some(isOpen) ? [] : [h("p", { class: "note good" }, "Every place is decided.")]));
  });

  // What a person marks: the word under a double click, or what was dragged over.
  function marked() {
    const chosen = getSelection();
    if (!chosen.rangeCount || chosen.isCollapsed || !paper.contains(chosen.anchorNode)) return;
    const range = chosen.getRangeAt(0);
    const before = document.createRange();
    before.setStart(paper, 0);
    before.setEnd(range.startContainer, range.startOffset);
    const raw = range.toString();
    const word = raw.trim();
    if (!word) return;
    const start = [...before.toString()].length + [...raw.slice(0, raw.indexOf(word))].length;
    const stop = start + [...word].length;
    mark(start, stop, word);
  }
  const isFree = (start, stop) => !places.some((one) => one[0] === paper.base && one[1] < stop && start < one[2]);
  // Without a pointer: the words are typed, and found where they stand.
  function typed() {
    const field = h("input", { type: "text", id: "missed", autocomplete: "off" });
    const find = guarded(async () => {
      const text = await textOf(paper.base);
      const word = field.value.trim();
      for (let found = word ? text.indexOf(word) : -1; found >= 0; found = text.indexOf(word, found + 1)) {
        const start = [...text.slice(0, found)].length;
        if (isFree(start, start + [...word].length)) { mark(start, start + [...word].length, word); return; }
      }
      say("These words do not stand in this document, or are marked already", "warn");
    });
    field.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); find(); } if (event.key === "Escape") { adding.replaceChildren(); paper.focus(); } });
    adding.replaceChildren(h("div", { class: "card stack tight" }, h("label", { for: "missed" }, "The words that were missed, as they stand in the document"), field, h("div", { class: "row" }, h("button", { class: "main", onclick: find }, "Find them"))));
    field.focus();
  }
  function mark(start, stop, word) {
    if (!isFree(start, stop)) return;
    const select = h("select", { "aria-label": "What it is" }, labels.map((name) => h("option", { value: name }, name)));
    select.value = lastLabel;
    const add = (everywhere) => {
      lastLabel = select.value;
      const name = `${paper.base}:${start}:${stop}`;
      history.push([name, decided.get(name), at]);
      decided.set(name, { document: paper.base, start, stop, label: select.value, decision: "accept", scope: everywhere ? "everywhere" : "here", added: true });
      getSelection().removeAllRanges();
      adding.replaceChildren();
      save();
      draw();
      paper.focus();
    };
    adding.replaceChildren(h("div", { class: "card stack tight" }, h("h3", {}, `Mark “${word.slice(0, 60)}”`), select,
      h("div", { class: "row" }, h("button", { class: "main", onclick: () => add(false) }, "Here"), h("button", { onclick: () => add(true) }, "Everywhere"), h("button", { class: "plain", onclick: () => adding.replaceChildren() }, "Leave"))));
    if (document.activeElement === document.body) select.focus(); // the words were typed
  }
  const adding = h("div");
  for (const name of ["mouseup", "touchend"]) paper.addEventListener(name, () => setTimeout(marked));
  paper.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const pressed = event.key.toLowerCase();
    const scope = event.shiftKey ? { scope: "everywhere" } : {};
    if (pressed === "a") decide("accept", scope);
    else if (pressed === "r") decide("reject", scope);
    else if (pressed === "u") undo();
    else if (pressed === "m") typed();
    else if (pressed === "]") turn(1);
    else if (pressed === "[") turn(-1);
    else if (pressed === "arrowright") move(1);
    else if (pressed === "arrowleft") move(-1);
    else if (/^[1-9]$/.test(pressed) && labels[pressed - 1]) decide("relabel", { new_label: labels[pressed - 1], ...scope });
    else return;
    event.preventDefault();
  });

  const use = guarded(async () => {
    const policy = (await api(`/projects/${project}/policy`)).stated;
    const { recognizer, ...rest } = policy;
    await api(`/projects/${project}/policy`, { method: "PUT", json: { stated: { ...rest, spans: "review.jsonl" } } });
    say("The policy now takes your review in place of a recogniser (spans: review.jsonl)", "good");
  });
  const learnt = h("div", { class: "later" });
  const learn = guarded(async () => {
    const job = await api(`/projects/${project}/jobs`, { method: "POST", json: { kind: "learn" } });
    const bar = h("progress", { max: "1", value: "0", "aria-label": "Learning" });
    learnt.replaceChildren(h("div", { class: "card stack tight" }, h("h3", {}, "Learning from your review…"), bar));
    const done = await watch(job, (one) => { bar.value = one.share; }, signal);
    if (done.state !== "done") { learnt.replaceChildren(h("p", { class: "note bad" }, because(done.reason))); return; }
    const found = done.result;
    const sum = (one) => Object.values(one).reduce((a, b) => a + b, 0);
    const rows = Object.entries(found.labels ?? {}).filter(([, one]) => one.marked);
    learnt.replaceChildren(h("section", { class: "card stack tight", "aria-label": "What was learnt" }, h("h3", {}, "What was learnt"),
      h("p", {}, h("b", {}, several(sum(found.gained), "place")), " found that ", h("code", {}, found.base), " missed, ", h("b", {}, several(sum(found.lost), "place")), " left that it marked."),
      rows.length ? h("table", {}, h("thead", {}, h("tr", {}, ["label", "marked", "found before", "found now"].map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, rows.map(([label, one]) => h("tr", {}, h("td", {}, label), h("td", {}, count(one.marked)), h("td", {}, percent(one.recall_of_base)), h("td", {}, percent(one.recall)))))) : null,
      h("p", { class: "small quiet" }, "Measured on documents that were held out."),
      h("button", { onclick: guarded(async () => {
        const policy = (await api(`/projects/${project}/policy`)).stated;
        const { spans, ...rest } = policy;
        await api(`/projects/${project}/policy`, { method: "PUT", json: { stated: { ...rest, recognizer: found.model } } });
        say("The policy now takes what was learnt (recognizer: learnt.model)", "good");
      }) }, "Use it in the policy")));
  });

  // The same as the keys, for whoever has a pointer or a finger.
  const by = (decision, more = {}) => { decide(decision, { ...(all.checked ? { scope: "everywhere" } : {}), ...more }); paper.focus({ preventScroll: true }); };
  const all = h("input", { type: "checkbox", id: "all" });
  const label = h("select", { "aria-label": "Another label", onchange: () => by("relabel", { new_label: label.value }) }, labels.map((name) => h("option", { value: name }, name)));
  const deciding = h("div", { class: "stack tight" }, h("div", { class: "row" }, label, h("label", { class: "row small", for: "all" }, all, "every place of it")),
    h("div", { class: "row" }, h("button", { class: "main", onclick: () => by("accept") }, "Accept"), h("button", { onclick: () => by("reject") }, "Reject"), h("button", { class: "plain", onclick: () => { undo(); paper.focus({ preventScroll: true }); } }, "Undo")));
  const document_ = h("span");
  const turning = h("div", { class: "row small" }, h("button", { class: "plain", "aria-label": "Earlier document", onclick: () => turn(-1) }, "‹"), document_, h("button", { class: "plain", "aria-label": "Next document", onclick: () => turn(1) }, "›"));

  main.replaceChildren(h("div", { class: "stack" },
    h("div", { class: "row spread" }, h("div", {}, h("h1", {}, "Review"), h("p", { class: "quiet" }, told.column ? `What was recognised in ${told.column}, in ${several(told.documents, "document")}.` : `What was recognised in ${several(told.documents, "document")}.`), (told.others ?? []).length ? h("p", { class: "told small" }, `One text column can be reviewed here. ${told.others.join(", ")} cannot: a policy with a review takes one text column.`) : null),
      h("div", { class: "row" }, saved, beside ? null : h("button", { class: "main", onclick: () => go(`${project}/protect`) }, "Go on to Protect"))),
    h("div", { class: "work reviewing" },
      h("div", { class: "side stack" }, h("section", { class: "card stack tight place", "aria-label": "This place" }, now, deciding), adding,
        h("section", { class: "card stack tight later", "aria-label": "Keys and labels" }, h("h3", { class: "bykeys" }, "Keys"), h("div", { class: "keys bykeys" }, KEYS.flatMap(([name, text]) => [h("kbd", {}, name), h("span", {}, text)])),
          h("h3", {}, "Labels"), h("div", { class: "legend" }, labels.map((name, i) => h("span", { class: tone(name) }, h("i"), i < 9 ? `${i + 1} ${name}` : name)))),
        beside ? h("p", { class: "small quiet" }, "Your decisions are in the notebook at once: review.spans") : h("section", { class: "card stack tight later", "aria-label": "Use the review" }, h("h3", {}, "Use the review"),
          h("div", { class: "row" }, h("button", { onclick: learn }, "Learn from my review"), h("button", { onclick: use }, "Release by it")),
          h("a", { class: "small", href: `/api/projects/${project}/files/review.jsonl`, download: "review.jsonl" }, "review.jsonl, as a file (private)")), learnt),
      h("section", { class: "stack", "aria-label": "Document" }, h("div", { class: "row spread" }, progress, turning), paper))));
  if (!told.decisions.length) save();
  await draw();
  paper.focus({ preventScroll: true });
}
