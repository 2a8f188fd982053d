/** Reads a resource of the state, or one that is new to the engine, which knows its id alone. */
import * as pb from "@pulumi/pulumi/proto/provider_pb.js";
import type { Context } from "../../lifecycle/context.js";
import type { Lifecycle } from "../../lifecycle/lifecycle.js";
import { errorOf } from "../../values/diagnostic.js";
import { adoptInstead } from "../check.js";
import { propertiesOf, structOf } from "./values.js";

export async function readResource(
  lifecycle: Lifecycle,
  ctx: Context,
  request: pb.ReadRequest,
): Promise<pb.ReadResponse> {
  const { values: state, secrets } = propertiesOf(request.getProperties());
  if (Object.keys(state).length === 0) return imported(lifecycle, ctx, request.getId());
  const current = await lifecycle.read(ctx, state);
  return new pb.ReadResponse()
    .setId(request.getId())
    .setProperties(structOf(current, [...secrets, ...(lifecycle.secrets ?? [])]))
    .setInputs(request.getInputs());
}

async function imported(lifecycle: Lifecycle, ctx: Context, id: string): Promise<pb.ReadResponse> {
  const noRead = `a ${lifecycle.type} cannot be imported, because the control plane has no operation that reads it.`;
  if (!lifecycle.import) throw errorOf("cannot-import", `${noRead} ${adoptInstead}`);
  const found = await lifecycle.import(ctx, id);
  return new pb.ReadResponse()
    .setId(id)
    .setInputs(structOf(found.inputs))
    .setProperties(structOf(found.state, lifecycle.secrets));
}
