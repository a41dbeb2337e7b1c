// The map of sentences: what lies under the pointer, under the keys, or in the row of the table that is looked at.
import { madeFor } from "../../site/api.js";
import { isDirection, nearest, towards } from "../logic/scatter.js";
import { h } from "../../site/components/dom.js";

/** Pixels around the pointer. */
const REACH = 16;

/** @type {HTMLElement | null} */
const chart = document.querySelector(".scatter");
if (chart) start(chart);

/** @param {HTMLElement} chart */
async function start(chart) {
  const drawing = /** @type {SVGSVGElement} */ (chart.querySelector(".scatter-chart"));
  const ring = chart.querySelector(".scatter-current");
  const said = chart.querySelector(".scatter-said");
  const languages = new Map(
    /** @type {HTMLElement[]} */ ([...chart.querySelectorAll("[data-language]")]).map((item) => [item.dataset.language, item.dataset]),
  );
  const answer = await fetch(chart.dataset.points, { headers: madeFor() }).catch(() => null);
  if (!answer?.ok) {
    said.textContent = chart.dataset.failed;
    return;
  }
  const points = (await answer.json()).points.map(([key, x, y, language, segment, text, meaning]) => ({
    key,
    x,
    y,
    language,
    text,
    meaning,
    address: chart.dataset.sentence.replace("/0/", `/${segment}/`),
  }));
  let current = -1;

  const mark = (index) => {
    ring.toggleAttribute("hidden", index < 0);
    if (index < 0) return;
    ring.setAttribute("cx", points[index].x);
    ring.setAttribute("cy", points[index].y);
  };
  const show = (index) => {
    if (index === current) return;
    current = index;
    mark(index);
    if (index < 0) {
      said.replaceChildren();
      return;
    }
    const { language, text, meaning, address } = points[index];
    const about = languages.get(language);
    const inItsLanguage = (words) => h("bdi", { lang: language, dir: about.dir }, words);
    // The chart has the focus; whoever tabs on comes to the table.
    said.replaceChildren(
      h("a", { href: address, tabindex: -1 }, inItsLanguage(text)),
      h("span", { class: "muted" }, ` ${about.name}`),
      meaning ? h("span", { class: "muted" }, ` · ${chart.dataset.meaning} `, inItsLanguage(meaning)) : "",
    );
  };

  const under = (event) => {
    const scale = drawing.getScreenCTM();
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(scale.inverse());
    return nearest(points, place, REACH / scale.a);
  };
  drawing.addEventListener("pointermove", (event) => {
    const index = under(event);
    if (index >= 0) show(index);
    drawing.classList.toggle("is-over", index >= 0);
  });
  drawing.addEventListener("click", (event) => {
    const index = under(event);
    if (index < 0) return;
    // A finger has not pointed at it before: the first touch shows, the link opens.
    if (/** @type {PointerEvent} */ (event).pointerType === "mouse") location.assign(points[index].address);
    else show(index);
  });

  const middle = () => {
    const box = drawing.viewBox.baseVal;
    return nearest(points, { x: box.x + box.width / 2, y: box.y + box.height / 2 });
  };
  chart.addEventListener("focus", () => {
    if (current < 0) show(middle());
  });
  chart.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target !== chart) return;
    if (isDirection(event.key)) show(current < 0 ? middle() : towards(points, current, event.key));
    else if (event.key === "Enter" && current >= 0) location.assign(points[current].address);
    else if (event.key === "Escape") show(-1);
    else return;
    event.preventDefault();
  });
  if (document.activeElement === chart) show(middle());

  for (const row of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("tr[data-point]"))) {
    const index = points.findIndex((point) => point.key === row.dataset.point);
    for (const begin of ["focusin", "pointerenter"]) row.addEventListener(begin, () => mark(index));
    for (const end of ["focusout", "pointerleave"]) row.addEventListener(end, () => mark(current));
  }
}
