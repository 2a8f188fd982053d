import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireEmpty, writeFiles } from "../../../src/cli/init/write";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "voiceplane-write-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test("what came to be there in the meantime is not overwritten, and what was written is taken away again", () => {
  requireEmpty(folder);
  writeFileSync(join(folder, "b"), "mine");
  expect(() => {
    writeFiles(folder, { "deep/er/a": "ours", a: "ours", b: "ours", c: "ours" });
  }).toThrow(`${folder} cannot be written to (EEXIST): nothing was written`);
  expect(readdirSync(folder)).toEqual(["b"]);
  expect(readFileSync(join(folder, "b"), "utf8")).toBe("mine");
});

test("a folder that was made for nothing is taken away again, and those that were there stay", () => {
  mkdirSync(join(folder, "there"));
  const target = join(folder, "there/made/project");
  expect(() => {
    writeFiles(target, { a: "ours", "a/b": "ours" });
  }).toThrow(/^.*there\/made\/project cannot be written to \((EEXIST|ENOTDIR)\): nothing was written$/);
  expect(existsSync(join(folder, "there"))).toBe(true);
  expect(existsSync(join(folder, "there/made"))).toBe(false);
});
