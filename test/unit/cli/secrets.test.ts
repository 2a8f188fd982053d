/** Passwords in the environment, in texts of the engine, of a server and of files: no command repeats one. */
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { programs, temporaryFolder, write } from "../../support/folders";
import { listen } from "../../support/listen";
import { run as runCommand } from "../../support/command";
import { exported, webhook } from "./status/exports";

let folder: string;
let baseUrl: string;

/** As it is written in the URL, and as it is meant. */
const [written, meant] = ["db-pass%40word", "db-pass@word"];
const url = `postgres://fleet:${written}@db.example.com/fleet`;
const text = `cannot reach ${url} as fleet with ${meant}`;
const tidy = "cannot reach postgres://fleet[redacted]db.example.com/fleet as fleet with [redacted]";

const server = createServer((_request, response) => {
  response.writeHead(422).end(JSON.stringify({ success: false, error: { code: "BUSY", message: text } }));
});

beforeAll(async () => {
  folder = temporaryFolder();
  baseUrl = `http://127.0.0.1:${await listen(server)}`;
});
afterAll(() => {
  server.close();
});

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = folder) => {
  const settings = { VOICEPLANE_BASE_URL: baseUrl, VOICEPLANE_TOKEN: "vp_dev_full" };
  return runCommand(args, cwd, { PULUMI_BACKEND_URL: url, ...settings, ...env });
};

/** A preview of a project whose events have the engine's error. */
const preview = (format: string, env: Readonly<Record<string, string>> = {}) => {
  const diagnosticEvent = { severity: "error", message: `error: ${text}` };
  const event = JSON.stringify({ sequence: 0, diagnosticEvent });
  write(folder, { "Pulumi.yaml": "name: acme\nruntime: yaml\n", "preview.events": event });
  const PATH = `${programs({ pulumi: "cat preview.events; exit 255" })}:/usr/bin:/bin`;
  return run(["preview", "--format", format], { PATH, ...env });
};

test.each(["terminal", "json", "markdown"])("preview, of the engine's errors, as %s", async (format) => {
  const { code, stdout } = await preview(format);
  expect(code).toBe(1);
  expect(stdout.replaceAll("\\[", "[").replaceAll("\\]", "]").replaceAll("<!-- -->", "")).toContain(tidy);
});

test("preview, where `pulumi login` has kept the URL", async () => {
  const env = { PULUMI_BACKEND_URL: "", PULUMI_HOME: temporaryFolder() };
  writeFileSync(join(env.PULUMI_HOME, "credentials.json"), JSON.stringify({ current: url }));
  expect((await preview("json", env)).stdout).toContain(tidy);
});

/** A project whose Pulumi.yaml has the URL, and these files. */
function projectOf(files: Readonly<Record<string, string>>) {
  const project = temporaryFolder();
  write(project, { "Pulumi.yaml": JSON.stringify({ name: "acme", runtime: "yaml", backend: { url } }), ...files });
  return { project, inProject: { PULUMI_BACKEND_URL: "", PULUMI_HOME: project } };
}

test("preview, of the CLI's own error, where Pulumi.yaml has the URL", async () => {
  const { project, inProject } = projectOf({ errors: `error: ${text}\n` });
  const PATH = `${programs({ pulumi: "cat errors >&2; exit 255" })}:/usr/bin:/bin`;
  const args = ["preview", "-C", project, "--format", "json"];
  const { code, stdout, stderr } = await run(args, { ...inProject, PATH });
  expect([code, stderr]).toEqual([1, expect.not.stringContaining("word")]);
  expect(stdout).toContain(tidy);
});

test("apply, of an error of the CLI that ends the command, where the Pulumi.yaml of --cwd has the URL", async () => {
  const crm = webhook("crm", {}, { requestId: "r-1", rotationState: "rotated" });
  const pending_operations = [{ type: "updating", resource: crm }];
  const { project, inProject } = projectOf({
    errors: `error: ${text}\n`,
    "state.json": exported([crm], { pending_operations }),
  });
  const pulumi = 'if [ "$1" = stack ]; then cat state.json; else cat errors >&2; exit 255; fi';
  const PATH = `${programs({ pulumi })}:/usr/bin:/bin`;
  const { code, stderr } = await run(["apply", "-C", project, "--yes", "--stack", "prod"], { ...inProject, PATH });
  expect([code, stderr.split("\n").at(-2)]).toEqual([
    1,
    `voiceplane: nothing was sent: the state cannot be written: ${tidy}`,
  ]);
});

test("init --from-server, of the server's answer", async () => {
  const { code, stderr } = await run(["init", "new", "--from-server"]);
  expect([code, stderr.split(". ")[0]]).toEqual([
    1,
    `voiceplane: GET /v1/webhooks/ was refused: 422 BUSY "${tidy}" [request-refused]\n`,
  ]);
});

describe("doctor of the server's answer, validate of a file and its name, and any command in an error", () => {
  const wrong = { [`${meant}.yaml`]: `"${text}": 1\n` };

  test.each([
    ["the environment", () => ({ project: temporaryFolder(), inProject: { PULUMI_BACKEND_URL: url } })],
    ["only Pulumi.yaml", () => projectOf({})],
  ])("where %s has the URL", async (_where, make) => {
    const { project, inProject } = make();
    write(project, wrong);
    expect((await run(["doctor"], inProject, project)).stdout).toContain(`422 BUSY "${tidy}"`);
    expect((await run(["validate", `${meant}.yaml`], inProject, project)).stdout).toMatch(
      /^problem {2}organization {2}\[redacted\]\.yaml:1:1 this key is not a property of an organization file; known are .*\n/,
    );
    expect((await run(["status", url], inProject, project)).stderr).toBe(
      "voiceplane: postgres://fleet[redacted]db.example.com/fleet cannot be read (ENOENT)\n",
    );
  });
});
