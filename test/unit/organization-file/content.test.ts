import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, win32 } from "node:path";
import { contentOf, isBelow } from "../../../src/organization-file/content";
import { temporaryFolder } from "../../support/folders";

const outside = "it is outside the project's folder: VOICEPLANE_ORGANIZATION_FOLDER can allow another folder";

/** A repository with a project in its folder `infra`, and a file beside it. */
function repository(): { read: (name: string, allowed?: string) => string; at: (name: string) => string } {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  mkdirSync(at("infra/..data"), { recursive: true });
  mkdirSync(at("infra-of-others"));
  for (const name of ["infra/own.yaml", "infra/..data/mounted.yaml", "infra-of-others/a.yaml", "secrets"])
    writeFileSync(at(name), name);
  const read = (name: string, allowed?: string) =>
    Buffer.from(contentOf(at(name), at("infra"), { VOICEPLANE_ORGANIZATION_FOLDER: allowed })).toString();
  return { read, at };
}

test("a file in the project's folder is read, by links within it too: as Kubernetes mounts a file", () => {
  const { read, at } = repository();
  symlinkSync("..data/mounted.yaml", at("infra/organization.yaml"));
  symlinkSync("infra", at("project"));
  expect(read("infra/own.yaml")).toBe("infra/own.yaml");
  expect(read("infra/organization.yaml")).toBe("infra/..data/mounted.yaml");
  expect(read("project/own.yaml")).toBe("infra/own.yaml");
});

test("a file elsewhere is not read, whatever leads to it", () => {
  const { read, at } = repository();
  symlinkSync("../secrets", at("infra/organization.yaml"));
  symlinkSync("..", at("infra/up"));
  for (const name of ["secrets", "infra/organization.yaml", "infra/up/secrets", "infra-of-others/a.yaml"])
    expect(read(name)).toBe(outside);
});

test("on Windows, another drive and a shared folder are outside", () => {
  const isIn = (file: string) => isBelow(file, "C:\\repository\\infra", win32);
  expect(isIn("C:\\repository\\infra\\eu\\organization.yaml")).toBe(true);
  expect(isIn("c:\\Repository\\infra\\organization.yaml")).toBe(true);
  expect(["C:\\repository\\secrets", "D:\\secrets", "\\\\server\\share\\secrets"].filter(isIn)).toEqual([]);
});

test("the operator can allow one more folder, and a link that leads out of it is not read", () => {
  const { read, at } = repository();
  symlinkSync("../secrets", at("infra-of-others/link.yaml"));
  expect(read("infra-of-others/a.yaml", at("infra-of-others"))).toBe("infra-of-others/a.yaml");
  expect(read("infra-of-others/link.yaml", at("infra-of-others"))).toBe(outside);
  expect(read("infra-of-others/a.yaml", at("missing"))).toBe(outside);
  expect(read("infra-of-others/a.yaml", "")).toBe(outside);
  expect(read("infra/own.yaml", at("infra-of-others"))).toBe("infra/own.yaml");
});
