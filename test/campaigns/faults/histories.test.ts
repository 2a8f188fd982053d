/** Random faults in random order, with the real engine: one history here, as many as time allows in a soak. */
import { property } from "../../support/resources/property";
import { anyEvents } from "../../support/faults/events";
import { History } from "./history";

property(
  "after any fault the state is correct and valid, no process is left, and the next up repairs the rest",
  anyEvents,
  async (events) => {
    const history = await History.begin();
    for (const event of events) await history.live(event);
    await history.end();
  },
  1,
  { endOnFailure: true, turns: 8 },
);
