/** Reads a resource of the state, or one that is new to the engine, which knows its id alone. */
import * as pb from "@pulumi/pulumi/proto/provider_pb.js";
import type { Context } from "../../lifecycle/context.js";
import { isWrittenByHand, knownState } from "../../lifecycle/import-file.js";
import type { Lifecycle } from "../../lifecycle/lifecycle.js";
import type { Values } from "../../values/any.js";
import { errorOf } from "../../values/diagnostic.js";
import type { OrganizationScoped } from "../../lifecycle/object.js";
import { plainProperties, propertiesOf, structOf } from "./values.js";

export async function read(lifecycle: Lifecycle, ctx: Context, request: pb.ReadRequest): Promise<pb.ReadResponse> {
  const { values: state, secrets } = propertiesOf(request.getProperties());
  const { values: oldInputs } = plainProperties(request.getInputs());
  if (Object.keys(state).length === 0) return imported(lifecycle, ctx, request.getId());
  const current = await lifecycle.read(ctx, refreshed(lifecycle, ctx, state, oldInputs));
  return new pb.ReadResponse()
    .setId(request.getId())
    .setProperties(structOf(current, [...secrets, ...(lifecycle.secrets ?? [])]))
    .setInputs(request.getInputs());
}

/** Before the first update after an import, the inputs of the file say whether a person wrote the state. */
function refreshed(
  lifecycle: Lifecycle,
  ctx: Context,
  state: OrganizationScoped,
  oldInputs: Values,
): OrganizationScoped {
  if (!isWrittenByHand(oldInputs)) return state;
  return knownState(lifecycle, state, { organization: ctx.organization, __imported: true });
}

async function imported(lifecycle: Lifecycle, ctx: Context, id: string): Promise<pb.ReadResponse> {
  if (!lifecycle.import) {
    throw errorOf(
      "cannot-import",
      `a ${lifecycle.type} cannot be imported, because the control plane has no operation that reads it. ` +
        'Declare it with onCreate: "adopt" instead: the first update then sends nothing.',
    );
  }
  const found = await lifecycle.import(ctx, id);
  return new pb.ReadResponse()
    .setId(id)
    .setInputs(structOf(found.inputs))
    .setProperties(structOf(found.state, lifecycle.secrets));
}
