/** Stacks that declare webhooks alone, over each provider. */
import { organizationProject } from "../../support/engine/apply";
import { ids } from "../../support/engine/organization";
import { yamlProject, type Project } from "../../support/engine/project";
import { endAfterTest } from "../../support/faults/deaths";

export interface WebhookStack {
  readonly make: () => Promise<Project>;
  /** Declares the webhooks with this trigger. At first it is "0". */
  readonly edit: (stack: Project, round: string) => void;
  /** The resource of the webhook crm. */
  readonly resource: string;
}

export function webhookStacks(...names: readonly ("crm" | "billing")[]): [provider: string, WebhookStack][] {
  const each = <T>(of: (id: string) => T) => Object.fromEntries(names.map((name) => [name, of(ids[name])]));
  const yaml = (round: string) => ({
    resources: each((webhookId) => ({
      type: "voiceplane:WebhookSecret",
      properties: { webhookId, onCreate: "rotate", triggers: { round } },
    })),
  });
  const file = (round: string) =>
    JSON.stringify({ webhooks: each((id) => ({ id, onCreate: "rotate", triggers: { round } })) });
  return [
    [
      "native plugin",
      {
        make: async () => endAfterTest(await yamlProject(yaml("0"))),
        edit: (stack, round) => {
          stack.yaml(yaml(round));
        },
        resource: "crm",
      },
    ],
    [
      "dynamic provider",
      {
        make: async () => endAfterTest(await organizationProject(file("0"))),
        edit: (stack, round) => {
          stack.write("organization.yaml", file(round));
        },
        resource: "org-crm",
      },
    ],
  ];
}
