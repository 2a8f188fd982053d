/** The document of a stack's state: what `pulumi stack export` prints, or a file of a state backend. */
import { z } from "zod";
import { isObject } from "../../values/any.js";
import { valuesSchema } from "../pulumi/events.js";

/** A list that is missing is read as an empty one. */
const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .nullish()
    .transform((found) => found ?? []);

const urn = z.string().startsWith("urn:pulumi:");
const resourceSchema = z.object({
  urn,
  type: z.string(),
  parent: z.string().nullish(),
  id: z.string().nullish(),
  inputs: valuesSchema,
  outputs: valuesSchema,
  additionalSecretOutputs: listOf(z.string()),
  delete: z.boolean().nullish(),
  created: z.iso.datetime({ offset: true }).nullish(),
  modified: z.iso.datetime({ offset: true }).nullish(),
});
const operationSchema = z.object({
  type: z.string(),
  resource: z.object({ urn, inputs: valuesSchema, outputs: valuesSchema }),
});
const deploymentSchema = z.object({
  manifest: z.object({ time: z.string().nullish() }).nullish(),
  resources: listOf(resourceSchema),
  pending_operations: listOf(operationSchema),
});

export type DeployedResource = z.infer<typeof resourceSchema>;

/** @param document undefined for a text that is no JSON. @throws Error in one line, with nothing of the text */
export function readDeployment(document: unknown): z.infer<typeof deploymentSchema> {
  const { version, deployment, checkpoint } = isObject(document) ? document : {};
  const found: unknown = isObject(checkpoint) ? (checkpoint.latest ?? {}) : deployment;
  if (!isObject(found))
    throw new Error("this is no state of a stack, or not all of it: pass the complete output of `pulumi stack export`");
  const unreadable = (why: string) => new Error(`the stack's export cannot be read: ${why}`);
  if (version !== 3 && version !== 4)
    throw unreadable("its version is not one that this version of voiceplane knows (3, 4)");
  const parsed = deploymentSchema.safeParse(found);
  if (parsed.success) return parsed.data;
  // The first three keys of the path are of the format, and contain no secret.
  throw unreadable(`${parsed.error.issues[0]?.path.slice(0, 3).join(".")} is missing or has another type`);
}
