/** A sentence in other words: `{paraphrase, changed, opposite}`. */

import { severalTexts } from "../components/several_texts.js";

const type = severalTexts(["paraphrase", "changed", "opposite"]);

export const clean = type.clean;
export const same = type.same;
export const show = type.show;
export const joined = type.joined;
export const title = type.title;
export const brief = type.brief;
export const Decision = type.Decision;
