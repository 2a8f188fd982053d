import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root, startNode, temporaryFolder, type ProcessResult } from "./support.js";

/** Runs the check in a checkout with this package.json and another owner. */
function checkPublishable(owner: string, ...tag: string[]): Promise<ProcessResult> {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, "tools"));
  cpSync(path.join(root, "tools/publishable.mjs"), path.join(folder, "tools/publishable.mjs"));
  const manifest = {
    ...(JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as object),
    version: "1.2.3",
  };
  const text = JSON.stringify({ ...manifest, homepage: `https://github.com/${owner}/pulumi-voiceplane#readme` });
  writeFileSync(path.join(folder, "package.json"), owner === "OWNER" ? text : text.replaceAll("OWNER", owner));
  return startNode(["tools/publishable.mjs", ...tag], {}, folder).ended;
}

test("a package with a placeholder owner is not published", async () => {
  expect(await checkPublishable("OWNER")).toMatchObject({
    code: 1,
    stderr: "package.json still has the placeholder OWNER instead of the repository's owner\n",
  });
  expect(await checkPublishable("acme")).toEqual({ code: 0, stdout: "", stderr: "" });
});

test("a release's tag must be the version in package.json", async () => {
  expect(await checkPublishable("acme", "v1.2.3")).toMatchObject({ code: 0 });
  expect(await checkPublishable("acme", "v1.2.4")).toMatchObject({
    code: 1,
    stderr: "the tag is v1.2.4, the version in package.json 1.2.3\n",
  });
});

test("npm publish runs the check", () => {
  const { scripts } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  expect(scripts.prepublishOnly).toBe("node tools/publishable.mjs && npm run test:all");
});
