// Receive: a release that somebody gave, every claim judged by code that shares only definitions.

import { api, because, guarded, h, several, watch } from "./dom.js";
import { dropped, send } from "./start.js";

export async function receive({ main, signal }) {
  let files = [];
  let original = null;
  const picker = h("input", { type: "file", class: "skip", id: "pickrelease", webkitdirectory: true, onchange: () => have([...picker.files]) });
  const archive = h("input", { type: "file", class: "skip", id: "pickzip", multiple: true, onchange: () => have([...archive.files]) });
  const source = h("input", { type: "file", class: "skip", id: "pickoriginal", onchange: () => { original = source.files[0] ?? null; tell(); } });
  const status = h("p", { class: "quiet small", role: "status" }, "Give a release first.");
  const result = h("div", { class: "stack" });
  const button = h("button", { class: "main", disabled: true, onclick: () => judge() }, "Judge it");
  const column = h("input", { type: "text", id: "col", size: "12" });
  const person = h("input", { type: "text", id: "per", size: "12" });

  function have(given) { files = given.filter((one) => !one.name.startsWith(".")); tell(); }
  function tell() {
    status.textContent = [files.length ? (files.length === 1 ? files[0].name : `${several(files.length, "file")} of the release`) : "", original ? `and the original, ${original.name}` : ""].filter(Boolean).join(" ");
    button.disabled = !files.length;
  }
  const judge = guarded(async () => {
    button.disabled = true;
    result.replaceChildren(h("p", { class: "quiet" }, "Taking the files…"));
    try {
      const project = await api("/projects", { method: "POST", json: { name: "received", kind: "received" } });
      for (const file of files) await send(project.id, file, "release");
      if (original) await send(project.id, original, "original");
      const job = await api(`/projects/${project.id}/jobs`, { method: "POST", json: { kind: "receive", arguments: { text_column: column.value, group_column: person.value } } });
      const done = await watch(job, () => result.replaceChildren(h("p", { class: "quiet" }, "Judging every claim…")), signal);
      draw(done);
      await api(`/projects/${project.id}`, { method: "DELETE" });
    } catch (problem) { result.replaceChildren(); throw problem; } finally { button.disabled = false; }
  });
  function draw(done) {
    if (done.state !== "done") { result.replaceChildren(h("p", { class: "note bad" }, because(done.reason))); return; }
    const found = done.result;
    const title = found.problem ? `Not verified: ${found.problem}${found.where ? ` (${found.where})` : ""}`
      : found.holds ? "Every claim that could be judged holds" : found.verdicts.length ? "Not verified: a claim does not hold" : "No claim could be judged with what was given";
    result.replaceChildren(h("section", { class: "card stack", "aria-label": "Verdict", "data-holds": String(Boolean(found.holds)) },
      h("div", {}, h("span", { class: `badge ${found.holds ? "good" : "bad"}` }, found.holds ? "verified" : "not verified")), h("p", { class: "big" }, title),
      found.problem || !found.verdicts.length ? null : h("p", { class: "quiet" }, `Judged ${found.with_original ? "against the original" : "from the release alone"}${found.is_folder ? ": its files are those that SHA256SUMS names, its certificate is that of its policy" : ""}.`),
      found.verdicts.map((one) => h("div", { class: `verdict${one.holds ? "" : " fails"}` }, h("div", {}, one.statement, one.holds ? null : h("div", { class: "small quiet" }, one.reason)))),
      (found.not_judged ?? []).length ? h("div", { class: "stack tight" }, h("h3", {}, "Not judged"), found.not_judged.map((one) => h("div", { class: "verdict open small" }, h("div", {}, h("b", {}, one.claim), `: ${one.reason}`)))) : null));
  }

  const zone = h("section", { class: "drop", "aria-label": "Give a release" }, h("strong", {}, "Drop a release folder, or its zip"),
    h("p", { class: "quiet" }, "Every file is compared with SHA256SUMS, the certificate with the policy, and what is legible is counted again."),
    h("div", { class: "row" }, h("button", { onclick: () => picker.click() }, "Choose a folder"), h("button", { onclick: () => archive.click() }, "Choose a zip, or a file and its certificate"), h("button", { onclick: () => source.click() }, "Add the original")),
    h("label", { class: "skip", for: "pickrelease" }, "A release folder"), picker, h("label", { class: "skip", for: "pickzip" }, "A release archive"), archive, h("label", { class: "skip", for: "pickoriginal" }, "The original"), source);
  for (const name of ["dragenter", "dragover"]) zone.addEventListener(name, (event) => { event.preventDefault(); zone.classList.add("over"); });
  for (const name of ["dragleave", "drop"]) zone.addEventListener(name, () => zone.classList.remove("over"));
  zone.addEventListener("drop", guarded(async (event) => { event.preventDefault(); have((await dropped(event.dataTransfer)).files); }));
  main.replaceChildren(h("div", { class: "hero" }, h("div", {}, h("h1", {}, "Receive a release"), h("p", { class: "lead" }, "See for yourself what its certificate claims, and whether it holds.")), zone,
    h("details", {}, h("summary", {}, "A single released file: its columns"), h("div", { class: "row" }, h("label", { for: "col" }, "text column"), column, h("label", { for: "per" }, "person column"), person)),
    h("div", { class: "row" }, button, status), result));
}
