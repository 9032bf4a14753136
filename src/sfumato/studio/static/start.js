// Start: a file comes in, and every column gets its role.

import { api, count, guarded, h, say, several, size } from "./dom.js";
import { grid } from "./table.js";

const CHOICES = {
  person: ["says whose row it is", "k counts these people; the release shows random numbers"],
  text: ["protect as text", "what is rare in it is starred, what a recogniser finds is hidden"],
  recode: ["recode", "made alike for groups of k people: 49 becomes 40-55"],
  secret: ["keep, as a secret", "stays as it is; every group of people must show several values"],
  publish: ["publish as it is", "nobody outside knows it of a person, or it tells nothing"],
  drop: ["drop", "left out of the release"],
};

export async function start(context) {
  if (context.project) return columns(context);
  return welcome(context);
}

async function welcome({ about, main, go }) {
  const projects = (await api("/projects")).filter((one) => one.kind === "release" && one.input);
  const picker = h("input", { type: "file", id: "pick", class: "skip", onchange: () => take([...picker.files]) });
  const folder = h("input", { type: "file", id: "pickfolder", class: "skip", webkitdirectory: true, onchange: () => take([...folder.files], true) });
  const status = h("p", { class: "quiet small", role: "status" });

  const take = guarded(async (files, isFolder = files.length > 1) => {
    if (!files.length) return;
    const total = files.reduce((sum, one) => sum + one.size, 0);
    if (total > about.limits.upload) throw new Error(`${size(total)} are too much: a project's files may have ${size(about.limits.upload)} together; use the command line, which reads it in parts`);
    const named = isFolder ? (files[0].webkitRelativePath.split("/")[0] || "folder") : files[0].name;
    const project = await api("/projects", { method: "POST", json: { name: named } });
    try {
      for (const [at, file] of files.entries()) {
        status.textContent = isFolder ? `Taking file ${at + 1} of ${files.length}…` : "Taking the file…";
        await send(project.id, file, isFolder ? "folder" : "input");
      }
      status.textContent = "Reading…";
      await api(`/projects/${project.id}/look`);
    } catch (problem) {
      status.textContent = "";
      await api(`/projects/${project.id}`, { method: "DELETE" });
      throw problem;
    }
    go(`${project.id}/start`);
  });

  const zone = h("section", { class: "drop", "aria-label": "Give a file" },
    h("strong", {}, "Drop a file or a folder here"),
    h("p", { class: "quiet" }, "Tables (CSV, Excel, JSONL, Parquet), texts, Word, PDF, mail, sequences; one file, a folder, or a zip."),
    h("div", { class: "row" },
      h("button", { class: "main", onclick: () => picker.click() }, "Choose a file"),
      h("button", { onclick: () => folder.click() }, "Choose a folder"),
      h("button", { onclick: guarded(async () => {
        status.textContent = "Reading the example…";
        const project = await api("/projects", { method: "POST", json: { example: "clinic" } });
        await api(`/projects/${project.id}/look`);
        go(`${project.id}/start`);
      }) }, "Take the example")),
    status, h("label", { for: "pick", class: "skip" }, "A file"), picker, h("label", { for: "pickfolder", class: "skip" }, "A folder"), folder);
  for (const name of ["dragenter", "dragover"]) zone.addEventListener(name, (event) => { event.preventDefault(); zone.classList.add("over"); });
  for (const name of ["dragleave", "drop"]) zone.addEventListener(name, () => zone.classList.remove("over"));
  zone.addEventListener("drop", guarded(async (event) => {
    event.preventDefault();
    const found = await dropped(event.dataTransfer);
    await take(found.files, found.isFolder);
  }));

  main.replaceChildren(h("div", { class: "hero" },
    h("div", {}, h("h1", {}, "Release data about people, and show that it is safe"),
      h("p", { class: "lead" }, "The studio changes as little as possible, has every guarantee checked by separate code, and gives you a folder to sign. Nothing leaves this machine.")),
    zone,
    projects.length ? h("section", { class: "stack tight" }, h("h2", {}, "Earlier work"), h("ul", { class: "list" }, projects.slice(0, 12).map((one) => earlier(one)))) : null,
    h("p", { class: "small quiet" }, `Files stand in a private folder of this user and are wiped after ${about.days} days without use. `,
      h("button", { class: "plain danger", onclick: guarded(async () => {
        if (!confirm("Wipe all projects, files and results of this studio?")) return;
        await api("/everything", { method: "DELETE" });
        location.reload();
      }) }, "Wipe everything now"))));
}

function earlier(one) {
  const line = h("li", { class: "card row spread" },
    h("a", { href: `#/${one.id}/start` }, one.name || "without a name"),
    h("span", { class: "row quiet small" }, new Date(one.created * 1000).toLocaleString(),
      h("button", { class: "plain", "aria-label": `Wipe ${one.name}`, onclick: guarded(async () => {
        if (!confirm("Wipe this project and its results?")) return;
        await api(`/projects/${one.id}`, { method: "DELETE" });
        line.remove();
      }) }, "Wipe")));
  return line;
}

export async function send(project, file, role) {
  const name = encodeURIComponent(file.webkitRelativePath || file.path || file.name);
  return api(`/projects/${project}/files?role=${role}&name=${name}`, { method: "PUT", body: file });
}

// What was dropped: files, and the files of folders.
export async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const isFolder = entries.some((one) => one.isDirectory);
  const files = [];
  const walk = async (entry, path) => {
    if (entry.isFile) {
      const file = await new Promise((good, bad) => entry.file(good, bad));
      file.path = path + entry.name;
      if (!entry.name.startsWith(".")) files.push(file);
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((good, bad) => reader.readEntries(good, bad));
      if (!some.length) break;
      for (const one of some) await walk(one, `${path}${entry.name}/`);
    }
  };
  if (!entries.length) return { files: [...transfer.files], isFolder: transfer.files.length > 1 };
  for (const one of entries) await walk(one, "");
  return { files, isFolder: isFolder || files.length > 1 };
}

async function columns({ main, project, go, about }) {
  const [told, info] = await Promise.all([api(`/projects/${project}/look`), api(`/projects/${project}`)]);
  const load = (from, number) => api(`/projects/${project}/rows?start=${from}&count=${number}`);
  const names = told.columns ? told.columns.map((one) => one.name) : ["text"];
  const blocks = told.kind === "text" ? Math.ceil(told.symbols / 400) : told.rows;
  const what = told.kind === "table" ? `${several(told.rows, "row")}, ${several(names.length, "column")}`
    : told.kind === "texts" ? several(told.rows, "document") : `one text of ${count(told.symbols)} symbols`;
  const next = h("button", { class: "main", onclick: () => go(`${project}/protect`) }, "Go on to Protect");
  main.replaceChildren(h("div", { class: "stack" },
    h("div", { class: "row spread" },
      h("div", {}, h("h1", {}, info.name || "Your data"), h("p", { class: "quiet" }, what)),
      h("div", { class: "row" }, told.kind === "table" || told.kind === "texts" ? h("button", { onclick: () => go(`${project}/review`) }, "Review what is recognised") : null, next)),
    told.columns ? h("section", { class: "card stack", "aria-label": "Columns" },
      h("div", {}, h("h2", {}, "What is each column?"),
        h("p", { class: "quiet small" }, "Proposed from names, counts and forms. Every column needs your decision; read every line.")),
      roles(told.columns, project, about)) : h("p", { class: "note" }, told.kind === "text" ? "One text: what k counts are its occurrences. Give a list of sensitive patterns or terms under Protect." : "k counts documents. If each belongs to a person, give a table with a column that says whose it is."),
    h("section", { class: "stack tight" }, h("h2", {}, "The data as it came"),
      grid({ rows: blocks, columns: names, load, wrap: told.kind === "text", label: "The data as it came" }))));
}

function roles(given, project, about) {
  const state = given.map((one) => ({ ...one, options: { ...one.options } }));
  const save = guarded(async () => {
    const found = await api(`/projects/${project}/columns`, { method: "PUT", json: { columns: state } });
    say(found.problem ? `Kept. ${found.problem.problem}` : "Kept in schema.yaml and release.yaml", found.problem ? "warn" : "good");
  });
  const line = (one) => {
    const row = h("tr", { class: `choice-${one.choice}` });
    const kind = h("select", { "aria-label": `Kind of ${one.name}`, onchange: () => { one.options = { kind: kind.value }; save(); } },
      about.kinds.filter((name) => name !== "text").map((name) => h("option", { value: name }, name)));
    const choice = h("select", { "aria-label": `What becomes of ${one.name}`, onchange: () => {
      if (choice.value === "person") {
        for (const other of state) if (other !== one && other.choice === "person") { other.choice = "drop"; }
      }
      one.choice = choice.value;
      table.replaceChildren(...state.map(line));
      save();
    } }, about.choices.map((name) => h("option", { value: name }, CHOICES[name][0])));
    choice.value = one.choice;
    kind.value = one.options.kind === "text" ? "category" : (one.options.kind ?? "category");
    row.append(
      h("td", {}, h("div", { class: "row" }, h("span", {}, one.name))),
      h("td", {}, choice), h("td", {}, ["recode", "secret"].includes(one.choice) ? kind : null),
      h("td", {}, h("div", { class: "why" }, one.reasons.join("; ")),
        one.warnings.map((text) => h("div", {}, h("span", { class: "badge warn" }, "look"), " ", h("span", { class: "small" }, text)))));
    return row;
  };
  const table = h("tbody", {}, state.map(line));
  const meanings = h("details", {}, h("summary", {}, "What the choices mean"), h("dl", { class: "keys" }, about.choices.flatMap((name) => [h("dt", {}, h("b", {}, CHOICES[name][0])), h("dd", {}, CHOICES[name][1])])));
  return h("div", { class: "stack tight" }, meanings, h("table", { class: "columns" }, h("thead", {}, h("tr", {}, ["column", "what becomes of it", "kind", "why"].map((name) => h("th", { scope: "col" }, name)))), table));
}
