/** The text that says why an item of adjudication is open: answers that differ, that are in doubt, or that were decided without it. */

/** @param {{why: string, answers: readonly unknown[]}} item @returns {string} */
export function whyOpen({ why, answers }) {
  if (why === "differs") return "agreement_is";
  const several = answers.length > 1;
  if (why === "doubt") return several ? "all_doubt" : "only_doubt";
  if (several) return "all_agree";
  return answers.length ? "only_answer" : "nobody_answered";
}
