import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { clone, startNode } from "../../support/tools";
import { root } from "../../support/repository";

const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

test("a package is published with the addresses of its sources and its documentation, and its tag is its version", async () => {
  const folder = clone({});
  const check = (more: object, ...tag: string[]) => {
    const text = { ...manifest, homepage: undefined, repository: undefined, version: "1.2.3", ...more };
    writeFileSync(path.join(folder, "package.json"), JSON.stringify(text));
    return startNode(["tools/publishable.mjs", ...tag], {}, folder).finished;
  };
  expect(await check({})).toEqual({
    code: 1,
    stdout: "",
    stderr:
      "package.json has no repository, where users find the sources\n" +
      "package.json has no homepage, the address of the documentation\n",
  });
  const addresses = {
    homepage: "https://example.com/voiceplane",
    repository: { type: "git", url: "git+https://github.com/acme/pulumi-voiceplane.git" },
  };
  expect(await check(addresses, "v1.2.3")).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(await check(addresses, "v1.2.4")).toMatchObject({
    code: 1,
    stderr: "the tag is v1.2.4, the version in package.json 1.2.3\n",
  });
  expect(manifest.scripts.prepublishOnly).toBe("node tools/publishable.mjs && npm run test:all");
});
