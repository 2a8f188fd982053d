/**
 * The states of test/campaigns/engine/state, which released versions have written, read by the lifecycles alone. There, the real
 * engine refreshes, updates, moves and destroys the same stacks.
 */
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { resources, type ResourceType } from "../../../src/resources/index.js";
import type { Lifecycle } from "../../../src/lifecycle/lifecycle.js";
import type { Values } from "../../../src/values/any.js";
import { decrypted } from "../../support/engine/secrets.js";
import { world } from "../../support/world.js";

const root = resolve(__dirname, "../../..");
const folder = join(root, "test/campaigns/engine/state");
const states = globSync("*/*.expected.json", { cwd: folder }).map((file) => ({
  version: dirname(file),
  name: basename(file, ".expected.json"),
}));

/** What the engine's state has of one resource. */
interface Stored {
  readonly type: string;
  readonly inputs: Values & { organization: string };
  readonly outputs: Values & { organization: string };
}

const jsonOf = (path: string): unknown => JSON.parse(readFileSync(join(root, path), "utf8"));

function storedIn(version: string, name: string): { stored: Stored; lifecycle: Lifecycle }[] {
  const { deployment } = jsonOf(`test/campaigns/engine/state/${version}/${name}.json`) as { deployment: object };
  const all = decrypted(deployment) as { resources: Stored[] };
  return all.resources.flatMap((stored) => {
    const type = stored.type.replace(/^.*:/, "");
    return type in resources ? [{ stored, lifecycle: resources[type as ResourceType].lifecycle }] : [];
  });
}

test("there is recorded state of this version", () => {
  const { version } = jsonOf("package.json") as { version: string };
  expect(states.filter((state) => state.version === version).map(({ name }) => name)).toEqual([
    "half-made",
    "settled",
    "silent",
  ]);
});

test.each(states)(
  "state of $version, $name: the lifecycles update what is uncertain, replace nothing, and keep the rest",
  async ({ version, name }) => {
    const { preview } = jsonOf(`test/campaigns/engine/state/${version}/${name}.expected.json`) as { preview: string[] };
    const updates = Number(/~ (\d+) to update/.exec(preview.join("\n"))?.[1] ?? 0);
    const { engine, today } = await world(resources.RetentionPolicy.lifecycle);
    today("2026-08-22");
    const all = storedIn(version, name);
    const changed = [];
    for (const { stored, lifecycle } of all) {
      const { organization, address } = stored.outputs as { organization: string; address?: string };
      const ctx = { ...engine.context(), organization, address: address ?? "" };
      const { changes, replaces = [] } = lifecycle.diff(ctx, stored.outputs, stored.inputs);
      expect(replaces).toEqual([]);
      if (changes) changed.push(stored);
      else expect(await lifecycle.read(ctx, stored.outputs)).toEqual(stored.outputs);
    }
    expect(all.length).toBeGreaterThan(0);
    expect(changed).toHaveLength(updates);
  },
);
