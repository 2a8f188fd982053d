import { base } from "./base.js";
import { colours } from "./colours.js";
import { dialogs } from "./dialogs.js";
import { header } from "./header.js";
import { journal } from "./journal.js";
import { lists } from "./lists.js";
import { narrow } from "./narrow.js";
import { retention } from "./retention.js";

/** No colour says anything that a word or a sign does not say too. What is narrow comes last: it overrides. */
export const style = [colours, base, header, lists, retention, journal, dialogs, narrow].join("");
