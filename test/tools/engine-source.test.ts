import { once } from "node:events";
import { spawn } from "node:child_process";
import { accessSync, constants, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { credentials } from "@grpc/grpc-js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import {
  InstallDependenciesRequest,
  ProgramInfo,
  type InstallDependenciesResponse,
} from "@pulumi/pulumi/proto/language_pb.js";
import { LanguageRuntimeClient } from "@pulumi/pulumi/proto/language_grpc_pb.js";
import {
  engineScript,
  evaluate,
  root,
  scripts,
  serve,
  startNode,
  temporaryFolder,
  type ProcessResult,
} from "./support.js";

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
}

/** A machine with this `go`, and an empty release site. */
async function machine(go: string, more: Record<string, string> = {}): Promise<Machine> {
  const site = await serve({});
  const cache = temporaryFolder();
  const calls = path.join(temporaryFolder(), "calls");
  const env = {
    PATH: `${scripts({ go })}:/usr/bin:/bin`,
    GO_CALLS: calls,
    XDG_CACHE_HOME: cache,
    VOICEPLANE_ENGINE_RELEASES: site.url,
    ...more,
  };
  return { calls, cache, get: () => startNode([engineScript], env).ended };
}

test("the CLI is built once, next to the language hosts and the plugin for dynamic resources", async () => {
  const { calls, get } = await machine(compiler);
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
  const { calls, get } = await machine(compiler, users);
  expect((await get()).code).toBe(0);
  expect(readFileSync(calls, "utf8")).toMatch(/^0 off -mod=readonly plan9 mips https:\/\/go\.example\.com build /);
});

test("a build with another version is deleted", async () => {
  const { get, cache } = await machine(compiler, { BUILT: "v3.1.0" });
  expect((await get()).stderr).toContain("a build from source: go has built pulumi v3.1.0");
  expect(readdirSync(path.join(cache, "voiceplane/engine"))).toEqual([]);
});

/** Runs the language host from the cache, in a folder without node_modules, as the engine does. */
async function withLanguageHost(use: (client: LanguageRuntimeClient) => Promise<void>): Promise<void> {
  const engine = (await (await machine(compiler)).get()).stdout.trim();
  const host = spawn(process.execPath, [path.join(engine, "pulumi-language-nodejs"), "127.0.0.1:1"], {
    cwd: temporaryFolder(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [port] = (await once(createInterface(host.stdout), "line")) as [string];
    const client = new LanguageRuntimeClient(`127.0.0.1:${port}`, credentials.createInsecure());
    await use(client);
    client.close();
  } finally {
    host.kill();
  }
}

test("the language host runs alone and reports the SDK version that it supports", async () => {
  await withLanguageHost(async (client) => {
    const version = await new Promise<string>((resolve, reject) => {
      client.getPluginInfo(new Empty(), (error, info) => {
        if (error) reject(error);
        else resolve(info.getVersion());
      });
    });
    const sdk = JSON.parse(readFileSync(require.resolve("@pulumi/pulumi/package.json"), "utf8")) as { version: string };
    expect(version).toBe(sdk.version);
  });
});

test("a failed installation ends with an error, after the package manager's output", async () => {
  const folder = temporaryFolder();
  const options = Struct.fromJavaScript({
    packagemanager: path.join(scripts({ manager: "echo sorry; exit 4" }), "manager"),
  });
  const request = new InstallDependenciesRequest().setDirectory(folder).setInfo(new ProgramInfo().setOptions(options));
  await withLanguageHost(async (client) => {
    const stream = client.installDependencies(request);
    const output: string[] = [];
    stream.on("data", (chunk: InstallDependenciesResponse) => {
      output.push(Buffer.from(chunk.getStdout_asU8()).toString());
    });
    const [error] = (await once(stream, "error")) as [Error];
    expect(error.message).toContain(`in ${folder} ended with exit code 4`);
    expect(output.join("")).toBe("sorry\n");
  });
});

test("a Go version that cannot fetch a newer one is reported", async () => {
  const { get, cache } = await machine("echo go1.20.3");
  expect((await get()).stderr).toContain("a build from source: go1.20.3 is too old, 1.21 is needed");
  expect(readdirSync(path.join(cache, "voiceplane/engine"))).toEqual([]);
});

test("a failed build shows go's output and leaves nothing behind", async () => {
  const { get, cache } = await machine('[ "$1" = env ] && echo go1.26.0 && exit 0; echo "no space left" >&2; exit 1');
  const { code, stderr } = await get();
  expect(code).toBe(1);
  expect(stderr).toContain("go build failed:\nno space left");
  expect(readdirSync(path.join(cache, "voiceplane/engine"))).toEqual([]);
});

test("go.mod and the code name the same engine version, and go.sum pins it", async () => {
  const version = (await evaluate("engine/versions.mjs", "tools.ENGINE_VERSION")) as string;
  const modules = path.join(root, "tools/engine");
  expect(readFileSync(path.join(modules, "go.mod"), "utf8")).toContain(`github.com/pulumi/pulumi/pkg/v3 v${version}\n`);
  expect(readFileSync(path.join(modules, "go.sum"), "utf8")).toMatch(
    new RegExp(`^github\\.com/pulumi/pulumi/pkg/v3 v${version.replaceAll(".", "\\.")} h1:\\S+=$`, "m"),
  );
});

test("the language host finds nested, scoped and hoisted resource packages, and no others", async () => {
  const folder = temporaryFolder();
  const add = (where: string, manifest: object) => {
    mkdirSync(path.join(folder, where), { recursive: true });
    writeFileSync(path.join(folder, where, "package.json"), JSON.stringify(manifest));
  };
  add("node_modules/plain", { name: "plain", version: "1.0.0" });
  add("node_modules/@acme/dns", { name: "@acme/dns", version: "2.0.0", pulumi: { resource: true } });
  add("node_modules/plain/node_modules/deep", {
    name: "deep",
    version: "v3.1.0",
    pulumi: { resource: true, name: "deeper", server: "https://plugins.example.com" },
  });
  add("program", { name: "program" });
  const found = await evaluate(
    "engine/language-host/packages.mjs",
    `tools.resourcePackages(${JSON.stringify(path.join(folder, "program"))})`,
  );
  expect(found).toEqual(
    expect.arrayContaining([
      { name: "dns", version: "v2.0.0", server: "" },
      { name: "deeper", version: "v3.1.0", server: "https://plugins.example.com" },
    ]),
  );
  expect(found).toHaveLength(2);
});
