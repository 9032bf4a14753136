// The whole data, in the background: progress, cancel, and its documents a page at a time.

import { api, because, count, guarded, h, percent, several, watch } from "./dom.js";

const STEP = 200; // documents in a part, as the server keeps them

export function wholeData({ project, signal, draw, listed }) {
  const box = h("div");
  let job = null; // that runs, or whose documents are shown
  let part = null;

  // A newer choice: what an older one gives is of no use.
  function stop() {
    if (job?.open) api(`/jobs/${job.id}/cancel`, { method: "POST" }).catch(() => {});
    job = null;
    part = null;
    box.replaceChildren();
    listed(null);
  }
  signal.addEventListener("abort", () => { if (job?.open) stop(); });

  const begin = guarded(async () => {
    stop();
    const mine = await api(`/projects/${project}/jobs`, { method: "POST", json: { kind: "try" } });
    mine.open = true;
    job = mine;
    const bar = h("progress", { max: "1", value: "0", "aria-label": "Progress on the whole data" });
    const said = h("span", { class: "quiet small" });
    box.replaceChildren(h("section", { class: "card stack tight", "aria-label": "The whole data" }, h("div", { class: "row spread" }, h("h3", {}, "The whole data, in the background"),
      h("button", { onclick: () => { stop(); offer(); } }, "Cancel")), bar, said));
    const done = await watch(mine, (one) => { bar.value = one.share; said.textContent = one.state === "queued" ? "waiting for its turn" : one.part; }, signal);
    mine.open = false;
    if (job !== mine) return;
    if (done.state === "done") tell(done);
    else if (done.state === "failed") box.replaceChildren(h("p", { class: "note bad" }, because(done.reason)));
    else offer();
  });

  function offer() {
    box.replaceChildren(h("div", { class: "row" }, h("button", { onclick: begin }, "Try on the whole data")));
  }
  function tell(done) {
    const found = done.result;
    const look = h("button", { "aria-pressed": "false", onclick: guarded(async () => {
      if (part === null) { await page(0); } else { part = null; listed(null); }
      look.setAttribute("aria-pressed", String(part !== null));
      look.textContent = part === null ? "Look through all of it" : "Back to the sample";
    }) }, "Look through all of it");
    box.replaceChildren(h("section", { class: "card stack tight", "aria-label": "The whole data", "data-whole": String(found.documents) }, h("div", { class: "row spread" }, h("h3", {}, "The whole data"), look),
      h("div", { class: "told" }, h("span", {}, h("b", {}, several(found.documents, "record"))),
        Object.entries(found.changed).map(([name, share]) => h("span", {}, h("b", {}, percent(share)), ` of ${name} changed`))),
      h("div", { class: "told small" }, found.verdicts.map((one) => h("span", { class: `badge ${one.holds ? "good" : "bad"}`, title: one.statement }, `${one.holds ? "✓" : "✕"} ${one.claim}`)))));
    job.documents = found.documents;
  }

  async function page(number) {
    const shown = job;
    const found = await api(`/jobs/${shown.id}/parts/${number}`, { signal });
    if (job !== shown) return;
    part = { number, found };
    again();
  }
  function again() {
    if (!part) return;
    const { number, found } = part;
    const last = Math.ceil(job.documents / STEP) - 1;
    const to = (next, title) => h("button", { disabled: next < 0 || next > last, onclick: guarded(async () => { await page(next); scrollTo({ top: 0 }); }) }, title);
    const pager = () => h("nav", { class: "pager", "aria-label": "Parts of the whole data" }, to(number - 1, "Earlier"),
      h("span", { class: "small quiet" }, `${count(number * STEP + 1)} to ${count(number * STEP + found.length)} of ${count(job.documents)}`), to(number + 1, "Later"));
    listed([pager(), ...found.map((one) => draw(asState(one))), pager()]);
  }
  // One document of a part, in the form of a sample that has this one alone.
  function asState(one) {
    const texts = Object.keys(one.changes);
    const hasCells = Object.keys(one.cells).length > 0;
    return {
      isWhole: true, texts, rows: [0],
      found: { documents: [one.document], cells: hasCells ? Object.fromEntries(Object.entries(one.cells).map(([name, cell]) => [name, [cell]])) : undefined },
      before: Object.fromEntries(Object.entries(one.before).map(([name, cell]) => [name, [cell]])),
      changes: Object.fromEntries(texts.map((name) => [name, new Map([[0, one.changes[name]]])])),
    };
  }
  return { box, begin, stop, again };
}
