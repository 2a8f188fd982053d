/** How `npm start` and `npm test` begin, also on machines that are not like the developer's, and how tests are counted. */
import { spawnSync } from "node:child_process";
import { clone, evaluate } from "../../support/tools";
import { programs } from "../../support/folders";

/** What is installed, with a Node that this system cannot load, as one for glibc on Alpine. */
const cloneWithNode = (): string =>
  clone({
    "package-lock.json": '{ "packages": { "": {} } }',
    "node_modules/.package-lock.json": '{ "packages": {} }',
    "node_modules/node/bin/node": "#!/lib/no-such-loader\n",
    "shown.mjs": "console.log(process.execPath);\n",
  });

function evaluated(folder: string, expression: string, env: NodeJS.ProcessEnv = process.env): string {
  const program = `import("${folder}/tools/bootstrap.mjs").then(async (tools) => console.log(await (${expression})))
    .catch((error) => console.log(error.message));`;
  return spawnSync(process.execPath, ["-e", program], { encoding: "utf8", env }).stdout.trim();
}

test("where the project's own Node does not run, the Node of the machine continues if it is new enough", () => {
  const folder = cloneWithNode();
  const start = `tools.bootstrap({ script: "shown.mjs", args: [], installed() {} })`;
  expect(evaluated(folder, start).split("\n")).toEqual([process.execPath, "0"]);
  const at = (version: string) => evaluated(folder, `tools.projectNode({ version: "${version}", execPath: "own" })`);
  expect([at("v22.19.0"), at("v24.1.0")]).toEqual(["own", "own"]);
  expect(at("v22.18.9")).toBe(
    `Node 22.19 or newer is needed, this is v22.18.9, because ${folder}/node_modules/node/bin/node does not run here: ` +
      "it is made for glibc, which Alpine does not have",
  );
});

test("started by Yarn or pnpm, npm still installs", () => {
  const folder = cloneWithNode();
  const PATH = `${programs({ npm: 'echo "npm $*"' })}:/usr/bin:/bin`;
  for (const npm_execpath of ["/opt/yarn/bin/yarn.js", "/opt/yarn-4.9.2.cjs", "/opt/pnpm/bin/pnpm.cjs", ""]) {
    const answer = evaluated(folder, `tools.npm(["ci"]).then(({ stdout }) => stdout)`, { PATH, npm_execpath });
    expect([npm_execpath, answer]).toEqual([npm_execpath, "npm ci"]);
  }
});

const none = {
  numPassedTests: 0,
  numFailedTests: 0,
  numRuntimeErrorTestSuites: 0,
  numPendingTests: 0,
  numTodoTests: 0,
};

test.each([
  [
    "as jest counts them, todo tests as skipped",
    { numPassedTests: 12, numFailedTests: 2, numTodoTests: 1 },
    [12, 2, 1],
  ],
  ["a file that cannot be loaded as a failed test", { numPassedTests: 12, numRuntimeErrorTestSuites: 1 }, [12, 1, 0]],
  ["a run without any test as failed, even if some are skipped", { numPendingTests: 3 }, [0, 1, 3]],
])("tests are counted: %s", async (_title, report, [passed, failed, skipped]) => {
  const counted = await evaluate("test/jest.mjs", `tools.countTests(${JSON.stringify({ ...none, ...report })})`);
  expect(counted).toEqual({ passed, failed, skipped });
});
