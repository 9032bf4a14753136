// Protect: stages as cards, sliders, and a preview that follows them.

import { api, because, count, guarded, h, percent, say, several } from "./dom.js";
import { body, lazy, popover } from "./marked.js";
import { wholeData } from "./whole.js";
import { card } from "./stage.js";

export async function protect({ main, project, about, signal, go }) {
  let policy = await api(`/projects/${project}/policy`);
  const sample = { name: null, before: null, last: null };
  const view = { side: "inline" };
  let shownText = policy.text;
  let busy = false;
  let again = false;
  let checking = null;
  let turn = 0; // of the policy: what was asked in an earlier one is not shown
  let keeping = null; // the policy on its way to the server

  const cards = h("div", { class: "stack" });
  const yaml = h("pre", { class: "yaml", tabindex: "0", "aria-label": "release.yaml" });
  const problem = h("div");
  const told = h("div", { class: "told", role: "status", "aria-live": "polite" });
  const judged = h("div", { class: "told small" });
  const documents = h("div", { class: "stack" });
  const legend = h("div", { class: "legend" });
  const whole = wholeData({ project, signal, draw: (one) => document_(0, one), listed: (boxes) => { sampleOrWhole(boxes); } });
  const otherDocuments = h("div", { class: "stack", hidden: true });
  function sampleOrWhole(boxes) {
    otherDocuments.replaceChildren(...(boxes ?? []));
    otherDocuments.hidden = !boxes;
    documents.hidden = Boolean(boxes);
  }

  // A change of the policy: shown at once, kept, and tried on the sample.
  async function change(stated) {
    policy = { ...policy, stated };
    keeping = api(`/projects/${project}/policy`, { method: "PUT", json: { stated } });
    refresh();
    try {
      policy = await keeping;
      drawPolicy();
    } catch (found) { tellProblem(found); }
  }
  function tellProblem(found) {
    problem.replaceChildren(h("p", { class: "note bad" }, found.message ?? found));
  }
  function drawPolicy() {
    const old = new Set(shownText.split("\n"));
    yaml.replaceChildren(...policy.text.trimEnd().split("\n").map((line) => h("span", { class: old.has(line) ? null : "new" }, line || " ")));
    shownText = policy.text;
    problem.replaceChildren(
      policy.problem ? h("p", { class: "note bad" }, because(policy.problem)) : "",
      ...policy.notes.map((text) => h("p", { class: "note" }, text)));
  }
  function drawCards() {
    const stages = policy.stated.stages;
    cards.replaceChildren(...stages.map((stage, at) => card({
      stage, at, of: stages.length, about, project,
      change: (next) => change({ ...policy.stated, stages: stages.map((one, i) => (i === at ? next : one)) }).then(() => { stages[at] = next; }),
      slide: (next) => { stages[at] = next; refresh(); },
      keep: () => change(policy.stated),
      move: (by) => { const list = [...stages]; const [one] = list.splice(at, 1); list.splice(at + by, 0, one); change({ ...policy.stated, stages: list }).then(drawCards); },
      remove: () => change({ ...policy.stated, stages: stages.filter((one, i) => i !== at) }).then(drawCards),
    })), adding());
  }
  function adding() {
    const select = h("select", { "aria-label": "A further stage" }, about.verbs.map((one) => h("option", { value: one.verb }, `${one.verb}: ${one.summary}`)));
    return h("div", { class: "row" }, select, h("button", { onclick: () => {
      const verb = about.verbs.find((one) => one.verb === select.value);
      const stage = { verb: verb.verb };
      const list = [...policy.stated.stages];
      const last = list.at(-1);
      const hides = (name) => about.verbs.find((one) => one.verb === name)?.only_hides;
      list.splice(hides(last?.verb) && !verb.only_hides ? list.length - 1 : list.length, 0, stage);
      policy = { ...policy, stated: { ...policy.stated, stages: list } };
      drawCards();
      if (!verb.options.some((one) => one.needed)) change(policy.stated);
      else say(`${verb.verb} needs a list: give it on its card`, "warn");
    } }, "Add"));
  }

  // The newest state of the sliders is tried; those between are skipped.
  async function refresh() {
    turn += 1;
    whole.stop();
    if (busy) { again = true; return; }
    busy = true;
    try {
      do {
        again = false;
        const found = await api(`/projects/${project}/preview`, { method: "POST", json: { known: sample.name, stated: policy.stated }, signal });
        if (found.before) { sample.before = found.before; sample.name = found.sample; }
        draw(found);
      } while (again);
      problem.replaceChildren();
      const [mine, stated] = [turn, policy.stated]; // a stage that was just added may not be complete
      judged.replaceChildren(h("span", { class: "quiet" }, "checking the claims on this sample…"));
      clearTimeout(checking); // a slider that still moves is not kept waiting by the checks
      checking = setTimeout(guarded(() => check(mine, stated)), 400);
    } catch (found) {
      if (found.name !== "AbortError") { tellProblem(found); told.replaceChildren(h("span", { class: "quiet" }, "No preview")); documents.replaceChildren(); judged.replaceChildren(); }
    } finally { busy = false; if (again) refresh(); }
  }
  async function check(mine, stated) {
    const found = await api(`/projects/${project}/verdicts`, { method: "POST", json: { stated }, signal });
    if (mine !== turn) return;
    judged.replaceChildren(...found.map((one) => h("span", { class: `badge ${one.holds ? "good" : "bad"}`, title: one.statement }, `${one.holds ? "✓" : "✕"} ${one.claim}`)));
    const read = await api(`/projects/${project}/guessed`, { method: "POST", json: { stated }, signal });
    if (mine !== turn) return;
    drawRead(read);
    await keeping?.catch(() => {});
    if (mine === turn && !sample.last.found.is_all && !policy.problem) whole.begin();
  }

  // What a reader could fill in of the stars: marked where it stands, and counted.
  function drawRead({ columns, guess }) {
    const { changes } = sample.last;
    let places = 0;
    for (const [name, found] of Object.entries(columns)) {
      for (const [at, start, stop, text] of found) {
        const mine = changes[name]?.get(at)?.find((one) => one[0] === start && one[1] === stop);
        if (mine) { mine[4] = { text, guess }; places += 1; }
      }
    }
    legend.append(h("span", { class: "read", title: "Stars that the words beside them give away: somebody who knows everybody else's texts can tell what stood there." },
      h("i", { class: "guess" }), places ? `${several(places, "place")} a reader could fill in` : "nothing a reader could fill in"));
    if (places) for (const box of documents.children) box.again();
    document.body.dataset.read = String(places);
  }

  function draw(found) {
    const before = sample.before;
    const texts = Object.keys(found.columns);
    const rows = found.rows ?? found.documents.map((one, at) => at);
    const changes = {};
    for (const name of texts) {
      changes[name] = new Map();
      for (const [at, ...rest] of found.columns[name]) {
        if (!changes[name].has(at)) changes[name].set(at, []);
        changes[name].get(at).push(rest);
      }
    }
    const share = Object.entries(found.changed);
    const marks = Object.values(found.columns).reduce((sum, one) => sum + one.length, 0);
    told.replaceChildren(
      h("span", {}, h("b", {}, several(found.documents.length, "record")), found.total > found.documents.length ? ` of ${count(found.total)}` : "", found.people === null ? "" : ` of ${several(found.people, "person", "people")}`),
      ...share.map(([name, value]) => h("span", {}, h("b", {}, percent(value)), ` of ${name} changed`)),
      h("span", {}, h("b", {}, count(marks)), " places"));
    legend.replaceChildren(...found.stages.map((verb, at) => h("span", { class: `tone${at % 5}` }, h("i"), `${at + 1} ${verb}`)));
    const state = { found, before, texts, rows, changes };
    sample.last = state;
    if (documents.children.length === rows.length && documents.sampleName === sample.name) {
      for (const box of documents.children) box.again();
    } else {
      documents.sampleName = sample.name;
      documents.replaceChildren(...rows.map((row, at) => lazy(() => document_(at, sample.last), 150)));
    }
    document.body.dataset.preview = String(Number(document.body.dataset.preview ?? 0) + 1);
  }

  // One document; `at` is its place among the released ones.
  function document_(at, { found, before, texts, rows, changes, isWhole }) {
    const row = rows[at];
    const cells = found.cells ? Object.keys(before).filter((name) => !texts.includes(name)) : [];
    const size = found.classes && !isWhole ? found.classes.filter((one) => one === found.classes[at]).length : null;
    return h("article", { class: "card doc" },
      h("header", {}, h("span", {}, `record ${found.documents[row] + 1}`), size ? h("span", {}, `in a class of ${several(size, "record")}`) : ""),
      cells.length ? h("div", { class: "cells" }, cells.map((name) => cellOf(name, before[name][row], found.cells[name]?.[at], name in found.cells))) : null,
      texts.map((name) => text_(name, before[name]?.[row] ?? "", changes[name].get(at) ?? [], isWhole ? null : at, texts.length > 1)));
  }
  function text_(name, text, mine, at, titled) {
    const on = (anchor, change_, original) => why(anchor, name, at, change_, original);
    const title = titled ? h("h3", {}, name) : null;
    if (view.side === "inline") return h("div", {}, title, body(text, mine, "after", on));
    return h("div", {}, title, h("div", { class: "sides" }, h("div", {}, h("h4", {}, "before"), body(text, mine, "before", on)),
      h("div", {}, h("h4", {}, "as released"), body(text, mine, "after", on))));
  }
  function cellOf(name, was, now, stays) {
    if (!stays) return h("span", { class: "gone", title: "left out" }, `${name}: ${was ?? "–"}`);
    if (was === now) return h("span", {}, h("i", {}, `${name} `), now ?? "–");
    return h("span", { class: "changed", title: `was ${was ?? "missing"}` }, h("i", {}, `${name} `), now ?? "–");
  }
  const why = async (anchor, column, at, [start, stop, wrote, , read], original) => {
    const box = popover(anchor, h("div", { class: "was" }, original.trim() ? original : original ? "(a blank)" : "(nothing)", " → ", wrote || "(nothing)"),
      read ? h("div", { class: "note warn" }, !read.text.trim() ? "Between two words: a reader takes it for a blank, and reads on." : `A reader could fill in “${read.text}”: the words beside it give it away (${percent(read.guess)} of the others who write them go on like this, or more). Set guess to ${read.guess}, or lower, and it is hidden too.`) : null,
      at === null ? h("div", { class: "quiet" }, "Why it changed is told on the sample.") : h("div", { class: "quiet" }, "…"));
    if (at === null) return;
    try {
      const found = await api(`/projects/${project}/reason`, { method: "POST", json: { column, document: at, start, stop, stated: policy.stated }, signal });
      box.lastChild.replaceWith(...found.reasons.flatMap((one) => one.words.map((text) => h("div", {}, text))),
        ...(found.reasons.length ? [] : [h("div", { class: "quiet" }, "written by a stage together with what stands beside it")]));
    } catch { box.lastChild.remove(); }
  };

  const sideButton = (name, title) => h("button", { "aria-pressed": String(view.side === name), onclick: (event) => {
    view.side = name;
    for (const one of event.currentTarget.parentElement.children) one.setAttribute("aria-pressed", String(one === event.currentTarget));
    for (const box of documents.children) box.again();
    whole.again();
  } }, title);

  const opened = h("input", { type: "file", class: "skip", id: "openpolicy", accept: ".yaml,.yml", onchange: guarded(async () => {
    policy = await api(`/projects/${project}/policy`, { method: "PUT", json: { text: await opened.files[0].text() } });
    opened.value = "";
    drawPolicy(); drawCards(); refresh();
    say("Opened", "good");
  }) });
  const editor = h("textarea", { rows: "18", spellcheck: "false", "aria-label": "release.yaml as text" });
  const byHand = h("div", { class: "stack tight", hidden: true }, editor, h("div", { class: "row" },
    h("button", { class: "main", onclick: guarded(async () => {
      policy = await api(`/projects/${project}/policy`, { method: "PUT", json: { text: editor.value } });
      byHand.hidden = true; yaml.hidden = false;
      drawPolicy(); drawCards(); refresh();
    }) }, "Save"), h("button", { onclick: () => { byHand.hidden = true; yaml.hidden = false; } }, "Leave")));

  main.replaceChildren(h("div", { class: "stack" },
    h("div", { class: "row spread" }, h("div", {}, h("h1", {}, "Protect"), h("p", { class: "quiet" }, "Stages, in order. The preview follows the sliders. Hover over a mark, or go to it by Tab and the arrows, to see why.")),
      h("div", { class: "row" }, h("button", { onclick: () => go(`${project}/judge`) }, "Judge"), h("button", { class: "main", onclick: () => go(`${project}/release`) }, "Go on to Release"))),
    h("div", { class: "work shaping" },
      h("div", { class: "side stack" }, cards, problem,
        h("details", { class: "card later", open: true }, h("summary", {}, "release.yaml"), yaml, byHand,
          h("div", { class: "row" }, h("a", { class: "button", href: `/api/projects/${project}/release.yaml`, download: "release.yaml" }, "Save as"),
            h("button", { onclick: () => opened.click() }, "Open"), h("label", { class: "skip", for: "openpolicy" }, "A policy"), opened,
            h("button", { onclick: () => { editor.value = policy.text; byHand.hidden = false; yaml.hidden = true; editor.focus(); } }, "Edit"))),
        h("details", { class: "card later" }, h("summary", {}, "Choosing k"), h("p", { class: "small text" }, about.guidance))),
      h("section", { class: "stack", "aria-label": "Preview" },
        h("div", { class: "card stack tight" }, h("div", { class: "row spread" }, told, h("div", { class: "switch", role: "group", "aria-label": "How texts are shown" }, sideButton("inline", "As released"), sideButton("both", "Side by side"))),
          judged, legend),
        whole.box, documents, otherDocuments))));
  drawCards();
  drawPolicy();
  await refresh();
}
