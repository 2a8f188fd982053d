/**
 * The rotation's state machine against its reference, through histories of whatever can happen to a webhook. What is
 * compared after every step: what the outputs say, how often the server was asked, and whether a secret that is named as
 * the current one is the current one.
 */
import { property } from "../conformance/property.js";
import { History } from "./history.js";
import { anyHistory } from "./steps.js";

property(
  "nobody is told a dead secret without being told that it is uncertain, and the last known one is never lost",
  anyHistory,
  async (steps) => {
    const history = new History();
    for (const step of steps) await history.live(step);
  },
  400,
);
