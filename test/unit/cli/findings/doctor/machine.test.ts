/** What the doctor says of Node, of the Pulumi CLI and of proxies. */
import { queryPulumi } from "../../../../../src/cli/pulumi/cli";
import { programs } from "../../../../support/folders";
import { examined, pulumiWith, temporaryFolder, testFindings } from "./project";

const cli = (script: string) => queryPulumi({ PATH: [programs({ pulumi: script }), process.env.PATH].join(":") });

testFindings("machine", ["node", "engine"], {
  "Node 22.19.0 and Pulumi 3.250.0": () => ({ nodeVersion: "22.19.0", pulumi: pulumiWith({ version: "v3.250.0" }) }),
  "Node 22.18.9 and Pulumi 3.249.9": () => ({ nodeVersion: "22.18.9", pulumi: pulumiWith({ version: "v3.249.9\n" }) }),
  "Node 20.20.0 and Pulumi 4.0.0": () => ({ nodeVersion: "20.20.0", pulumi: pulumiWith({ version: "v4.0.0\n" }) }),
  "a pulumi that prints no version": () => ({ pulumi: pulumiWith({ version: "Usage: hush-hush\n" }) }),
  "a missing engine": () => ({ pulumi: queryPulumi({ PATH: temporaryFolder() }) }),
  "an engine that fails, whose error output is not repeated": () => ({
    pulumi: cli('echo "cannot parse hush-hush" | tee /dev/stderr; exit 255'),
  }),
  "an engine that a signal ends": () => ({ pulumi: cli("kill -9 $$") }),
});

test("the CLI never asks for input, and does not check for updates", async () => {
  const folder = temporaryFolder();
  const pulumi = cli('read line && exit 9; echo "$* $PULUMI_SKIP_UPDATE_CHECK $PWD"');
  expect(await pulumi(["version"], folder)).toEqual({
    kind: "done",
    stdout: `version --non-interactive 1 ${folder}\n`,
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
