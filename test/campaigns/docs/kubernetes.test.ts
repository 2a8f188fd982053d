/** The manifests of examples/kubernetes, checked by kubeconform against strict schemas. No cluster runs them here. */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { goOnPath, testWith } from "../../support/programs";
import { temporaryFolder } from "../../support/folders";

jest.setTimeout(300_000);

const folder = resolve(__dirname, "../../../examples/kubernetes");
const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
const own = resolve(__dirname, "kubernetes");
const broken = readdirSync(join(own, "broken"));

const kubeconform = "github.com/yannh/kubeconform/cmd/kubeconform@v0.6.7";
/** Has the OpenAPI documents of a cluster as test data. */
const clientGo = "k8s.io/client-go@v0.34.1";
/** Has a CronJob with every field as test data. */
const api = "k8s.io/api@v0.34.1";

const env = { ...process.env, GOWORK: "off", GOFLAGS: "" };
const go = (args: string[], cwd: string) => spawnSync("go", args, { cwd, encoding: "utf8", env });

testWith(goOnPath, "kubeconform accepts the manifests, and refuses each broken one", () => {
  const schemas = temporaryFolder();
  writeSchemas(schemas);
  const found = conform(schemas, [
    ...files.map((file) => join(folder, file)),
    ...broken.map((file) => join(own, "broken", file)),
  ]);
  const good = found.filter(({ filename }) => files.includes(basename(filename)));
  expect(good.map(({ kind, name, status, msg }) => [kind, name, status, msg])).toEqual(
    good.map(({ kind, name }) => [kind, name, "statusValid", ""]),
  );
  expect(good.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual([
    "CronJob voiceplane",
    "CronJob voiceplane-prune",
    "Stack acme",
    "Stack globex",
  ]);
  const refused = found.filter(
    ({ filename, status }) => broken.includes(basename(filename)) && status !== "statusValid",
  );
  expect(refused.map(({ filename }) => basename(filename)).sort()).toEqual(broken.sort());
});

interface Finding {
  filename: string;
  kind: string;
  name: string;
  status: string;
  msg: string;
}

function conform(schemas: string, paths: string[]): Finding[] {
  const location = join(schemas, "{{ .Group }}-{{ .ResourceAPIVersion }}-{{ .ResourceKind }}.json");
  const args = ["run", kubeconform, "-output", "json", "-verbose", "-schema-location", location, ...paths];
  const { stdout, stderr } = go(args, schemas);
  expect(stderr.replaceAll(/^go: downloading .*\n|^exit status 1\n/gm, "")).toBe("");
  return (JSON.parse(stdout) as { resources: Finding[] }).resources;
}

/** A file for each kind, under the name that kubeconform looks for. */
function writeSchemas(to: string): void {
  const folderOf = (module: string) =>
    (JSON.parse(go(["mod", "download", "-json", module], to).stdout) as { Dir: string }).Dir;
  const from = join(folderOf(clientGo), "openapi/openapitest/testdata");
  const sample = join(folderOf(api), "testdata/HEAD/batch.v1.CronJob.json");
  execFileSync(process.execPath, [join(own, "kubernetes.mjs"), from, to, sample]);
  copyFileSync(join(own, "stack.schema.json"), join(to, "pulumi.com-v1-stack.json"));
}
