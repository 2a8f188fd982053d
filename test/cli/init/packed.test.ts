import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import { workflows } from "../../../src/cli/init/workflows";

test("the workflows that init writes are in the package that users install", () => {
  const root = resolve(__dirname, "../../..");
  const listing = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [packed] = JSON.parse(listing) as [{ files: { path: string }[] }];
  const names = Object.keys(workflows()).map((path) => /voiceplane-(\w+\.yml)$/.exec(path)?.[1] ?? path);
  expect(names).toEqual(["nightly.yml", "preview.yml", "rotation.yml", "up.yml"]);
  expect(packed.files.map(({ path }) => path)).toEqual(
    expect.arrayContaining(names.map((name) => join("examples/pipelines/github", name))),
  );
});
