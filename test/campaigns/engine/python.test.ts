/** examples/python, with the plugin from an archive of a release. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../support/folders";
import { start, type Finished } from "../../support/processes";
import { get, testWith } from "../../support/tools";
import { exampleOrganization } from "../../support/engine/example-requests";
import { released } from "../../support/native/release";
import { blocks } from "../../support/docs/documents";
import { root } from "../../support/repository";

const example = join(root, "examples/python");

// Without a cached environment, pip installs one. A busy machine takes its time.
jest.setTimeout(600_000);

const python = get("tools/python.mjs", join(example, "requirements.txt"));

/** The resources of an organization are registered all at once, in any order. */
const sorted = ({ code, stdout, stderr }: Finished): object => ({
  code,
  stderr,
  lines: stdout.trim().split("\n").sort(),
});

const billing = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000002/rotate-secret";
const secret = expect.stringMatching(/^\S{20,}$/) as string;

/** What the README shows of an `up`: a line for each resource, and the warnings. */
const [shown] = blocks.filter(({ file, language }) => file === "examples/python/README.md" && language === "text");
const created = (shown?.text ?? "").trim().split("\n").sort();
const deleted = created.flatMap((line) => (line.startsWith("warning") ? [] : [line.replace("create", "delete")]));

testWith(
  python,
  "the organization in Python goes up, a second up changes nothing, an error is one message, and it goes down",
  async () => {
    const folder = temporaryFolder();
    cpSync(example, folder, { recursive: true });
    const { target, env } = await released(folder);
    const main = async (operation: string, file = "main.py", without = ""): Promise<object> => {
      const finished = await start(python.file, ["-B", file, operation], {
        cwd: folder,
        env: { ...env, [without]: undefined },
      }).finished;
      expect(finished.stdout + finished.stderr).not.toMatch(/vp_dev_|Traceback/);
      return sorted(finished);
    };

    expect(await main("preview")).toEqual({ code: 0, lines: created, stderr: "" });
    expect(target.requests()).toEqual([]);

    expect(await main("up")).toEqual({ code: 0, lines: created, stderr: "" });
    expect(target.requests().sort()).toEqual([...exampleOrganization, billing].sort());

    // The README's command shows the secrets. The state has them encrypted.
    const outputs = ["stack", "output", "--show-secrets", "--stack", "organization/voiceplane-python/dev", "--json"];
    const { stdout } = await start("pulumi", outputs, { cwd: folder, env }).finished;
    const { billingSecret, webhookSecrets } = JSON.parse(stdout) as Record<string, unknown>;
    expect([billingSecret, webhookSecrets]).toEqual([secret, { crm: secret }]);
    const state = readFileSync(join(folder, "state/.pulumi/stacks/voiceplane-python/dev.json"), "utf8");
    for (const value of [billingSecret as string, ...Object.values(webhookSecrets as Record<string, string>)]) {
      expect(state).not.toContain(value);
    }
    expect(state).toContain('"webhookSecrets"');
    expect(state).not.toContain("vp_dev_");

    expect(await main("up")).toEqual({ code: 0, lines: [created[0]?.replace("create", "same")], stderr: "" });
    expect(target.requests()).toEqual([]);

    const short = readFileSync(join(folder, "main.py"), "utf8").replace('{"days": 90}', '{"days": -3}');
    writeFileSync(join(folder, "short.py"), short);
    const problem =
      "voiceplane:index:Organization resource 'acme' has a problem: Organization \"acme\":\n" +
      "  retention.recordings.days: must be a whole number of days from 1 to 3650 [wrong-value]\n";
    // The webhook that stands alone is counted only if its answer comes before the organization's error.
    expect(await main("preview", "short.py")).toEqual({
      code: 1,
      lines: [expect.stringMatching(/^[12] same$/)],
      stderr: problem,
    });
    expect(await main("up", "main.py", "PULUMI_CONFIG_PASSPHRASE")).toEqual({
      code: 1,
      lines: [""],
      stderr: expect.stringMatching(/^error: .*PULUMI_CONFIG_PASSPHRASE.*\n$/) as string,
    });
    expect(target.requests()).toEqual([]);

    expect(created[0]).toBe("8 create");
    const kept = `warning: WebhookSecret "c0000000-0000-4000-8000-000000000001" of acme: keeps using its secret, of which the only stored copy leaves the state. Nothing was sent. [forgets-a-secret]`;
    expect(await main("destroy")).toEqual({ code: 0, lines: [...deleted, kept], stderr: "" });
    expect(target.requests()).toEqual([
      'PUT /v1/retention-policies/audit_events {"retention_days":2555,"enabled":false}',
    ]);
  },
);
