import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { requireFree, writeFiles } from "../../../../src/cli/init/write";
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
  expect(() => {
    requireFree(folder, ["a/below"]);
  }).toThrow("has files that would be overwritten: a/below: nothing was written");
  requireFree(folder, ["c", "deep/d"]);
  requireFree(join(folder, "missing"), ["a"]);
});

test("a file that appears in the meantime is not overwritten, and the written files are removed again", () => {
  requireFree(folder, ["b"]);
  writeFileSync(join(folder, "b"), "mine");
  expect(() => {
    writeFiles(folder, { "deep/er/a": "ours", a: "ours", b: "ours", c: "ours" });
  }).toThrow(`${folder} cannot be written to (EEXIST): nothing was written`);
  expect(readdirSync(folder)).toEqual(["b"]);
  expect(read("b")).toBe("mine");
});

test("an unneeded new folder is removed again, and existing folders stay", () => {
  mkdirSync(join(folder, "there"));
  const target = join(folder, "there/made/project");
  expect(() => {
    writeFiles(target, { a: "ours", "a/b": "ours" });
  }).toThrow(/^.*there\/made\/project cannot be written to \((EEXIST|ENOTDIR)\): nothing was written$/);
  expect(existsSync(join(folder, "there"))).toBe(true);
  expect(existsSync(join(folder, "there/made"))).toBe(false);
});

describe("adding lines", () => {
  test.each([
    ["", "a/\nb\n"],
    ["c\n", "c\na/\nb\n"],
    ["c", "c\na/\nb\n"],
    ["b\nc\n", "b\nc\na/\n"],
    ["  a/  \nb", "  a/  \nb"],
    ["c\r\nb\r\n", "c\r\nb\r\na/\r\n"],
  ])("to %j gives %j", (before, after) => {
    writeFileSync(join(folder, "lines"), before);
    writeFiles(folder, {}, { lines: ["a/", "b"] });
    expect(read("lines")).toBe(after);
  });

  test("to a missing file creates it", () => {
    writeFiles(folder, {}, { "deep/lines": ["a/", "b"] });
    expect(read("deep/lines")).toBe("a/\nb\n");
  });

  test("is undone if a later step fails", () => {
    writeFileSync(join(folder, "first"), "mine");
    mkdirSync(join(folder, "second"));
    expect(() => {
      writeFiles(folder, { new: "ours" }, { first: ["a"], second: ["a"] });
    }).toThrow(/cannot be written to \(EISDIR\): nothing was written$/);
    expect(read("first")).toBe("mine");
    expect(readdirSync(folder)).toEqual(["first", "second"]);
  });
});
