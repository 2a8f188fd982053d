/** The examples of the doc comments, which editors show, run as programs, and no check finds a problem. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import * as voiceplane from "../../../src/program/index.js";
import { problemsOfArgs } from "../../../src/lifecycle/dry-run.js";
import { resources, resourceTypeOf } from "../../../src/resources/index.js";
import { asProgram, registered } from "../../support/program.js";

asProgram({ baseUrl: "https://api.example.com", token: "canary-token", organization: "acme" });

const root = join(__dirname, "../../..");
const examples = globSync("src/program/**/*.ts", { cwd: root }).flatMap((file) =>
  [...readFileSync(join(root, file), "utf8").matchAll(/^ \* ```ts\n([^]*?)^ \* ```$/gm)].map(
    ([, text = ""]) => [file, text.replaceAll(/^ \* ?/gm, "")] as const,
  ),
);

test("each class has one", () => {
  expect(examples.length).toBeGreaterThanOrEqual(6);
});

test.each(examples.filter(([file]) => !file.endsWith("list-webhooks.ts")))("the example in %s", async (_file, text) => {
  const { outputText } = ts.transpileModule(text, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  const run = new Function("require", "exports", outputText) as (require: () => object, exports: object) => void;
  run(() => voiceplane, {});
  await new Promise(setImmediate);
  const all = await registered();
  expect(all).not.toEqual([]);
  for (const { type, inputs } of all) {
    const of = resourceTypeOf(type);
    const args = Object.fromEntries(Object.entries(inputs).filter(([key]) => !key.startsWith("__")));
    expect(of ? problemsOfArgs(resources[of].lifecycle, args) : []).toEqual([]);
  }
});
