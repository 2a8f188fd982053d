/** What the doctor says of the Pulumi CLI, and how it calls it. */
import { queryPulumi } from "../../../../../src/cli/pulumi/cli";
import { programs } from "../../../../support/folders";
import { pulumiWith, temporaryFolder, testFindings } from "./project";

const cli = (script: string) => queryPulumi({ PATH: [programs({ pulumi: script }), process.env.PATH].join(":") });

testFindings("machine", ["engine"], {
  "Pulumi 3.250.0": () => ({ pulumi: pulumiWith({ version: "v3.250.0" }) }),
  "Pulumi 3.249.9": () => ({ pulumi: pulumiWith({ version: "v3.249.9\n" }) }),
  "Pulumi 4.0.0": () => ({ pulumi: pulumiWith({ version: "v4.0.0\n" }) }),
  "a pulumi that prints no version": () => ({ pulumi: pulumiWith({ version: "Usage: hush-hush\n" }) }),
  "a missing engine": () => ({ pulumi: queryPulumi({ PATH: temporaryFolder() }) }),
  "an engine that fails, whose error output is not repeated": () => ({
    pulumi: cli('echo "cannot parse hush-hush" | tee /dev/stderr; exit 255'),
  }),
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
