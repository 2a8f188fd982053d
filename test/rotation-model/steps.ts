/** What can happen to a webhook, its declaration and the engine, one thing after another. */
import fc from "fast-check";
import { fates, listings, type Fate, type Listing, type Style } from "./memory-plane.js";

export type Step =
  | { readonly do: "up"; readonly fate: Fate }
  | { readonly do: "replace"; readonly fate: Fate }
  | { readonly do: "preview" | "somebody rotates" | "remove" | "destroy" }
  | { readonly do: "refresh"; readonly listing: Listing }
  | { readonly do: "webhook exists"; readonly exists: boolean }
  | { readonly do: "days pass"; readonly days: number }
  | { readonly do: "trigger"; readonly value: number }
  | { readonly do: "period"; readonly days: number | undefined }
  | { readonly do: "adopt"; readonly knows: "the secret" | "another one" | "nothing" }
  | { readonly do: "rotate on create"; readonly keeps: boolean }
  | { readonly do: "secretPath"; readonly isSet: boolean }
  | { readonly do: "answers change"; readonly style: Style };

/** Half of all rotations succeed, so that histories grow long. */
const fate = fc.oneof(fc.constant<Fate>("done"), fc.constantFrom(...fates));

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant("up" as const), fate }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("replace" as const), fate }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom("preview", "somebody rotates", "remove", "destroy") }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("refresh" as const), listing: fc.constantFrom(...listings) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("webhook exists" as const), exists: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("days pass" as const), days: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("trigger" as const), value: fc.integer({ min: 0, max: 2 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("period" as const), days: fc.constantFrom(undefined, 7, 30, 90) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("adopt" as const),
      knows: fc.constantFrom("the secret", "another one", "nothing"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("rotate on create" as const), keeps: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("secretPath" as const), isSet: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("answers change" as const),
      style: fc.constantFrom<Style>("usual", "hidden", "nowhere"),
    }),
  },
);

export const anyHistory = fc.array(step, { minLength: 1, maxLength: 40, size: "max" });
