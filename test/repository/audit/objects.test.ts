/** Canaries in every object that a program, a log or an error reporter can reach. */
import { Client } from "../../../src/client/client";
import { startControlPlane } from "../../../src/control-plane/index";
import { Organization, Provider, WebhookSecret, listWebhooks } from "../../../src/program/index";
import { LostAnswerError } from "../../../src/resources/lifecycle";
import { asProgram, valueOf } from "../../support/program";
import { canary, leaksIn } from "../../support/audit/canaries";
import { printed } from "../../support/audit/printed";
import { startTalkativeServer, type Failure } from "../../support/audit/server";

const token = canary("token");
const initial = canary("initial secret");

asProgram({ baseUrl: "http://127.0.0.1:1", token: token.text });

/** The error that a promise rejects with. */
async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error("expected a failure");
    },
    (error: unknown) => error,
  );
}

test("the search finds visible properties, hidden properties, causes and JSON", () => {
  const hidden = Object.defineProperty({}, "secret", { value: token.text, enumerable: false });
  class Sealed {
    readonly #secret = token.text;
    toJSON(): string {
      return this.#secret;
    }
  }
  const cause = new Error("failed", { cause: { token: token.text } });
  for (const value of [{ a: [{ b: token.text }] }, hidden, new Sealed(), cause, new Map([["a", token.text]])]) {
    expect(leaksIn(printed(value), [token])).toEqual(["token"]);
  }
});

test("a client shows its address and no token, before and after requests", async () => {
  const server = await startTalkativeServer();
  const client = new Client({ baseUrl: server.url, token: token.text });
  const before = printed(client);
  await client.send("listWebhooks", {});
  for (const text of [before, printed(client)]) {
    expect(text).toContain(server.url);
    expect(leaksIn(text, [token])).toEqual([]);
  }
  await client.close();
});

test.each<Failure>([200, 302, 400, 401, 402, 403, 404, 409, 422, 429, 500, 503, "lost"])(
  "errors and debug lines of a request do not show a secret that the server repeats: %s",
  async (failure) => {
    const server = await startTalkativeServer();
    const lines: string[] = [];
    const deps = { sleep: () => Promise.resolve(), debug: (line: string): void => void lines.push(line) };
    const client = new Client({ baseUrl: server.url, token: token.text }, deps);
    await client.send("rotateWebhookSecret", { webhook_id: "crm" });
    server.fail({ POST: failure });
    const error =
      failure === 200
        ? await client.send("listWebhooks", {})
        : await rejection(client.send("rotateWebhookSecret", { webhook_id: "crm" }));
    await client.close();

    expect(lines.length).toBeGreaterThanOrEqual(2);
    expect(leaksIn(printed([error, ...lines]) + printed(error), [token, ...server.secrets])).toEqual([]);
  },
);

test("the state in an uncertain error cannot be printed", () => {
  const error = new LostAnswerError("lost", { account: "acme", secret: initial.text } as { account: string });
  expect(error.state).toMatchObject({ secret: initial.text });
  expect(leaksIn(printed(error), [initial])).toEqual([]);
});

test("the objects of a program show neither the provider's token nor a webhook's secret", async () => {
  const server = await startTalkativeServer();
  const provider = new Provider("audited", { baseUrl: server.url, token: token.text });
  const crm = new WebhookSecret("crm", { webhookId: "crm", initialSecret: initial.text, onCreate: "rotate" });
  const organization = new Organization("org", {
    webhooks: { crm: { id: "billing", initialSecret: initial.text, onCreate: "adopt" } },
  });
  const webhooks = listWebhooks({ provider });
  expect(await valueOf(crm.secret)).toBe("secret of crm");
  await Promise.all([valueOf(organization.webhookSecrets), valueOf(webhooks)]);

  for (const value of [provider, crm, crm.secret, organization, organization.webhookSecrets, webhooks]) {
    const text = printed(value);
    expect(leaksIn(text, [token, initial, ...server.secrets])).toEqual([]);
    expect(text).not.toContain("secret of crm");
  }
});

test("the error about a token in the wrong place does not repeat the token", async () => {
  const wrong = [
    { baseUrl: token.text, token: "t" },
    { baseUrl: `https://${encodeURIComponent(token.text)}@example.com`, token: "t" },
    { baseUrl: `https://example.com?token=${encodeURIComponent(token.text)}`, token: "t" },
    { baseUrl: "https://example.com", token: ` ${token.text}` },
    { baseUrl: "https://example.com", token: `${token.text}\u00e9` },
  ];
  for (const settings of wrong) {
    const error = await rejection(Promise.resolve().then(() => new Client(settings)));
    expect(leaksIn(printed(error), [token])).toEqual([]);
  }
});

test("the embedded control plane stores neither unknown tokens nor the secrets that it issues", async () => {
  const plane = await startControlPlane();
  const path = "/v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";
  const ask = (bearer: string) =>
    fetch(plane.url + path, { method: "POST", headers: { authorization: `Bearer ${bearer}` } });
  const answer = (await (await ask(plane.tokens.full)).json()) as { data: { signing_secret: string } };
  expect((await ask(token.text)).status).toBe(401);

  const { control } = plane;
  const text = printed([plane, control, control.journal(), control.state(), control.counters()]);
  expect(text).toContain(path);
  expect(text).not.toContain(answer.data.signing_secret);
  expect(leaksIn(text, [token])).toEqual([]);
  await plane.close();
});
