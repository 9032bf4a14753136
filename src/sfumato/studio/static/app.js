// Which page is shown: the address after # says it, so that going back works.

import { api, guarded, h, say, withPageKey } from "./dom.js";
import { start } from "./start.js";
import { review } from "./review.js";
import { protect } from "./protect.js";
import { judge } from "./judge.js";
import { release } from "./release.js";
import { receive } from "./receive.js";

// The key came after the # of the first address; it is this port's alone, as a cookie is not.
const handed = /^#key=([\w-]+)$/.exec(location.hash);
if (handed) {
  localStorage.setItem("key", handed[1]);
  history.replaceState(null, "", "/#/");
}
withPageKey(localStorage.getItem("key") ?? "");

const PAGES = { start, review, protect, judge, release };
const NAMES = { start: "Start", review: "Review", protect: "Protect", judge: "Judge", release: "Release" };
let leaving = null;
export let about = null;

function steps(page, project) {
  const nav = document.getElementById("steps");
  const link = (name, title) => h("a", {
    href: project ? `#/${project}/${name}` : "#/",
    "aria-current": name === page ? "page" : null,
  }, title);
  nav.replaceChildren(
    ...(project ? Object.entries(NAMES).map(([name, title]) => link(name, title)) : []),
    h("a", { class: "apart", href: "#/receive", "aria-current": page === "receive" ? "page" : null }, "Receive"),
  );
}

const route = guarded(async () => {
  leaving?.abort();
  leaving = new AbortController();
  say("");
  const [first, second] = location.hash.replace(/^#\/?/, "").split("/");
  const main = document.getElementById("main");
  about ??= await api("/about");
  const context = { about, main, signal: leaving.signal, go: (to) => { location.hash = `#/${to}`; } };
  if (first === "receive") {
    steps("receive", null);
    document.title = "Receive · Sfumato studio";
    await receive(context);
  } else {
    const project = first || null;
    const page = project ? (PAGES[second] ? second : "start") : "start";
    steps(page, project);
    document.title = `${NAMES[page]} · Sfumato studio`;
    await PAGES[page]({ ...context, project });
  }
  if (!main.contains(document.activeElement)) main.focus({ preventScroll: true });
});

addEventListener("hashchange", () => { scrollTo(0, 0); route(); });
route();
