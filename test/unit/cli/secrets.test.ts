/** Passwords in the environment, in texts of the engine, of a server and of files: no command repeats one. */
import { createServer } from "node:http";
import { run as runCommand } from "../../support/command";
import { programs, temporaryFolder, write } from "../../support/folders";
import { listen } from "../../support/listen";

/** As it is written in the URL, and as it is meant. */
const [written, meant] = ["db-pass%40word", "db-pass@word"];
const url = `postgres://fleet:${written}@db.example.com/fleet`;
const text = `cannot reach ${url} as fleet with ${meant}`;
const tidy = "cannot reach postgres://fleet:[redacted]@db.example.com/fleet as fleet with [redacted]";

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

const pulumi = `case "$1 $2" in
  version*) echo v3.259.0 ;;
  "stack --show-name") echo dev ;;
  "stack export") [ "$3 $4" = "--stack lost" ] && { cat errors >&2; exit 255; }; echo '{"version":3,"deployment":{}}' ;;
  config*) echo '{"voiceplane:organization":{"value":"acme"}}' ;;
  *) cat errors >&2; exit 255 ;;
esac`;

const plain = (shown: string) => shown.replaceAll("\\[", "[").replaceAll("\\]", "]").replaceAll("<!-- -->", "");

test("no command shows the password of the backend's URL, in any format", async () => {
  const folder = temporaryFolder();
  write(folder, { "Pulumi.yaml": "name: acme\nruntime: yaml\n", errors: `error: ${text}\n` });
  const env = {
    PATH: `${programs({ pulumi })}:/usr/bin:/bin`,
    ...{ VOICEPLANE_BASE_URL: baseUrl, VOICEPLANE_TOKEN: "vp_dev_full", PULUMI_BACKEND_URL: url },
  };
  const run = (...args: string[]) => runCommand(args, folder, env);
  for (const format of ["terminal", "json", "markdown"]) {
    const { code, stdout, stderr } = await run("preview", "--format", format);
    expect([code, plain(stdout), stderr]).toEqual([
      1,
      expect.stringContaining("cannot reach [redacted] as fleet with [redacted]"),
      expect.not.stringContaining("word"),
    ]);
  }
  expect((await run("doctor")).stdout).toContain(`422 BUSY "${tidy}"`);
  expect((await run("status", "--stack", "lost")).stderr).toContain(tidy);
  expect((await run("status", url)).stderr).toContain("postgres://fleet:[redacted]@db.example.com/fleet");
});
