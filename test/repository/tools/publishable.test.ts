import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root, startNode, temporaryFolder, type ProcessResult } from "../../support/tools.js";

const addresses = {
  homepage: "https://example.com/voiceplane",
  repository: { type: "git", url: "git+https://github.com/acme/pulumi-voiceplane.git" },
};

/** Runs the check in a checkout with this package.json, and with these addresses. */
function checkPublishable(more: object, ...tag: string[]): Promise<ProcessResult> {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, "tools"));
  cpSync(path.join(root, "tools/publishable.mjs"), path.join(folder, "tools/publishable.mjs"));
  const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as object;
  writeFileSync(
    path.join(folder, "package.json"),
    JSON.stringify({ ...manifest, homepage: undefined, repository: undefined, version: "1.2.3", ...more }),
  );
  return startNode(["tools/publishable.mjs", ...tag], {}, folder).ended;
}

test("a package without the addresses of its sources and its documentation is not published", async () => {
  expect(await checkPublishable({})).toMatchObject({
    code: 1,
    stderr:
      "package.json has no repository, where users find the sources\n" +
      "package.json has no homepage, the address of the documentation\n",
  });
  expect(await checkPublishable(addresses)).toEqual({ code: 0, stdout: "", stderr: "" });
});

test("a release's tag must be the version in package.json", async () => {
  expect(await checkPublishable(addresses, "v1.2.3")).toMatchObject({ code: 0 });
  expect(await checkPublishable(addresses, "v1.2.4")).toMatchObject({
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
