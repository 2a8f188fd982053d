/** Answers that the interface allows and the embedded control plane never gives: from a server of bare bytes. */
import { markKey, unknownValue } from "../../../src/values/engine.js";
import { webhookSecret } from "../../../src/resources/webhook-secret.js";
import { answer, startRawServer, success, type Behaviour } from "../../support/client/raw-server.js";
import { closeAfterTest, ids, messageOf, world } from "../../support/world.js";
import { anyRowId } from "../../support/ids.js";

const crm = (args: object = {}) => ({ crm: { webhookId: ids.webhook, onCreate: "rotate", ...args } });

async function worldAnswering(...behaviours: Behaviour[]) {
  const server = await startRawServer(behaviours);
  closeAfterTest(() => server.close());
  const the = await world(webhookSecret);
  the.talkTo(server.baseUrl);
  let seen = 0;
  /** The requests since the last call. */
  const requests = () => {
    const fresh = server.requests.slice(seen).map(({ head }) => head.split(" HTTP")[0]);
    seen += fresh.length;
    return fresh;
  };
  return { ...the, requests };
}

describe("the secret is found in the answer to a rotation", () => {
  test.each([
    ["as signing_secret", success({ signing_secret: "s3cret-0123456789", id: "x" })],
    ["in the webhook", success({ webhook: { id: ids.webhook, secret: "s3cret-0123456789" } })],
    ["in an answer that is no envelope", answer(200, '{"signing_secret":"s3cret-0123456789"}')],
    ["beside the data", answer(200, '{"success":true,"data":{"id":"x"},"signing_secret":"s3cret-0123456789"}')],
    ["without data", answer(200, '{"success":true,"webhook":{"secret":"s3cret-0123456789"}}')],
    ["beside a 201", answer(201, '{"success":true,"data":{"secret":"s3cret-0123456789"}}')],
  ])("%s", async (_name, behaviour) => {
    const { engine } = await worldAnswering(behaviour);
    await engine.up(crm());
    expect(engine.outputsOf("crm")).toMatchObject({ secret: "s3cret-0123456789", rotationState: "rotated" });
    expect(engine.said()).toEqual([]);
  });

  test.each([
    ["a bare string", success("s3cret-0123456789"), "s3cret-0123456789"],
    ["a member key", success({ key: "s3cret-0123456789" }), { key: "s3cret-0123456789" }],
    ["plain text", answer(200, "s3cret-0123456789\n", { "content-type": "text/plain" }), "s3cret-0123456789"],
  ])(
    "and %s is none, because a wrong key would reach receivers: it is kept as data",
    async (_name, behaviour, data) => {
      const { engine } = await worldAnswering(behaviour);
      await engine.up(crm());
      expect(engine.outputsOf("crm")).toMatchObject({ rotationState: "unread", data });
      expect(engine.outputsOf("crm")).not.toHaveProperty("secret");
    },
  );

  test("with what stands beside it, in the output data", async () => {
    const data = { secret: "s3cret", previous_secret_expires_at: "2026-02-01T00:00:00Z" };
    const { engine } = await worldAnswering(success(data));
    await engine.up(crm());
    expect(engine.outputsOf("crm")).toMatchObject({ secret: "s3cret", data });
  });

  test("at secretPath and nowhere else", async () => {
    const { engine } = await worldAnswering(success({ secret: "old", hook: { current: ["no", "s3cret"] } }));
    await engine.up(crm({ secretPath: "hook.current.1" }));
    expect(engine.outputsOf("crm")).toMatchObject({ secret: "s3cret" });
  });
});

describe("where no secret is found in the answer", () => {
  const data = { value: { hidden: "s3cret" } };
  const program = crm({ secretPath: "value.hidden" });

  test("the resource is kept with it, each run says what to set, and a later secretPath takes it from there: all without a request", async () => {
    const name = `warning: WebhookSecret "${ids.webhook}" of acme:`;
    const { engine, requests } = await worldAnswering(success(data));
    await engine.up(crm());
    expect(engine.outputsOf("crm")).toEqual({
      requestId: anyRowId,
      organization: "acme",
      webhookId: ids.webhook,
      data,
      rotatedAt: "2026-01-01T12:00:00.000Z",
      rotationCount: 1,
      rotationState: "unread",
    });
    expect(engine.said()).toEqual([
      `${name} rotated, but no secret was found in the answer. The answer is in the secret output "data": set secretPath to the path ` +
        "of the secret in it; that does not rotate again.",
    ]);
    requests();
    expect(await engine.up(crm())).toEqual({ crm: "same" });
    expect(engine.said()).toEqual([
      `${name} its secret is not known, as none was found in the answer to its last rotation. Set secretPath to its path in the secret ` +
        'output "data", or change triggers to rotate it again.',
    ]);
    expect(await engine.up(program)).toEqual({ crm: "update" });
    expect(await engine.up(program)).toEqual({ crm: "same" });
    expect(requests()).toEqual([]);
    expect(engine.outputsOf("crm")).toMatchObject({ secret: "s3cret", rotationState: "rotated", rotationCount: 1 });
  });

  test("a secretPath to a wrong place is corrected without a request: the answer stays until the next rotation", async () => {
    const answer = { webhook: { name: "crm" }, value: { hidden: "s3cret" } };
    const { engine, requests } = await worldAnswering(success(answer), success({ secret: "next" }));
    await engine.up(crm());
    await engine.up(crm({ secretPath: "webhook.name" }));
    expect(engine.outputsOf("crm")).toMatchObject({ secret: "crm", rotationState: "rotated" });
    requests();
    await engine.up(program);
    expect(engine.outputsOf("crm")).toMatchObject({ secret: "s3cret", data: answer, rotationCount: 1 });
    expect(requests()).toEqual([]);
    await engine.up(crm({ triggers: { n: 1 } }));
    expect(engine.outputsOf("crm")).toMatchObject({
      secret: "next",
      previousSecret: "s3cret",
      data: { secret: "next" },
    });
  });

  test.each([
    ["no data", answer(200, '{"success":true}')],
    ["null", success(null)],
  ])("and the answer holds nothing (%s), the warning says so", async (_name, behaviour) => {
    const { engine } = await worldAnswering(behaviour);
    await engine.up(crm());
    expect(engine.outputsOf("crm")).toMatchObject({ rotationState: "unread", rotationCount: 1 });
    expect(engine.said()).toEqual([
      `warning: WebhookSecret "${ids.webhook}" of acme: rotated, but no secret was found in the answer, which is ` +
        "empty. Look it up on the server.",
    ]);
    engine.preview(crm());
    expect(engine.said()).toEqual([
      `warning: WebhookSecret "${ids.webhook}" of acme: its secret is not known, as none was found in the answer to its ` +
        "last rotation. Change triggers to rotate it again.",
    ]);
  });

  test.each([
    ["text", answer(200, "Secret rotated"), "Secret rotated"],
    ["a number", success(7), 7],
    [
      "an unknown encoding",
      answer(200, "s3cret-0123456789", { "content-encoding": "x-new" }),
      { base64: "czNjcmV0LTAxMjM0NTY3ODk=", encoding: "x-new" },
    ],
  ])(
    "and no path leads into it (%s), it is kept for a look, and each message says so",
    async (_name, behaviour, kept) => {
      const { engine, requests } = await worldAnswering(behaviour);
      await engine.up(crm());
      expect(engine.outputsOf("crm")).toMatchObject({ rotationState: "unread", rotationCount: 1, data: kept });
      const name = `warning: WebhookSecret "${ids.webhook}" of acme:`;
      const advice =
        'The answer is in the secret output "data", as text or base64: read the secret there, or change triggers to rotate it again.';
      expect(engine.said()).toEqual([`${name} rotated, but no secret was found in the answer. ${advice}`]);
      requests();
      expect(await engine.up(crm())).toEqual({ crm: "same" });
      expect(requests()).toEqual([]);
      expect(engine.said()).toContain(
        `${name} its secret is not known, as none was found in the answer to its last rotation. ${advice}`,
      );
    },
  );
});

test.each([
  ["what it calls unknown", { note: unknownValue }],
  ["what it marks secrets with", { note: { [markKey]: "1b47061264138c4ac30d75fd1eb44270", value: 1 } }],
])("an answer in which the engine would read %s is kept as text", async (_name, data) => {
  const { engine } = await worldAnswering(success(data));
  await engine.up(crm());
  expect(engine.outputsOf("crm")).toMatchObject({ rotationState: "unread", data: { text: JSON.stringify(data) } });
});

describe("refresh", () => {
  const refreshed = async (behaviour: Behaviour) => {
    const the = await worldAnswering(success({ secret: "s3cret" }), behaviour);
    await the.engine.up(crm());
    the.requests();
    await the.engine.refresh();
    expect(the.requests()).toEqual(["GET /v1/webhooks/"]);
    return { kept: the.engine.outputsOf("crm") !== undefined, said: the.engine.said() };
  };
  const because = (text: string) => [
    `warning: WebhookSecret "${ids.webhook}" of acme: ${text}, so the state is kept as it is.`,
  ];
  const unlisted = [
    `warning: WebhookSecret "${ids.webhook}" of acme: is not in the server's list of webhooks. The state is kept, as it may have ` +
      "the only copy of the secret. If the webhook is gone, remove it from the program, or from the state with " +
      "`pulumi state delete URN`.",
  ];

  test.each([
    ["data.webhooks", success({ webhooks: [{ id: "another" }, { id: ids.webhook }] })],
    ["a part of a list", success({ items: [{ id: ids.webhook }], next_cursor: "abc" })],
    ["a disabled webhook", success([{ id: ids.webhook, enabled: false, disabled_at: "2026-01-01T00:00:00Z" }])],
  ])("a webhook that is in the list (%s) stays, silently", async (_name, behaviour) => {
    expect(await refreshed(behaviour)).toEqual({ kept: true, said: [] });
  });

  test.each([
    ["an empty list", success({ webhooks: [] })],
    ["a list without it", success({ webhooks: [{ id: "another" }] })],
    ["a cursor", success({ webhooks: [], next_cursor: "abc" })],
    ["a webhook that cannot be read", success({ webhooks: [{ uuid: "another" }] })],
  ])("a webhook that is not in the list (%s) stays, with a warning", async (_name, behaviour) => {
    expect(await refreshed(behaviour)).toEqual({ kept: true, said: unlisted });
  });

  test.each([
    ["nothing", answer(204)],
    ["an object without a list", success({ count: 0 })],
    ["a page", answer(200, "<html>hello</html>")],
  ])("an answer in which no list is found (%s) keeps the state, with a warning", async (_name, behaviour) => {
    expect(await refreshed(behaviour)).toEqual({
      kept: true,
      said: because("no list was found in the server's answer"),
    });
  });

  test("a refusal keeps the state, with a warning that says why", async () => {
    const { kept, said } = await refreshed(answer(403, "", { "x-request-id": "req-7" }));
    expect(kept).toBe(true);
    expect(said).toEqual(
      because(
        "the list of webhooks was refused (GET /v1/webhooks/ was refused: 403 (request id req-7)\n" +
          "The token needs the scope webhooks:read.)",
      ),
    );
  });

  test("a server that fails makes the refresh fail, and the state is as before", async () => {
    const the = await worldAnswering(success({ secret: "s3cret" }), answer(500));
    await the.engine.up(crm());
    expect(await messageOf(the.engine.refresh())).toContain("GET /v1/webhooks/ failed: 500");
    expect(the.engine.outputsOf("crm")).toMatchObject({ secret: "s3cret" });
  });

  test("a webhook that is gone keeps its secret in the state, until the program no longer declares it", async () => {
    const { engine, plane, journal } = await world(webhookSecret);
    await engine.up(crm());
    const before = engine.outputsOf("crm");
    plane.control.seed({ remove: [ids.webhook] });
    await engine.refresh();
    expect(engine.outputsOf("crm")).toEqual(before);
    journal();
    await engine.up({});
    expect(engine.outputsOf("crm")).toBeUndefined();
    expect(journal()).toEqual([]);
  });
});

test("a webhook whose id the list writes in another case is not called gone: making it anew would rotate", async () => {
  const { engine } = await world(webhookSecret);
  await engine.up({ crm: { webhookId: ids.webhook.toUpperCase(), onCreate: "rotate" } });
  engine.said();
  await engine.refresh();
  expect(engine.said()).toEqual([]);
});
