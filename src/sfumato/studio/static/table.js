// A table of any length: only the rows that are seen are asked for and drawn.

import { h } from "./dom.js";

const TALLEST = 12_000_000; // pixels that every browser can scroll
const PART = 100;

export function grid({ rows, columns, load, wrap = false, label }) {
  const height = wrap ? 112 : 34;
  const template = wrap ? "4.5rem minmax(18rem, 1fr)" : `4.5rem ${columns.map((name) => width(name)).join(" ")}`;
  const tall = Math.min(rows * height, TALLEST);
  const space = h("div", { class: "space" });
  const head = h("div", { class: "head" }, h("div", {}, "#"), columns.map((name) => h("div", { title: name }, name)));
  const box = h("div", { class: "grid", tabindex: "0", role: "region", "aria-label": label }, head, space);
  head.style.gridTemplateColumns = template;
  space.style.height = `${tall}px`;
  const parts = new Map();
  let waiting = false;

  function first() {
    const most = Math.max(1, tall - box.clientHeight);
    return Math.floor((box.scrollTop / most) * Math.max(0, rows - box.clientHeight / height)) || 0;
  }
  async function part(number) {
    if (!parts.has(number)) {
      parts.set(number, null);
      try { parts.set(number, (await load(number * PART, PART)).rows); } catch (problem) { parts.delete(number); throw problem; }
      if (parts.size > 60) parts.delete(parts.keys().next().value);
      draw();
    }
    return parts.get(number);
  }
  function draw() {
    const low = Math.max(0, first() - 5);
    const high = Math.min(rows, low + Math.ceil(box.clientHeight / height) + 12);
    const shift = rows * height > TALLEST ? box.scrollTop - (first() - low) * height : low * height;
    const lines = [];
    for (let at = low; at < high; at += 1) {
      const held = parts.get(Math.floor(at / PART));
      if (held === undefined) part(Math.floor(at / PART)).catch(() => {});
      const cells = held?.[at % PART] ?? columns.map(() => "");
      const line = h("div", { class: wrap ? "line wrap" : "line" }, h("div", { class: "number" }, String(at + 1)),
        cells.map((cell) => h("div", { title: wrap ? null : cell }, cell ?? h("span", { class: "quiet" }, "–"))));
      line.style.gridTemplateColumns = template;
      line.style.top = `${shift + (at - low) * height}px`;
      line.style.height = `${height}px`;
      line.style.minWidth = "100%";
      lines.push(line);
    }
    space.replaceChildren(...lines);
  }
  box.addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(); });
  });
  new ResizeObserver(() => draw()).observe(box);
  return box;
}

const width = (name) => (/note|text|comment|body|report|message/i.test(name) ? "minmax(22rem, 3fr)" : "minmax(8.5rem, 1fr)");
