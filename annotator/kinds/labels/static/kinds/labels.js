/** Labels on a sentence: a machine suggests, people correct and find what is missing. */

import { SentenceWorkspace } from "../work/components/sentence_workspace.js";

new SentenceWorkspace().run();
