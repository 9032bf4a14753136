// Texts with their changes: inline, or before and after; long ones are drawn where they are seen.

import { h } from "./dom.js";

const BLOCK = 4000; // symbols

// Offsets count code points; strings here count UTF-16 units.
export function points(text) {
  return /[\ud800-\udfff]/.test(text) ? [...text] : text;
}
const slice = (text, low, high) => (typeof text === "string" ? text.slice(low, high) : text.slice(low, high).join(""));

const seen = new IntersectionObserver((entries) => {
  for (const one of entries) {
    one.target.isSeen = one.isIntersecting;
    if (one.isIntersecting) one.target.drawNow?.();
  }
}, { rootMargin: "600px" });

export function lazy(make, height = 120) {
  const box = h("div", { class: "lazy" });
  box.style.minHeight = `${height}px`;
  let stale = true;
  box.drawNow = () => {
    if (!stale) return;
    stale = false;
    box.replaceChildren(...[make()].flat());
    box.style.minHeight = "";
  };
  box.again = () => { stale = true; if (box.isSeen) box.drawNow(); };
  seen.observe(box);
  return box;
}

// A text is one stop of the tab key: its first mark; the arrows go on to the others.
function step(event) {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by) return;
  const all = [...event.currentTarget.closest(".doc, .text").querySelectorAll("mark")];
  all[all.indexOf(event.currentTarget) + by]?.focus();
  event.preventDefault();
}

function mark(change, shown, original, on, isFirst) {
  const [start, stop, , stage, read] = change;
  const isStars = /^[★*#]+$/.test(shown);
  return h("mark", {
    class: `tone${stage % 5}${isStars ? " stars" : ""}${read === undefined ? "" : " guess"}`, tabindex: isFirst ? "0" : "-1", "data-start": start, "data-stop": stop, onkeydown: step,
    title: on ? null : original, onmouseenter: on && ((event) => on(event.currentTarget, change, original)),
    onfocus: on && ((event) => on(event.currentTarget, change, original)),
  }, shown || "␡");
}

// The pieces of a text: what stayed, and what changed; `side` is before or after.
function pieces(text, changes, side, low, high, on) {
  const out = [];
  let at = low;
  for (const change of changes) {
    const [start, stop, wrote] = change;
    if (stop <= low && !(start === stop && start === low)) continue;
    if (start >= high) break;
    if (start > at) out.push(slice(text, at, start));
    const original = slice(text, start, stop);
    out.push(mark(change, side === "before" ? original : wrote, original, on, change === changes[0]));
    at = Math.max(at, stop);
  }
  if (at < high) out.push(slice(text, at, high));
  return out;
}

export function body(given, changes, side, on) {
  const text = points(given ?? "");
  if (text.length <= BLOCK * 1.5) return h("div", { class: "text" }, pieces(text, changes, side, 0, text.length, on));
  const blocks = [];
  let low = 0;
  let first = 0;
  while (low < text.length) {
    let high = Math.min(text.length, low + BLOCK);
    let last = first;
    while (last < changes.length && changes[last][0] < high) { high = Math.max(high, changes[last][1]); last += 1; }
    const [from, to, mine] = [low, high, changes.slice(first, last)];
    blocks.push(lazy(() => h("span", { class: "text" }, pieces(text, mine, side, from, to, on)), 400));
    low = high;
    first = last;
  }
  return h("div", { class: "text" }, blocks);
}

// What stands beside a mark while it is looked at.
let open = null;
export function popover(anchor, ...content) {
  open?.remove();
  const box = h("div", { class: "pop", role: "tooltip" }, ...content);
  document.body.append(box);
  const place = anchor.getBoundingClientRect();
  const left = Math.min(scrollX + place.left, scrollX + innerWidth - box.offsetWidth - 16);
  const below = place.bottom + box.offsetHeight + 10 < innerHeight;
  box.style.left = `${Math.max(8, left)}px`;
  box.style.top = `${scrollY + (below ? place.bottom + 6 : place.top - box.offsetHeight - 6)}px`;
  open = box;
  const close = () => { if (open === box) { box.remove(); open = null; } };
  anchor.addEventListener("mouseleave", close, { once: true });
  anchor.addEventListener("blur", close, { once: true });
  return box;
}
addEventListener("keydown", (event) => { if (event.key === "Escape") { open?.remove(); open = null; } });
