/** How `npm start` and `npm test` begin, also on machines that are not like the developer's, and how tests are counted. */
import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { clone, evaluate } from "../../support/tools.js";
import { root } from "../../support/repository";
import { programs, temporaryFolder } from "../../support/folders";

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

test("a tool runs from a path with a symbolic link in it too", () => {
  const link = join(temporaryFolder(), "link");
  symlinkSync(root, link);
  const { stderr } = spawnSync(process.execPath, [join(link, "tools/chromium.mjs")], {
    encoding: "utf8",
    env: { CHROMIUM: "/nowhere" },
  });
  expect(stderr).toBe("CHROMIUM names no file\n");
});

const failure = (command: string, options: object = {}) =>
  evaluate("run.mjs", `tools.run(${JSON.stringify(command)}, [], ${JSON.stringify(options)}).catch((e) => e.message)`);

test("the error names what is missing: the program on PATH, the program's interpreter, or the folder", async () => {
  const gone = join(temporaryFolder(), "gone");
  expect(await failure("no-such-program")).toBe("no-such-program is not on PATH");
  expect(await failure(gone)).toBe(`${gone}, or the interpreter that it needs, does not exist`);
  expect(await failure("true", { cwd: gone })).toBe(`there is no folder ${gone} to run true in`);
});

test("a time limit kills a program that does not end, and nothing waits for the limit of one that cannot be started", async () => {
  expect(await failure("no-such-program", { timeout: 3_600_000 })).toBe("no-such-program is not on PATH");
  const code = await evaluate("run.mjs", `tools.run("sleep", ["3600"], { timeout: 100 }).then(({ code }) => code)`);
  expect(code).toBeNull();
});

const none = {
  numPassedTests: 0,
  numFailedTests: 0,
  numRuntimeErrorTestSuites: 0,
  numPendingTests: 0,
  numTodoTests: 0,
};

test.each([
  ["tests are counted as jest counts them", { numPassedTests: 12, numFailedTests: 2 }, [12, 2, 0]],
  ["a file that cannot be loaded is a failed test", { numPassedTests: 12, numRuntimeErrorTestSuites: 1 }, [12, 1, 0]],
  ["a run without any test counts as failed", {}, [0, 1, 0]],
  ["even if some are skipped", { numPendingTests: 3 }, [0, 1, 3]],
  ["todo tests are skipped", { numPassedTests: 12, numPendingTests: 3, numTodoTests: 1 }, [12, 0, 4]],
])("%s", async (_title, report, [passed, failed, skipped]) => {
  const counted = await evaluate("test/jest.mjs", `tools.countTests(${JSON.stringify({ ...none, ...report })})`);
  expect(counted).toEqual({ passed, failed, skipped });
});
