/** The tool that writes the digests of images, with a registry on this machine. */
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root, startNode, temporaryFolder, withExamples, type ProcessResult } from "../../support/tools";

// Without its cache, Go compiles the registry for a minute.
jest.setTimeout(600_000);

const crane = /github\.com\S+@v[\d.]+/.exec(readFileSync(path.join(root, "tools/images.mjs"), "utf8"))?.[0] ?? "";
const bin = temporaryFolder();
const installed = spawnSync("go", ["install", crane], { encoding: "utf8", env: { ...process.env, GOBIN: bin } });
const reason = installed.error
  ? "go is not on PATH"
  : /dial tcp|module lookup disabled/.test(installed.stderr)
    ? "Go's module proxy cannot be reached"
    : undefined;
if (reason !== undefined) process.stderr.write(`SKIPPED: the digests of images: ${reason}\n`);

const tags = [
  "pulumi/pulumi:3.259.0",
  "pulumi/pulumi-nodejs-24:3.259.0",
  "pulumi/pulumi:3.259.0-nonroot",
  "library/postgres:17",
];
const gitlab = "examples/pipelines/gitlab/.gitlab/voiceplane.yml";

/** An empty registry, with its address. */
async function registry() {
  const child = spawn(path.join(bin, "crane"), ["registry", "serve", "--address", "127.0.0.1:0"]);
  const address = await new Promise<string>((resolve) => {
    child.stderr.on("data", (chunk: Buffer) => {
      const port = /serving on port (\d+)/.exec(chunk.toString())?.[1];
      if (port !== undefined) resolve(`127.0.0.1:${port}`);
    });
  });
  return { address, stop: () => child.kill() };
}

function push(image: string, content: string): string {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, "content"), content);
  spawnSync("tar", ["-cf", "layer.tar", "content"], { cwd: folder });
  const args = ["append", "--new_layer", path.join(folder, "layer.tar"), "--new_tag", image];
  const { stdout, stderr } = spawnSync(path.join(bin, "crane"), args, { encoding: "utf8" });
  const digest = /@(sha256:[0-9a-f]{64})/.exec(stdout)?.[1];
  if (digest === undefined) throw new Error(stderr);
  return digest;
}

function pin(folder: string, mirror: string): Promise<ProcessResult> {
  // With the caches of Go, which the tests share.
  return startNode(["tools/images.mjs", "--mirror", mirror], process.env as Record<string, string>, folder).ended;
}

(reason === undefined ? test : test.skip)(
  "each tag gets the digest that its registry has, again and again",
  async () => {
    const { address, stop } = await registry();
    try {
      const folder = withExamples("images", "run");
      const digests = tags.map((tag) => push(`${address}/${tag}`, tag));
      const first = await pin(folder, address);
      expect(first).toMatchObject({ code: 0, stderr: "" });
      expect(first.stdout).toBe(
        tags.map((tag, index) => `${tag.replace("library/", "")}@${digests[index] ?? ""}\n`).join(""),
      );
      expect(readFileSync(path.join(folder, gitlab), "utf8")).toContain(
        `# for YAML: pulumi/pulumi:3.259.0@${digests[0] ?? ""}\n`,
      );
      expect(readFileSync(path.join(folder, "examples/kubernetes/Dockerfile"), "utf8")).toContain(
        `FROM pulumi/pulumi:3.259.0-nonroot@${digests[2] ?? ""}\n`,
      );
      // The tag is given another image.
      const moved = push(`${address}/pulumi/pulumi:3.259.0`, "another");
      await pin(folder, address);
      expect(moved).not.toBe(digests[0]);
      expect(readFileSync(path.join(folder, gitlab), "utf8")).toContain(`# for YAML: pulumi/pulumi:3.259.0@${moved}\n`);
    } finally {
      stop();
    }
  },
);

(reason === undefined ? test : test.skip)("an image that the registry does not have changes no file", async () => {
  const { address, stop } = await registry();
  try {
    const folder = withExamples("images", "run");
    const before = readFileSync(path.join(folder, gitlab), "utf8");
    const { code, stderr } = await pin(folder, address);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^no digest of 127\.0\.0\.1:\d+\/pulumi\/pulumi:3\.259\.0: .*NAME_UNKNOWN/s);
    expect(readFileSync(path.join(folder, gitlab), "utf8")).toBe(before);
  } finally {
    stop();
  }
});
