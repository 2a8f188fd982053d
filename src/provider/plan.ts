/**
 * The plan that holds a run. VOICEPLANE_PLAN names the file that `voiceplane preview --out` has written: what is not on its list of requests
 * is not sent, whatever the program declares and whoever has started the engine.
 */
import { readFileSync } from "node:fs";
import { isAbsolute } from "node:path";
import { z } from "zod";
import { ConfigError } from "../client/errors.js";
import { differingMembers, isPlanned, plannedNear, type PlannedRequest } from "../client/planned-request.js";
import { operations, type OperationName } from "../contract/index.js";
import { codeOf, messageOf, parseJson } from "../values/any.js";
import { problem } from "../values/diagnostic.js";
import { given, type Environment } from "../values/environment.js";
import { cut, printable } from "../values/text.js";

export const planVariable = "VOICEPLANE_PLAN";

/** Strict: a member that this version does not know may allow less. */
const plannedRequestSchema = z.strictObject({
  operation: z.enum(Object.keys(operations) as [OperationName]),
  path: z.string(),
  body: z.record(z.string(), z.unknown()).optional(),
  open: z.array(z.string()).optional(),
  organization: z.string().optional(),
  address: z.string().optional(),
});

/** What every reader of a plan needs. A plan has more, for people and for `voiceplane apply`. */
const planSchema = z.object({
  version: z.literal(1),
  phase: z.literal("preview"),
  complete: z.literal(true),
  requests: z.array(plannedRequestSchema),
});

/** Throws a ConfigError for a request that must not be sent. It is asked first, before anything else about the request. */
export type Approval = (request: PlannedRequest) => void;

/** The approval by the plan that the environment names. The file is read at the first request, and a file that cannot be read approves nothing. */
export function approvalIn(env: Environment): Approval {
  const file = given(env[planVariable]);
  if (file === undefined) return () => undefined;
  let list: readonly PlannedRequest[] | undefined;
  return (request) => {
    list ??= requestListIn(file);
    if (!isPlanned(list, request)) throw notPlanned(request, list);
  };
}

/** What a provider would refuse of these requests, a line for each. @throws ConfigError if the file is no plan */
export function requestsBeyond(file: string, requests: readonly PlannedRequest[]): string[] {
  const list = requestListIn(file);
  return requests.flatMap((request) => (isPlanned(list, request) ? [] : [notPlanned(request, list).message]));
}

/** Programs and providers run in several folders, where a relative path would name several files. */
function requestListIn(file: string): readonly PlannedRequest[] {
  let reason = "it is not a plan: write one with `voiceplane preview --out`";
  try {
    if (!isAbsolute(file)) throw new Error("it must be an absolute path");
    const plan = planSchema.safeParse(parseJson(readFileSync(file, "utf8")));
    if (plan.success) return plan.data.requests;
  } catch (error) {
    reason = codeOf(error) ?? messageOf(error);
  }
  const name = cut(printable(file), 200);
  const message = `The plan ${name} cannot be read (${reason}), so nothing was sent.`;
  throw new ConfigError(problem("plan-unreadable", message));
}

/** Says what differs, and no value: a value may be secret. */
function notPlanned(request: PlannedRequest, list: readonly PlannedRequest[]): ConfigError {
  const { method } = operations[request.operation];
  const [near] = plannedNear(list, request);
  const differing = near ? differingMembers(near, request) : [];
  const why = !near
    ? "is not in the plan"
    : differing.length > 0
      ? `is in the plan with another ${differing.map((name) => printable(name)).join(" and ")}`
      : "is in the plan for another organization or address";
  const message =
    `${method} ${printable(request.path)} ${why}, so it was not sent. Preview again, and approve what it shows: what was unknown may be ` +
    "known now.";
  return new ConfigError(problem("not-planned", message));
}
