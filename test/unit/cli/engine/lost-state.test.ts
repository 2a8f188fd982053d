import { rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { fileBackend, withoutPassword } from "../../../../src/cli/engine/backend";
import { failureOf } from "../../../../src/cli/engine/failure";
import { lostStack } from "../../../../src/cli/engine/lost-state";
import { readProject, readProjectFile, stateFaults } from "../../../../src/cli/engine/project";
import { temporaryFolder, write } from "../../../support/folders";
import { projectFolder } from "../../../support/project-folder";

const record = ".voiceplane/apply/dev.json";

function lost(files: readonly string[], url: string, stack = "dev"): string | undefined {
  const folder = temporaryFolder();
  write(folder, Object.fromEntries(files.map((name, index) => [name, String(index)])));
  // The later in the list, the newer.
  for (const [index, name] of files.entries()) utimesSync(join(folder, name), index + 1, index + 1);
  const place = { folder, name: "acme", document: {} };
  return lostStack(place, stack, { PULUMI_BACKEND_URL: url.replace("DIR", folder) })
    ?.replaceAll(folder, "DIR")
    .replace(/^the state of the stack dev is missing, and /, "")
    .replace(" if you neither removed nor renamed the stack,", "")
    .replace(/\. `pulumi stack init` would overwrite the backup, and the next update rotate every secret$/, "");
}

const stacks = ".pulumi/stacks/acme";
const insert = (database: string, table = "pulumi_state") =>
  `insert into ${table} select left(key, -4), data, now() from ${table} where key in ('${database}/${stacks}/dev.json.bak', '${database}/${stacks}/dev.json.gz.bak', '${database}/${stacks}/dev.json.zst.bak') order by updated_at desc limit 1`;

test.each<[what: string, files: readonly string[], url: string, text: string | undefined]>([
  ["nothing at all", [], "file://DIR", undefined],
  ["nothing at all in PostgreSQL", [], "postgres:///fleet", undefined],
  ["the record of another stack", [".voiceplane/apply/other.json"], "postgres:///fleet", undefined],
  [
    "the newest backup",
    [`${stacks}/dev.json.bak`, `${stacks}/dev.json.zst.bak`, `${stacks}/dev.json.gz.bak`, `${stacks}/other.json.bak`],
    "file://DIR?metadata=skip",
    `DIR/${stacks}/dev.json.gz.bak is left: run \`cp DIR/${stacks}/dev.json.gz.bak DIR/${stacks}/dev.json.gz\``,
  ],
  [
    "the backup of the old layout",
    [".pulumi/stacks/dev.json.bak"],
    "file://DIR",
    "DIR/.pulumi/stacks/dev.json.bak is left: run `cp DIR/.pulumi/stacks/dev.json.bak DIR/.pulumi/stacks/dev.json`",
  ],
  [
    "the copies of earlier updates",
    [
      ".pulumi/backups/acme/dev/dev.1.json",
      ".pulumi/backups/acme/dev/dev.2.json.zst",
      ".pulumi/backups/acme/dev/dev.2.json.zst.attrs",
    ],
    "file://DIR",
    `DIR/.pulumi/backups/acme/dev/dev.2.json.zst is left: run \`cp DIR/.pulumi/backups/acme/dev/dev.2.json.zst DIR/${stacks}/dev.json.zst\``,
  ],
  [
    "a record",
    [record],
    "file://DIR/elsewhere",
    `DIR/${record} is left: correct the backend, or restore a copy of its state`,
  ],
  [
    "a record, with the state in PostgreSQL",
    [record],
    "postgres:///fleet?sslmode=verify-full",
    `DIR/${record} is left: run \`psql -d fleet -c "${insert("fleet")}"\``,
  ],
  [
    "a folder of journals, with the state in a table of another PostgreSQL",
    [".voiceplane/apply/dev.journal/run-1"],
    "postgres://me:canary@db.example.com:5433/fleet?table=states",
    `DIR/.voiceplane/apply/dev.journal is left: run \`psql -h db.example.com -p 5433 -U me -d fleet -c "${insert("fleet", "states")}"\``,
  ],
  [
    "a record, with the state in a bucket",
    [record],
    "s3://state?region=x",
    `DIR/${record} is left: copy ${stacks}/dev.json.bak to ${stacks}/dev.json in the bucket`,
  ],
  [
    "a record, with the state in Pulumi Cloud",
    [record],
    "https://api.pulumi.com",
    `DIR/${record} is left: correct the backend, or restore a copy of its state`,
  ],
])("of a stack that is missing: %s", (_what, files, url, text) => {
  expect(lost(files, url)).toBe(text);
  if (!/cloud/i.test(url)) expect(lost(files, url, "organization/acme/dev")).toBe(text);
});

test("the files that stop the CLI are the attributes of the stack's own state, of its locks and of the backend", () => {
  const root = temporaryFolder();
  const names = [
    `${stacks}/dev.json.attrs`,
    `${stacks}/dev.json.bak.attrs`,
    `${stacks}/other.json.attrs`,
    ".pulumi/meta.yaml.attrs",
    ".pulumi/locks/organization/acme/dev/1.json.attrs",
    ".pulumi/locks/organization/acme/dev/2.json.attrs",
  ];
  write(root, {
    ...Object.fromEntries(names.map((name) => [name, '{"user.'])),
    ".pulumi/locks/organization/acme/dev/1.json": "{}",
  });
  for (const name of names) utimesSync(join(root, name), 1, 1);
  expect(fileBackend(`file://${root}`, "acme", "dev", "/", {})?.unreadable().sort()).toEqual(
    [".pulumi/locks/organization/acme/dev/1.json.attrs", ".pulumi/meta.yaml.attrs", `${stacks}/dev.json.attrs`].map(
      (name) => join(root, name),
    ),
  );
});

const acme = (name: string) => `.state/.pulumi/stacks/fleet/${name}`;

test("a project whose state is missing or beside a file that is cut off is refused with the cure, before the CLI is asked", () => {
  const { folder, env } = projectFolder({ [acme("acme.json.bak")]: "{}", [acme("acme.json.attrs")]: "" });
  utimesSync(join(folder, acme("acme.json.attrs")), 1, 1);
  const problems = () => {
    const read = readProject(folder, "acme", env);
    return "problems" in read ? read.problems.map((each) => /run `(.*?)`/.exec(each)?.[1]) : [];
  };
  expect(problems()).toEqual([`rm ${join(folder, acme("acme.json.attrs"))}`]);
  rmSync(join(folder, acme("acme.json.attrs")));
  expect(problems()).toEqual([]);
  rmSync(join(folder, acme("acme.json")));
  expect(problems()).toEqual([`cp ${join(folder, acme("acme.json.bak"))} ${join(folder, acme("acme.json"))}`]);
  rmSync(join(folder, acme("acme.json.bak")));
  expect(problems()).toEqual(["pulumi stack init acme"]);
});

test("the CLI's answer that it finds no stack is a lost state if a record says that there was one, also one that is no file", () => {
  const { folder, env } = projectFolder();
  const read = readProject(folder, "acme", env);
  if ("problems" in read) throw new Error(read.problems.join());
  const finished = { code: 255, stdout: "", stderr: "error: no stack named 'acme' found\n" };
  const run = { files: folder, secrets: [], project: read.project, env: { PULUMI_BACKEND_URL: "postgres:///fleet" } };
  expect(failureOf(finished, [], { ...run, record: undefined })).toBe("no stack named 'acme' found");
  expect(failureOf(finished, [], { ...run, record: {} })).toMatch(
    /^the state of the stack acme is missing, and the record of a run is left: .* run `psql -d fleet -c "insert .*"`\. .* rotate every secret$/,
  );
});

test("where no stack is named, a record says nothing: it may be of another backend", () => {
  const { folder, env } = projectFolder({ ".voiceplane/apply/acme.json": "{}" });
  const project = readProjectFile(join(folder, "Pulumi.yaml"));
  if (typeof project === "string") throw new Error(project);
  rmSync(join(folder, acme("acme.json")));
  expect(stateFaults(project, undefined, env)).toEqual([]);
  expect(stateFaults(project, "acme", env)).toEqual([expect.stringContaining("acme.json is left")]);
});

test("the record of another backend says nothing of a stack in this one", () => {
  const folder = temporaryFolder();
  const of = { backend: "postgres:///fleet", project: "acme", stack: "dev" };
  write(folder, { [record]: JSON.stringify({ version: 2, of }) });
  const lostIn = (url: string) => lostStack({ folder, name: "acme", document: {} }, "dev", { PULUMI_BACKEND_URL: url });
  expect(lostIn("postgres://u:p@/fleet")).toContain("dev.json is left");
  expect(lostIn("postgres:///other")).toBeUndefined();
});

test.each([
  ["postgres://pulumi:secret@db.example.com/fleet?sslmode=require", "postgres://db.example.com/fleet?sslmode=require"],
  ["postgres://pulumi:a/b?c@d#e@db.example.com/fleet", "postgres://db.example.com/fleet"],
  [
    "postgres://db.example.com/fleet?user=a&password=b&sslmode=require",
    "postgres://db.example.com/fleet?password&sslmode=require&user",
  ],
  ["file:///home/me@work/state", "file:///home/me@work/state"],
  ["https://api.pulumi.com", "https://api.pulumi.com"],
])("a backend is named without its password: %s", (url, shown) => {
  expect(withoutPassword(url)).toBe(shown);
});
