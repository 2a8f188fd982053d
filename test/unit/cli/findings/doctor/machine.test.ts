import { queryPulumi } from "../../../../../src/cli/pulumi/cli";
import { programs } from "../../../../support/folders";
import { examined, lineOf, pulumiWith, temporaryFolder } from "./project";

test.each([
  ["22.19.0", "ok node Node 22.19.0"],
  ["24.0.0", "ok node Node 24.0.0"],
  ["22.18.9", "failure node Node 22.18.9 is too old. Install Node 22.19 or newer."],
  ["20.20.0", "failure node Node 20.20.0 is too old. Install Node 22.19 or newer."],
])("Node %s: %s", async (nodeVersion, line) => {
  expect(await lineOf("node", { nodeVersion })).toBe(line);
});

test.each([
  ["v3.259.0\n", "ok engine Pulumi 3.259.0"],
  ["v3.250.0", "ok engine Pulumi 3.250.0"],
  [
    "v3.249.9\n",
    "warning engine Pulumi 3.249.9 is not a version that this package supports. Install 3.250.0 or newer.",
  ],
  ["v4.0.0\n", "warning engine Pulumi 4.0.0 is not a version that this package supports. Install 3.250.0 or newer."],
  [
    "Usage: hush-hush\n",
    "failure engine the pulumi on PATH prints no version. Install it: https://www.pulumi.com/docs/iac/download-install/",
  ],
])("an engine that prints %j: %s", async (version, line) => {
  expect(await lineOf("engine", { pulumi: pulumiWith({ version }) })).toBe(line);
});

test("a missing engine is a failure that says where to get one", async () => {
  const pulumi = queryPulumi({ PATH: temporaryFolder() });
  expect(await lineOf("engine", { pulumi })).toBe(
    "failure engine there is no pulumi on PATH. Install it: https://www.pulumi.com/docs/iac/download-install/",
  );
});

describe("the CLI's error output is not repeated, because it may hold configuration values", () => {
  const cli = (script: string) => queryPulumi({ PATH: [programs({ pulumi: script }), process.env.PATH].join(":") });

  test("an exit code", async () => {
    const pulumi = cli('echo "cannot parse hush-hush" | tee /dev/stderr; exit 255');
    expect(await lineOf("engine", { pulumi })).toBe(
      'failure engine "pulumi version" fails (exit code 255). ' +
        "Install it: https://www.pulumi.com/docs/iac/download-install/",
    );
  });

  test("a signal", async () => {
    expect(await lineOf("engine", { pulumi: cli("kill -9 $$") })).toContain("(SIGKILL)");
  });

  test("the CLI never asks for input, and does not check for updates", async () => {
    const folder = temporaryFolder();
    const pulumi = cli('read line && exit 9; echo "$* $PULUMI_SKIP_UPDATE_CHECK $PWD"');
    expect(await pulumi(["version"], folder)).toEqual({
      kind: "done",
      stdout: `version --non-interactive 1 ${folder}\n`,
    });
  });
});

test.each<[string, NodeJS.ProcessEnv, string[]]>([
  ["no list", { https_proxy: "http://p:1" }, Array<string>(3).fill("localhost,127.0.0.1,::1")],
  ["one list", { http_proxy: "http://p:1", NO_PROXY: "corp" }, Array<string>(3).fill("corp,localhost,127.0.0.1,::1")],
  [
    "three lists",
    { NO_PROXY: "a", no_proxy: "b", no_grpc_proxy: "c" },
    ["a,localhost,127.0.0.1,::1", "b,localhost,127.0.0.1,::1", "c,localhost,127.0.0.1,::1"],
  ],
])("the CLI reaches this machine without a proxy, with %s of the user's", async (_what, env, lists) => {
  const folder = programs({ pulumi: 'echo "$NO_PROXY|$no_proxy|$no_grpc_proxy"' });
  const answer = await queryPulumi({ PATH: folder, ...env })(["version"], folder);
  expect(answer).toEqual({ kind: "done", stdout: `${lists.join("|")}\n` });
});

const proxied = "http://gateway.example.com:3128";
test.each<[NodeJS.ProcessEnv, string | undefined]>([
  [{ HTTP_PROXY: proxied, HTTPS_PROXY: proxied, all_proxy: proxied }, undefined],
  [{ http_proxy: proxied }, "http_proxy"],
  [{ https_proxy: proxied, http_proxy: proxied, no_proxy: "example.com" }, "https_proxy"],
  [{ https_proxy: proxied, NO_PROXY: "127.0.0.1" }, "https_proxy"],
  [{ grpc_proxy: proxied, no_proxy: "127.0.0.1", no_grpc_proxy: "example.com" }, "grpc_proxy"],
  // Node's gRPC knows no other scheme, and falls back to no other variable.
  [{ https_proxy: "https://gateway.example.com", http_proxy: proxied }, undefined],
  [{ http_proxy: proxied, no_proxy: "example.com,127.0.0.1" }, undefined],
  [{ http_proxy: proxied, no_proxy: "127.0.0.0/8" }, undefined],
  [{ http_proxy: proxied, no_proxy: "example.com, 127.0.0.1" }, "http_proxy"],
])("where the shell has %j, plain pulumi fails by %s", async (env, name) => {
  const lines = (await examined({ env })).filter((line) => line.includes("plain `pulumi` fails"));
  expect(lines).toEqual(
    name === undefined
      ? []
      : [
          `warning proxy plain \`pulumi\` fails in this shell: ${name} also sends its traffic on this machine to the proxy. ` +
            "Add localhost,127.0.0.1,::1 to no_proxy.",
        ],
  );
});
