// Which sections of a text have what is searched for. No page is touched here.

/** @param {string} text */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/**
 * By section, whether it is shown: all of them while nothing is searched for. Case and accents do not matter.
 * @param {string[]} sections - the text of each section
 * @param {string} wanted
 * @returns {boolean[]}
 */
export function matching(sections, wanted) {
  const words = plain(wanted).split(/\s+/).filter(Boolean);
  return sections.map((section) => words.every((word) => plain(section).includes(word)));
}
