// Small tools: elements without HTML strings, requests, messages.

export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name === "value") element.value = value;
    else if (name === "checked" || name === "disabled" || name === "hidden") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(9).filter((one) => one !== null && one !== undefined && one !== false));
  return element;
}

export function svg(tag, props = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat(9).filter(Boolean));
  return element;
}

export class Refused extends Error {
  constructor(status, told) {
    super([told.where ? `${told.where}: ${told.problem}` : told.problem, told.remedy].filter(Boolean).join("; "));
    this.status = status;
    this.told = told;
  }
}

let named = {}; // the headers that say who asks
export function withKey(key) { named = { authorization: `Bearer ${key}` }; } // where there is no cookie
export function withPageKey(key) { named = { "x-sfumato-key": key }; }

export async function api(path, options = {}) {
  const { method = "GET", json, body, signal } = options;
  const headers = json === undefined ? { ...named } : { ...named, "content-type": "application/json" };
  const sent = json === undefined ? body : JSON.stringify(json);
  let answer;
  try {
    answer = await fetch(new URL(`../api${path}`, import.meta.url), { method, headers, body: sent, signal });
  } catch (problem) {
    if (problem.name === "AbortError") throw problem;
    throw new Refused(0, { problem: "the studio does not answer", remedy: "is it still running?" });
  }
  if (!answer.ok) {
    let told = { problem: `the studio answered ${answer.status}` };
    try { told = (await answer.json()).error ?? told; } catch { /* no JSON */ }
    throw new Refused(answer.status, told);
  }
  return answer.json();
}

let clearing;
export function say(message, kind = "bad") {
  const place = document.getElementById("said");
  clearTimeout(clearing);
  if (!message) { place.replaceChildren(); return; }
  const text = message instanceof Error ? message.message : message;
  place.replaceChildren(h("div", { class: `note ${kind} row` }, h("span", {}, text),
    h("button", { class: "plain", "aria-label": "Close", onclick: () => place.replaceChildren() }, "✕")));
  if (kind === "good") clearing = setTimeout(() => place.replaceChildren(), 4000);
}

export function guarded(work) {
  return async (...given) => {
    try { return await work(...given); } catch (problem) {
      if (problem.name !== "AbortError") say(problem);
      return undefined;
    }
  };
}

export const percent = (share) => {
  if (share === null || share === undefined) return "–";
  if (share === 0) return "0%";
  if (share === 1) return "100%";
  const value = share * 100;
  const shown = value >= 10 ? Math.floor(value + 0.5) : Math.round(value * 10) / 10;
  return `${Math.min(99.9, Math.max(0.1, shown))}%`;
};
export const count = (number) => Number(number).toLocaleString("en");
export const size = (bytes) => bytes < 1e3 ? `${bytes} B` : bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
export const several = (number, word, more = `${word}s`) => `${count(number)} ${number === 1 ? word : more}`;

// What stands between backticks is code. A remedy may name an option of the command line, which no page has.
export const told = (text) => String(text ?? "").replace(/ \(`--[^)]*`\)/g, "").split("`").map((part, at) => (at % 2 ? h("code", {}, part) : part));
export const because = (reason) => [reason?.where, reason?.problem, reason?.remedy].filter(Boolean).join("; ");

export function copyable(text) {
  const button = h("button", { onclick: async () => {
    try { await navigator.clipboard.writeText(text); button.textContent = "Copied"; } catch { say("Select the line and copy it by hand", "warn"); }
  } }, "Copy");
  return h("div", { class: "copy" }, h("code", {}, text), button);
}

export async function watch(job, look, signal) {
  let told = job;
  while (told.state === "queued" || told.state === "running") {
    look(told);
    await new Promise((go) => setTimeout(go, 400));
    if (signal?.aborted) return told;
    told = await api(`/jobs/${job.id}`);
  }
  look(told);
  return told;
}
