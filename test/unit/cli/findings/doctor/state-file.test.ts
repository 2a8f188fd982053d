import { utimesSync } from "node:fs";
import { join } from "node:path";
import { examined, project, pulumiWith, wholeProject, write } from "./project";

const stateFolder = "state/.pulumi/stacks/acme";

/** A project whose state is in files, with these beside its stack's. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = project({ ...wholeProject, "Pulumi.dev.yaml": "config: {}\n" });
  write(folder, files);
  return folder;
}

async function stateLines(
  folder: string,
  env: Readonly<Record<string, string>> = {},
  stack?: string,
  answers = {},
): Promise<string[]> {
  const all = await examined({
    folder,
    ...(stack !== undefined && { stack }),
    env: { PULUMI_BACKEND_URL: `file://${folder}/state?metadata=skip`, ...env },
    pulumi: pulumiWith(answers),
  });
  return all.filter((line) => / (state|server) /.test(line)).map((line) => line.replaceAll(folder, "DIR"));
}

const skipped = "warning server not checked: correct the settings first";

test.each<[stored: string, env: Readonly<Record<string, string>>, line: string | undefined]>([
  ["dev.json", {}, undefined],
  ["dev.json", { PULUMI_DIY_BACKEND_ZSTD: "0" }, undefined],
  ["dev.json", { PULUMI_DIY_BACKEND_ZSTD: "", PULUMI_SELF_MANAGED_STATE_ZSTD: "1" }, undefined],
  ["dev.json.zst", { PULUMI_DIY_BACKEND_ZSTD: "TRUE" }, undefined],
  ["dev.json.gz", { PULUMI_SELF_MANAGED_STATE_GZIP: "1" }, undefined],
  [
    "dev.json",
    { PULUMI_DIY_BACKEND_ZSTD: "1" },
    "plain JSON, and the environment asks for zstd: the next update deletes it before it writes the other one, so a full disk or a kill leaves only its backup. Unset PULUMI_DIY_BACKEND_ZSTD, or keep a copy of the file until that update has ended.",
  ],
  ["dev.json", { PULUMI_SELF_MANAGED_STATE_GZIP: "true" }, "plain JSON, and the environment asks for gzip: "],
  ["dev.json.zst", {}, "zstd, and the environment asks for plain JSON: "],
  ["dev.json.gz", { PULUMI_DIY_BACKEND_ZSTD: "1" }, "gzip, and the environment asks for zstd: "],
])("a stack stored in %s, with %j", async (stored, env, line) => {
  const folder = folderWith({ [`${stateFolder}/${stored}`]: "{}" });
  const start = `warning state DIR/${stateFolder}/${stored} is ${line ?? ""}`;
  expect(await stateLines(folder, env, "dev")).toEqual([
    ...(line === undefined ? [] : [expect.stringContaining(start) as string]),
    skipped,
  ]);
});

test("a state that is missing and whose backup is there is named with its cure, also if no stack is selected", async () => {
  const folder = folderWith({ [`${stateFolder}/dev.json.bak`]: "{}" });
  const lost =
    `failure state the state of the stack dev is missing, and DIR/${stateFolder}/dev.json.bak is left: if you neither ` +
    `removed nor renamed the stack, run \`cp DIR/${stateFolder}/dev.json.bak DIR/${stateFolder}/dev.json\`. ` +
    "`pulumi stack init` would overwrite the backup, and the next update rotate every secret";
  expect(await stateLines(folder)).toEqual([lost, skipped]);
  expect(await stateLines(folder, {}, "organization/acme/dev")).toEqual([lost, skipped]);
});

test("attributes that are cut off are named with their cure, but not while a run may be writing them", async () => {
  const file = `${stateFolder}/dev.json.attrs`;
  const folder = folderWith({ [`${stateFolder}/dev.json`]: "{}", [file]: "", "state/.pulumi/meta.yaml.attrs": "{}" });
  expect(await stateLines(folder)).not.toContainEqual(expect.stringContaining("failure state"));
  for (const name of [file, "state/.pulumi/meta.yaml.attrs"]) utimesSync(join(folder, name), 1, 1);
  expect(await stateLines(folder)).toEqual([
    `failure state DIR/${file} is empty or cut off, as a killed run leaves it, so Pulumi cannot read the state: run \`rm DIR/${file}\``,
    skipped,
  ]);
});

test("a lock on the stack is a warning that names who has it", async () => {
  const lock = { pid: 42, username: "root", hostname: "worker-1", timestamp: "2026-11-20T12:00:00Z" };
  const folder = folderWith({
    [`${stateFolder}/dev.json`]: "{}",
    "state/.pulumi/locks/organization/acme/dev/b7c4.json": JSON.stringify(lock),
  });
  expect(await stateLines(folder, {}, "dev", { "config --json --stack=dev": {} })).toContainEqual(
    expect.stringMatching(/^warning state the stack is locked by root@worker-1 \(pid 42\) since /),
  );
});
