import { actions } from "./actions.js";
import { lists } from "./lists.js";
import { live } from "./live.js";

/**
 * What runs in the browser. The server sends markup that is ready to show; what is left is to put it in its place, to
 * shorten and filter the lists, and to send what the buttons say.
 */
export const script = `"use strict";
const byId = (id) => document.getElementById(id);

/** To screen readers. */
function announce(text) {
  byId("announcement").textContent = text;
}
${lists}${live}${actions}`;
