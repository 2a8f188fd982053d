/** The policies that stopped a run, from its events. */
import { parseJson, urnParts } from "../values.js";
import { z } from "zod";

const violation = z.object({
  policyEvent: z.object({
    message: z.string(),
    policyName: z.string(),
    resourceUrn: z.string().optional(),
    enforcementLevel: z.string(),
  }),
});

/** One line for each mandatory policy and resource. */
export function violationsIn(events: string): string[] {
  return events.split("\n").flatMap((line) => {
    if (!line.includes('"policyEvent"')) return [];
    const { data } = violation.safeParse(parseJson(line));
    if (data?.policyEvent.enforcementLevel !== "mandatory") return [];
    const { message, policyName, resourceUrn = "" } = data.policyEvent;
    const name = resourceUrn === "" ? "" : ` for ${urnParts(resourceUrn).name}`;
    return [`the policy ${policyName} was violated${name}: ${message.trim()}`];
  });
}
