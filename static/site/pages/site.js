// The frame of every page: theme, rail, activity, menus.
import { timeSaid } from "../logic/times.js";

const root = document.documentElement;

function isDark() {
  if (root.dataset.theme) return root.dataset.theme === "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

for (const button of document.querySelectorAll("[data-theme-toggle]")) {
  const show = () => button.setAttribute("aria-pressed", String(isDark()));
  show();
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    localStorage.setItem("theme", root.dataset.theme);
    show();
  });
}

for (const button of document.querySelectorAll("[data-nav-toggle]")) {
  const nav = document.getElementById(button.getAttribute("aria-controls"));
  button.addEventListener("click", () => {
    const open = nav.classList.toggle("is-open");
    button.setAttribute("aria-expanded", String(open));
  });
}

for (const button of document.querySelectorAll("[data-rail-fold]")) {
  const show = () => button.setAttribute("aria-pressed", String(root.dataset.rail === "narrow"));
  show();
  button.hidden = false;
  button.addEventListener("click", () => {
    if (root.dataset.rail === "narrow") delete root.dataset.rail;
    else root.dataset.rail = "narrow";
    localStorage.setItem("rail", root.dataset.rail ?? "");
    show();
  });
}

// Menus whose list is fetched whenever they open: the jobs of a project, other projects.
for (const menu of document.querySelectorAll("details[data-list]")) {
  const list = menu.querySelector("[data-list-here]");
  menu.addEventListener("toggle", async () => {
    if (!menu.open) return;
    const answer = await fetch(menu.dataset.list, { headers: { "HX-Request": "true" } });
    if (!answer.ok) return;
    list.innerHTML = await answer.text();
    // Nothing asks again for a closed menu.
    for (const node of list.querySelectorAll("[hx-get], [id]")) {
      node.removeAttribute("hx-get");
      node.removeAttribute("id");
    }
  });
}

for (const menu of document.querySelectorAll("details.menu")) {
  document.addEventListener("click", (event) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
  // A dialog takes the place of the menu that it was opened from; once it closes, the focus is back at the menu.
  menu.addEventListener("click", (event) => {
    if (!event.target.closest("[popovertarget]")) return;
    menu.querySelector("summary").focus();
    menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && menu.open) {
      menu.open = false;
      menu.querySelector("summary").focus();
      // Not a workspace's Escape, too.
      event.preventDefault();
    }
  });
}

/** Brings the times within an element to the reader's zone. */
function ownTimes(within) {
  for (const node of within.querySelectorAll("time[data-when]")) {
    const said = timeSaid(new Date(node.dateTime), node.dataset.when, root.lang);
    if (node.textContent !== said) node.textContent = said;
  }
}

ownTimes(document);
document.addEventListener("htmx:load", ({ target }) => ownTimes(target.parentElement ?? target));

// Whom the page was made for goes with every request, as api.js sends it.
document.addEventListener("htmx:configRequest", ({ detail }) => {
  const { madeFor } = document.body.dataset;
  if (madeFor) detail.headers["X-Made-For"] = madeFor;
});

// What is refused as a whole, such as that somebody else is signed in by now, is said above the page, until something
// is answered again.
document.addEventListener("htmx:afterRequest", ({ detail: { xhr, successful } }) => {
  const isRefused = xhr.getResponseHeader("Content-Type")?.startsWith("application/json") && xhr.status === 403;
  if (!successful && !isRefused) return;
  const before = document.getElementById("refused");
  if (successful) return before?.remove();
  const { message } = JSON.parse(xhr.responseText).error;
  if (before?.textContent === message) return;
  const said = document.createElement("p");
  said.id = "refused";
  said.className = "notice notice-error";
  said.role = "alert";
  said.textContent = message;
  before?.remove();
  document.getElementById("main").prepend(said);
  said.scrollIntoView({ block: "nearest" });
});

// A link to hand over: its button copies it, and is hidden where there are no scripts. Without HTTPS browsers have no clipboard for pages:
// then the link is selected, to be copied.
for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      if (!document.execCommand("copy")) return;
    }
    button.textContent = button.dataset.copied;
  });
}

// Fields that send their form when changed carry the button for those without scripts.
for (const form of document.querySelectorAll("form[data-send-on-change]")) {
  form.addEventListener("change", () => form.requestSubmit());
}

// What an address points at is open.
function openTarget() {
  const target = document.querySelector(":target");
  if (!(target instanceof HTMLDetailsElement)) return;
  target.open = true;
  target.scrollIntoView();
}

addEventListener("hashchange", openTarget);
openTarget();

// A destructive form asks first, in its own words.
for (const form of document.querySelectorAll("form[data-confirm]")) {
  form.addEventListener("submit", (event) => {
    if (!confirm(form.dataset.confirm)) event.preventDefault();
  });
}
