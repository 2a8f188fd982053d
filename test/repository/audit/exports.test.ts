/**
 * Canaries in everything that the package exports, and in every object that a program, a log or an error reporter can reach. A new export
 * that is missing here fails the first test. The real CLI is searched in test/engine/secrets.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as metadata from "@pulumi/pulumi/metadata";
import { Output } from "@pulumi/pulumi/output";
import { Client } from "../../../src/client/client";
import { ControlPlaneError } from "../../../src/control-plane/index";
import * as enums from "../../../src/program/generated/enums";
import * as main from "../../../src/program/index";
import * as native from "../../../src/program/native";
import { LostAnswerError } from "../../../src/lifecycle/lost-answer";
import { controlPlane } from "../../support/control-plane";
import { asProgram, valueOf } from "../../support/program";
import { canary, leaksIn, printed } from "../../support/audit/canaries";
import { startTalkativeServer } from "../../support/audit/server";

const token = canary("token");
const initial = canary("initial secret");

asProgram({ baseUrl: "http://127.0.0.1:1", token: token.text });

const modules = { "pulumi-voiceplane": main, "pulumi-voiceplane/native": native };

type Classes = typeof main | typeof native;

/** Uses each export, with a secret in every place that takes one. The objects differ, since a program declares each once. */
const audited: Record<Exclude<keyof typeof main, keyof typeof enums>, (of: Classes, baseUrl: string) => unknown> = {
  Provider: (of, baseUrl) => new of.Provider("explicit", { baseUrl, token: token.text }),
  RetentionPolicy: (of) =>
    new of.RetentionPolicy("policy", {
      resource: of === main ? "recordings" : "conversations",
      onCreate: "overwrite",
      retentionDays: 90,
    }),
  NetworkPolicy: (of) =>
    new of.NetworkPolicy("office", { networkPolicyId: idOf(of), onCreate: "overwrite", name: initial.text }),
  TrunkOutboundAuth: (of) =>
    new of.TrunkOutboundAuth("carrier", { trunkId: idOf(of), cleared: true, triggers: { stamp: initial.text } }),
  WebhookSecret: (of) =>
    new of.WebhookSecret("crm", { webhookId: idOf(of), onCreate: "rotate", initialSecret: initial.text }),
  Organization: (of) =>
    new of.Organization("org", {
      webhooks: { crm: { id: `org-${idOf(of)}`, onCreate: "rotate", initialSecret: initial.text } },
    }),
  listWebhooks: (of, baseUrl) =>
    of.listWebhooks({ provider: new of.Provider("explicit", { baseUrl, token: token.text }) }),
};

const idOf = (of: Classes): string => (of === main ? "dynamic" : "native");

test("every export of the package's entry points is audited", () => {
  for (const of of Object.values(modules))
    expect([...Object.keys(audited), ...Object.keys(enums)].sort()).toEqual(Object.keys(of).sort());
});

describe.each(Object.entries(modules))("%s", (_module, of) => {
  test.each(Object.keys(audited) as (keyof typeof audited)[])("%s shows no secret that it is given", async (name) => {
    const server = await startTalkativeServer();
    const inUse = audited[name](of, server.url);
    const outputs = [inUse, ...Object.values(inUse as Record<string, unknown>)].filter((each) =>
      Output.isInstance<unknown>(each),
    );
    const known = await Promise.all(outputs.map(valueOf));
    if (name === "WebhookSecret") expect(known).toContain("secret of crm");
    const text = printed([inUse, of[name]]) + outputs.map(printed).join();
    expect(leaksIn(text, [token, initial, ...server.secrets])).toEqual([]);
    expect(text).not.toContain("secret of");
  });
});

test("a client shows no token, before and after requests", async () => {
  const server = await startTalkativeServer();
  const client = new Client({ baseUrl: server.url, token: token.text });
  const before = printed(client);
  await client.send("listWebhooks", {});
  for (const text of [before, printed(client)]) expect(leaksIn(text, [token])).toEqual([]);
  await client.close();
});

test("the state in an uncertain error cannot be printed", () => {
  const error = new LostAnswerError("lost", { organization: "acme", secret: initial.text } as { organization: string });
  expect(error.state).toMatchObject({ secret: initial.text });
  expect(leaksIn(printed(error), [initial])).toEqual([]);
});

test("the stack without code exports the secrets as an output that does not show them", async () => {
  jest.spyOn(metadata, "getRootDirectory").mockReturnValue(process.cwd());
  writeFileSync(join(process.cwd(), "organization.yaml"), "webhooks: { crm: { id: wh-3, onCreate: rotate } }\n");
  const stack = await import("../../../src/program/stack.js");
  expect(Object.keys(stack)).toContain("webhookSecrets");
  expect(await valueOf(stack.webhookSecrets)).toEqual({ crm: "secret of org-crm" });
  const text = printed(stack);
  expect(text).not.toContain("secret of");
  expect(leaksIn(text, [token])).toEqual([]);
});

test("the control plane's errors do not repeat the values that they refuse", async () => {
  const plane = await controlPlane();
  const seed = { webhooks: [{ id: "w", url: initial.text, [token.text]: 1 }] };
  const error: unknown = await Promise.resolve()
    .then(() => {
      plane.control.seed(seed);
    })
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ControlPlaneError);
  expect(leaksIn(printed(error), [initial])).toEqual([]);
});

test("the embedded control plane stores neither unknown tokens nor the secrets that it issues", async () => {
  const plane = await controlPlane();
  const path = "/v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";
  const ask = (bearer: string) =>
    fetch(plane.url + path, { method: "POST", headers: { authorization: `Bearer ${bearer}` } });
  const answer = (await (await ask(plane.tokens.full)).json()) as { data: { signing_secret: string } };
  expect((await ask(token.text)).status).toBe(401);

  const { control } = plane;
  const text = printed([plane, control, control.journal(), control.state()]);
  expect(text).toContain(path);
  expect(text).not.toContain(answer.data.signing_secret);
  expect(leaksIn(text, [token])).toEqual([]);
});
