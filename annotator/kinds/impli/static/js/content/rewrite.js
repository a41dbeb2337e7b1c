/** A sentence in other words: `{paraphrase, changed, opposite}`. */

import { severalTexts } from "../components/several_texts.js";

export const { clean, same, show, joined, Decision } = severalTexts(["paraphrase", "changed", "opposite"]);
