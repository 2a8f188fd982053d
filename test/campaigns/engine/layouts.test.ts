/** How a project has the package: linked into a workspace, through a library, compiled by TypeScript 7, or not at all. */
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { install } from "../../support/engine/installation";
import { temporaryFolder } from "../../support/folders";
import { ids } from "../../support/engine/organization";
import { project } from "../../support/engine/project";
import { root } from "../../support/repository";

const policy =
  'new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: 90 });';
const put = 'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}';
const rotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";
const typescript7 = join(root, "node_modules/typescript-7");

/** Replaces the installation's TypeScript with version 7, whose package has no compiler API. */
function useTypeScript7(modules: string): string {
  const typescript = join(modules, "typescript");
  rmSync(typescript, { recursive: true, force: true });
  symlinkSync(typescript7, typescript);
  return typescript;
}

test("a workspace that links the package goes up with TypeScript 7 installed; without the package, runs fail as docs/reference/messages.md says, and send nothing", async () => {
  const parent = temporaryFolder();
  install(parent);
  const modules = join(parent, "node_modules");
  const linked = join(modules, "pulumi-voiceplane");
  const actual = join(parent, "packages/pulumi-voiceplane");
  mkdirSync(dirname(actual));
  renameSync(linked, actual);
  symlinkSync(actual, linked);
  useTypeScript7(modules);

  const undone = policy.replace("90", '90, onDelete: "disable"');
  const stack = await project({
    parent,
    program: `
      ${undone}
      const crm = new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate" });
      new NetworkPolicy("office", { networkPolicyId: crm.secret.apply(() => "${ids.office}"), onCreate: "overwrite", name: "HQ" });`,
  });
  // An id that is another resource's output is unknown in the preview, and the up uses it.
  expect(await stack.preview()).toContain("networkPolicyId: [unknown]");
  expect(stack.organization.requests()).toEqual([]);
  await stack.up();
  const requests = stack.organization.requests();
  const patch = 'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000001 {"name":"HQ"}';
  expect([...requests].sort()).toEqual([patch, rotation, put]);
  expect(requests.indexOf(rotation)).toBeLessThan(requests.indexOf(patch));

  // If the package is missing from the project but a library of it has one, the error is one line that says what to
  // add.
  const library = join(modules, "library");
  mkdirSync(join(library, "node_modules"), { recursive: true });
  renameSync(linked, join(library, "node_modules/pulumi-voiceplane"));
  writeFileSync(join(library, "index.js"), 'module.exports = require("pulumi-voiceplane");');
  stack.write("index.js", `const { RetentionPolicy } = require("library");\n${undone}`);
  const missing = await stack.preview({ fails: true });
  expect(missing).toContain(
    `error: pulumi-voiceplane cannot be found from ${stack.folder}: add pulumi-voiceplane to the dependencies of this ` +
      "project's own package.json (a library that depends on it is not enough) and install",
  );
  expect(missing).not.toMatch(/^\s*at /m);

  // Runs that do not run the program fail too, also when nothing is installed.
  for (const operation of ["refresh", "destroy"] as const) {
    const output = await stack[operation]({ fails: true });
    // A refresh loads the provider for all resources, a destroy only for the one that sends a request.
    const kind = operation === "refresh" ? "" : "retention-policy'";
    expect(output).toContain(`Cannot find module 'pulumi-voiceplane/dynamic/${kind}`);
  }
  renameSync(modules, join(parent, "modules"));
  const output = await stack.destroy({ fails: true });
  expect(output).toContain("MODULE_NOT_FOUND");
  expect(output).toMatch(/could not read plugin \[.+\]: EOF/);
  expect(stack.organization.requests()).toEqual([]);

  renameSync(join(parent, "modules"), modules);
  renameSync(join(library, "node_modules/pulumi-voiceplane"), linked);
  await stack.destroy();
  expect(stack.organization.requests()).toEqual([put.replace("true", "false")]);
});

test("a program that TypeScript 7 compiles to an ES module, installed in its own folder", async () => {
  const stack = await project({
    parent: temporaryFolder(),
    files: {
      "package.json": '{ "private": true, "type": "module", "main": "index.js" }',
      "index.ts": `
        import { unsecret } from "@pulumi/pulumi";
        import { RetentionPolicy, listWebhooks } from "pulumi-voiceplane";
        ${policy}
        export const count = unsecret(listWebhooks().apply((webhooks) => webhooks.length));`,
      "tsconfig.json": JSON.stringify({
        compilerOptions: { module: "nodenext", strict: true, skipLibCheck: true, types: [] },
        files: ["index.ts"],
      }),
    },
  });
  install(stack.folder);
  const compiler = [join(useTypeScript7(join(stack.folder, "node_modules")), "bin/tsc")];
  expect(execFileSync(process.execPath, [...compiler, "--version"], { encoding: "utf8" })).toBe("Version 7.0.2\n");
  execFileSync(process.execPath, compiler, { cwd: stack.folder, encoding: "utf8" });

  expect(await stack.up()).toContain("count: 3");
  expect(stack.organization.requests().sort()).toEqual(["GET /v1/webhooks/", put]);
});
