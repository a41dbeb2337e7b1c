/** How words are compared: in one spelling, vowels pointed or not. As `annotator/domain/text/lookup.py`. */

import { withoutUnseen } from "./unseen.js";

/** Vowel points, signs of recitation and stretching of Arabic; points and accents of Hebrew. */
const POINTS = /[\u0610-\u061a\u0640\u064b-\u0652\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]/gu;

/** The text as words are compared: composed, without what nobody sees and without vowel points. @param {string} text */
export const lookedUp = (text) => withoutUnseen(text).normalize("NFC").replace(POINTS, "");
