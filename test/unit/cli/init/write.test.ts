import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { requireFree, writeFiles } from "../../../../src/cli/commands/init/write";
import { temporaryFolder } from "../../../support/folders";

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

const read = (name: string) => readFileSync(join(folder, name), "utf8");

test("existing files that would be overwritten are all named, and other files do not matter", () => {
  mkdirSync(join(folder, "deep"));
  writeFileSync(join(folder, "a"), "mine");
  writeFileSync(join(folder, "README.md"), "mine");
  symlinkSync("nowhere", join(folder, "deep/b"));
  expect(() => {
    requireFree(folder, ["a", "deep/b", "c"], []);
  }).toThrow(`${folder} has files that would be overwritten: a, deep/b: nothing was written`);
  requireFree(folder, ["c", "deep/d"], []);
  requireFree(join(folder, "missing"), ["a"], []);
});

test("a file that appears in the meantime is not overwritten, and the error names what is written", () => {
  requireFree(folder, ["b"], []);
  writeFileSync(join(folder, "b"), "mine");
  expect(() => {
    writeFiles(folder, { "deep/er/a": "ours", a: "ours", b: "ours", c: "ours" }, []);
  }).toThrow(`${folder} cannot be written to (EEXIST): remove what was written: deep/er/a, a`);
  expect(readdirSync(folder)).toEqual(["a", "b", "deep"]);
  expect(read("b")).toBe("mine");
});

test("a folder that cannot be made: nothing was written", () => {
  writeFileSync(join(folder, "file"), "mine");
  expect(() => {
    writeFiles(join(folder, "file/project"), { a: "ours" }, []);
  }).toThrow(`${folder}/file/project cannot be written to (ENOTDIR): nothing was written`);
});

describe("adding lines to .gitignore", () => {
  test.each([
    ["", "a/\nb\n"],
    ["c\n", "c\na/\nb\n"],
    ["c", "c\na/\nb\n"],
    ["b\nc\n", "b\nc\na/\n"],
    ["  a/  \nb", "  a/  \nb"],
    ["c\r\nb\r\n", "c\r\nb\r\na/\r\n"],
  ])("to %j gives %j", (before, after) => {
    writeFileSync(join(folder, ".gitignore"), before);
    writeFiles(folder, {}, ["a/", "b"]);
    expect(read(".gitignore")).toBe(after);
  });

  test("to a missing file creates it", () => {
    writeFiles(folder, {}, ["a/", "b"]);
    expect(read(".gitignore")).toBe("a/\nb\n");
  });
});
