/** Random steps of a history: events of a webhook, its declaration and the engine. */
import fc from "fast-check";
import { fates, listings, type Fate, type Listing, type Style } from "./memory-plane.js";
import type { Declaration } from "./reference.js";

export type Step =
  | { readonly do: "up"; readonly fate: Fate }
  | { readonly do: "replace"; readonly fate: Fate }
  | { readonly do: "preview" | "somebody rotates" | "remove" | "destroy" }
  | { readonly do: "refresh"; readonly listing: Listing }
  | { readonly do: "webhook exists"; readonly exists: boolean }
  | { readonly do: "days pass"; readonly days: number }
  | { readonly do: "edit"; readonly edit: Partial<Declaration> }
  | { readonly do: "adopt"; readonly knows: "the secret" | "another one" | "nothing" }
  | { readonly do: "answers change"; readonly style: Style };

/** Most rotations succeed, so that histories become long. */
const fate = fc.oneof({ weight: 2, arbitrary: fc.constant<Fate>("done") }, fc.constantFrom(...fates));

const is = <T extends string>(what: T): fc.Arbitrary<T> => fc.constant(what);
const edit = (...edits: Partial<Declaration>[]) => fc.record({ do: is("edit"), edit: fc.constantFrom(...edits) });

/** Relative frequencies, roughly in percent. */
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 30, arbitrary: fc.record({ do: is("up"), fate }) },
  { weight: 20, arbitrary: edit({ trigger: 0 }, { trigger: 1 }, { trigger: 2 }, { trigger: 3 }) },
  {
    weight: 9,
    arbitrary: fc.record({ do: is("answers change"), style: fc.constantFrom("usual", "hidden", "nowhere") }),
  },
  { weight: 7, arbitrary: edit({ findsHidden: true }, { findsHidden: false }) },
  { weight: 7, arbitrary: fc.record({ do: is("refresh"), listing: fc.constantFrom(...listings) }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constantFrom("preview", "preview", "somebody rotates", "remove", "destroy"),
    }),
  },
  // Periods are hit to the day, missed by one day, and skipped.
  { weight: 6, arbitrary: fc.record({ do: is("days pass"), days: fc.constantFrom(1, 6, 7, 8, 30, 100) }) },
  { weight: 5, arbitrary: edit({ period: 7 }, { period: 7 }, { period: 30 }, { period: undefined }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: is("adopt"), knows: fc.constantFrom("the secret", "another one", "nothing") }),
  },
  { weight: 2, arbitrary: edit({ onCreate: "rotate" }, { onCreate: "rotate", initialSecret: undefined }) },
  { weight: 2, arbitrary: fc.record({ do: is("replace"), fate }) },
  { weight: 2, arbitrary: fc.record({ do: is("webhook exists"), exists: fc.boolean() }) },
);

export const anyHistory = fc.array(step, { minLength: 1, maxLength: 50, size: "max" });
