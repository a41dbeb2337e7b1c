/** What an expression means: `{correct, adversarial, antonym}`. */

import { severalTexts } from "../components/several_texts.js";

export const { clean, same, show, joined, Decision } = severalTexts(["correct", "adversarial", "antonym"]);
