/** The manifests of examples/kubernetes, checked by kubeconform against strict schemas. No cluster runs them here. */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { goOnPath, testWith } from "../../support/programs";
import { temporaryFolder } from "../../support/folders";
import { root } from "../../support/repository";

jest.setTimeout(300_000);

const folder = join(root, "examples/kubernetes");
const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
const own = resolve(__dirname, "kubernetes");

const containers = [{ name: "apply", image: "voiceplane" }];
const cronJob = (spec: object, job: object = {}, pod: object = { containers }) => {
  const template = { spec: { restartPolicy: "Never", ...pod } };
  const jobTemplate = { spec: { template, ...job } };
  return {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { name: "minimal" },
    spec: { schedule: "17 2 * * *", jobTemplate, ...spec },
  };
};
const stack = (spec: object, version = "v1") => ({
  ...{ apiVersion: `pulumi.com/${version}`, kind: "Stack", metadata: { name: "minimal" } },
  spec: { stack: "acme", backend: "postgres:///pulumi", ...spec },
});
const pods = (spec: object) => ({ workspaceTemplate: { spec: { podTemplate: { spec } } } });

/** The smallest manifests that are accepted, and edits of them that have to be refused. */
const minimal = { "a-cronjob": cronJob({}), "a-stack": stack({}) };
const broken = {
  "a-misplaced-field-of-a-job": cronJob({}, { restartPolicy: "Never" }),
  "an-unknown-field-of-a-cronjob": cronJob({ concurrencypolicy: "Forbid" }),
  "a-pod-without-containers": cronJob({}, {}, {}),
  "a-cronjob-without-a-template": cronJob({ jobTemplate: undefined }),
  "a-number-of-a-job-as-a-text": cronJob({}, { backoffLimit: "0" }),
  "a-reference-without-a-type": stack({ envRefs: { PGPASSWORD: { secret: { name: "state", key: "password" } } } }),
  "an-unknown-field-of-a-container": stack(pods({ containers: [{ name: "pulumi", imagepullPolicy: "Always" }] })),
  "an-unknown-field-of-a-stack": stack({ resyncFrequency: 86400 }),
  "an-unknown-version": stack({}, "v2"),
  "a-workspace-without-containers": stack(pods({ terminationGracePeriodSeconds: 600 })),
  "a-stack-without-a-stack": stack({ stack: undefined }),
  "a-number-of-a-stack-as-a-text": stack({ resyncFrequencySeconds: "86400" }),
};

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
  const made = temporaryFolder();
  const all = Object.entries({ ...minimal, ...broken });
  for (const [name, manifest] of all) writeFileSync(join(made, `${name}.json`), JSON.stringify(manifest));
  const found = conform(schemas, [
    ...files.map((file) => join(folder, file)),
    ...all.map(([name]) => join(made, `${name}.json`)),
  ]);
  const isBroken = ({ filename }: Finding) => basename(filename, ".json") in broken;
  const good = found.filter((each) => !isBroken(each));
  expect(good.map(({ kind, name, status, msg }) => [`${kind} ${name}`, status, msg]).sort()).toEqual(
    [
      "CronJob minimal",
      "CronJob voiceplane",
      "CronJob voiceplane-prune",
      "Stack acme",
      "Stack globex",
      "Stack minimal",
    ].map((title) => [title, "statusValid", ""]),
  );
  const refused = found.filter((each) => isBroken(each) && each.status !== "statusValid");
  expect(refused.map(({ filename }) => basename(filename, ".json")).sort()).toEqual(Object.keys(broken).sort());
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
