// Release: the whole data as a job, and what came of it to take away.

import { api, because, copyable, guarded, h, percent, say, size } from "./dom.js";

const MOST = 40; // files that are listed

export async function release({ main, project, signal }) {
  const [policy, info] = await Promise.all([api(`/projects/${project}/policy`), api(`/projects/${project}`)]);
  const list = h("div", { class: "stack" });
  const none = h("p", { class: "quiet", hidden: true }, "No release was made yet.");
  const drawn = new Map();

  const begin = guarded(async () => {
    await api(`/projects/${project}/jobs`, { method: "POST", json: { kind: "run" } });
    await look();
  });
  async function look() {
    const jobs = (await api(`/jobs?project=${project}`)).filter((one) => one.kind === "run");
    none.hidden = jobs.length > 0;
    for (const one of jobs) {
      const state = JSON.stringify([one.state, one.share, one.part]);
      if (drawn.get(one.id)?.state === state) continue;
      const next = job(one, policy.state);
      if (drawn.has(one.id)) drawn.get(one.id).box.replaceWith(next); else list.prepend(next);
      drawn.set(one.id, { state, box: next });
    }
    return jobs.some((one) => one.state === "queued" || one.state === "running");
  }
  const again = async () => {
    while (!signal.aborted) {
      try { await look(); } catch { /* the server may be starting again */ }
      await new Promise((go) => setTimeout(go, 700));
    }
  };

  const problem = policy.problem ? because(policy.problem) : null;
  main.replaceChildren(h("div", { class: "stack" },
    h("div", { class: "row spread" }, h("div", {}, h("h1", {}, "Release"), h("p", { class: "lead" }, `Runs ${info.name} through every stage, has each claim checked on the final data, and writes the folder, or nothing. You may close this page: the work goes on.`)),
      h("button", { class: "main", onclick: begin, disabled: Boolean(problem) }, "Make the release")),
    problem ? h("p", { class: "note bad" }, problem) : null,
    h("details", { class: "card" }, h("summary", {}, "release.yaml, as it will be run"), h("pre", { class: "yaml" }, policy.text), policy.schema ? [h("h3", {}, "schema.yaml"), h("pre", { class: "yaml" }, policy.schema)] : null,
      h("div", { class: "row" }, h("a", { class: "button", href: `/api/projects/${project}/release.yaml`, download: "release.yaml" }, "release.yaml"), policy.schema ? h("a", { class: "button", href: `/api/projects/${project}/files/schema.yaml`, download: "schema.yaml" }, "schema.yaml") : null, h("a", { class: "button", href: `/api/projects/${project}/files/key`, download: "key" }, "key (secret)"))),
    none, list));
  await look();
  again();
}

function job(one, now) {
  const names = { queued: "waiting for its turn", running: "running", done: "verified", failed: "refused", cancelled: "cancelled" };
  const kinds = { done: "good", failed: "bad" };
  const head = h("div", { class: "row spread" },
    h("div", { class: "row" }, h("span", { class: `badge ${kinds[one.state] ?? ""}` }, names[one.state]), h("span", { class: "quiet small" }, new Date(one.created * 1000).toLocaleString()), one.result?.state && one.result.state !== now ? h("span", { class: "badge warn" }, "from earlier settings") : null),
    one.state === "queued" || one.state === "running" ? h("button", { onclick: guarded(async () => { await api(`/jobs/${one.id}/cancel`, { method: "POST" }); }) }, "Cancel") : null);
  const parts = [head];
  if (one.state === "running" || one.state === "queued") parts.push(h("progress", { max: "1", value: String(one.share), "aria-label": "Progress" }), h("span", { class: "quiet small" }, one.part || "starting"));
  if (one.state === "failed") parts.push(h("p", { class: "note bad" }, because(one.reason)));
  if (one.state === "done") parts.push(...done(one));
  return h("section", { class: "card stack", "aria-label": "A run", "data-state": one.state }, parts);
}

function done(one) {
  const found = one.result;
  const claims = found.claims.map((claim, at) => h("div", { class: `verdict${found.verdicts[at].holds ? "" : " fails"}` }, h("div", {}, claim.statement, claim.column ? h("span", { class: "quiet" }, ` (${claim.column})`) : "")));
  const share = found.loss.changed_share;
  const signed = h("div");
  const key = h("input", { type: "text", id: `key${one.id}`, size: "26", placeholder: "~/.ssh/id_ed25519" });
  return [
    h("div", { class: "stack tight" }, h("h2", {}, "Every claim was checked on the final data, and holds"), claims),
    found.demanded.length ? h("p", { class: "small quiet" }, `Demanded by the policy, and held: ${found.demanded.map((two) => two.claim).join(", ")}.`) : null,
    share === undefined ? null : h("p", {}, h("b", {}, percent(share)), " of the symbols of the texts were changed."),
    found.warnings.map((text) => h("p", { class: "note warn" }, text)),
    h("div", { class: "stack tight" }, h("h3", {}, "Take it away"),
      h("div", { class: "row" }, h("a", { class: "button main", href: `/api/jobs/${one.id}/release.zip`, download: "release.zip" }, "The whole folder (zip)"),
        h("a", { class: "button", href: `/api/jobs/${one.id}/private/report.html`, target: "_blank", rel: "noopener" }, "Report with figures (private)"),
        h("a", { class: "button", href: `/api/jobs/${one.id}/private.zip`, download: "release.private.zip" }, "What you keep (private)")),
      h("ul", { class: "files" }, found.files.slice(0, MOST).map((file) => h("li", {}, h("a", { href: `/api/jobs/${one.id}/files/${file.name.split("/").map(encodeURIComponent).join("/")}`, download: file.name.endsWith(".html") ? null : file.name.split("/").at(-1), target: file.name.endsWith(".html") ? "_blank" : null, rel: "noopener" }, file.name), " ", h("span", { class: "quiet" }, size(file.size)))), found.files.length > MOST ? h("li", { class: "quiet" }, `and ${found.files.length - MOST} more, in the zip`) : null)),
    h("div", { class: "stack tight" }, h("h3", {}, "Sign it"), h("p", { class: "small quiet" }, "In the unpacked folder, with your own key. SHA256SUMS names every file by its hash, so that this signs them all. Leave SHA256SUMS.sig beside it."),
      copyable("ssh-keygen -Y sign -f ~/.ssh/id_ed25519 -n sfumato-release SHA256SUMS"),
      h("div", { class: "row" }, h("label", { class: "small", for: key.id }, "or here, with the key file"), key, h("button", { onclick: guarded(async () => {
        const told = await api(`/jobs/${one.id}/sign`, { method: "POST", json: { key: key.value } });
        signed.replaceChildren(h("a", { class: "button", href: `/api/jobs/${one.id}/SHA256SUMS.sig`, download: "SHA256SUMS.sig" }, "SHA256SUMS.sig"));
        say(told.signed, "good");
      }) }, "Sign with it"), signed)),
    h("div", { class: "stack tight" }, h("h3", {}, "Whoever gets it"), h("p", { class: "small quiet" }, "can judge the claims that the release alone can show, on the page Receive of a studio, or by this line. With the original before it, and release.private beside it, you judge all of them."), copyable("sfumato verify release")),
  ];
}
