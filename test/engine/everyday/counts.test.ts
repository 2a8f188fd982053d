/**
 * What an update costs, counted and not timed: files in the compile cache, bytes of state, requests, connections, processes. A limit that has to grow wants
 * a reason in the commit.
 */
import { readdirSync } from "node:fs";
import { createServer, connect } from "node:net";
import { join } from "node:path";
import { project } from "../../support/engine/project";
import { listenInTest } from "../../support/after-test";

const policies = Array.from({ length: 24 }, (_, n) => `policy-${n}`);
const webhooks = Array.from({ length: 6 }, (_, n) => `webhook-${n}`);
const named = (ids: string[], more: object) => Object.fromEntries(ids.map((id) => [id, { id, ...more }]));

const organizationFile = {
  onCreate: "overwrite",
  networkPolicies: named(policies, { sourceCidr: "203.0.113.0/24" }),
  webhooks: named(webhooks, { onCreate: "rotate" }),
};

/** A relay to this address, which counts the connections on their way. */
async function relayTo(address: string): Promise<{ url: string; connections: () => number }> {
  let connections = 0;
  const { hostname, port } = new URL(address);
  const relay = createServer((client) => {
    connections++;
    const server = connect(Number(port), hostname);
    client.on("error", () => server.destroy()).pipe(server);
    server.on("error", () => client.destroy()).pipe(client);
  });
  return { url: `http://127.0.0.1:${await listenInTest(relay)}`, connections: () => connections };
}

test("an update of 30 objects fills the compile cache, keeps states short, and reuses connections", async () => {
  const stack = await project();
  stack.declareFile(organizationFile);
  const { control, url } = stack.organization;
  control.reset();
  control.seed({
    networkPolicies: policies.map((id) => ({ id, name: id, source_cidr: "10.0.0.0/8" })),
    webhooks: webhooks.map((id) => ({ id, url: `https://example.com/${id}` })),
  });
  const relay = await relayTo(url);
  const cache = join(stack.folder, "compile-cache");
  const env = { NODE_COMPILE_CACHE: cache, NODE_OPTIONS: "", VOICEPLANE_BASE_URL: relay.url };
  await stack.up({ flags: ["--parallel", "4"], env });
  // Some 470 files of the program, and 540 of the provider, which the engine ends by a signal.
  expect(readdirSync(cache, { recursive: true }).length).toBeGreaterThan(800);

  const states = Object.values(stack.state()).filter(({ type }) => type.startsWith("pulumi-nodejs:dynamic/"));
  expect(states).toHaveLength(30);
  // Without the stack trace, which has the engine's own frames and the program's.
  const bytes =
    states.reduce((sum, { stackTrace: _, ...state }) => sum + JSON.stringify(state).length, 0) / states.length;
  expect(bytes).toBeLessThan(1130);

  expect(stack.organization.requests()).toHaveLength(30);
  // One for each rotation, and those that the others share, of which the engine asks for four at a time.
  expect(relay.connections()).toBeLessThanOrEqual(6 + 4);
});
