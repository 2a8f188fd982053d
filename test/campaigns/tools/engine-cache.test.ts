import { mkdirSync, readdirSync, utimesSync } from "node:fs";
import path from "node:path";
import { evaluate } from "../../support/tools.js";
import { temporaryFolder } from "../../support/folders";

let root: string;
let XDG_CACHE_HOME: string;
beforeEach(() => {
  XDG_CACHE_HOME = temporaryFolder();
  root = path.join(XDG_CACHE_HOME, "voiceplane/engine");
  mkdirSync(root, { recursive: true });
});

/** What `cached` returns for the folder "it" with this body of `fill`. The body can use `root` and the `fs` module. */
function cached(fill: string): Promise<unknown> {
  return evaluate(
    "engine/cache.mjs",
    `(async () => {
      const fs = await import("node:fs");
      const root = ${JSON.stringify(root)};
      const options = { env: process.env, log: { update() {} } };
      return tools.cached("it", options, async (folder) => { ${fill} }).catch((error) => error.message);
    })()`,
    { XDG_CACHE_HOME },
  );
}

test("a finished folder is complete, and nothing else is left", async () => {
  expect(await cached(`fs.writeFileSync(folder + "/engine", "")`)).toBe(path.join(root, "it"));
  expect([readdirSync(root), readdirSync(path.join(root, "it"))]).toEqual([["it"], ["engine"]]);
});

test("the work folder of a running process stays, and one that is an hour old is removed", async () => {
  const [young, old] = ["it.tmp-young", "it.tmp-old"];
  for (const name of [young, old]) mkdirSync(path.join(root, name));
  utimesSync(path.join(root, old), new Date(), new Date(Date.now() - 3_601_000));
  await cached("");
  expect(readdirSync(root)).toEqual(["it", young]);
});

test("a failure is ignored if another process has finished the work meanwhile", async () => {
  expect(await cached(`fs.mkdirSync(root + "/it"); throw new Error("my own way failed")`)).toBe(path.join(root, "it"));
  expect(readdirSync(root)).toEqual(["it"]);
});

test("a failure leaves nothing behind", async () => {
  expect(await cached(`fs.writeFileSync(folder + "/half", ""); throw new Error("the disk is full")`)).toBe(
    "the disk is full",
  );
  expect(readdirSync(root)).toEqual([]);
});
