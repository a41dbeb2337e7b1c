// Where a row goes that is dragged among others.

/**
 * The place that a dragged row takes: the first one whose middle lies below the pointer.
 * @param {number[]} middles Middles of the other rows, from above.
 * @param {number} y Where the pointer is.
 * @returns {number} So many of the other rows stand above it.
 */
export function placeAt(middles, y) {
  const found = middles.findIndex((middle) => y < middle);
  return found === -1 ? middles.length : found;
}

/**
 * The place beside another by an arrow key, within the list; null for other keys, and where there is none.
 * @param {number} place
 * @param {number} count
 * @param {string} key
 * @returns {number | null}
 */
export function placeByKey(place, count, key) {
  const steps = { ArrowUp: place - 1, ArrowDown: place + 1, Home: 0, End: count - 1 };
  const to = /** @type {Record<string, number>} */ (steps)[key];
  return to === undefined || to === place || to < 0 || to >= count ? null : to;
}
