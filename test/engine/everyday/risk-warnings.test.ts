/** What a step cannot take back, in the engine's own output, for people who read no report. */
import { ids } from "../../support/engine/organization";
import { project } from "../../support/engine/project";
import { voiceplane } from "../../support/engine/voiceplane";

const program = (days: number, quarter: string, cidr: string) => `
  new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: ${days}, allowShortening: { from: 90, to: 30 } });
  new NetworkPolicy("office", { networkPolicyId: "${ids.office}", onCreate: "overwrite", sourceCidr: "${cidr}", mustInclude: ["203.0.113.7"] });
  new TrunkOutboundAuth("carrier", { trunkId: "${ids.carrierA}", cleared: true });
  new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate", triggers: { quarter: "${quarter}" } });
`;

/** Off a terminal, the CLI also repeats each line while it runs. */
const summaryOf = (printed: string): string => printed.slice(Math.max(0, printed.lastIndexOf("Diagnostics:")));

const warned = (printed: string): string[] =>
  [...summaryOf(printed).matchAll(/(\w+) "[^"]+" of \S+: the update (.*)\.$/gm)]
    .map(([, type, risk]) => `${type} ${risk}`)
    .sort();

const first = [
  "NetworkPolicy replaces a range that is not known, which may narrow access",
  "RetentionPolicy replaces a setting that is not known, which may delete data for good",
  "TrunkOutboundAuth clears the trunk's outbound credentials, which cannot be restored",
  "WebhookSecret rotates its signing secret: the old one stops working",
];
const later = [
  "NetworkPolicy may narrow access",
  "RetentionPolicy may delete data for good",
  "WebhookSecret rotates its signing secret: the old one stops working",
];

test.each(["dynamic", "native"] as const)(
  "with the %s provider, a preview and an update have one warning for each risk, and the report says each once",
  async (provider) => {
    const stack = await project();
    stack[provider](program(90, "2026-Q3", "203.0.113.0/24"));
    expect(warned(await stack.preview())).toEqual(first);
    expect(warned(await stack.up())).toEqual(first);
    expect(warned(await stack.up())).toEqual([]);
    expect(warned(await stack.refresh())).toEqual([]);

    stack[provider](program(30, "2026-Q4", "203.0.113.0/25"));
    expect(warned(await stack.preview())).toEqual(later);
    const { stdout, stderr } = await voiceplane(stack, ["preview", "--stack", "dev", "--format", "markdown"]);
    expect(stdout).toContain("deletes what is older");
    expect(stdout + stderr).not.toContain(": the update ");
    expect(warned(await stack.up())).toEqual(later);
    expect(warned(await stack.destroy())).toEqual([]);
  },
);
