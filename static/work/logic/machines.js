/** Who made a suggestion, in words: a machine, or a person. */

const REVISION_SHOWN = 7;
/** As in annotator/models/alignment.py. */
const EDITED_BY_PERSON = "person";

/**
 * The machine that suggested something, and the beginning of its revision: enough to see when another one took over.
 *
 * @param {{ name: string, revision: string }} machine
 */
export function machineName({ name, revision }) {
  return `${name} ${revision.slice(0, REVISION_SHOWN)}`.trim();
}

/** The message that says whose a suggestion is.
 * @param {{ kind: string, name: string }} suggestion */
export function suggestedBy({ kind, name }) {
  if (kind === "projection" && name === EDITED_BY_PERSON) return "suggested_by_edited_links";
  if (kind === "earlier-gold") return "suggested_by_earlier_gold";
  if (kind === "proposal") return "suggested_by_person";
  return kind === "projection" ? "suggested_by_projection" : "suggested_by";
}
