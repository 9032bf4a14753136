// Loss and the success of attacks against a parameter: one small chart, drawn by hand.

import { h, percent, svg } from "./dom.js";

const WIDE = 620;
const HIGH = 300;
const LEFT = 44;
const RIGHT = 16;
const TOP = 14;
const BOTTOM = 40;

export function chart({ parameter, points, lines, now, choose }) {
  const x = (at) => LEFT + (points.length === 1 ? 0.5 : at / (points.length - 1)) * (WIDE - LEFT - RIGHT);
  const most = Math.max(0.05, ...lines.flatMap((one) => points.map((point) => point[one.key] ?? 0)));
  const top = most > 0.5 ? 1 : Math.ceil(most * 10) / 10;
  const y = (share) => TOP + (1 - Math.min(1, share / top)) * (HIGH - TOP - BOTTOM);
  const grid = [0, 0.25, 0.5, 0.75, 1].map((part) => svg("g", {},
    svg("line", { class: "axis", x1: LEFT, x2: WIDE - RIGHT, y1: y(part * top), y2: y(part * top) }),
    svg("text", { x: LEFT - 8, y: y(part * top) + 4, "text-anchor": "end" }, percent(part * top))));
  const at = points.findIndex((point) => point.value === now);
  const hits = points.map((point, i) => {
    const half = (WIDE - LEFT - RIGHT) / Math.max(1, points.length - 1) / 2;
    const one = svg("rect", { class: "hit", x: x(i) - half, y: TOP, width: 2 * half, height: HIGH - TOP - BOTTOM, onmouseenter: () => show(point), onclick: () => choose(point.value) });
    one.append(svg("title", {}, `Take ${parameter} = ${point.value}`));
    return one;
  });
  const drawn = svg("svg", { class: "chart", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": `Loss and success of attacks against ${parameter}` },
    grid,
    points.map((point, i) => svg("text", { x: x(i), y: HIGH - BOTTOM + 18, "text-anchor": "middle" }, String(point.value))),
    svg("text", { x: (LEFT + WIDE - RIGHT) / 2, y: HIGH - 4, "text-anchor": "middle" }, parameter),
    at >= 0 ? [svg("line", { class: "now", x1: x(at), x2: x(at), y1: TOP, y2: HIGH - BOTTOM }), svg("text", { x: x(at), y: TOP - 3, "text-anchor": at > points.length - 2 ? "end" : "middle" }, "now")] : null,
    lines.map((line, i) => [
      svg("polyline", { class: `line${i % 4}`, points: points.map((point, j) => `${x(j)},${y(point[line.key] ?? 0)}`).join(" ") }),
      points.map((point, j) => svg("circle", { class: `dot${i % 4}`, cx: x(j), cy: y(point[line.key] ?? 0), r: j === at ? 5 : 3.2 })),
    ]), hits);
  // The same as a table: what a chart shows, for whoever does not see it, with the present choice in it.
  const rows = points.map((point) => h("tr", { "aria-current": point.value === now ? "true" : null }, h("th", { scope: "row" }, String(point.value)), lines.map((line) => h("td", {}, percent(point[line.key])))));
  const show = (point) => { for (const [i, row] of rows.entries()) row.classList.toggle("seen", points[i] === point); };
  const table = h("table", { class: "values" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, parameter), lines.map((line, i) => h("th", { scope: "col" }, h("span", { class: `key key${i % 4}` }, h("i"), line.title))))), h("tbody", {}, rows));
  const buttons = h("div", { class: "switch", role: "group", "aria-label": `Values of ${parameter}` }, points.map((point) => h("button", { "aria-pressed": String(point.value === now), onmouseenter: () => show(point), onfocus: () => show(point), onclick: () => choose(point.value) }, String(point.value))));
  return h("div", { class: "two" }, drawn, h("div", { class: "stack tight" }, table, h("p", { class: "small quiet" }, `Take another ${parameter}, here or in the chart:`), buttons));
}
