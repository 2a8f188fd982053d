/**
 * State that released versions have written, read by the current code. Each stack is a program with its state, its
 * configuration and the expected requests, as `pulumi stack export` printed them.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SeedInput } from "../../../../src/control-plane/index";
import { project, type Project } from "../../../support/engine/project";

interface Expected {
  /** The summary of a preview of the recorded program at the recorded time: `18 unchanged`. */
  readonly preview: string[];
  /** The requests of updates, by the value of STEP that the program runs with. */
  readonly up: Record<string, string[]>;
  readonly destroy: string[];
}

/** Replaces the recorded address. */
const recordedAddress = "http://127.0.0.1:4010";
const now = { at: "2026-08-22T10:00:00Z" };

const versions = readdirSync(__dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const stacks = versions.flatMap(({ name: version }) =>
  readdirSync(join(__dirname, version))
    .filter((file) => file.endsWith(".cjs"))
    .map((file) => ({ version, name: file.replace(/\.cjs$/, "") })),
);

function read(...path: string[]): string {
  return readFileSync(join(__dirname, ...path), "utf8");
}

/** The stack with the recorded deployment as its state, as `pulumi stack import` writes it. */
async function imported(version: string, name: string): Promise<Project> {
  const stack = await project({
    files: { "index.js": read(version, `${name}.cjs`) },
    // The recorded token must be readable too.
    env: { VOICEPLANE_TOKEN: undefined },
  });
  const here = (text: string): string => text.replaceAll(recordedAddress, stack.organization.url);
  stack.organization.control.seed(JSON.parse(read("seed.json")) as SeedInput);
  stack.write("Pulumi.dev.yaml", here(read(version, `${name}.yaml`)));
  const { deployment } = JSON.parse(here(read(version, `${name}.json`))) as { deployment: object };
  const checkpoint = { stack: "organization/test/dev", latest: deployment };
  stack.write(".state/.pulumi/stacks/test/dev.json", JSON.stringify({ version: 3, checkpoint }));
  return stack;
}

test.each(stacks)(
  "state of $version, $name: it refreshes, previews as expected, updates and keeps its secrets, and is destroyed",
  async ({ version, name }) => {
    const expected = JSON.parse(read(version, `${name}.expected.json`)) as Expected;
    const stack = await imported(version, name);
    const recorded = stack.state();
    const secrets = name === "settled" ? lastKnownSecrets(stack) : undefined;

    await stack.refresh(now);
    expect(new Set(stack.organization.requests())).toEqual(new Set(["GET /v1/webhooks/"]));
    expect(values(stack)).toEqual(values({ state: () => recorded }));

    for (const [index, [step, requests]] of Object.entries(expected.up).entries()) {
      // The first up also shows its preview, which sends nothing: these are the requests of both.
      const flags = index === 0 ? [] : ["--skip-preview"];
      const said = await stack.run(["up", "--yes", "--stack", "dev", ...flags], { ...now, env: { STEP: step } });
      const previewed = said.split("Resources:\n")[1]?.match(/^.*\d+ (to \w+|unchanged)$/gm);
      if (index === 0) expect({ step, previewed }).toEqual({ step: "recorded", previewed: expected.preview });
      expect(stack.organization.requests().sort()).toEqual(requests);
    }
    if (secrets) expectKept(secrets, stack);
    const left = Object.values(stack.state()).filter(({ outputs = {} }) => {
      return "uncertain" in outputs || ["uncertain", "unread"].includes(String(outputs.rotationState));
    });
    expect(left.map(({ urn }) => urn)).toEqual([]);

    await stack.destroy(now);
    expect(stack.organization.requests().sort()).toEqual(expected.destroy);
    expect(stack.state()).toEqual({});
  },
);

test.each(stacks)(
  "state of $version, $name: it moves to the plugin with the requests that the dynamic provider would send, and keeps its secrets",
  async ({ version, name }) => {
    const expected = JSON.parse(read(version, `${name}.expected.json`)) as Expected;
    const stack = await imported(version, name);
    const secrets = name === "settled" ? lastKnownSecrets(stack) : undefined;
    stack.declare("native", "");
    stack.write("index.js", read(version, `${name}.cjs`).replace('"pulumi-voiceplane"', '"pulumi-voiceplane/native"'));

    await stack.up(now);
    expect(stack.organization.requests().sort()).toEqual(expected.up.recorded);
    const types = Object.values(stack.state()).map(({ type }) => type);
    expect(types.filter((type) => type.startsWith("pulumi-nodejs:dynamic/voiceplane:"))).toEqual([]);
    expect(types).toContainEqual(expect.stringMatching(/^voiceplane:index:/));
    if (secrets) {
      expect(stack.reveal("everyOption")).toBe(secrets.everyOption);
      expect(stack.reveal("adopted")).toBe(secrets.adopted);
    }
  },
);

/** The id and the outputs of each resource in the state. */
function values(stack: Pick<Project, "state">): unknown {
  return Object.fromEntries(Object.entries(stack.state()).map(([name, { id, outputs }]) => [name, { id, outputs }]));
}

interface Secrets {
  readonly adopted: string;
  readonly everyOption: string;
}

/** Secrets of the recorded state `settled`: one that was declared, and one from a rotation. */
function lastKnownSecrets(stack: Project): Secrets {
  const [adopted = "", everyOption = ""] = [stack.reveal("adopted"), stack.reveal("everyOption")];
  expect(adopted).toBe("an-adopted-secret");
  expect(everyOption).toMatch(/^[\w-]{43}$/);
  return { adopted, everyOption };
}

/** After a rotation, the previous secret is the last known one. Without a rotation, the secret is unchanged. */
function expectKept({ adopted, everyOption }: Secrets, stack: Project): void {
  expect(stack.reveal("everyOptionBefore")).toBe(everyOption);
  expect(stack.reveal("adopted")).toBe(adopted);
  expect(stack.everything().includes(everyOption)).toBe(false);
}
