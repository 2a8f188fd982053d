import { join } from "node:path";
import { unsettledOn } from "../../../src/provider/unsettled.js";
import type { Context, Lifecycle } from "../../../src/resources/lifecycle.js";
import type { Unsettled } from "../../../src/resources/lifecycle.js";
import { temporaryFolder } from "../folders.js";
import { world } from "../world.js";

export type Dying = Awaited<ReturnType<typeof dying>>;

/** A world whose machine remembers, and whose process can die when a request has been answered. */
export async function dying(lifecycle: Lifecycle) {
  const the = await world(lifecycle);
  const folder = join(temporaryFolder(), "state");
  const remember = (): Unsettled => unsettledOn({ VOICEPLANE_STATE_DIR: folder });
  const { api } = the.engine.around;
  the.engine.around = { ...the.engine.around, unsettled: remember() };
  /** Runs until a request has been answered, and ends there, as a killed process does: the state is that of before. */
  const diesAfter = async (run: () => Promise<unknown>): Promise<void> => {
    const backup = the.engine.backup();
    const death = new Promise<void>((resolve) => {
      const send: Context["api"]["send"] = async (...request) => {
        await api.send(...request);
        resolve();
        return new Promise<never>(() => undefined);
      };
      the.engine.around = { ...the.engine.around, api: { send } };
    });
    const ended = run().then(() => {
      throw new Error("the run ended before it sent anything");
    });
    await Promise.race([death, ended]);
    the.engine.around = { ...the.engine.around, api, unsettled: remember() };
    the.engine.restore(backup);
  };
  return { ...the, diesAfter };
}
