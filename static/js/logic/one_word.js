/** A word as the server spells it, and when two are the same: `annotator/domain/one_word.py` says the same. */

const AROUND = /^[\s.,;:!?…"“”„«»‹›()[\]{}]+|[\s.,;:!?…"“”„«»‹›()[\]{}]+$/gu;

/** The word without spaces and punctuation around it, composed. @param {string} text */
export const bareWord = (text) => text.normalize("NFC").replace(AROUND, "");

/** Equal for what is the same word: whatever its capitals and however composed. @param {string} word */
export const wordKey = (word) => word.normalize("NFC").toLowerCase().normalize("NFC");

/** Whether a text is more than one word. @param {string} text */
export const isSeveral = (text) => /\s/u.test(bareWord(text));
