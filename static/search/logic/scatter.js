/** Points in a plane: which one is meant by a pointer, or by an arrow key. */

/** @typedef {{ x: number, y: number }} Place */

/**
 * The index of the point nearest to a place, no farther than `within`; -1 where there is none.
 *
 * @param {Place[]} points
 * @param {Place} place
 * @param {number} within
 */
export function nearest(points, place, within = Infinity) {
  let best = -1;
  let least = within * within;
  points.forEach((point, index) => {
    const far = (point.x - place.x) ** 2 + (point.y - place.y) ** 2;
    if (far <= least && (best < 0 || far < least)) [best, least] = [index, far];
  });
  return best;
}

/** @type {Record<string, [number, number]>} */
const DIRECTIONS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/** @param {string} key */
export const isDirection = (key) => Object.hasOwn(DIRECTIONS, key);

/**
 * The index of the next point from one in the direction of an arrow key; where there is none, it stays.
 *
 * In the direction is what lies more along it than across. Points in one place come one after the other to the right.
 *
 * @param {Place[]} points
 * @param {number} from
 * @param {string} key
 */
export function towards(points, from, key) {
  const [right, down] = DIRECTIONS[key];
  const start = points[from];
  let best = from;
  let least = Infinity;
  points.forEach((point, index) => {
    const [dx, dy] = [point.x - start.x, point.y - start.y];
    const along = dx * right + dy * down;
    const across = Math.abs(dx * down) + Math.abs(dy * right);
    const isSame = dx === 0 && dy === 0 && (index - from) * right > 0;
    const far = isSame ? Math.abs(index - from) / points.length / 2 : dx * dx + dy * dy;
    if ((isSame || (along > 0 && across <= along)) && far < least) [best, least] = [index, far];
  });
  return best;
}
