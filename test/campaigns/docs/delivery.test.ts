/**
 * examples/delivery, which docs/guides/rotate-webhook-secrets.md explains. `npm run test:delivery` runs the recipes themselves, and
 * test/campaigns/engine/delivery.test.ts hands over secrets to the receiver.
 */
import { createHmac } from "node:crypto";
import { receiver, type Secrets } from "../../../examples/delivery/receiver";
import { listenInTest } from "../../support/after-test";
import { blocks } from "../../support/docs/documents";
import { read } from "../../support/repository";

const shown = blocks.filter(({ role }) => role.startsWith("examples/delivery/"));

test.each(shown)("$role on the page has the text of the file", ({ role, text }) => {
  expect(text).toBe(read(role));
});

async function start(store: { secrets: Secrets | Error }) {
  const seen: string[] = [];
  let loads = 0;
  const clock = { now: 0 };
  const server = receiver(
    () => {
      loads++;
      return store.secrets instanceof Error ? Promise.reject(store.secrets) : Promise.resolve(store.secrets);
    },
    (body) => {
      seen.push(body.toString());
      return Promise.resolve();
    },
    () => clock.now,
  );
  const url = `http://127.0.0.1:${await listenInTest(server)}`;
  const event = async (body: string, key: string): Promise<number> => {
    const signature = createHmac("sha256", key).update(body).digest("hex");
    return (await fetch(url, { method: "POST", body, headers: { "x-signature": signature } })).status;
  };
  return { event, seen, clock, loads: () => loads };
}

test("wrong signatures are refused, and reload the secrets at most once a second", async () => {
  const { event, seen, clock, loads } = await start({ secrets: { secret: "right", previousSecret: "" } });
  for (const key of ["wrong", "undefined", " "]) expect(await event("forged", key)).toBe(401);
  expect(loads()).toBe(1);
  clock.now += 1_000;
  expect(await event("forged", "wrong")).toBe(401);
  expect([loads(), seen]).toEqual([2, []]);
});

test("an unreadable store gives an answer that senders retry, and the receiver keeps running", async () => {
  const store: { secrets: Secrets | Error } = { secrets: new Error("the store is away") };
  const { event, clock } = await start(store);
  expect(await event("event", "key")).toBe(503);
  store.secrets = { secret: "key" };
  clock.now += 1_000;
  expect(await event("event", "key")).toBe(204);
});
