/** However an organization or a resource is renamed, every object ends as the program declares it. */
import { providers } from "../../support/engine/declared";
import { project } from "../../support/engine/project";

test.each(providers)(
  "%s: a resource that moves to another organization is refused where its onDelete sends, and a removed policy's onDelete is sent beside another organization at its address",
  async (over) => {
    const stack = await project();
    const provider = (name: string) =>
      `const ${name} = new Provider("${name}", { baseUrl: process.env.VOICEPLANE_BASE_URL, token: "vp_dev_full" });`;
    const policy = (name: string, of: string) => `
      new RetentionPolicy("${name}", { resource: "recordings", onCreate: "overwrite", retentionDays: 90, onDelete: "disable" }, { provider: ${of} });`;
    const providers = provider("one") + provider("two");
    stack.declare(over, providers + policy("first", "one") + policy("second", "two"));
    await stack.up();
    stack.organization.forgetRequests();
    stack.declare(over, providers + policy("first", "two"));
    expect(await stack.up({ fails: true })).toContain("this RetentionPolicy belongs to the organization one");
    expect(stack.organization.requests()).toEqual([]);
    stack.declare(over, providers + policy("second", "two"));
    await stack.up();
    expect(stack.organization.requests()).toEqual([
      'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":false}',
    ]);
  },
);

test.each(providers)(
  "%s: a rename without alias, --replace and a taint send what is declared and undo nothing",
  async (over) => {
    const stack = await project();
    const put = 'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}';
    const declare = (name: string) => {
      stack.declare(
        over,
        `new RetentionPolicy("${name}", { resource: "recordings", onCreate: "overwrite", retentionDays: 90, onDelete: "disable" });`,
      );
    };
    declare("first");
    await stack.up();
    declare("second");
    await stack.up();
    const urn = () => stack.state().second?.urn ?? "";
    await stack.up({ flags: ["--replace", urn()] });
    await stack.run(["state", "taint", "--stack", "dev", urn()]);
    await stack.up();
    expect(stack.organization.requests()).toEqual([put, put, put, put]);
  },
);

test.each(providers)(
  "%s: the preview refuses a Provider that gets another name while an onDelete sends",
  async (over) => {
    const stack = await project();
    const declare = (name: string) => {
      stack.declare(
        over,
        `const provider = new Provider("${name}", { baseUrl: "${stack.organization.url}", token: require("@pulumi/pulumi").secret("vp_dev_full") });
      new RetentionPolicy("of-${name}", { resource: "recordings", onCreate: "overwrite", retentionDays: 365, onDelete: "disable" }, { provider });`,
      );
    };
    declare("one");
    await stack.up();
    stack.organization.forgetRequests();
    declare("two");
    const { code, stdout } = await stack.voiceplane(["apply", "--yes"]);
    expect([code, stdout]).toEqual([1, expect.stringContaining("and then rename the Provider [organization-changed]")]);
    expect(stack.organization.requests()).toEqual([]);
  },
);
