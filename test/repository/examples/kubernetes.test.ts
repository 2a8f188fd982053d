/** The manifests of examples/kubernetes. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { programs, temporaryFolder, write } from "../../support/folders";
import { root } from "../../support/repository";

const folder = join(root, "examples/kubernetes");
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
  expect(ofKind("CronJob").map(({ metadata }) => metadata.name)).toEqual(["voiceplane", "voiceplane-prune"]);
  for (const { spec } of ofKind("CronJob")) {
    expect(spec).toMatchObject({
      concurrencyPolicy: "Forbid",
      jobTemplate: { spec: { template: { spec: { restartPolicy: "Never" } } } },
    });
    const { spec: job } = spec.jobTemplate as { spec: Record<string, unknown> };
    expect(job.completionMode === "Indexed" ? job.backoffLimitPerIndex : job.backoffLimit).toBe(0);
  }
});

test("a Stack with a plan reads it from a volume of its pod, and has no resync: what is due by then is not in the plan", () => {
  const held = ofKind("Stack").filter(({ spec }) => "VOICEPLANE_PLAN" in (spec.envRefs as object));
  expect(held).toMatchObject([
    {
      metadata: { name: "globex" },
      spec: { envRefs: { VOICEPLANE_PLAN: { literal: { value: "/plan/plan.json" } } } },
    },
  ]);
  expect(Object.keys(held[0]?.spec ?? {}).filter((name) => /resync/i.test(name))).toEqual([]);
  const { podTemplate } = workspaces.find(({ name }) => name === "globex") ?? {};
  expect(podTemplate?.spec).toMatchObject({
    volumes: [{ name: "plan", configMap: { name: "globex-plan-1" } }],
    containers: [{ volumeMounts: [{ name: "plan", mountPath: "/plan", readOnly: true }] }],
  });
});

interface Pod {
  readonly securityContext?: object;
  readonly containers: readonly { readonly args: readonly string[]; readonly securityContext?: object }[];
}
interface Job {
  readonly template: { readonly spec: Pod };
}
const jobOf = (name: string): Job => {
  const found = ofKind("CronJob").find(({ metadata }) => metadata.name === name);
  return (found?.spec.jobTemplate as { spec: Job }).spec;
};
const workspaces = ofKind("Stack").map(({ metadata, spec }) => {
  const { workspaceTemplate } = spec as { workspaceTemplate: { spec: { podTemplate: { spec: Pod } } } };
  return { name: metadata.name, ...workspaceTemplate.spec };
});

const command = jobOf("voiceplane").template.spec.containers[0]?.args[0] ?? "";

describe("the Job's script", () => {
  let project: string;
  beforeEach(() => {
    project = temporaryFolder();
    for (const name of ["acme", "globex", "initech"])
      write(project, { [`organizations/${name}.yaml`]: "", [`tokens/${name}`]: `token of ${name}\n` });
  });

  const run = (index: number, voiceplane: string, script = command) => {
    programs({ voiceplane }, join(project, "node_modules/.bin"));
    const env = { ...process.env, JOB_COMPLETION_INDEX: String(index) };
    const { status, stdout, stderr } = spawnSync(
      "/bin/sh",
      ["-c", script.replace("/tokens", join(project, "tokens"))],
      { cwd: project, env, encoding: "utf8" },
    );
    return { status, stdout, stderr };
  };

  test("runs the organization of its index with its own token, and ends as apply does", () => {
    const done = [0, 1, 2].map((index) => run(index, `echo "$VOICEPLANE_TOKEN: $*"; exit ${index}`));
    expect(done).toEqual(
      ["acme", "globex", "initech"].map((name, index) => ({
        status: index,
        stdout: `token of ${name}: apply --stack ${name} --yes\n`,
        stderr: "",
      })),
    );
  });

  test("fails without an organization or a token, and then runs nothing", () => {
    expect(run(3, "echo ran")).toEqual({ status: 1, stdout: "", stderr: "there is no organization 3\n" });
    write(project, { "organizations/hooli.yaml": "" });
    expect(run(2, "echo ran")).toMatchObject({ status: 1, stdout: "" });
  });
});
