/** The document of a stack's state: what `pulumi stack export` prints, or a file of a state backend. */
import { z } from "zod";
import { isObject, parseJson } from "../../values/any.js";
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
  initErrors: listOf(z.unknown()),
  additionalSecretOutputs: listOf(z.string()),
  delete: z.boolean().nullish(),
  pendingReplacement: z.boolean().nullish(),
  taint: z.boolean().nullish(),
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

/** @throws Error in one line, with nothing of the text */
export function readDeployment(text: string): z.infer<typeof deploymentSchema> {
  const { version, deployment } = deploymentIn(text);
  const unreadable = (why: string) => new Error(`the input is a stack's export that cannot be read: ${why}`);
  if (version !== 3 && version !== 4)
    throw unreadable("its version is not one that this version of voiceplane knows (3, 4)");
  const parsed = deploymentSchema.safeParse(deployment);
  if (parsed.success) return parsed.data;
  // The first three keys of the path are of the format, and contain no secret.
  throw unreadable(`${parsed.error.issues[0]?.path.slice(0, 3).join(".")} is missing or has another type`);
}

function deploymentIn(text: string): { readonly version: unknown; readonly deployment: unknown } {
  const advice = "pass the complete output of `pulumi stack export`";
  if (text.trim() === "") throw new Error(`the input is empty: ${advice}`);
  const document = parseJson(text.replace(/^\uFEFF/, ""));
  const { version, deployment, checkpoint } = isObject(document) ? document : {};
  if (isObject(deployment)) return { version, deployment };
  if (isObject(checkpoint)) return { version, deployment: checkpoint.latest ?? {} };
  throw new Error(`the input is not a stack's state, or not all of it: ${advice}`);
}
