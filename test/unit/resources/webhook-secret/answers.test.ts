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
  ["a member key", success({ key: "s3cret-0123456789" }), { key: "s3cret-0123456789" }],
  // What the engine would read as unknown, or as a secret, is not kept.
  ["an unknown value", success({ note: unknownValue }), undefined],
  ["a marked value", success({ note: { [markKey]: "x" } }), undefined],
])("%s is no secret, because a wrong key would reach receivers", async (_name, behaviour, data) => {
  const kept = await rotatedBy(behaviour);
  expect(kept).toMatchObject({ rotationState: "unread", ...(data !== undefined && { data }) });
  expect(kept).not.toHaveProperty("secret");
  if (data === undefined) expect(kept).not.toHaveProperty("data");
});

describe("where no secret is found in the answer", () => {
  const program = crm({ secretPath: "value.hidden" });
  const none = "rotated, but no secret was found in the answer";
  const unknown = "its secret is not known, as none was found in the answer to its last rotation";
  const setPath =
    ': the answer is in the secret output "data". Set secretPath to the path of the secret in it; that does not rotate again, or change triggers.';

  test("the resource is kept with it, each run says what to set, and a later secretPath takes it from there: all without a request", async () => {
    const data = { webhook: { name: "crm" }, value: { hidden: "s3cret" } };
    const { engine, requests } = await worldAnswering(success(data), success({ secret: "next" }));
    await engine.up(crm());
    expect(engine.outputsOf("crm")).toEqual({
      requestId: anyRequestId,
      organization: "acme",
      webhookId: ids.webhook,
      data,
      rotatedAt: expect.any(String) as string,
      rotationCount: 1,
      rotationState: "unread",
    });
    expect(engine.said()).toEqual([
      said(
        `${none}: the answer is in the secret output "data". Set secretPath to the path of the secret in it; that does not rotate again.`,
      ),
    ]);
    expect(await engine.up(crm())).toEqual({ crm: "same" });
    expect(engine.said()).toEqual([said(`${unknown}${setPath}`)]);
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

  test("a later secretPath takes it as previousSecret where the next rotation is in doubt", async () => {
    const hidden = (secret: string) => success({ value: { hidden: secret } });
    const { engine } = await worldAnswering(hidden("s3cret"), reset, hidden("next"));
    await engine.up(crm());
    await messageOf(engine.up(crm({ triggers: { n: 1 } })));
    await engine.up(crm({ triggers: { n: 1 }, secretPath: "value.hidden" }));
    expect(engine.outputsOf("crm")).toMatchObject({
      secret: "next",
      previousSecret: "s3cret",
      rotationState: "rotated",
    });
  });

  test.each<[what: string, behaviour: Behaviour, data: unknown]>([
    ["no data", answer(200, '{"success":true}'), undefined],
    ["null", success(null), undefined],
    ["words", success("it was rotated"), "it was rotated"],
    ["a number", success(7), 7],
  ])("and no path can lead to it (%s), the message says so, and the next run too", async (_name, behaviour, data) => {
    const { engine, requests } = await worldAnswering(behaviour);
    await engine.up(crm());
    expect(engine.outputsOf("crm")).toMatchObject({ rotationState: "unread", rotationCount: 1 });
    expect(engine.outputsOf("crm")?.data).toEqual(data);
    expect(engine.said()).toEqual([said(`${none}: look it up on the server, or change triggers to rotate it again.`)]);
    expect(await engine.up(crm())).toEqual({ crm: "same" });
    expect(engine.said()).toEqual([said(`${unknown}${setPath}`)]);
    expect(requests()).toHaveLength(1);
  });
});

describe("a refresh", () => {
  const kept = (why: string) => [said(`${why}, so the state is kept as it is.`)];
  const noList = kept("no list was found in the server's answer");
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
    ["it as disabled", success([{ id: ids.webhook, enabled: false, disabled_at: "2026-01-01T00:00:00Z" }]), []],
    ["an empty list", success({ webhooks: [] }), unlisted],
    ["a list without it", success({ webhooks: [{ id: "another" }] }), unlisted],
    ["nothing", answer(204), noList],
    ["an object without a list", success({ count: 0 }), noList],
    [
      "a page",
      answer(200, "<html><title>hello</title></html>"),
      kept('the list of webhooks was refused (GET /v1/webhooks/ failed: 200 "hello")'),
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
