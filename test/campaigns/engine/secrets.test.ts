/** Searches what each command of the real CLI prints and stores for canaries. */
import { auditedStack, program } from "../../support/audit/stack";
import type { Project } from "../../support/engine/project";

const update = ["--yes", "--skip-preview"];

test("no command shows or stores a token or a secret in its output, state, backups, plan, event log or process list, not even where the server repeats them in a 302, 401, 402, 403, 404 or 500, or the answer of a rotation is lost", async () => {
  const { stack, server, pulumi, leaks } = await auditedStack({ program: program(1) });
  await pulumi(["preview", "--diff", "--save-plan", "plan.json", "--event-log", "preview-events.log"]);
  const planned = { env: { PULUMI_EXPERIMENTAL: "true" } };
  await pulumi(["up", ...update, "--diff", "--plan", "plan.json", "--event-log", "up-events.log"], planned);

  stack.program(program(2));
  const streaming = { env: { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" } };
  await pulumi(["preview", "--json"], streaming);
  await pulumi(["up", ...update, "--json"]);
  await pulumi(["refresh", ...update, "--diff", "--event-log", "refresh-events.log"]);
  for (const command of ["export", "output", "output --json", "history --json"]) {
    await pulumi(["stack", ...command.split(" ")]);
  }
  const [first, second] = [stack.reveal("previousSecret"), stack.reveal("secret")];
  // The canaries did reach the stack, so the commands above could have shown them.
  expect([first, second]).toEqual(server.secrets.map(({ text }) => text));
  expect([...server.commandLines].join("\n")).toContain("pulumi-language-nodejs");
  expect(stack.read("plan.json")).toContain("retentionDays");
  expect(stack.state().crm?.outputs).toMatchObject({
    secret: "[secret]",
    previousSecret: "[secret]",
    rotationCount: 2,
    rotationState: "rotated",
  });
  expectFrozenProviders(stack);

  stack.program(program(3));
  server.fail({ PUT: 401, PATCH: 403, DELETE: 500, POST: "lost" });
  const lost = await pulumi(["up", ...update, "--continue-on-error", "--json"], { fails: true });
  expect(lost).toMatch(/refused: 401[^]*refused: 403|refused: 403[^]*refused: 401/);
  expect(lost).toContain("failed: 500");
  expect(stack.state().crm?.outputs?.rotationState).toBe("uncertain");

  server.fail({ PUT: 302, PATCH: 404, DELETE: 402, POST: 500, GET: 403 });
  const refused = await pulumi(["up", ...update, "--continue-on-error", "--diff"], { fails: true });
  for (const status of [404, 403]) expect(refused).toContain(`refused: ${String(status)} [redacted]`);
  for (const status of [302, 402]) expect(refused).toMatch(new RegExp(`: ${String(status)} \\[redacted\\]`));
  await pulumi(["refresh", ...update, "--diff", "--event-log", "events.log"]);

  server.fail({});
  await pulumi(["destroy", ...update, "--json"]);
  expect(leaks()).toEqual([]);
});

test("no error about settings or arguments shows a secret, not even one in the wrong place", async () => {
  const { pulumi, leaks, leaksIn } = await auditedStack({
    program: `
    const { Config } = require("@pulumi/pulumi");
    const secret = new Config("audit").requireSecret("trigger");
    new WebhookSecret("crm", {
      webhookId: secret, triggers: secret, initialSecret: { secret }, secretPath: secret, rotateAfter: secret,
      onCreate: secret,
    });`,
  });
  const refused = await pulumi(["preview", "--diff"], { fails: true });
  expect(refused).toContain("webhookId: must be a string without slashes");
  expect(refused).toContain("triggers: must be a map");

  const wrong = {
    VOICEPLANE_TOKEN: "a token\nwith a line end",
    VOICEPLANE_BASE_URL: "https://user:some-password@example.com",
  };
  const settings = await pulumi(["preview"], { fails: true, env: wrong });
  expect(settings).toContain("The base URL contains a user name or password");
  expect(settings).toContain("The token contains white space");
  expect(settings).not.toMatch(/with a line end|some-password/);
  expect(leaksIn(settings)).toEqual([]);
  expect(leaks()).toEqual([]);
});

/** In the state, the provider of each of the four resources is the frozen text. */
function expectFrozenProviders(stack: Project): void {
  const frozen = (name: string) => {
    const { type, inputs, outputs } = stack.state()[name] ?? {};
    return [type, inputs?.__provider, outputs?.__provider];
  };
  const retention = 'exports.handler=()=>require("pulumi-voiceplane/dynamic/retention-policy")';
  const network = 'exports.handler=()=>require("pulumi-voiceplane/dynamic/network-policy")';
  const trunk = 'exports.handler=()=>require("pulumi-voiceplane/dynamic/trunk-outbound-auth")';
  const webhook = 'exports.handler=()=>require("pulumi-voiceplane/dynamic/webhook-secret")';
  expect(frozen("recordings")).toEqual(["pulumi-nodejs:dynamic/voiceplane:RetentionPolicy", retention, retention]);
  expect(frozen("office")).toEqual(["pulumi-nodejs:dynamic/voiceplane:NetworkPolicy", network, network]);
  expect(frozen("carrier")).toEqual(["pulumi-nodejs:dynamic/voiceplane:TrunkOutboundAuth", trunk, trunk]);
  expect(frozen("crm")).toEqual(["pulumi-nodejs:dynamic/voiceplane:WebhookSecret", webhook, webhook]);
}
