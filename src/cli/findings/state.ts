/** What is wrong with the state of a stack. */
import { messageOf } from "../../values/any.js";
import type { Environment } from "../../values/environment.js";
import type { QueryPulumi } from "../pulumi/answer.js";
import { exportedState } from "../pulumi/cli.js";
import { advice, duplicatesIn, duplicateText } from "../pulumi/conditions.js";
import { withUnsettled } from "../pulumi/state.js";
import { unsettledOn } from "../../provider/unsettled.js";
import { failure, ok, warning, type Finding } from "./finding.js";

/** Whether an update would send something again, or one object is declared twice. */
export async function checkState(
  pulumi: QueryPulumi,
  stack: string,
  place: { readonly folder: string; readonly env: Environment },
): Promise<Finding[]> {
  const exported = await exportedState(pulumi, stack, place).catch(messageOf);
  if (typeof exported === "string") return [failure("state", exported)];
  const state = withUnsettled(exported.state, unsettledOn(place.env));
  const { objects, pendingOperations } = state;
  const found = [
    ...pendingOperations.map(({ type, name }) =>
      warning("state", `an update ended while ${type} ${name}, or still runs`, "If it has ended, run `pulumi up`."),
    ),
    ...objects.filter(({ uncertain }) => uncertain).map(({ name }) => warning("state", `${name}: ${advice.uncertain}`)),
    ...duplicatesIn(state).map((resources) => {
      const commands = resources.map(({ urn }) => `\`pulumi state delete --stack ${stack} '${urn}'\``).join(" or ");
      return failure(
        "state",
        duplicateText(resources),
        `Remove the one that the program does not declare, by ${commands}, which sends nothing.`,
      );
    }),
  ];
  if (found.length > 0) return found;
  return [ok("state", `${objects.length || "no"} ${objects.length === 1 ? "object" : "objects"}`)];
}
