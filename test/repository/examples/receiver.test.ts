/** The receiver of examples/rotation. test/campaigns/engine/examples.test.ts starts it beside the engine. */
import { createHmac } from "node:crypto";
import { receiver, type Secrets } from "../../../examples/rotation/receiver";
import { listenInTest } from "../../support/after-test";

test("a wrong signature reloads the secrets at most once a second, and an unreadable store is no refusal", async () => {
  const store: { secrets?: Secrets } = { secrets: { secret: "right", previousSecret: "" } };
  const seen: string[] = [];
  let [loads, now] = [0, 0];
  const load = () => {
    loads++;
    return store.secrets ? Promise.resolve(store.secrets) : Promise.reject(new Error("the store is away"));
  };
  const handle = (body: Buffer) => Promise.resolve(void seen.push(body.toString()));
  const url = `http://127.0.0.1:${await listenInTest(receiver(load, handle, () => now))}`;
  const event = async (body: string, key: string): Promise<number> => {
    const signature = createHmac("sha256", key).update(body).digest("hex");
    return (await fetch(url, { method: "POST", body, headers: { "x-signature": signature } })).status;
  };
  for (const key of ["wrong", "undefined", " "]) expect(await event("forged", key)).toBe(401);
  expect([loads, seen]).toEqual([1, []]);
  now += 1_000;
  expect(await event("event", "right")).toBe(204);
  now += 1_000;
  delete store.secrets;
  expect(await event("early", "new")).toBe(503);
  store.secrets = { secret: "new", previousSecret: "right" };
  now += 1_000;
  expect([await event("early", "new"), await event("late", "right")]).toEqual([204, 204]);
  expect(seen).toEqual(["event", "early", "late"]);
});
