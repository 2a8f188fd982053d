import { unsecret } from "@pulumi/pulumi/output";
import { setAllConfig } from "@pulumi/pulumi/runtime";
import type { ControlPlane } from "../../../src/control-plane/index.js";
import { listWebhooks, Provider } from "../../../src/program/index.js";
import { controlPlane } from "../../support/control-plane";
import { asProgram, isSecret, valueOf } from "../../support/program.js";

// Nothing is sent to this address: each test has its own server.
asProgram({ baseUrl: "https://api.example.com", token: "canary-token", organization: "acme" }, { preview: true });

let plane: ControlPlane;

beforeEach(async () => {
  delete process.env.VOICEPLANE_BASE_URL;
  delete process.env.VOICEPLANE_TOKEN;
  plane = await controlPlane();
});

let next = 0;
const provider = (baseUrl: string, token = "vp_dev_full") => new Provider(`p${next++}`, { baseUrl, token });

test("sends one request, also in a preview, and returns each webhook as the server describes it", async () => {
  const webhooks = listWebhooks({ provider: provider(plane.url) });
  expect((await valueOf(webhooks)).map(({ id, url }) => [id, url])).toEqual([
    ["c0000000-0000-4000-8000-000000000001", "https://crm.example.com/voice"],
    ["c0000000-0000-4000-8000-000000000002", "https://billing.example.com/voice"],
    ["c0000000-0000-4000-8000-000000000003", "https://retired.example.com/voice"],
  ]);
  expect(plane.control.journal().map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /v1/webhooks/"]);
});

test("is secret as a whole, because an address may hold a password; the ids can be unmarked", async () => {
  process.env.VOICEPLANE_BASE_URL = plane.url;
  process.env.VOICEPLANE_TOKEN = "vp_dev_full";
  // Of the stack's own settings no provider output marks it.
  for (const webhooks of [listWebhooks({ provider: provider(plane.url) }), listWebhooks()]) {
    expect(await isSecret(webhooks)).toBe(true);
    const ids = unsecret(webhooks.apply((all) => all.map(({ id }) => id)));
    expect(await isSecret(ids)).toBe(false);
    expect(await valueOf(ids)).toHaveLength(3);
  }
});

test("without an address and a token it is an error that says where to set them", () => {
  setAllConfig({});
  expect(() => listWebhooks()).toThrow(
    [
      "the settings of voiceplane are not valid, and nothing was sent:",
      "  no base URL: run `pulumi config set voiceplane:baseUrl https://…` or set VOICEPLANE_BASE_URL [base-url]",
      "  no token: run `pulumi config set --secret voiceplane:token` or set VOICEPLANE_TOKEN [token]",
    ].join("\n"),
  );
});
