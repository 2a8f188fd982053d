import { setImmediate as nextTurn } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { Attempt, type AttemptResult } from "../../../src/client/attempt.js";

test("a 407 to plain http frees its turn once, although the transport goes on to report the end of the answer", async () => {
  const results: AttemptResult[] = [];
  let freed = 0;
  const attempt = new Attempt(1000, {
    onEnd: (result) => results.push(result),
    onFree: () => freed++,
    mayLeave: () => true,
  });
  let isAborted = false;
  const controller = {
    abort: (reason: Error) => {
      if (!isAborted) {
        isAborted = true;
        attempt.onResponseError(controller, reason);
      }
    },
  } as unknown as Dispatcher.DispatchController;
  attempt.onRequestStart(controller);
  attempt.onResponseError(controller, new Error("Proxy Authentication Required (407)"));
  attempt.onResponseEnd();
  await nextTurn();
  expect(results).toEqual([{ kind: "not-sent", error: { message: "Proxy Authentication Required (407)" } }]);
  expect(freed).toBe(1);
});
