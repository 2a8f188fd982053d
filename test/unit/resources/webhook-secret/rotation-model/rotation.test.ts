/**
 * The rotation's state machine against its reference, in random histories of a webhook. After every step the test
 * compares the outputs, the number of requests, and whether the secret that the outputs call current is current.
 */
import { property } from "../../../../support/resources/property.js";
import { History } from "./history.js";
import { anyHistory } from "./steps.js";

property(
  "an outdated secret is always marked uncertain, and the last known secret is never lost",
  anyHistory,
  async (steps) => {
    const history = new History();
    for (const step of steps) await history.live(step);
  },
  400,
);
