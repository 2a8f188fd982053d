import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { idField, missing, timeField, type Kind, type RecordOf } from "./kind.js";

const seed = z.strictObject({
  id: idField,
  url: z.url(),
  enabled: z.boolean().default(true),
  /** Such as "deleted": a deleted webhook stays listed, disabled. */
  disabled_reason: z.string().optional(),
  subscribed_events: z.array(z.string()).default([]),
  created_at: timeField,
});

export interface WebhookFields {
  readonly consecutive_failures: number;
  readonly disabled_at?: string;
  /** Hex SHA-256 of the signing secret; null before the first rotation. No answer has it. The secret itself is not stored. */
  readonly signing_secret_sha256: string | null;
}

export const webhooks: Kind<typeof seed, WebhookFields> = {
  operations: {
    rotateWebhookSecret: {
      right: "webhooks:write",
      answer({ id, before = missing("webhook", id), now }) {
        const signing_secret = randomBytes(32).toString("base64url");
        const signing_secret_sha256 = createHash("sha256").update(signing_secret).digest("hex");
        const webhook = { ...before, signing_secret_sha256, updated_at: now };
        return { object: webhook, data: { webhook: publicWebhook(webhook), signing_secret } };
      },
    },
    listWebhooks: {
      right: "webhooks:read",
      answer({ all }) {
        const newestFirst = all().sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
        return { data: { webhooks: newestFirst.map(publicWebhook) } };
      },
    },
  },
  seed,
  key: "id",
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
  own: ({ enabled }, createdAt) => ({
    ...(!enabled && { disabled_at: createdAt }),
    consecutive_failures: 0,
    signing_secret_sha256: null,
  }),
};

function publicWebhook({ signing_secret_sha256: _, ...webhook }: RecordOf<typeof seed, WebhookFields>): object {
  return webhook;
}
