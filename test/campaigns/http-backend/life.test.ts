/** The everyday life of both providers where the state is on a server that speaks Pulumi Cloud's protocol. */
import { httpBackend, testOnHttp } from "../../support/engine/http-backend";
import { ids } from "../../support/engine/organization";
import { project } from "../../support/engine/project";
import { crm, recordings } from "../../support/engine/yaml-program";
import { expectCurrentSecret, expectSound, rotationsOf } from "../../support/faults/aftermath";

const put = 'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}';
const rotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";

const program = (round: string) => ({ resources: { recordings: recordings(90), crm: crm({ triggers: { round } }) } });

for (const provider of ["dynamic", "native"] as const) {
  testOnHttp(
    `a stack of the ${provider} provider lives with an access token alone, from its first preview to its end`,
    async () => {
      const stack = await project({ backend: await httpBackend(), env: { VOICEPLANE_TOKEN: undefined } });
      stack.declare(provider, program("0"));
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
      expect(stack.state().crm?.outputs).toMatchObject({ secret: "[secret]", rotationCount: 1 });
      expectCurrentSecret(stack, "crm");
      await expectSound(stack);

      await stack.up({ flags: ["--expect-no-changes"] });
      expect([version(), requests()]).toEqual([2, []]);

      stack.declare(provider, program("1"));
      expect(await stack.preview()).toContain('~ round: "0" => "1"');
      await stack.up();
      expect(requests()).toEqual([rotation]);
      expectCurrentSecret(stack, "crm");

      await stack.refresh({ flags: ["--expect-no-changes"] });
      const before = stack.inClear();
      await stack.run(["stack", "export", "--file", "exported.json", "--stack", "dev"]);
      await stack.run(["stack", "import", "--file", "exported.json", "--stack", "dev"]);
      expect([version(), stack.inClear()]).toEqual([5, before]);
      await stack.up({ flags: ["--expect-no-changes"] });
      requests();

      await stack.destroy();
      expect([stack.state(), requests()]).toEqual([{}, []]);
      expect(rotationsOf(stack)).toEqual({ [ids.crm]: 2 });
      const kinds = stack.onServer().updates.flatMap(({ kind, dryRun }) => (dryRun ? [] : [kind]));
      expect(kinds).toEqual(["update", "update", "update", "refresh", "import", "update", "destroy"]);
      await stack.run(["stack", "rm", "--yes", "--stack", "dev"]);
    },
  );
}
