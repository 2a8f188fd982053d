/**
 * Records the state that the current version writes, for test/campaigns/engine/state/upgrade.test.ts. Every later version must be able
 * to read it:
 *
 *     npm run build && node tools/record-state.mjs [NAME ...]       default: all of the version's
 *
 * The programs are test/campaigns/engine/state/<version>/*.cjs, for the current version. For a new version, copy those of the last one
 * and add what is new. Folders of released versions are never recorded again.
 */
import { cpSync, globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import * as prettier from "prettier";
import { root } from "./bootstrap.mjs";
import { inProject, pulumi } from "./recording.mjs";

const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const corpus = path.join(root, "test/campaigns/engine/state");
const target = path.join(corpus, version);

/** Replaces the control plane's address, which differs between runs. */
const address = "http://127.0.0.1:4010";

/** The second date is later than all due dates of the first. */
const dates = { first: "2026-06-20T09:00:00Z", recorded: "2026-08-22T09:00:00Z" };

/** The faults for the requests of a step, by stack. Default: none. */
const lost = { status: 500, commit: true };
const faults = { "half-made": { recorded: [{ operation: "*", ...lost }] } };

/** The answers to all requests of a stack, if they are not the control plane's own: success without data. */
const answers = { silent: [{ status: 200, commit: true, body: { success: true, data: null } }] };

const recordStack = (name) =>
  inProject("test", async (project, plane) => {
    const { folder } = project;
    const write = async (file, content, parser) => {
      const neutral = content.replaceAll(plane.url, address).replaceAll(folder, "/project");
      const options = await prettier.resolveConfig(path.join(target, file));
      writeFileSync(path.join(target, file), await prettier.format(neutral, { ...options, parser }));
    };
    cpSync(path.join(target, `${name}.cjs`), path.join(folder, "index.js"));
    plane.control.seed(JSON.parse(readFileSync(path.join(corpus, "seed.json"), "utf8")));
    await pulumi(project, ["stack", "init", "dev"]);
    await pulumi(project, ["config", "set", "voiceplane:organization", "acme"]);
    await pulumi(project, ["config", "set", "voiceplane:baseUrl", plane.url]);
    await pulumi(project, ["config", "set", "--secret", "voiceplane:token", plane.tokens.full]);
    for (const [step, date] of Object.entries(dates)) {
      plane.control.setFaults(faults[name]?.[step] ?? answers[name] ?? []);
      const fails = faults[name]?.[step] !== undefined;
      const env = { STEP: step, TEST_CLOCK: date };
      await pulumi(project, ["up", "--yes", "--skip-preview", "--continue-on-error"], { fails, env });
    }
    await write(`${name}.json`, await pulumi(project, ["stack", "export"]), "json");
    await write(`${name}.yaml`, readFileSync(path.join(folder, "Pulumi.dev.yaml"), "utf8"), "yaml");
  });

const all = globSync("*.cjs", { cwd: target }).map((program) => path.basename(program, ".cjs"));
const names = process.argv.slice(2);
for (const name of names.length > 0 ? names : all.sort()) {
  console.error(`${version} ${name}`);
  await recordStack(name);
}
