import path from "node:path";
import { evaluate, temporaryFolder } from "../../support/tools.js";

const failure = (command: string, options: object = {}) =>
  evaluate("run.mjs", `tools.run(${JSON.stringify(command)}, [], ${JSON.stringify(options)}).catch((e) => e.message)`);

test("the error names what is missing: the program on PATH, the program's interpreter, or the folder", async () => {
  const gone = path.join(temporaryFolder(), "gone");
  expect(await failure("no-such-program")).toBe("no-such-program is not on PATH");
  expect(await failure(gone)).toBe(`${gone}, or the interpreter that it needs, does not exist`);
  expect(await failure("true", { cwd: gone })).toBe(`there is no folder ${gone} to run true in`);
});

test("a time limit kills a program that does not end, and nothing waits for the limit of one that cannot be started", async () => {
  expect(await failure("no-such-program", { timeout: 3_600_000 })).toBe("no-such-program is not on PATH");
  const code = await evaluate("run.mjs", `tools.run("sleep", ["3600"], { timeout: 100 }).then(({ code }) => code)`);
  expect(code).toBeNull();
});
