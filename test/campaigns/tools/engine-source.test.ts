/** Without Pulumi and without its download, the CLI is built from source, for which a stand-in for `go` answers. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { engineScript, root, programs, startNode, temporaryFolder } from "../../support/tools.js";

/** A `go` that records its arguments and "compiles" scripts into the folder after -o. */
const compiler = `
if [ "$1" = env ]; then printf 'go1.26.0\\nplan9\\nmips\\n'; exit 0; fi
echo "$CGO_ENABLED $GOWORK $GOFLAGS $GOOS $GOARCH $GOPROXY $*" >> "$GO_CALLS"
while [ "$1" != -o ]; do shift; done
for name in pulumi pulumi-language-yaml pulumi-converter-yaml; do
  printf "#!/bin/sh\\necho \${BUILT:-v3.259.0}\\n" > "$2$name"; chmod +x "$2$name"
done`;
const failing = (text: string) => `[ "$1" = env ] && echo go1.26.0 && exit 0; echo "${text}" >&2; exit 1`;

/** A machine with this `go`, where no site is reachable. */
function machine(go: string, more: Record<string, string> = {}) {
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
  return {
    calls: () => readFileSync(calls, "utf8").trim(),
    cached: () => readdirSync(path.join(cache, "voiceplane/engine")),
    get: () => startNode([engineScript], env).ended,
    getSdkGenerator: () => startNode([path.join(root, "tools/engine/program.mjs"), "sdks"], env).ended,
  };
}

test("the CLI is built once, for this machine, whatever the user's build settings are, and with the user's module sources", async () => {
  const users = {
    GOFLAGS: "-mod=vendor",
    GOOS: "windows",
    GOARCH: "wasm",
    GOWORK: "/work",
    GOPROXY: "https://go.example.com",
  };
  const { calls, get } = machine(compiler, users);
  const first = await get();
  expect(readdirSync(first.stdout.trim()).sort()).toEqual([
    "pulumi",
    "pulumi-converter-yaml",
    "pulumi-language-nodejs",
    "pulumi-language-yaml",
    "pulumi-resource-pulumi-nodejs",
  ]);
  expect(await get()).toEqual({ code: 0, stdout: first.stdout, stderr: "" });
  expect(calls()).toMatch(
    /^0 off -mod=readonly plan9 mips https:\/\/go\.example\.com build -v -trimpath -ldflags -s -w -X \S+\/version\.Version=v3\.259\.0 -o \S+\/ github\.com\/pulumi\/pulumi\/pkg\/v3\/cmd\/pulumi github\.com\/pulumi\/pulumi-yaml\/cmd\/pulumi-language-yaml github\.com\/pulumi\/pulumi-yaml\/cmd\/pulumi-converter-yaml$/,
  );
});

test("the program that writes SDKs is built once, from the same modules, and not beside an engine", async () => {
  const { calls, cached, getSdkGenerator } = machine(compiler);
  const first = await getSdkGenerator();
  expect(cached()).toEqual([expect.stringMatching(/^sdks-3\.259\.0-/)]);
  expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/\/sdks-3\.259\.0-[\w-]+\/sdks\n$/) as string });
  expect(await getSdkGenerator()).toEqual({ ...first, stderr: "" });
  expect(calls()).toMatch(/^0 off -mod=readonly plan9 mips {2}build -v .* \.\/sdks$/);
});

test.each([
  ["get", 1, "a build from source: go has built pulumi v3.1.0", compiler],
  ["get", 1, "a build from source: go1.20.3 is too old, 1.21 is needed", "echo go1.20.3"],
  ["get", 1, "go build failed:\nno space left", failing("no space left")],
  ["getSdkGenerator", 2, "go1.20.3 is too old, 1.21 is needed", "echo go1.20.3"],
  ["getSdkGenerator", 2, "dial tcp: no route", failing("Get https://proxy: dial tcp: no route")],
  ["getSdkGenerator", 1, "undefined: schema.BindSpec", failing("undefined: schema.BindSpec")],
] as const)(
  "%s exits with %i where a build fails, says: %s, and leaves nothing behind",
  async (tool, code, message, go) => {
    const { cached, [tool]: run } = machine(go, { BUILT: "v3.1.0" });
    expect(await run()).toEqual({ code, stdout: "", stderr: expect.stringContaining(message) as string });
    expect(cached()).toEqual([]);
  },
);
