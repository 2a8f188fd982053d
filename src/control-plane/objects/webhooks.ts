import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { idField, kindOf, missing, timeField, type CommonFields } from "./kind.js";

export interface WebhookRecord extends CommonFields {
  readonly id: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly subscribed_events: readonly string[];
  readonly consecutive_failures: number;
  readonly disabled_at?: string | undefined;
  readonly disabled_reason?: string | undefined;
  /** Hex SHA-256 of the signing secret; null before the first rotation. No answer has it. The secret itself is not stored. */
  readonly signing_secret_sha256: string | null;
}

export const webhooks = kindOf<WebhookRecord>()({
  operations: {
    rotateWebhookSecret: {
      right: "webhooks:write",
      answer(all, id) {
        const before = all.get(id) ?? missing("webhook", id);
        const signing_secret = randomBytes(32).toString("base64url");
        const signing_secret_sha256 = createHash("sha256").update(signing_secret).digest("hex");
        const webhook = { ...before, signing_secret_sha256, updated_at: all.now() };
        all.set(id, webhook);
        return { webhook: publicWebhook(webhook), signing_secret };
      },
    },
    listWebhooks: {
      right: "webhooks:read",
      answer(all) {
        const newestFirst = all.all().sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
        return { webhooks: newestFirst.map(publicWebhook) };
      },
    },
  },
  bodyFields: [],
  seed: {
    id: idField,
    url: z.url(),
    enabled: z.boolean().default(true),
    /** Such as "deleted": a deleted webhook stays listed, disabled. */
    disabled_reason: z.string().optional(),
    subscribed_events: z.array(z.string()).default([]),
    created_at: timeField,
  },
  initial: [
    {
      id: "c0000000-0000-4000-8000-000000000001",
      url: "https://crm.example.com/voice",
      subscribed_events: ["call.completed"],
      created_at: "2026-01-01T00:00:00.000Z",
    },
    {
      id: "c0000000-0000-4000-8000-000000000002",
      url: "https://billing.example.com/voice",
      subscribed_events: ["call.completed", "recording.ready"],
      created_at: "2026-02-01T00:00:00.000Z",
    },
    {
      id: "c0000000-0000-4000-8000-000000000003",
      url: "https://retired.example.com/voice",
      enabled: false,
      created_at: "2026-03-01T00:00:00.000Z",
    },
  ],
  idOf: ({ id }) => id,
  seeded: (fields, common) => ({
    ...fields,
    ...common,
    ...(!fields.enabled && { disabled_at: common.created_at }),
    consecutive_failures: 0,
    signing_secret_sha256: null,
  }),
});

function publicWebhook({ signing_secret_sha256: _, ...webhook }: WebhookRecord): object {
  return webhook;
}
