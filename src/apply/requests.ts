/** What the provider logged of the requests of a run. */
import { readFileSync } from "node:fs";
import { z } from "zod";

const logged = z.object({
  operation: z.string(),
  result: z.string(),
  succeeded: z.boolean(),
});

export interface RequestCounts {
  /** Attempts that left for the server. */
  readonly requests: number;
  /** Rotations that the server confirmed. */
  readonly rotations: number;
}

export function countRequests(file: string): RequestCounts {
  const attempts = linesOf(file).filter(({ result }) => result !== "not-sent");
  const rotations = attempts.filter(({ operation, succeeded }) => operation === "rotateWebhookSecret" && succeeded);
  return { requests: attempts.length, rotations: rotations.length };
}

/** A line that a killed process has not finished is left out. */
function linesOf(file: string): z.infer<typeof logged>[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line) => {
    try {
      return [logged.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
}
