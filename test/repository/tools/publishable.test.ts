import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { clone, startNode, type ProcessResult } from "../../support/tools.js";
import { root } from "../../support/repository";

const addresses = {
  homepage: "https://example.com/voiceplane",
  repository: { type: "git", url: "git+https://github.com/acme/pulumi-voiceplane.git" },
};

const digest = `@sha256:${"0".repeat(64)}`;
const gitlab = "examples/pipelines/gitlab/.gitlab/voiceplane.yml";

/** Runs the check in a checkout with this package.json, and with these addresses. All images have a digest. */
function checkPublishable(more: object, ...tag: string[]): Promise<ProcessResult> {
  return checkIn(checkout(), more, ...tag);
}

function checkout(): string {
  const folder = clone({});
  for (const name of ["examples/kubernetes", "examples/pipelines"])
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  for (const file of [gitlab, ...["Dockerfile", "cronjobs.yaml"].map((name) => `examples/kubernetes/${name}`)]) {
    const text = readFileSync(path.join(folder, file), "utf8");
    writeFileSync(
      path.join(folder, file),
      text.replaceAll(/((?:pulumi|postgres)[\w./-]*:[\d.]+(?:-nonroot)?)(@\S+)?$/gm, `$1${digest}`),
    );
  }
  return folder;
}

function checkIn(folder: string, more: object, ...tag: string[]): Promise<ProcessResult> {
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

test("a package whose pipelines name an image by its tag is not published", async () => {
  const folder = checkout();
  const text = readFileSync(path.join(folder, gitlab), "utf8");
  writeFileSync(path.join(folder, gitlab), text.replace(digest, ""));
  expect(await checkIn(folder, addresses)).toEqual({
    code: 1,
    stdout: "",
    stderr: `${gitlab} names pulumi/pulumi:3.259.0 without its digest: run node tools/images.mjs\n`,
  });
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
