/** Without Pulumi and without its download, the CLI is built from source, for which a stand-in for `go` answers. */
import { accessSync, constants, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { engineScript, root, programs, startNode, temporaryFolder, type ProcessResult } from "../../support/tools.js";

/** A `go` that records its arguments and "compiles" scripts into the folder after -o. */
const compiler = `
if [ "$1" = env ]; then printf 'go1.26.0\\nplan9\\nmips\\n'; exit 0; fi
echo "$CGO_ENABLED $GOWORK $GOFLAGS $GOOS $GOARCH $GOPROXY $*" >> "$GO_CALLS"
while [ "$1" != -o ]; do shift; done
for name in pulumi pulumi-language-yaml pulumi-converter-yaml; do
  printf "#!/bin/sh\\necho \${BUILT:-v3.259.0}\\n" > "$2$name"; chmod +x "$2$name"
done`;

interface Machine {
  calls: string;
  cache: string;
  get: () => Promise<ProcessResult>;
  getSdkGenerator: () => Promise<ProcessResult>;
}

/** A machine with this `go`, where no site is reachable. */
function machine(go: string, more: Record<string, string> = {}): Machine {
  const cache = temporaryFolder();
  const calls = path.join(temporaryFolder(), "calls");
  const env = {
    PATH: `${programs({ go })}:/usr/bin:/bin`,
    GO_CALLS: calls,
    XDG_CACHE_HOME: cache,
    HOME: cache,
    HTTPS_PROXY: "http://127.0.0.1:9",
    ...more,
  };
  const program = path.join(root, "tools/engine/program.mjs");
  return {
    calls,
    cache,
    get: () => startNode([engineScript], env).ended,
    getSdkGenerator: () => startNode([program, "sdks"], env).ended,
  };
}

test("the CLI is built once, next to the language hosts and the plugin for dynamic resources", async () => {
  const { calls, get } = machine(compiler);
  const first = await get();
  const folder = first.stdout.trim();
  expect(readdirSync(folder).sort()).toEqual([
    "pulumi",
    "pulumi-converter-yaml",
    "pulumi-language-nodejs",
    "pulumi-language-yaml",
    "pulumi-resource-pulumi-nodejs",
  ]);
  for (const name of readdirSync(folder)) accessSync(path.join(folder, name), constants.X_OK);

  expect(await get()).toEqual({ code: 0, stdout: `${folder}\n`, stderr: "" });
  expect(readFileSync(calls, "utf8").trim().split("\n")).toEqual([
    expect.stringMatching(
      /^0 off -mod=readonly plan9 mips {2}build -v -trimpath -ldflags -s -w -X \S+\/version\.Version=v3\.259\.0 -o \S+\/ github\.com\/pulumi\/pulumi\/pkg\/v3\/cmd\/pulumi github\.com\/pulumi\/pulumi-yaml\/cmd\/pulumi-language-yaml github\.com\/pulumi\/pulumi-yaml\/cmd\/pulumi-converter-yaml$/,
    ),
  ]);
});

test("the build is for this machine, whatever the user's build settings are, with the user's module sources", async () => {
  const users = {
    GOFLAGS: "-mod=vendor",
    GOOS: "windows",
    GOARCH: "wasm",
    GOWORK: "/work",
    GOPROXY: "https://go.example.com",
  };
  const { calls, get } = machine(compiler, users);
  expect((await get()).code).toBe(0);
  expect(readFileSync(calls, "utf8")).toMatch(/^0 off -mod=readonly plan9 mips https:\/\/go\.example\.com build /);
});

test("a build with another version is deleted", async () => {
  const { get, cache } = machine(compiler, { BUILT: "v3.1.0" });
  expect((await get()).stderr).toContain("a build from source: go has built pulumi v3.1.0");
  expect(readdirSync(path.join(cache, "voiceplane/engine"))).toEqual([]);
});

test("a Go version that cannot fetch a newer one is reported", async () => {
  const { get, cache } = machine("echo go1.20.3");
  expect((await get()).stderr).toContain("a build from source: go1.20.3 is too old, 1.21 is needed");
  expect(readdirSync(path.join(cache, "voiceplane/engine"))).toEqual([]);
});

test("a failed build shows go's output and leaves nothing behind", async () => {
  const { get, cache } = machine('[ "$1" = env ] && echo go1.26.0 && exit 0; echo "no space left" >&2; exit 1');
  const { code, stderr } = await get();
  expect(code).toBe(1);
  expect(stderr).toContain("go build failed:\nno space left");
  expect(readdirSync(path.join(cache, "voiceplane/engine"))).toEqual([]);
});

test("the program that writes SDKs is built once, from the same modules, and not beside an engine", async () => {
  const { calls, cache, getSdkGenerator } = machine(compiler);
  const first = await getSdkGenerator();
  const [name = ""] = readdirSync(path.join(cache, "voiceplane/engine"));
  expect(name).toMatch(/^sdks-3\.259\.0-/);
  expect(first).toEqual({ code: 0, stdout: `${path.join(cache, "voiceplane/engine", name, "sdks")}\n`, stderr: "" });
  expect(await getSdkGenerator()).toEqual(first);
  expect(readFileSync(calls, "utf8")).toMatch(/^0 off -mod=readonly plan9 mips {2}build -v .* \.\/sdks\n$/);
});

test.each([
  [2, "echo go1.20.3", "go1.20.3 is too old, 1.21 is needed"],
  [
    2,
    '[ "$1" = env ] && echo go1.26.0 && exit 0; echo "Get https://proxy: dial tcp: no route" >&2; exit 1',
    "dial tcp: no route",
  ],
  [
    1,
    '[ "$1" = env ] && echo go1.26.0 && exit 0; echo "undefined: schema.BindSpec" >&2; exit 1',
    "undefined: schema.BindSpec",
  ],
])("it exits with %i where go is `%s`", async (code, go, message) => {
  const { getSdkGenerator, cache } = machine(go);
  const result = await getSdkGenerator();
  expect([result.code, result.stdout]).toEqual([code, ""]);
  expect(result.stderr).toContain(message);
  expect(readdirSync(path.join(cache, "voiceplane/engine"))).toEqual([]);
});
