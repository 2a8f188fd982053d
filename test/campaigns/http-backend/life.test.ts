/** The everyday life of both providers where the state is on a server that speaks Pulumi Cloud's protocol. */
import { organizationProject, webhook } from "../../support/engine/organization-file";
import { httpBackend, testOnHttp } from "../../support/engine/http-backend";
import { ids } from "../../support/engine/organization";
import { yamlProject, type Project, type ProjectOptions } from "../../support/engine/project";
import { expectCurrentSecret, expectSound, rotationsOf } from "../../support/faults/aftermath";

const put = 'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}';
const rotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";

interface Door {
  readonly start: (options: ProjectOptions) => Promise<Project>;
  /** Writes the program with another value of the trigger. */
  readonly write: (stack: Project, round: string) => void;
  readonly resource: string;
}

const organizationFile = (round: string) =>
  `retention:\n  recordings: { days: 90, onCreate: overwrite }\n${webhook(round)}`;

const yaml = (round: string) => ({
  resources: {
    recordings: {
      type: "voiceplane:RetentionPolicy",
      properties: { resource: "recordings", onCreate: "overwrite", retentionDays: 90 },
    },
    crm: {
      type: "voiceplane:WebhookSecret",
      properties: { webhookId: ids.crm, onCreate: "rotate", triggers: { round } },
    },
  },
});

const doors: Readonly<Record<string, Door>> = {
  "an organization file": {
    start: (options) => organizationProject(organizationFile("0"), options),
    write: (stack, round) => {
      stack.write("organization.yaml", organizationFile(round));
    },
    resource: "org-crm",
  },
  "a YAML project": {
    start: (options) => yamlProject(yaml("0"), options),
    write: (stack, round) => {
      stack.yaml(yaml(round));
    },
    resource: "crm",
  },
};

for (const [name, { start, write, resource }] of Object.entries(doors)) {
  testOnHttp(`${name} lives with an access token alone, from its first preview to its end`, async () => {
    const backend = await httpBackend();
    const stack = await start({ backend, env: { VOICEPLANE_TOKEN: undefined } });
    const requests = () => stack.organization.requests().sort();
    const version = () => stack.onServer().stack.version;

    // Before a first setting, there is no file of the stack: the server keeps the key.
    expect(() => stack.read("Pulumi.dev.yaml")).toThrow("ENOENT");
    await stack.run(["config", "set", "--secret", "voiceplane:token", "vp_dev_full", "--stack", "dev"]);
    expect(stack.read("Pulumi.dev.yaml")).toMatch(/^config:\n {2}voiceplane:token:\n {4}secure: \S+\n$/);

    expect(await stack.preview()).toContain("to create");
    expect([version(), stack.state(), requests()]).toEqual([0, {}, []]);

    await stack.up();
    expect(requests()).toEqual([rotation, put]);
    expect(stack.state()[resource]?.outputs).toMatchObject({ secret: "[secret]", rotationCount: 1 });
    expectCurrentSecret(stack, resource);
    await expectSound(stack);

    await stack.up({ flags: ["--expect-no-changes"] });
    expect([version(), requests()]).toEqual([2, []]);

    write(stack, "1");
    expect(await stack.preview()).toContain('~ round: "0" => "1"');
    await stack.up();
    expect(requests()).toEqual([rotation]);
    expectCurrentSecret(stack, resource);

    await stack.refresh({ flags: ["--expect-no-changes"] });
    const before = stack.inClear();
    await stack.run(["stack", "export", "--file", "exported.json", "--stack", "dev"]);
    await stack.run(["stack", "import", "--file", "exported.json", "--stack", "dev"]);
    expect([version(), stack.inClear()]).toEqual([5, before]);
    await stack.up({ flags: ["--expect-no-changes"] });
    expectCurrentSecret(stack, resource);
    requests();

    await stack.destroy();
    expect([stack.state(), requests()]).toEqual([{}, []]);
    expect(rotationsOf(stack)).toEqual({ [ids.crm]: 2 });
    const kinds = stack.onServer().updates.flatMap(({ kind, dryRun }) => (dryRun ? [] : [kind]));
    expect(kinds).toEqual(["update", "update", "update", "refresh", "import", "update", "destroy"]);
    await stack.run(["stack", "rm", "--yes", "--stack", "dev"]);
  });
}
