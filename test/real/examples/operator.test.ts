/** The manifests of examples/operator, checked by kubeconform against strict schemas. No cluster runs them here. */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseAllDocuments } from "yaml";

const folder = resolve(__dirname, "../../../examples/operator");
const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
const own = resolve(__dirname, "operator");
const broken = readdirSync(join(own, "broken"));

interface Manifest {
  kind: string;
  metadata: { name: string };
  spec: Record<string, unknown>;
}

const manifests = files.flatMap((file) =>
  parseAllDocuments(readFileSync(join(folder, file), "utf8")).map((document) => document.toJS() as Manifest),
);
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);

test("there is a Stack for each organization, with a token of its own", () => {
  const stacks = ofKind("Stack").map(({ metadata, spec }) => {
    const { VOICEPLANE_TOKEN: token } = spec.envRefs as Record<string, unknown>;
    return [metadata.name, spec.stack, (spec.config as Record<string, string>)["voiceplane:organizationFile"], token];
  });
  const token = (name: string) => ({ type: "Secret", secret: { name, key: "token" } });
  expect(stacks).toEqual([
    ["acme", "acme", "organizations/acme.yaml", token("voiceplane-acme")],
    ["globex", "globex", "organizations/globex.yaml", token("voiceplane-globex")],
  ]);
});

test("no manifest has a password or a token: they are references to Secrets, and the URL of the state names a database alone", () => {
  const isSecret = /PASSWORD|PASSPHRASE|TOKEN|PGUSER/;
  for (const { spec } of ofKind("Stack")) {
    expect(spec.backend).toBe("postgres:///pulumi?sslmode=verify-full");
    for (const [name, reference] of Object.entries(spec.envRefs as Record<string, { type: string }>)) {
      expect([name, reference.type]).toEqual([name, isSecret.test(name) ? "Secret" : "Literal"]);
    }
  }
  const text = files.map((file) => readFileSync(join(folder, file), "utf8")).join("");
  expect(
    [...text.matchAll(/name: (\w+),?\s+value: /g)].map((match) => match[1]).filter((name = "") => isSecret.test(name)),
  ).toEqual([]);
  expect(text).not.toMatch(/\w+:\/\/[^\s/]*@/);
});

test("a CronJob never runs twice at once, and does not repeat a run that failed", () => {
  const jobs = ofKind("CronJob");
  expect(jobs).toHaveLength(1);
  for (const { spec } of jobs) {
    expect(spec).toMatchObject({
      concurrencyPolicy: "Forbid",
      jobTemplate: { spec: { backoffLimit: 0, template: { spec: { restartPolicy: "Never" } } } },
    });
  }
});

test.each([
  [0, 0],
  [1, 1],
  [2, 0],
  [3, 0],
  [4, 4],
])("a CronJob's command turns the exit code %d of apply into %d", (code, expected) => {
  const [job] = parseAllDocuments(readFileSync(join(folder, "cronjobs.yaml"), "utf8"));
  const path = ["spec", "jobTemplate", "spec", "template", "spec", "containers", 0, "args", 0];
  const command = String(job?.getIn(path));
  const script = `npx() { [ "$*" = "--no-install voiceplane apply --stack acme" ] && return ${code}; }\n${command}`;
  expect(spawnSync("/bin/sh", ["-c", script]).status).toBe(expected);
});

const kubeconform = "github.com/yannh/kubeconform/cmd/kubeconform@v0.6.7";
/** Has the OpenAPI documents of a cluster as test data. */
const clientGo = "k8s.io/client-go@v0.34.1";

const env = { ...process.env, GOWORK: "off", GOFLAGS: "" };
const go = (args: string[], cwd: string) => spawnSync("go", args, { cwd, encoding: "utf8", env });
const title = "kubeconform accepts the manifests, and refuses each broken one for what is broken";

/** What kubeconform has to say of each broken manifest. */
const reasons: Record<string, RegExp> = {
  "cronjob-misplaced-field.yaml": /additional ?[pP]roperties 'restartPolicy' not allowed/,
  "cronjob-unknown-field.yaml": /additional ?[pP]roperties 'concurrencypolicy' not allowed/,
  "cronjob-without-containers.yaml": /missing propert(y|ies):? '?containers/,
  "cronjob-without-template.yaml": /missing propert(y|ies):? '?jobTemplate/,
  "cronjob-wrong-type.yaml": /expected integer, but got string/,
  "stack-reference-without-type.yaml": /missing propert(y|ies):? '?type/,
  "stack-unknown-field-of-a-container.yaml": /additional ?[pP]roperties 'imagepullPolicy' not allowed/,
  "stack-unknown-field.yaml": /additional ?[pP]roperties 'resyncFrequency' not allowed/,
  "stack-unknown-version.yaml": /could not find schema for Stack/,
  "stack-without-containers.yaml": /missing propert(y|ies):? '?containers/,
  "stack-without-stack.yaml": /missing propert(y|ies):? '?stack/,
  "stack-wrong-type.yaml": /expected integer, but got string/,
};

test("there is a reason for each broken manifest", () => {
  expect(Object.keys(reasons).sort()).toEqual(broken.sort());
});

if (spawnSync("go", ["version"]).status === 0) {
  test(
    title,
    () => {
      const schemas = mkdtempSync(join(tmpdir(), "voiceplane-kubeconform-"));
      try {
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
          "CronJob voiceplane-acme",
          "Stack acme",
          "Stack globex",
        ]);
        const bad = Object.fromEntries(
          found.filter((each) => !good.includes(each)).map(({ filename, msg }) => [basename(filename), msg]),
        );
        expect(bad).toEqual(
          Object.fromEntries(Object.entries(reasons).map(([file, reason]) => [file, expect.stringMatching(reason)])),
        );
      } finally {
        rmSync(schemas, { recursive: true });
      }
    },
    300_000,
  );
} else {
  test.skip(`${title}: NOT CHECKED, because there is no Go on PATH (https://go.dev/doc/install)`, () => undefined);
  process.stderr.write(
    "kubeconform did not check the manifests: there is no Go on PATH (https://go.dev/doc/install)\n",
  );
}

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
  const { Dir: module } = JSON.parse(go(["mod", "download", "-json", clientGo], to).stdout) as { Dir: string };
  const from = join(module, "openapi/openapitest/testdata");
  execFileSync(process.execPath, [join(own, "kubernetes.mjs"), from, to]);
  copyFileSync(join(own, "stack.schema.json"), join(to, "pulumi.com-v1-stack.json"));
}
