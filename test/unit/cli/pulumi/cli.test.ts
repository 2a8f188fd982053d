import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { firstError, runPulumi } from "../../../../src/cli/pulumi/cli";
import { temporaryFolder } from "../../../support/folders";
import { testOnLinux } from "../../../support/machine";
import { until } from "../../../support/processes";

/** The files of the folder that this process has open, also those whose name is gone (Linux only). */
function openIn(folder: string): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return target.startsWith(folder) ? [target] : [];
    } catch {
      return []; // The one of this listing.
    }
  });
}

testOnLinux(
  "where the second file for the output cannot be made, the first one is closed and no process starts",
  async () => {
    const files = temporaryFolder();
    writeFileSync(join(files, "stderr"), "");
    const run = runPulumi(["version"], { folder: files, env: { PATH: "/nowhere" }, files, signals: [] });
    await expect(run).rejects.toThrow(/^EEXIST: file already exists/);
    expect(openIn(files)).toEqual([]);
  },
);

test.each<[NodeJS.Platform, string]>([
  ["linux", "INT\nINT\n"],
  ["win32", "INT\n"],
])("on %s, an interrupted CLI gets what does not end a rotation: %j", async (platform, received) => {
  const folder = temporaryFolder();
  const [first, second] = [new AbortController(), new AbortController()];
  const script = `#!/bin/sh
trap 'echo INT >> signals' INT
touch started signals
until [ -f go ]; do sleep 0.02; done
touch went
until [ -f end ]; do sleep 0.02; done`;
  writeFileSync(join(folder, "pulumi"), script, { mode: 0o755 });
  const env = { PATH: `${folder}:/usr/bin:/bin` };
  const signals = [first.signal, second.signal];
  const running = runPulumi(["up"], { folder, env, files: temporaryFolder(), signals, platform });
  const there = (name: string) => until(() => existsSync(join(folder, name)));
  await there("started");
  first.abort();
  writeFileSync(join(folder, "go"), "");
  await there("went");
  second.abort();
  await until(() => readFileSync(join(folder, "signals"), "utf8") === received);
  writeFileSync(join(folder, "end"), "");
  expect(await running).toMatchObject({ code: 0 });
});

test("the first error is the CLI's own, or that of npm's package that could not download it", () => {
  expect(firstError("warning: old\nerror: no stack selected\n")).toBe("no stack selected");
  expect(firstError("Downloading pulumi v3.259.0...\npulumi: fetch failed\n")).toBe("pulumi: fetch failed");
});

test("npm's package pulumi, which passes no signal on, is left out where it has downloaded a CLI or one is installed", async () => {
  const folder = temporaryFolder();
  const add = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text, { mode: 0o755 });
  };
  const env = {
    PATH: `${join(folder, "node_modules/.bin")}:${join(folder, "installed")}:/usr/bin:/bin`,
    PULUMI_HOME: join(folder, "home"),
  };
  const used = async () =>
    (await runPulumi(["up"], { folder, env, files: temporaryFolder(), signals: [] })).stdout.trim();
  add("node_modules/pulumi/package.json", '{ "version": "3.259.0" }');
  add("node_modules/.bin/pulumi", "#!/bin/sh\necho the package");
  expect(await used()).toBe("the package");
  add("home/versions/3.259.0/bin/pulumi", "#!/bin/sh\necho downloaded");
  expect(await used()).toBe("downloaded");
  add("installed/pulumi", "#!/bin/sh\necho installed");
  expect(await used()).toBe("installed");
});
