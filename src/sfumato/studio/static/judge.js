// Judge: one verdict, one chart, who stands out, and every attack in a sentence.

import { api, because, count, guarded, h, percent, say, several, told, watch } from "./dom.js";
import { chart } from "./chart.js";

// Beyond what is likely for people outside, but the two intervals (95%) meet: more people would tell.
const isPerhapsAbove = (one) => one.verdict === "perhaps above";

export async function judge({ main, project, signal, go }) {
  const place = h("div", { class: "stack" });
  const button = h("button", { class: "main", onclick: () => begin() }, "Judge again");
  main.replaceChildren(h("div", { class: "stack" },
    h("div", { class: "row spread" }, h("div", {}, h("h1", {}, "Judge"), h("p", { class: "quiet" }, "What the policy protects, what it costs, and what an attacker still finds. Figures are measured on the original: they are yours, not for publication.")),
      h("div", { class: "row" }, button, h("button", { onclick: () => go(`${project}/release`) }, "Go on to Release"))), place));

  const begin = guarded(async () => {
    const job = await api(`/projects/${project}/jobs`, { method: "POST", json: { kind: "judge" } });
    await follow(job);
  });
  async function follow(job) {
    const bar = h("progress", { max: "1", value: "0", "aria-label": "Judging" });
    const part = h("p", { class: "small quiet" });
    place.replaceChildren(h("div", { class: "card stack tight" }, h("div", { class: "row spread" }, h("h2", {}, "Attacking your release…"), h("button", { onclick: guarded(async () => { await api(`/jobs/${job.id}/cancel`, { method: "POST" }); }) }, "Cancel")), bar, part));
    button.disabled = true;
    const done = await watch(job, (one) => { bar.value = one.share; part.textContent = one.state === "queued" ? "waiting for its turn" : one.part; }, signal);
    button.disabled = false;
    if (signal.aborted) return;
    if (done.state === "done") draw(await api(`/jobs/${done.id}/judged`));
    else if (done.state === "cancelled") place.replaceChildren(h("p", { class: "note" }, "Cancelled."));
    else place.replaceChildren(h("p", { class: "note bad" }, because(done.reason)));
  }

  function draw(found) {
    const fails = found.verdicts.filter((one) => !one.holds);
    const above = found.attacks.filter((one) => one.verdict === "above");
    const perhaps = found.attacks.filter(isPerhapsAbove);
    const good = !fails.length && !above.length && !perhaps.length;
    const shares = Object.entries(found.changed).map(([name, value]) => `${percent(value)} of ${name}`).join(", ");
    const title = fails.length ? "Not safe to release: a claim does not hold"
      : above.length ? `Every claim holds. ${several(above.length, "attack")} still ${above.length === 1 ? "succeeds" : "succeed"} more often than on people outside the data.`
        : perhaps.length ? `Every claim holds. ${several(perhaps.length, "attack")} probably ${perhaps.length === 1 ? "succeeds" : "succeed"} more often than on people outside the data; more people would settle it.`
          : "Every claim holds, and no attack succeeds more often than on people outside the data";
    place.replaceChildren(
      h("section", { class: `card stack tight`, "aria-label": "Verdict" }, h("div", {}, h("span", { class: `badge ${fails.length ? "bad" : good ? "good" : "warn"}` }, fails.length ? "refused" : good ? "good" : "look")), h("p", { class: "big" }, title),
        h("p", { class: "quiet" }, `${several(found.documents, "record")}${found.people ? ` of ${several(found.people, "person", "people")}` : ""}; changed: ${shares || "cells only"}.`)),
      h("div", { class: "three" },
        h("section", { class: "card stack tight", "aria-label": "Protected" }, h("h2", {}, "What is protected"), found.verdicts.map((one) => h("div", { class: `verdict small${one.holds ? "" : " fails"}` }, h("div", {}, one.statement)))),
        h("section", { class: "card stack tight", "aria-label": "Not protected" }, h("h2", {}, "What is not"), h("ul", { class: "small" }, notProtected(found).map((text) => h("li", {}, text)))),
        h("section", { class: "card stack tight", "aria-label": "What an attacker finds" }, h("h2", {}, "What an attacker still finds"),
          found.attacks.length ? h("p", { class: "small" }, above.length ? `More successful than on people outside the data: ${named(above)}.` : perhaps.length ? `Probably more successful than on people outside the data: ${named(perhaps)}.` : "Nothing that the same attack would not find of people outside the data, as far as chance tells.") : h("p", { class: "small quiet" }, "No attack applies to this kind of release here."))),
      found.curve ? h("section", { class: "card stack", "aria-label": "Loss and attacks" }, h("h2", {}, `What another ${found.curve.parameter} would cost`), curve(found)) : null,
      found.attacks.length ? h("section", { class: "card stack tight", "aria-label": "Attacks" }, h("h2", {}, "Every attack"), h("p", { class: "small quiet" }, "How often it is right, of people in the data and of people outside it, with 95% intervals."), attacks(found.attacks)) : null,
      found.riskiest.length ? h("section", { class: "card stack tight", "aria-label": "Who stands out" }, h("h2", {}, "Who stands out most"), h("p", { class: "small quiet" }, "Those first whose legible words, or class, the fewest share. The number of the record is that of your original."), risky(found.riskiest, found.people)) : null);
  }
  const named = (list) => list.map((one) => `${one.title ?? one.name} (${percent(one.success)}, outside ${percent(one.control)})`).join("; ");
  function notProtected(found) {
    const out = ["What everybody in a group shares is told of each of them."];
    if (found.protected.includes("suppress")) out.push("Pairs of words that each k people show may together be one person's.");
    if (found.protected.includes("pseudonymize")) out.push("Surrogates hide names and numbers; they promise no crowd.");
    if (!found.protected.includes("suppress") && !found.protected.includes("anonymize")) out.push("Words that are on no list stay as they are.");
    out.push("Style of writing, and what others publish of the same people later.");
    return out;
  }
  function curve(found) {
    const given = found.curve;
    const names = Object.keys(given.known);
    const lines = [{ key: "loss", title: "loss" }, ...names.slice(0, 3).map((name) => ({ key: `${name} success`, title: given.titles?.[name] ?? name }))];
    const choose = guarded(async (value) => {
      const policy = (await api(`/projects/${project}/policy`)).stated;
      policy.stages[given.stage][given.parameter] = value;
      await api(`/projects/${project}/policy`, { method: "PUT", json: { stated: policy } });
      say(`release.yaml now says ${given.parameter}: ${value}; judge again to see everything`, "good");
      given.now = value;
      draw(found);
    });
    return h("div", { class: "stack tight" }, chart({ parameter: given.parameter, points: given.points, lines, now: given.now, choose }),
      given.knee !== null && given.knee !== undefined ? h("p", { class: "small" }, `From ${given.parameter} = ${given.knee} on, more loss buys less privacy than before.`) : null);
  }
  const VERDICTS = { above: ["bad", "above"], "perhaps above": ["warn", "perhaps above"], near: ["good", "no more"], below: ["good", "less"], "no control": ["good", "by classes"], "no trials": ["", "not tried"] };
  function badge(one) {
    const [kind, words] = VERDICTS[one.verdict];
    return h("span", { class: `badge ${kind}` }, words);
  }
  const between = (low, high) => (low === null || low === undefined ? null : h("div", { class: "small quiet" }, `${percent(low)} to ${percent(high)}`));
  function attacks(list) {
    return h("table", { class: "attacks" }, h("thead", {}, h("tr", {}, ["attack", "success", "outside the data", "guessing", "verdict"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, list.map((one) => h("tr", {}, h("td", {}, h("b", {}, one.title ?? one.name), h("div", { class: "small quiet" }, told(one.sentence)), one.bad ? h("details", {}, h("summary", {}, "What is a bad number, and what to change then"), h("p", { class: "small" }, told(one.bad), " ", told(one.change))) : null),
        h("td", { "data-name": "success" }, percent(one.success), between(one.low, one.high)), h("td", { "data-name": "outside" }, percent(one.control), between(one.control_low, one.control_high)), h("td", { "data-name": "guessing" }, percent(one.baseline)), h("td", {}, badge(one))))));
  }
  function risky(list, people) {
    const who = people ? "people" : "documents";
    const each = (one) => one.words.map((word, i) => [i ? h("span", { class: "quiet" }, " and ") : null, h("b", {}, word), one.shared.length === one.words.length ? h("span", { class: "quiet" }, ` (${several(one.shared[i], who === "people" ? "person" : "document", who)})`) : null]);
    return h("table", { class: "risky" }, h("thead", {}, h("tr", {}, ["record", "what makes it stand out, and who shares it", "all of it together"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, list.map((one) => h("tr", {}, h("td", {}, count(one.record)), h("td", {}, each(one)), h("td", {}, one.together <= 1 ? h("span", { class: "badge warn" }, "only here") : `${count(one.together)} ${who}`)))));
  }

  const jobs = (await api(`/jobs?project=${project}`)).filter((one) => one.kind === "judge" && ["queued", "running", "done"].includes(one.state));
  const [held, policy] = await Promise.all([jobs[0]?.state === "done" ? api(`/jobs/${jobs[0].id}/judged`) : null, api(`/projects/${project}/policy`)]);
  if (held && held.state === policy.state) draw(held);
  else if (jobs.length && !held) follow(jobs[0]);
  else begin();
}
