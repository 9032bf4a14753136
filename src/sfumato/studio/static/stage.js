// One stage as a card: sliders for what matters, the rest on demand; all from the declarations.

import { guarded, h, say } from "./dom.js";
import { send } from "./start.js";

const SLIDERS = {
  k: { least: 1, most: 30, step: 1, title: "k: how many share it" },
  t: { least: 2, most: 128, step: 1, title: "t: how many words are plausible" },
  reach: { least: 1, most: 12, step: 1, title: "reach: longest phrase", off: "any length" },
  relational_weight: { least: 0, most: 1, step: 0.05, title: "relational weight", help: "0: classes are formed by the words of texts alone; 1: by the columns alone." },
  guess: { least: 0, most: 1, step: 0.05, title: "guess: when readable", off: "every star counts", help: "A star counts only where a reader, who knows everybody else's texts, guesses the word less often than this." },
  knows: { least: 0, most: 10, step: 1, title: "knows: what others know", off: "as declared", help: "How many words of a person's texts an attacker knows, beside all columns." },
  tau: { least: 1, most: 20, step: 1, title: "tau: when a pattern counts as frequent" },
};

export function card({ stage, at, of, about, project, change, slide, keep, move, remove }) {
  const verb = about.verbs.find((one) => one.verb === stage.verb);
  const options = verb.options;
  const fits = (one) => SLIDERS[one.name].step < 1 || one.kind === "whole"; // a closeness is no count
  const number = (one) => one.kind === "whole" || one.kind === "number";
  const main = options.filter((one) => SLIDERS[one.name] && number(one) && fits(one));
  const files = options.filter((one) => one.kind === "file");
  const rest = options.filter((one) => !main.includes(one) && !files.includes(one) && one.kind !== "other" && one.name !== "memory");
  const set = (name, value) => {
    const next = { ...stage };
    const isOff = value === null && SLIDERS[name]?.off && options.find((one) => one.name === name).default !== null; // said by name
    if (isOff) next[name] = null;
    else if (value === null || value === undefined || value === "") delete next[name];
    else next[name] = value;
    return next;
  };

  // Help is written for the command line too, which takes several values at once.
  const plain = (text) => text.replace(/; several: [^.]*/, "");
  function slider(one) {
    const about_ = SLIDERS[one.name];
    const most = Math.max(one.most ?? about_.most, stage[one.name] ?? 0);
    const value = one.name in stage ? stage[one.name] : one.default;
    const shown = (now) => (now === null || now === undefined ? about_.off ?? "default" : String(now));
    const out = h("output", {}, shown(value));
    const range = h("input", { type: "range", id: `o${at}${one.name}`, min: String(one.least ?? about_.least), max: String(most), step: String(one.kind === "whole" ? 1 : about_.step), value: String(value ?? most), oninput: () => {
      stage = set(one.name, Number(range.value));
      out.textContent = range.value;
      if (off) off.hidden = false;
      slide(stage);
    }, onchange: () => keep() });
    range.value = String(value ?? most);
    const off = about_.off ? h("button", { class: "plain small", hidden: value === null || value === undefined, onclick: () => { stage = set(one.name, null); out.textContent = shown(null); off.hidden = true; change(stage); } }, `Set to: ${about_.off}`) : null;
    return h("div", { class: "field" }, h("label", { for: range.id }, about_.title, out), range, off, h("div", { class: "help" }, about_.help ?? plain(one.help)));
  }
  function other(one) {
    const id = `o${at}${one.name}`;
    const now = stage[one.name] ?? one.default;
    let input;
    if (one.kind === "choice") {
      input = h("select", { id, onchange: () => { stage = set(one.name, input.value || null); change(stage); } }, one.default === null ? h("option", { value: "" }, "default") : null, one.choices.map((name) => h("option", { value: name }, name)));
      input.value = now ?? "";
    } else if (one.kind === "flag") {
      input = h("input", { type: "checkbox", id, checked: Boolean(now), onchange: () => { stage = set(one.name, input.checked); change(stage); } });
    } else {
      input = h("input", { type: one.kind === "text" ? "text" : "number", step: one.kind === "whole" ? "1" : "any", id, value: now ?? "", onchange: () => {
        const given = input.value === "" ? null : one.kind === "text" ? input.value : Number(input.value);
        stage = set(one.name, given); change(stage);
      } });
    }
    return h("div", { class: "field" }, h("label", { for: id }, one.name.replaceAll("_", " "), input), h("div", { class: "help" }, one.help));
  }
  function file(one) {
    const id = `o${at}${one.name}`;
    const role = ["terms", "patterns", "ontology", "direct"].includes(one.name) ? one.name : "public";
    const give = guarded(async (content) => {
      const kept = (await send(project, content, role)).file;
      stage = set(one.name, kept);
      await change(stage);
      name.textContent = kept;
      say(`${one.name}: taken`, "good");
    });
    const name = h("output", {}, stage[one.name] ?? (one.needed ? "needed" : "none"));
    const pick = h("input", { type: "file", id, class: "skip", onchange: () => pick.files[0] && give(pick.files[0]) });
    const typed = h("textarea", { rows: "4", placeholder: "one on each line", "aria-label": `${one.name}, one on each line` });
    return h("div", { class: "field" }, h("div", { class: "label" }, h("span", {}, one.name.replaceAll("_", " ")), name), h("label", { class: "skip", for: id }, `A file of ${one.name}`), pick,
      h("div", { class: "row" }, h("button", { onclick: () => pick.click() }, "Choose a file")),
      one.needed ? h("details", { open: !stage[one.name] }, h("summary", {}, "or type them"), typed, h("button", { onclick: () => give(new File([typed.value.trim() + "\n"], `${one.name}.txt`)) }, "Use these")) : null,
      h("div", { class: "help" }, one.help));
  }

  const needed = files.filter((one) => one.needed);
  const optional = files.filter((one) => !one.needed);
  return h("section", { class: `card stage stack tight tone${at % 5}`, "aria-label": `Stage ${at + 1}: ${stage.verb}` },
    h("div", { class: "row spread" }, h("h2", {}, `${at + 1} · ${stage.verb}`), h("div", {},
      at > 0 ? h("button", { class: "plain", "aria-label": "Earlier", title: "earlier", onclick: () => move(-1) }, "↑") : null,
      at < of - 1 ? h("button", { class: "plain", "aria-label": "Later", title: "later", onclick: () => move(1) }, "↓") : null,
      of > 1 ? h("button", { class: "plain", "aria-label": `Remove ${stage.verb}`, title: "remove", onclick: remove }, "✕") : null)),
    h("p", { class: "quiet small" }, verb.summary),
    needed.map(file), main.map(slider),
    rest.length || optional.length ? h("details", {}, h("summary", {}, "More settings"), h("div", { class: "stack tight" }, rest.map(other), optional.map(file))) : null);
}
