/** The examples with a stack, and a project that `voiceplane init` writes: what they send, and what their pages show. */
import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { projectFiles } from "../../../src/cli/commands/init/files";
import { afterTest } from "../../support/after-test";
import { carrierA, crm, exampleOrganization, office, recordings } from "../../support/engine/example-requests";
import { project, type Project } from "../../support/engine/project";
import { blocks } from "../../support/docs/documents";
import { root } from "../../support/repository";

const examples = join(root, "examples");
const names = readdirSync(examples).filter((name) => existsSync(join(examples, name, "Pulumi.yaml")));

function filesOf(name: string): Record<string, string> {
  const files = readdirSync(join(examples, name), { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(files.map((file) => [file.name, readFileSync(join(examples, name, file.name), "utf8")]));
}

const carrierB = "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000002/outbound-auth";
const billing = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000002/rotate-secret";

interface Sent {
  readonly up: readonly string[];
  readonly destroy: readonly string[];
}

/** The requests of each example. */
const sent: Readonly<Record<string, Sent>> = {
  minimal: { up: [recordings, office, carrierA, crm], destroy: [] },
  organization: {
    up: [...exampleOrganization, "GET /v1/webhooks/"],
    destroy: ['PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":false}', carrierB],
  },
  "pulumi-yaml": {
    up: exampleOrganization,
    destroy: ['PUT /v1/retention-policies/audit_events {"retention_days":2555,"enabled":false}'],
  },
  rotation: { up: [crm, billing], destroy: [] },
};

const isChange = (request: string): boolean => !request.startsWith("GET ");

test("the requests of every example with a stack are asserted", () => {
  expect(names).toEqual(Object.keys(sent));
});

test.each(names)(
  "the example %s sends what it declares, prints what its README shows, then nothing, and goes down",
  async (name) => {
    const { up, destroy } = sent[name] ?? { up: [], destroy: [] };
    const stack = await example(name);

    expectShown(name, 0, await stack.up());
    expect(stack.organization.requests().sort()).toEqual([...up].sort());

    // A lasting difference would send again, or rotate, with every up of whoever copies the example.
    const again = await stack.up();
    expect(again).toMatch(/\d+ unchanged/);
    expect(again).not.toMatch(/created|updated|deleted|replaced/);
    expect(stack.organization.requests().filter(isChange)).toEqual([]);

    await stack.destroy();
    expect(stack.organization.requests().sort()).toEqual([...destroy].sort());
    expect(stack.state()).toEqual({});
  },
);

test("the edit in the README of rotation rotates once, and its receiver accepts both secrets", async () => {
  const stack = await example("rotation");
  await stack.up();
  stack.organization.forgetRequests();
  stack.write("index.ts", stack.read("index.ts").replace("2026-Q4", "2027-Q1"));
  expect(await stack.preview()).toContain('quarter: "2026-Q4" => "2027-Q1"');
  const { secret: old } = secretsOf(stack);
  const receiver = serve(stack);
  const url = await receiver.url;
  expect(await deliver(url, old)).toBe(204);
  expectShown("rotation", 1, await stack.up());
  expect(stack.organization.requests()).toEqual([crm]);

  // The receiver was not started again.
  const { secret, previousSecret } = secretsOf(stack);
  expect(previousSecret).toBe(old);
  expect(await deliver(url, secret)).toBe(204);
  expect(await deliver(url, old)).toBe(204);
  expect(await deliver(url, "forged")).toBe(401);
});

const secretsOf = (stack: Project) => stack.reveal("crmSecrets") as unknown as Record<string, string>;

/** Starts the receiver of the example, which prints its address. */
function serve(stack: Project): { url: Promise<string> } {
  const env = { ...stack.environment, PORT: "0" };
  const child = spawn(process.execPath, ["serve.ts"], { cwd: stack.folder, env, stdio: ["ignore", "pipe", "inherit"] });
  afterTest(() => child.kill("SIGKILL"));
  const url = once(child.stdout, "data").then(
    ([line]) => `http://127.0.0.1:${/"port":(\d+)/.exec(String(line))?.[1] ?? "?"}`,
  );
  return { url };
}

async function deliver(url: string, key = ""): Promise<number> {
  const signature = createHmac("sha256", key).update("event").digest("hex");
  return (await fetch(url, { method: "POST", body: "event", headers: { "x-signature": signature } })).status;
}

/** A copy of an example, configured as its README says. */
async function example(name: string): Promise<Project> {
  const stack = await project({ files: filesOf(name) });
  // `npm install` in a copy of the example would make it; the path in Pulumi.yaml does not look above its folder.
  symlinkSync("../node_modules", join(stack.folder, "node_modules"));
  const config = { "voiceplane:organization": "acme" };
  stack.write("Pulumi.dev.yaml", stringify({ ...(parse(stack.read("Pulumi.dev.yaml")) as object), config }));
  return stack;
}

/** Compares the README's block with this number. The engine prints resources in the order of their answers. */
function expectShown(name: string, index: number, printed: string): void {
  const page = `examples/${name}/README.md`;
  const { text = "" } = blocks.filter(({ file, language }) => file === page && language === "text")[index] ?? {};
  const done = / (created|updated)\b/;
  const linesOf = (from: string): string[] =>
    from
      .replaceAll(/ \([\d.]+s\)/g, "")
      .replaceAll(/"\d{4}-\d\d-\d\dT[^"]+"/g, '"…"')
      .split("\n")
      .map((line) => line.trim().replaceAll(/\s+/g, " ").replaceAll(" : ", ": "));
  const [shown, all] = [linesOf(text), linesOf(printed)];
  expect(shown.filter((line) => done.test(line)).sort()).toEqual(all.filter((line) => done.test(line)).sort());
  // Everything from the outputs on, in order.
  const rest = (lines: string[]): string =>
    lines
      .filter((line) => !done.test(line))
      .join("\n")
      .trim();
  expect(rest(shown)).not.toBe("");
  expect(rest(all)).toContain(rest(shown));
}

test("a project of `init --runtime yaml` adopts the webhooks, and the engine keeps the plugin's schema", async () => {
  const ids = ["c0000000-0000-4000-8000-000000000001", "c0000000-0000-4000-8000-000000000002"];
  const webhooks = ids.map((id) => ({ id }));
  const stack = await project({ files: projectFiles("written", "yaml", webhooks, true) });
  await stack.run(["config", "set", "voiceplane:organization", "acme"]);
  symlinkSync("../node_modules", join(stack.folder, "node_modules"));
  const schema = join(stack.folder, ".home/schemas/voiceplane-0.1.0.json");

  await stack.up();
  expect(stack.organization.requests()).toEqual([]);
  const adopted = Object.values(stack.state()).flatMap(({ id }) => id ?? []);
  expect(adopted.sort()).toEqual(ids);
  const { mtimeMs } = statSync(schema);
  await stack.preview({ flags: ["--expect-no-changes"] });
  expect(statSync(schema).mtimeMs).toBe(mtimeMs);
});
