// The review in a frame of a notebook: its address holds a token, good for one opening.

import { api, guarded, h, withKey } from "./dom.js";
import { review } from "./review.js";

const token = location.hash.slice(1);
const kept = (key) => { // a notebook may draw its frame again
  try {
    if (key) sessionStorage.setItem(token, key);
    return sessionStorage.getItem(token);
  } catch { return null; }
};

const main = document.getElementById("main");
try {
  const key = kept() ?? (await api("/enter", { method: "POST", json: { token } })).key;
  kept(key);
  withKey(key);
  await guarded(review)({ main, project: "here", signal: new AbortController().signal, beside: true });
} catch (problem) {
  main.replaceChildren(h("p", { class: "note warn" }, problem.message));
}
