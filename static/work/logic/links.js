/** The line between source and target tokens, and what is linked. */

/** @import { Link } from "../../../types/wire" */
/** @typedef {{ left: number, top: number, width: number, height: number }} Box */
/** @typedef {"source" | "target"} Side */

/**
 * SVG path from the foot of a source box to the head of a target box, relative to `origin`.
 *
 * @param {Box} source
 * @param {Box} target
 * @param {{ left: number, top: number }} origin
 */
export function linkPath(source, target, origin) {
  const x1 = source.left + source.width / 2 - origin.left;
  const y1 = source.top + source.height - origin.top;
  const x2 = target.left + target.width / 2 - origin.left;
  const y2 = target.top - origin.top;
  const bend = Math.max(12, Math.abs(y2 - y1) / 2);
  return `M ${round(x1)} ${round(y1)} C ${round(x1)} ${round(y1 + bend)}, ${round(x2)} ${round(y2 - bend)}, ${round(x2)} ${round(y2)}`;
}

/**
 * Tokens on the other side that are linked with `token`.
 *
 * @param {Link[]} links
 * @param {Side} side
 * @param {number} token
 */
export function partners(links, side, token) {
  const [from, to] = side === "source" ? [0, 1] : [1, 0];
  return links.filter((link) => link[from] === token).map((link) => link[to]);
}

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;
