import { SentenceWorkspace } from "../components/sentence_workspace.js";

new SentenceWorkspace().run();
