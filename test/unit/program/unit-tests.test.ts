import { setAllConfig } from "@pulumi/pulumi/runtime";
import { Organization, WebhookSecret } from "../../../src/program/index.js";
import { asProgram, registered, valueOf } from "../../support/program.js";

asProgram({});

test("a program that runs with mocks needs no settings", async () => {
  const organization = new Organization("acme", { webhooks: { crm: { id: "w-1", onCreate: "rotate" } } });
  expect(await valueOf(organization.webhookSecrets)).toEqual({ crm: "secret of acme-crm" });
  const webhook = new WebhookSecret("billing", { webhookId: "w-2", onCreate: "rotate" });
  expect((await registered(webhook.urn)).map(({ name }) => name)).toContain("billing");
});

describe("a program that runs with mocks needs no token where a base URL is set,", () => {
  afterEach(() => {
    setAllConfig({});
  });

  test.each([
    ["nor that its token is secret", { "voiceplane:token": "canary-token" }],
    ["nor any", {}],
  ])("%s", async (_what, config) => {
    setAllConfig({ "voiceplane:baseUrl": "https://voice.example.com", "voiceplane:organization": "acme", ...config });
    const webhook = new WebhookSecret("crm", { webhookId: "w-7", onCreate: "rotate" });
    expect((await registered(webhook.urn)).map(({ name }) => name)).toContain("crm");
  });
});
