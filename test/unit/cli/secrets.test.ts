/** Passwords in the environment, in texts of the engine, of a server and of files: no command repeats one. */
import { chmodSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { temporaryFolder, write } from "../../support/folders";
import { listen } from "../../support/listen";
import { run as runCommand } from "../../support/command";

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

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const settings = { VOICEPLANE_BASE_URL: baseUrl, VOICEPLANE_TOKEN: "vp_dev_full" };
  return runCommand(args, folder, { PULUMI_BACKEND_URL: url, ...settings, ...env });
};

const preview = () => {
  const file = join(folder, "preview.events");
  const diagnosticEvent = { severity: "error", message: `error: ${text}` };
  writeFileSync(file, JSON.stringify({ sequence: 0, diagnosticEvent }));
  return file;
};

test.each(["terminal", "json", "markdown"])("preview --from, of the engine's errors, as %s", async (format) => {
  const { code, stdout } = await run(["preview", "--format", format, "--from", preview()]);
  expect(code).toBe(1);
  expect(stdout.replaceAll("\\[", "[").replaceAll("\\]", "]").replaceAll("<!-- -->", "")).toContain(tidy);
});

test("preview --from, where `pulumi login` has kept the URL", async () => {
  const env = { PULUMI_BACKEND_URL: "", PULUMI_HOME: temporaryFolder() };
  writeFileSync(join(env.PULUMI_HOME, "credentials.json"), JSON.stringify({ current: url }));
  expect((await run(["preview", "--format", "json", "--from", preview()], env)).stdout).toContain(tidy);
});

test("preview, of the CLI's own error, where Pulumi.yaml has the URL", async () => {
  const project = temporaryFolder();
  const files = {
    "Pulumi.yaml": JSON.stringify({ name: "acme", runtime: "yaml", backend: { url } }),
    errors: `error: ${text}\n`,
  };
  write(project, { ...files, pulumi: "#!/bin/sh\ncat errors >&2\nexit 255\n" });
  chmodSync(join(project, "pulumi"), 0o755);
  const env = { PULUMI_BACKEND_URL: "", PULUMI_HOME: project, PATH: `${project}:/usr/bin:/bin` };
  const { code, stdout, stderr } = await run(["preview", "-C", project, "--format", "json"], env);
  expect([code, stderr]).toEqual([1, expect.not.stringContaining("word")]);
  expect(stdout).toContain(tidy);
});

test("doctor and init --from-server, of the server's answer", async () => {
  expect((await run(["doctor"])).stdout).toContain(`422 BUSY "${tidy}"`);
  const { code, stderr } = await run(["init", "new", "--from-server"]);
  expect([code, stderr.split(". ")[0]]).toEqual([1, `voiceplane: GET /v1/webhooks/ was refused: 422 BUSY "${tidy}"\n`]);
});

test("validate, of a file, and status and any other command, in an error", async () => {
  writeFileSync(join(folder, "wrong.yaml"), `"${text}": 1\n`);
  expect((await run(["validate", "wrong.yaml"])).stdout).toMatch(
    /^failure {2}organization {2}wrong\.yaml:1:1 this key is not a property of an organization file; known are .*\n\n1 failure\n$/,
  );
  expect((await run(["status", url])).stderr).toBe(
    "voiceplane: postgres://fleet[redacted]db.example.com/fleet cannot be read (ENOENT)\n",
  );
});

test("doctor, validate and an error, where only Pulumi.yaml has the URL", async () => {
  const project = temporaryFolder();
  write(project, {
    "Pulumi.yaml": JSON.stringify({ name: "acme", runtime: "yaml", backend: { url } }),
    [`${meant}.yaml`]: "retention: 1\n",
  });
  const env = { VOICEPLANE_BASE_URL: baseUrl, VOICEPLANE_TOKEN: "vp_dev_full", PULUMI_HOME: project };
  const doctor = await runCommand(["doctor"], project, env);
  const validate = await runCommand(["validate", `${meant}.yaml`], project, env);
  const error = await runCommand(["status", url], project, env);
  expect(doctor.stdout).toContain(`422 BUSY "${tidy}"`);
  expect(validate.stdout).toMatch(/^failure {2}organization {2}\[redacted\]\.yaml:1:12 retention: must be /);
  expect(error.stderr).toBe("voiceplane: postgres://fleet[redacted]db.example.com/fleet cannot be read (ENOENT)\n");
});
