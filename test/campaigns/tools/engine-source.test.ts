/** Without Pulumi and without its download, the CLI is built from source, for which a stand-in for `go` answers. */
import { existsSync, readdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import path from "node:path";
import { until } from "../../support/processes";
import { engineScript, evaluate, startNode } from "../../support/tools";
import { root } from "../../support/repository";
import { programs, temporaryFolder, write } from "../../support/folders";

/** A `go` that records its arguments, "downloads" a module, and "compiles" scripts into the folder after -o. */
const compiler = `
if [ "$1" = env ]; then printf 'go1.26.0\\nplan9\\nmips\\n'; exit 0; fi
if [ "$1" = mod ]; then echo "{\\"Dir\\": \\"$MODULE\\"}"; exit 0; fi
if [ "$1" = list ]; then printf 'false\\ntrue\\ntrue\\n'; exit 0; fi
for each in "$@"; do case "$each" in -modfile=*) cat "\${each#-modfile=}" >> "$GO_CALLS.modules" ;; esac; done
echo "$CGO_ENABLED $GOWORK $GOFLAGS $GOOS $GOARCH $GOPROXY $*" >> "$GO_CALLS"
while [ "$1" != -o ]; do shift; done
for each in "$@"; do case "$each" in */cmd/*|./*) names="$names \${each##*/}" ;; esac; done
for name in $names; do
  printf "#!/bin/sh\\necho \${BUILT:-v3.259.0}\\n" > "$2$name"; chmod +x "$2$name"
done`;
const failing = (text: string) => `[ "$1" = build ] || { ${compiler}; }; echo "${text}" >&2; exit 1`;

/** The CLI's sources, as far as the edits know them. */
async function sources(change: (file: string, text: string) => string = (_file, text) => text): Promise<string> {
  const folder = temporaryFolder();
  const edits = await evaluate("engine/without-clouds.mjs", "Object.entries(tools.edits)");
  for (const [file, changes] of edits as [file: string, changes?: [start: string, end?: string][]][]) {
    const texts = (changes ?? []).map(([start, end]) => `before ${start} what goes ${end ?? "the rest"} after`);
    write(folder, { [file]: change(file, texts.join("\n")) }, 0o444);
  }
  return folder;
}

/** A machine with this `go`, where no site is reachable. */
async function machine(go: string, more: Record<string, string> = {}) {
  const cache = temporaryFolder();
  const calls = path.join(temporaryFolder(), "calls");
  const env = {
    PATH: `${programs({ go })}:/usr/bin:/bin`,
    GO_CALLS: calls,
    MODULE: await sources(),
    XDG_CACHE_HOME: cache,
    HOME: cache,
    HTTPS_PROXY: "http://127.0.0.1:9",
    ...more,
  };
  const engines = path.join(cache, "voiceplane/engine");
  const isSources = (name: string) => name.startsWith("cli-sources-");
  const start = (...args: readonly string[]) => startNode([engineScript, ...args], env);
  return {
    cache,
    calls: () => readFileSync(calls, "utf8").trim().split("\n"),
    cached: () => readdirSync(engines).filter((name) => !isSources(name)),
    sources: () => path.join(engines, readdirSync(engines).find(isSources) ?? ""),
    /** The text of each build's go.mod. */
    modules: () => readFileSync(`${calls}.modules`, "utf8"),
    start,
    get: (...args: readonly string[]) => start(...args).finished,
    getCodegen: (otherEnv: Record<string, string> = {}) =>
      startNode([path.join(root, "tools/engine/program.mjs"), "codegen"], { ...env, ...otherEnv }).finished,
  };
}

const build = (...packages: readonly string[]) =>
  `0 off -mod=readonly plan9 mips https://go.example.com build -v -modfile=GO.MOD -trimpath -gcflags=all=-dwarf=false ` +
  `-ldflags -s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v3.259.0 -o FOLDER ${packages.join(" ")}`;
const cli = build("github.com/pulumi/pulumi/pkg/v3/cmd/pulumi");
const yaml = build(
  "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
  "github.com/pulumi/pulumi-yaml/cmd/pulumi-converter-yaml",
);
const users = {
  GOFLAGS: "-mod=vendor",
  GOOS: "windows",
  GOARCH: "wasm",
  GOWORK: "/work",
  GOPROXY: "https://go.example.com",
};

test("the CLI is built once, and the hosts of YAML where they are asked for, whatever the user's build settings are", async () => {
  const { calls, get } = await machine(compiler, users);
  const made = () =>
    calls().map((call) => call.replace(/-modfile=\S+/, "-modfile=GO.MOD").replace(/-o \S+\//, "-o FOLDER"));
  const first = await get();
  const alone = ["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];
  expect(readdirSync(first.stdout.trim()).sort()).toEqual(alone);
  expect(await get()).toEqual({ code: 0, stdout: first.stdout, stderr: "" });
  expect(made()).toEqual([cli]);
  const whole = await get("--yaml");
  const hosts = ["pulumi-converter-yaml", "pulumi-language-yaml"];
  expect(readdirSync(whole.stdout.trim()).sort()).toEqual([...alone, ...hosts].sort());
  expect(made()).toEqual([cli, yaml]);
  // Later runs take the engine with the hosts for YAML, which does both.
  expect(await get()).toEqual({ code: 0, stdout: whole.stdout, stderr: "" });
});

test("all programs are built from a copy of the CLI's sources without the clouds' drivers, by whichever path the cache is reached", async () => {
  const { get, getCodegen, sources: folder, modules, cache } = await machine(compiler);
  await get();
  const text = (file: string) => readFileSync(path.join(folder(), file), "utf8");
  expect(text("backend/diy/backend.go")).not.toMatch(/azureblob|s3blob|gcsblob/);
  expect(() => text("operations/operations_aws.go")).toThrow("ENOENT");
  const link = path.join(temporaryFolder(), "link");
  symlinkSync(cache, link);
  await getCodegen({ XDG_CACHE_HOME: link });
  const named = readFileSync(path.join(root, "tools/engine/go.mod"), "utf8");
  const replaced = `${named}\nreplace github.com/pulumi/pulumi/pkg/v3 => "${realpathSync(folder())}"\n`;
  expect(modules()).toBe(replaced + replaced);
});

test("another version of the sources is refused by the name of the file", async () => {
  const MODULE = await sources((file, text) => (file === "backend/diy/bucket.go" ? text.replace("awss3", "s3") : text));
  const { get, cached } = await machine(compiler, { MODULE });
  const { code, stderr } = await get();
  expect([code, cached()]).toEqual([1, []]);
  expect(stderr).toContain('backend/diy/bucket.go of the Pulumi CLI is not as expected at "awss3 "github.com/aws');
});

test("an interrupted build goes on from the same sources", async () => {
  const stopsOnce = `
echo "$*" >> "$GO_CALLS.all"
for each in "$@"; do case "$1 $each" in "build -modfile="*) grep "pkg/v3 =>" "\${each#-modfile=}" >> "$GO_CALLS.copies" ;; esac; done
if [ "$1" = build ] && mkdir "$GO_CALLS.stopped" 2> /dev/null; then exec sleep 3600; fi
${compiler}`;
  const log = path.join(temporaryFolder(), "calls");
  const { start, get, cached } = await machine(stopsOnce, { GO_CALLS: log });
  const { child, finished } = start();
  await until(() => existsSync(`${log}.stopped`));
  child.kill("SIGINT");
  expect(await finished).toMatchObject({ code: 1, stderr: expect.stringMatching(/^interrupted$/m) as string });
  expect(cached()).toEqual([]);
  expect((await get()).code).toBe(0);
  const all = readFileSync(`${log}.all`, "utf8").split("\n");
  expect(all.filter((call) => call.startsWith("mod download"))).toHaveLength(1);
  const [first, ...others] = readFileSync(`${log}.copies`, "utf8").trim().split("\n");
  expect(others).toEqual([first]);
});

test.each([
  ["get", 1, "a build from source: go has built pulumi v3.1.0", compiler],
  ["get", 1, "a build from source: go1.20.3 is too old, 1.21 is needed", "echo go1.20.3"],
  ["getCodegen", 2, "go1.20.3 is too old, 1.21 is needed", "echo go1.20.3"],
  ["getCodegen", 1, "undefined: schema.BindSpec", failing("undefined: schema.BindSpec")],
] as const)(
  "%s exits with %i where a build fails, says: %s, and leaves nothing behind",
  async (tool, code, message, go) => {
    const { cached, [tool]: run } = await machine(go, { BUILT: "v3.1.0" });
    expect(await run()).toEqual({ code, stdout: "", stderr: expect.stringContaining(message) as string });
    expect(cached()).toEqual([]);
  },
);
