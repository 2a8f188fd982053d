import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
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
    requireFree(folder, ["a", "deep/b", "c"]);
  }).toThrow(`${folder} has files that would be overwritten: a, deep/b: nothing was written`);
  requireFree(folder, ["c", "deep/d"]);
  requireFree(join(folder, "missing"), ["a"]);
});

test("a file that appears in the meantime is not overwritten, and the written files are removed again", () => {
  requireFree(folder, ["b"]);
  writeFileSync(join(folder, "b"), "mine");
  expect(() => {
    writeFiles(folder, { "deep/er/a": "ours", a: "ours", b: "ours", c: "ours" }, []);
  }).toThrow(`${folder} cannot be written to (EEXIST): nothing was written`);
  expect(readdirSync(folder)).toEqual(["b"]);
  expect(read("b")).toBe("mine");
});

test("an unneeded new folder is removed again, and existing folders stay", () => {
  mkdirSync(join(folder, "there"));
  const target = join(folder, "there/made/project");
  expect(() => {
    writeFiles(target, { a: "ours", "a/b": "ours" }, []);
  }).toThrow(/^.*there\/made\/project cannot be written to \((EEXIST|ENOTDIR)\): nothing was written$/);
  expect(existsSync(join(folder, "there"))).toBe(true);
  expect(existsSync(join(folder, "there/made"))).toBe(false);
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

  test("to a missing file creates it, and if that fails, the other files are removed again", () => {
    writeFiles(folder, {}, ["a/", "b"]);
    expect(read(".gitignore")).toBe("a/\nb\n");
    expect(() => {
      writeFiles(folder, { new: "ours", ".gitignore.new": "ours" }, ["c"]);
    }).toThrow(/cannot be written to \(EEXIST\): nothing was written$/);
    expect(readdirSync(folder)).toEqual([".gitignore"]);
  });
});
