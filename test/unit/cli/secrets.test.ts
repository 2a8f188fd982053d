/** Passwords in the environment, in texts of the engine, of a server and of files: no command repeats one. */
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { run as runCommand } from "../../support/command";
import { programs, temporaryFolder, write } from "../../support/folders";
import { listen } from "../../support/listen";

/** As it is written in the URL, and as it is meant. */
const [written, meant] = ["db-pass%40word", "db-pass@word"];
const url = `postgres://fleet:${written}@db.example.com/fleet`;
const text = `cannot reach ${url} as fleet with ${meant}`;
const tidy = "cannot reach postgres://fleet[redacted]db.example.com/fleet as fleet with [redacted]";

const server = createServer((_request, response) => {
  response.writeHead(422).end(JSON.stringify({ success: false, error: { code: "BUSY", message: text } }));
});
let baseUrl: string;
beforeAll(async () => {
  baseUrl = `http://127.0.0.1:${await listen(server)}`;
});
afterAll(() => {
  server.close();
});

/** A project whose backend is in Pulumi.yaml, or in the environment, and whose CLI fails with the text. */
function project(place: "Pulumi.yaml" | "environment" | "login") {
  const folder = temporaryFolder();
  const backend = place === "Pulumi.yaml" ? { backend: { url } } : {};
  write(folder, {
    "Pulumi.yaml": JSON.stringify({ name: "acme", runtime: "yaml", ...backend }),
    errors: `error: ${text}\n`,
  });
  if (place === "login") writeFileSync(join(folder, "credentials.json"), JSON.stringify({ current: url }));
  const pulumi =
    'case "$1 $2" in version*) echo v3.259.0 ;; "stack --show-name") echo dev ;; "stack export") echo "{\\"version\\":3,\\"deployment\\":{}}" ;; config*) echo "{\\"voiceplane:organization\\":{\\"value\\":\\"acme\\"}}" ;; *) cat errors >&2; exit 255 ;; esac';
  const env = {
    PATH: `${programs({ pulumi })}:/usr/bin:/bin`,
    PULUMI_HOME: folder,
    ...{ VOICEPLANE_BASE_URL: baseUrl, VOICEPLANE_TOKEN: "vp_dev_full" },
    ...(place === "environment" && { PULUMI_BACKEND_URL: url }),
  };
  return (...args: string[]) => runCommand(args, folder, env);
}

const plain = (shown: string) => shown.replaceAll("\\[", "[").replaceAll("\\]", "]").replaceAll("<!-- -->", "");

test.each(["Pulumi.yaml", "environment", "login"] as const)("where %s has the URL", async (place) => {
  const run = project(place);
  for (const format of ["terminal", "json", "markdown"]) {
    const { code, stdout, stderr } = await run("preview", "--format", format);
    expect([code, plain(stdout), stderr]).toEqual([
      1,
      expect.stringContaining("cannot reach [redacted] as fleet with [redacted]"),
      expect.not.stringContaining("word"),
    ]);
  }
  const doctor = await run("doctor");
  expect(doctor.stdout).toContain(`422 BUSY "${tidy}"`);
  const named = await run("status", url);
  expect(named.stderr).toContain("postgres://fleet[redacted]db.example.com/fleet");
});

test("the state cannot be read: the CLI's error is shown without secrets", async () => {
  const folder = temporaryFolder();
  write(folder, {
    "Pulumi.yaml": JSON.stringify({ name: "acme", runtime: "yaml", backend: { url } }),
    errors: `error: ${text}\n`,
  });
  const PATH = `${programs({ pulumi: "cat errors >&2; exit 255" })}:/usr/bin:/bin`;
  const { code, stderr } = await runCommand(["status", "--stack", "dev"], folder, { PATH });
  expect([code, stderr]).toEqual([1, expect.stringContaining(tidy)]);
});
