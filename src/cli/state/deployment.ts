/** The document of a stack's state, which `pulumi stack export` prints. */
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
  resources: listOf(resourceSchema),
  pending_operations: listOf(operationSchema),
});

export type DeployedResource = z.infer<typeof resourceSchema>;

/** @param document undefined for a text that is no JSON. @throws Error in one line, with nothing of the text */
export function readDeployment(document: unknown): z.infer<typeof deploymentSchema> {
  const { version, deployment } = isObject(document) ? document : {};
  const parsed = deploymentSchema.safeParse(deployment);
  if (parsed.success && (version === 3 || version === 4)) return parsed.data;
  const rule = "pass the complete output of `pulumi stack export`, of version 3 or 4";
  throw new Error(`this is no state of a stack that this version of voiceplane can read: ${rule}`);
}
