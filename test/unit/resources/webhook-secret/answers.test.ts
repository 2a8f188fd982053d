/** Answers that the interface allows and the embedded control plane never gives: from a server of bare bytes. */
import { markKey, unknownValue } from "../../../../src/values/engine.js";
import { webhookSecretLifecycle } from "../../../../src/resources/webhook-secret/lifecycle.js";
import { answer, rawServer, reset, success, type Behaviour } from "../../../support/client/raw-server.js";
import { ids, messageOf, world } from "../../../support/world.js";
import { anyRequestId } from "../../../support/ids.js";

const crm = (args: object = {}) => ({ crm: { webhookId: ids.webhook, onCreate: "rotate", ...args } });
const said = (text: string) => `warning: WebhookSecret "${ids.webhook}" of acme: ${text}`;

async function worldAnswering(...behaviours: Behaviour[]) {
  const server = await rawServer(behaviours);
  const the = await world(webhookSecretLifecycle);
  the.talkTo(server.baseUrl);
  return { ...the, requests: () => server.requests.map(({ head }) => head.split(" HTTP")[0]) };
}

/** The outputs of a webhook whose rotation got this answer. */
async function rotatedBy(behaviour: Behaviour, args: object = {}) {
  const { engine } = await worldAnswering(behaviour);
  await engine.up(crm(args));
  return { ...engine.outputsOf("crm"), said: engine.said() };
}

test.each<[what: string, behaviour: Behaviour, data: unknown]>([
  ["a bare string", success("s3cret-0123456789"), "s3cret-0123456789"],
  ["a member key", success({ key: "s3cret-0123456789" }), { key: "s3cret-0123456789" }],
  ["plain text", answer(200, "s3cret-0123456789\n", { "content-type": "text/plain" }), "s3cret-0123456789"],
  // What the engine would read as unknown, or as a secret, is kept as text.
  ["an unknown value", success({ note: unknownValue }), { text: JSON.stringify({ note: unknownValue }) }],
  ["a marked value", success({ note: { [markKey]: "x" } }), { text: JSON.stringify({ note: { [markKey]: "x" } }) }],
])("%s is no secret, because a wrong key would reach receivers: it is kept as data", async (_name, behaviour, data) => {
  const kept = await rotatedBy(behaviour);
  expect(kept).toMatchObject({ rotationState: "unread", data });
  expect(kept).not.toHaveProperty("secret");
});

test("where the answer repeats the secret of before, a later secretPath takes the new one, and the one of before becomes previousSecret", async () => {
  const answers = [success({ secret: "first" }), success({ secret: "first", value: { fresh: "second" } })];
  const { engine, requests } = await worldAnswering(...answers);
  await engine.up(crm());
  await engine.up(crm({ triggers: { n: 1 } }));
  expect(engine.outputsOf("crm")).toMatchObject({ secret: "first", rotationState: "unchanged" });
  await engine.up(crm({ triggers: { n: 1 }, secretPath: "value.fresh" }));
  expect(engine.outputsOf("crm")).toMatchObject({
    secret: "second",
    previousSecret: "first",
    rotationState: "rotated",
  });
  expect(requests()).toHaveLength(2);
});

describe("where no secret is found in the answer", () => {
  const program = crm({ secretPath: "value.hidden" });
  const none = "rotated, but no secret was found in the answer";
  const unknown = "its secret is not known, as none was found in the answer to its last rotation.";

  test("the resource is kept with it, each run says what to set, and a later secretPath takes it from there: all without a request", async () => {
    const data = { webhook: { name: "crm" }, value: { hidden: "s3cret" } };
    const { engine, requests } = await worldAnswering(success(data), success({ secret: "next" }));
    await engine.up(crm());
    expect(engine.outputsOf("crm")).toEqual({
      requestId: anyRequestId,
      organization: "acme",
      webhookId: ids.webhook,
      data,
      rotatedAt: "2026-01-01T12:00:00.000Z",
      rotationCount: 1,
      rotationState: "unread",
    });
    expect(engine.said()).toEqual([
      said(
        `${none}. The answer is in the secret output "data": set secretPath to the path ` +
          "of the secret in it; that does not rotate again.",
      ),
    ]);
    expect(await engine.up(crm())).toEqual({ crm: "same" });
    expect(engine.said()).toEqual([
      said(
        `${unknown} Set secretPath to its path in the secret ` +
          'output "data", or change triggers to rotate it again.',
      ),
    ]);
    // The first path may be wrong: the answer stays until the next rotation.
    await engine.up(crm({ secretPath: "webhook.name" }));
    expect(engine.outputsOf("crm")).toMatchObject({ secret: "crm", rotationState: "rotated" });
    expect(await engine.up(program)).toEqual({ crm: "update" });
    expect(await engine.up(program)).toEqual({ crm: "same" });
    expect(engine.outputsOf("crm")).toMatchObject({
      secret: "s3cret",
      data,
      rotationState: "rotated",
      rotationCount: 1,
    });
    expect(requests()).toHaveLength(1);
    await engine.up(crm({ triggers: { n: 1 } }));
    expect(engine.outputsOf("crm")).toMatchObject({
      secret: "next",
      previousSecret: "s3cret",
      data: { secret: "next" },
    });
  });

  test("a later secretPath takes it as previousSecret where a new initialSecret ends the doubt about the next rotation", async () => {
    const { engine, requests } = await worldAnswering(success({ value: { hidden: "s3cret" } }), reset);
    await engine.up(crm());
    await messageOf(engine.up(crm({ triggers: { n: 1 } })));
    await engine.up(crm({ triggers: { n: 1 }, secretPath: "value.hidden", initialSecret: "canary-known" }));
    expect(engine.outputsOf("crm")).toMatchObject({
      secret: "canary-known",
      previousSecret: "s3cret",
      rotationState: "adopted",
    });
    expect(requests()).toHaveLength(2);
  });

  test("a later secretPath that leads to the secret of before says that the server may not have rotated", async () => {
    const { engine } = await worldAnswering(success({ secret: "s3cret" }), success({ value: { hidden: "s3cret" } }));
    await engine.up(crm());
    await engine.up(crm({ triggers: { n: 1 } }));
    expect(engine.outputsOf("crm")).toMatchObject({ previousSecret: "s3cret", rotationState: "unread" });
    await engine.up(crm({ triggers: { n: 1 }, secretPath: "value.hidden" }));
    expect(engine.outputsOf("crm")).toMatchObject({ secret: "s3cret", rotationState: "unchanged" });
    expect(engine.said().at(-1)).toContain("the answer to its rotation has the secret that was known before");
  });

  const lookup = ", which is empty. Look it up on the server.";
  const again = "Change triggers to rotate it again.";
  const unreadable =
    'The answer is in the secret output "data", as text or base64: read the secret there, or change triggers to rotate it again.';

  test.each<[what: string, behaviour: Behaviour, data: unknown, first: string, later: string]>([
    ["no data", answer(200, '{"success":true}'), undefined, lookup, again],
    ["null", success(null), undefined, lookup, again],
    ["text", answer(200, "Secret rotated"), "Secret rotated", `. ${unreadable}`, unreadable],
    ["a number", success(7), 7, `. ${unreadable}`, unreadable],
  ])("and no path can lead to it (%s), each message says so", async (_name, behaviour, data, first, later) => {
    const { engine, requests } = await worldAnswering(behaviour);
    await engine.up(crm());
    expect(engine.outputsOf("crm")).toMatchObject({ rotationState: "unread", rotationCount: 1 });
    expect(engine.outputsOf("crm")?.data).toEqual(data);
    expect(engine.said()).toEqual([said(none + first)]);
    expect(await engine.up(crm())).toEqual({ crm: "same" });
    expect(engine.said()).toEqual([said(`${unknown} ${later}`)]);
    expect(requests()).toHaveLength(1);
  });
});

describe("a refresh", () => {
  const kept = (why: string) => [said(`${why}, so the state is kept as it is.`)];
  const noList = kept("no list was found in the server's answer");
  const part = (why: string) => kept(`it is not in what can be read of the server's list, and ${why}`);
  const unlisted = [
    said(
      "is not in the server's list of webhooks. The state is kept, as it may have " +
        "the only copy of the secret. If the webhook is gone, remove it from the program, or from the state with " +
        "`pulumi state delete URN`.",
    ),
  ];

  test.each<[what: string, behaviour: Behaviour, messages: string[]]>([
    ["a list with it", success({ webhooks: [{ id: "another" }, { id: ids.webhook }] }), []],
    ["its id in another case", success([{ id: ids.webhook.toUpperCase() }]), []],
    ["a part of a list with it", success({ items: [{ id: ids.webhook }], next_cursor: "abc" }), []],
    ["it as disabled", success([{ id: ids.webhook, enabled: false, disabled_at: "2026-01-01T00:00:00Z" }]), []],
    ["an empty list", success({ webhooks: [] }), unlisted],
    ["a list without it", success({ webhooks: [{ id: "another" }] }), unlisted],
    ["numbers as ids", success({ webhooks: [{ id: 42 }] }), unlisted],
    ["a cursor", success({ webhooks: [], next_cursor: "abc" }), part("the list may have further pages")],
    [
      "a webhook that cannot be read",
      success({ webhooks: [{ name: "x" }] }),
      part("1 of 1 entries have no id that can be read"),
    ],
    ["nothing", answer(204), noList],
    ["an object without a list", success({ count: 0 }), noList],
    [
      "a page",
      answer(200, "<html><title>hello</title></html>"),
      kept('the list of webhooks was refused (GET /v1/webhooks/ was refused: 200 "hello")'),
    ],
    [
      "a refusal",
      answer(403, "", { "x-request-id": "req-7" }),
      kept("the list of webhooks was refused (GET /v1/webhooks/ was refused: 403 (request id req-7))"),
    ],
  ])("that is answered with %s keeps the state", async (_name, behaviour, messages) => {
    const { engine, requests } = await worldAnswering(success({ secret: "s3cret" }), behaviour);
    await engine.up(crm());
    await engine.refresh();
    expect(requests()).toEqual([`POST /v1/webhooks/${ids.webhook}/rotate-secret`, "GET /v1/webhooks/"]);
    expect(engine.outputsOf("crm")).toMatchObject({ secret: "s3cret" });
    expect(engine.said()).toEqual(messages);
  });

  test("fails where the server fails, and the state is as before", async () => {
    const { engine } = await worldAnswering(success({ secret: "s3cret" }), answer(500));
    await engine.up(crm());
    expect(await messageOf(engine.refresh())).toContain("GET /v1/webhooks/ failed: 500");
    expect(engine.outputsOf("crm")).toMatchObject({ secret: "s3cret" });
  });
});
