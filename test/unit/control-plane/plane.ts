import type { ControlPlane } from "../../../src/control-plane/index";
import type { OperationName } from "../../../src/contract/index";
import { controlPlane } from "../../support/control-plane";
import { seeded } from "../../support/ids";

export { controlPlane as plane };

const { office, carrierA: trunk, crm: webhook } = seeded;
/** The default seed's objects. */
export const ids = { office, trunk, webhook } as const;

/** One valid request to each operation. */
export const requests = {
  putRetentionPolicy: ["PUT", "/v1/retention-policies/recordings", { retention_days: 30, enabled: true }],
  patchNetworkPolicy: ["PATCH", `/v1/network-policies/${ids.office}`, { name: "HQ" }],
  clearTrunkOutboundAuth: ["DELETE", `/v1/trunks/${ids.trunk}/outbound-auth`, undefined],
  rotateWebhookSecret: ["POST", `/v1/webhooks/${ids.webhook}/rotate-secret`, undefined],
  listWebhooks: ["GET", "/v1/webhooks/", undefined],
} as const satisfies Record<OperationName, readonly unknown[]>;
export const operationNames = Object.keys(requests) as (keyof typeof requests)[];

export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body. undefined if there is none. */
  readonly json: unknown;
}

export async function send(
  to: ControlPlane,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Received> {
  const response = await fetch(to.url + path, {
    method,
    headers: {
      Authorization: "Bearer vp_dev_full",
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const received = await response.text();
  const isJson = response.headers.get("Content-Type") === "application/json";
  const json: unknown = isJson ? JSON.parse(received) : undefined;
  return { status: response.status, headers: response.headers, text: received, json };
}

export function perform(to: ControlPlane, operation: keyof typeof requests, token = "vp_dev_full"): Promise<Received> {
  const [method, path, body] = requests[operation];
  return send(to, method, path, body, { Authorization: `Bearer ${token}` });
}

/** The objects of the requests that were carried out, by their ids. */
export const committed = ({ control }: ControlPlane): string[] =>
  control
    .journal()
    .filter((entry) => entry.committed)
    .map(({ path }) => path.split("/")[3] ?? "");

export const errorBody = (code: string, message: string) => ({ success: false, error: { code, message } });
