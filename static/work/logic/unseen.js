/** Characters that are pasted along with a text and that nobody sees. As `annotator/domain/text/invisible_chars.py`. */

const UNSEEN = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu;

/** The text as it is compared with others. @param {string} text */
export const withoutUnseen = (text) => text.replace(UNSEEN, "");
