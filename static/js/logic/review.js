/** What became of projected spans in a person's hands. */

import { keyOf } from "./spans.js";

const touches = (a, b) => a.tokens.some((token) => b.tokens.includes(token));

/** "confirmed", "kept", "shifted" or "lost" for a projected span; null where nothing was projected. */
export function fate(target, spans, confirmed = null) {
  if (!target) return null;
  if (spans.some((span) => keyOf(span) === keyOf(target))) return confirmed?.has(keyOf(target)) ? "confirmed" : "kept";
  return spans.some((span) => touches(span, target)) ? "shifted" : "lost";
}

/** The spans that no projection brought. */
export const gained = (suggested, spans) => spans.filter((span) => !suggested.some((other) => touches(other, span)));
