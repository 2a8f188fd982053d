/** The manifests of examples/operator. test/campaigns/docs/operator.test.ts checks them against schemas. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseAllDocuments } from "yaml";

const folder = resolve(__dirname, "../../../examples/operator");
const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));

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
