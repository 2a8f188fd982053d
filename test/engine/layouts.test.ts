import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { install, temporaryFolder } from "./support/installation";
import { ids } from "./support/organization";
import { project } from "./support/project";

/** A folder of its own that has the package installed. */
function workspace(): string {
  const folder = temporaryFolder();
  install(folder);
  return folder;
}

const policy = 'new RetentionPolicy("recordings", { resource: "recordings", retentionDays: 90 });';
const put = 'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}';

test("a workspace that links the package", async () => {
  const parent = workspace();
  const linked = join(parent, "node_modules/pulumi-voiceplane");
  const actual = join(parent, "packages/pulumi-voiceplane");
  mkdirSync(dirname(actual));
  renameSync(linked, actual);
  symlinkSync(actual, linked);

  const stack = await project({ program: policy, parent });
  await stack.up();
  expect(stack.organization.requests()).toEqual([put]);
  expect(await stack.up()).toContain("2 unchanged");
});

test("TypeScript 7, whose package has no compiler for others to use, compiles the program and stands beside it", async () => {
  const parent = workspace();
  const typescript = join(parent, "node_modules/typescript");
  rmSync(typescript, { recursive: true, force: true });
  symlinkSync(join(__dirname, "../../node_modules/typescript-7"), typescript);

  const stack = await project({
    parent,
    files: {
      "index.ts": `import { RetentionPolicy } from "pulumi-voiceplane";\n${policy}\n`,
      "tsconfig.json": JSON.stringify({
        compilerOptions: { module: "nodenext", strict: true, skipLibCheck: true, types: [] },
        files: ["index.ts"],
      }),
    },
  });
  const compiler = [join(typescript, "bin/tsc")];
  expect(execFileSync(process.execPath, [...compiler, "--version"], { encoding: "utf8" })).toBe("Version 7.0.2\n");
  execFileSync(process.execPath, compiler, { cwd: stack.folder, encoding: "utf8" });
  await stack.up();
  expect(stack.organization.requests()).toEqual([put]);
});

test("a program that is an ES module, installed in its own folder", async () => {
  const stack = await project({
    parent: temporaryFolder(),
    files: {
      "package.json": '{ "private": true, "type": "module", "main": "index.js" }',
      "index.js": `
        import { unsecret } from "@pulumi/pulumi";
        import { RetentionPolicy, listWebhooks } from "pulumi-voiceplane";
        ${policy}
        export const count = unsecret(listWebhooks().apply((webhooks) => webhooks.length));`,
    },
  });
  install(stack.folder);

  expect(await stack.up()).toContain("count: 3");
  expect(stack.organization.requests().sort()).toEqual(["GET /v1/webhooks/", put]);
});

test("the package missing from the project, though a library of it has one, is one line that says what to add", async () => {
  const parent = workspace();
  const library = join(parent, "node_modules/library");
  mkdirSync(join(library, "node_modules"), { recursive: true });
  renameSync(join(parent, "node_modules/pulumi-voiceplane"), join(library, "node_modules/pulumi-voiceplane"));
  writeFileSync(join(library, "index.js"), 'module.exports = require("pulumi-voiceplane");');

  const stack = await project({
    parent,
    files: { "index.js": `const { RetentionPolicy } = require("library");\n${policy}` },
  });
  const output = await stack.preview({ fails: true });
  expect(output).toContain(
    `error: pulumi-voiceplane cannot be found from ${stack.folder}: add pulumi-voiceplane to the dependencies of this ` +
      "project's own package.json (a library that depends on it is not enough) and install",
  );
  expect(output).not.toMatch(/^\s*at /m);
  expect(stack.organization.requests()).toEqual([]);
});

test("an id that is another resource's output is unknown in the preview, and used by the up", async () => {
  const program = (id: string) => `
    const crm = new WebhookSecret("crm", { webhookId: "${ids.crm}" });
    new NetworkPolicy("office", { networkPolicyId: crm.secret.apply(() => "${id}"), name: "HQ" });`;
  const stack = await project({ program: program(ids.office) });
  expect(await stack.preview()).toContain("networkPolicyId: [unknown]");
  expect(stack.organization.requests()).toEqual([]);
  await stack.up();
  expect(stack.organization.requests()).toEqual([
    "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret",
    'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000001 {"name":"HQ"}',
  ]);
  expect(await stack.up()).toContain("3 unchanged");
});

test("the package taken away before its resources: refresh and destroy fail as docs/troubleshooting.md says, and nothing is sent", async () => {
  const parent = workspace();
  const modules = join(parent, "node_modules");
  const undone = policy.replace("90", '90, onDelete: "disable"');
  const stack = await project({ program: undone, parent });
  await stack.up();
  stack.organization.requests();

  renameSync(join(modules, "pulumi-voiceplane"), join(parent, "kept"));
  for (const operation of ["refresh", "destroy"] as const) {
    const output = await stack[operation]({ fails: true });
    expect(output).toContain("Cannot find module 'pulumi-voiceplane/dynamic/retention-policy'");
  }

  renameSync(modules, join(parent, "modules"));
  for (const operation of ["refresh", "destroy"] as const) {
    const output = await stack[operation]({ fails: true });
    expect(output).toContain("MODULE_NOT_FOUND");
    expect(output).toMatch(/could not read plugin \[.+\]: EOF/);
  }
  expect(stack.organization.requests()).toEqual([]);

  renameSync(join(parent, "modules"), modules);
  renameSync(join(parent, "kept"), join(modules, "pulumi-voiceplane"));
  await stack.destroy();
  expect(stack.organization.requests()).toEqual([put.replace("true", "false")]);
});
