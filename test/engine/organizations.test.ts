import { ids, organization } from "./support/organization";
import { project } from "./support/project";

const recordings = (options = "") =>
  `new RetentionPolicy("recordings", { resource: "recordings", retentionDays: 90, onDelete: "disable" }${options});`;
const crm = (options = "") => `new WebhookSecret("crm", { webhookId: "${ids.crm}" }${options});`;

const put = 'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}';
const putDisabled = 'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":false}';

test("another base URL is another organization: a replacement in the preview, and the old one stays as it is; a destroy sends it nothing", async () => {
  const moved = await organization();
  const there = { env: { VOICEPLANE_BASE_URL: moved.url } };
  const stack = await project({ program: recordings() });
  await stack.up();
  stack.organization.requests();

  const preview = await stack.preview(there);
  expect(preview).toContain(`~ account: "${stack.organization.url}" => "${moved.url}"`);
  expect(preview).toContain("+-1 to replace");
  const output = await stack.up(there);
  expect(output).toContain("so nothing was sent and the object there stays as it is");
  expect(moved.requests()).toEqual([put]);
  expect(stack.organization.requests()).toEqual([]);

  const destroyed = await stack.destroy();
  expect(destroyed).toContain(`this provider talks to ${stack.organization.url}, so nothing was sent`);
  expect([...moved.requests(), ...stack.organization.requests()]).toEqual([]);
});

test("a webhook is not moved to another base URL or provider, because that would rotate; voiceplane:account tells that only the address moved", async () => {
  const moved = await organization();
  const stack = await project({ program: crm() });
  await stack.up();
  stack.organization.requests();

  const there = { env: { VOICEPLANE_BASE_URL: moved.url } };
  expect(await stack.preview({ ...there, fails: true })).toContain(
    `webhookId: belongs to the organization ${stack.organization.url}, and this provider talks to ${moved.url}. ` +
      `If only the address moved, keep the name with \`pulumi config set voiceplane:account ${stack.organization.url}\``,
  );

  const toProvider =
    'const eu = new Provider("eu", { baseUrl: process.env.VOICEPLANE_BASE_URL, token: "vp_dev_full" });';
  stack.program(toProvider + crm(", { provider: eu }"));
  expect(await stack.preview({ fails: true })).toContain(
    `webhookId: belongs to the organization ${stack.organization.url}, and this provider talks to eu.`,
  );

  stack.program(crm());
  const account = ["-c", `voiceplane:account=${stack.organization.url}`];
  expect(await stack.up({ ...there, flags: account })).toContain("2 unchanged");
  expect([...moved.requests(), ...stack.organization.requests()]).toEqual([]);
});

test("from the default to an explicit provider is a replacement in the preview, and each organization hears only of its own", async () => {
  const eu = await organization();
  const env = { EU_URL: eu.url, VOICEPLANE_TOKEN_EU: "vp_dev_second_full" };
  const provider = 'const eu = new Provider("eu", { baseUrl: process.env.EU_URL });\n';
  const stack = await project({ program: recordings(), env });
  await stack.up();
  stack.organization.requests();

  stack.program(provider + recordings(", { provider: eu }"));
  const preview = await stack.preview();
  expect(preview).toContain(`~ account: "${stack.organization.url}" => "eu"`);
  expect(preview).toContain("+-1 to replace");
  await stack.up();
  expect(eu.requests()).toEqual([put]);
  expect(stack.organization.requests()).toEqual([putDisabled]);
});

test("one organization under two names: a move between providers sets it again and undoes nothing", async () => {
  const stack = await project({ program: recordings() });
  await stack.up();
  stack.organization.requests();

  const provider =
    'const eu = new Provider("eu", { baseUrl: process.env.VOICEPLANE_BASE_URL, token: "vp_dev_full" });\n';
  stack.program(provider + recordings(", { provider: eu }"));
  expect(await stack.up()).toContain("+-1 replaced");
  expect(stack.organization.requests()).toEqual([put]);
});

test("VOICEPLANE_TOKEN does not reach an explicit provider: each organization sees its own token", async () => {
  const eu = await organization();
  const stack = await project({
    env: { EU_URL: eu.url },
    program: `
      const eu = new Provider("eu", { baseUrl: process.env.EU_URL, token: "vp_dev_second_full" });
      ${recordings()}
      new RetentionPolicy("eu-recordings", { resource: "recordings", retentionDays: 30 }, { provider: eu });
      exports.count = listWebhooks({ provider: eu }).apply((webhooks) => webhooks.length);`,
  });
  await stack.up();
  expect(stack.organization.requests()).toEqual([put]);
  expect(stack.organization.tokens()).toEqual(["full"]);
  expect(eu.requests().sort()).toEqual([
    "GET /v1/webhooks/",
    'PUT /v1/retention-policies/recordings {"retention_days":30,"enabled":true}',
  ]);
  expect(eu.tokens()).toEqual(["secondFull"]);
});

test("where requests go is in the preview, although the organization keeps its name: an update that sends nothing", async () => {
  const moved = await organization();
  const stack = await project({ program: recordings() + crm(), env: { VOICEPLANE_BASE_URL: undefined } });
  const baseUrl = (url: string) => stack.run(["config", "set", "voiceplane:baseUrl", url, "--stack", "dev"]);
  await stack.run(["config", "set", "voiceplane:account", "acme", "--stack", "dev"]);
  await baseUrl(stack.organization.url);
  await stack.up();
  stack.organization.requests();

  await baseUrl(moved.url);
  const preview = await stack.preview();
  expect(preview).toContain(`~ address: "${stack.organization.url}" => "${moved.url}"`);
  expect(preview).toContain("~ 2 to update");
  await stack.up();
  expect(await stack.up()).toContain("3 unchanged");
  expect([...moved.requests(), ...stack.organization.requests()]).toEqual([]);

  // What a pipeline pins wins over what a pull request writes.
  const pinned = { env: { VOICEPLANE_BASE_URL: moved.url } };
  await baseUrl("https://elsewhere.example.com");
  expect(await stack.preview(pinned)).toContain("3 unchanged");
});
