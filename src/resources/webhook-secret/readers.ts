/** What readers find in the state of a WebhookSecret. */
import { hiddenAs } from "../../lifecycle/effects/risk.js";
import type { Rotation, SecretCopy } from "../../lifecycle/readers.js";
import { textIn, type Values } from "../../values/any.js";

export const isUncertain = ({ rotationState }: Values): boolean => rotationState === "uncertain";

/** The rotations in any state. A value may be hidden, because the program made it secret, or missing, as after an import. */
export function rotationIn({ rotationState = "adopted", rotationCount, rotatedAt }: Values): Rotation {
  const isKnown = typeof rotationState === "string" && hiddenAs(rotationState) === undefined;
  return {
    state: isKnown ? rotationState : "uncertain",
    count: typeof rotationCount === "number" ? rotationCount : 0,
    at: typeof rotatedAt === "string" ? rotatedAt : undefined,
  };
}

/** A state has the secret as `secret`. `data` is an answer, which may contain it by another name. */
export const secretCopy: SecretCopy = {
  what: "the secret of this webhook",
  renewal: "change triggers, which rotates",
  isIn: ({ secret, data }) => secret !== undefined || data !== undefined,
  isCopied(old, newest = {}) {
    // Two resources may have rotated one webhook: the later secret is the one in use.
    const isLater = (textIn(old, "rotatedAt") ?? "") > (textIn(newest, "rotatedAt") ?? "");
    if (["rotated", "unread"].includes(rotationIn(newest).state)) return !isLater;
    if (newest.secret === undefined) return false;
    // Both secrets are from the program.
    const isDeclared = [old, newest].every((state) => rotationIn(state).state === "adopted");
    return isDeclared || newest.secret === old.secret;
  },
};
