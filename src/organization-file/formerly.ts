/** Former names of entries: each becomes an alias of the resource. Programs load it, so it does not import the validation library. */
import { containsUnknown, isSecret } from "../values/engine.js";

/** The key of an entry that has its former names: one, or a list. */
export const formerlyKey = "formerly";

/** The value of a secret; any other value itself. */
export const plain = (value: unknown): unknown => (isSecret(value) ? value.value : value);

export const formerNames = (formerly: unknown = []): readonly unknown[] => [plain(formerly)].flat().map(plain);

export interface FormerlyProblem {
  readonly path: readonly [section: string, key: string, typeof formerlyKey];
  readonly reason: string;
  /** The entry that has the name too. */
  readonly other?: readonly [section: string, key: string];
}

/** Only one resource can take over a state. */
export function formerlyProblems(section: string, entries: object = {}): FormerlyProblem[] {
  const claims = new Map<unknown, string>();
  return Object.entries(entries).flatMap(([key, entry]: [string, { [formerlyKey]?: unknown } | undefined]) =>
    formerNames(entry?.[formerlyKey]).flatMap((name): FormerlyProblem[] => {
      const path = [section, key, formerlyKey] as const;
      if (typeof name !== "string" || containsUnknown(name))
        return [{ path, reason: "must be a name of an entry, or a list of such names, known before the run" }];
      if (name === key) return [{ path, reason: `${name} is the entry's own name: remove it here` }];
      if (Object.hasOwn(entries, name)) {
        const advice = "give that one another name, or remove it here. Two entries change places in two steps";
        return [{ path, other: [section, name], reason: `${name} is the name of another entry: ${advice}` }];
      }
      const claimer = claims.get(name);
      claims.set(name, claimer ?? key);
      if (claimer === undefined) return [];
      if (claimer === key) return [{ path, reason: `${name} is here twice: remove one` }];
      const reason = `${name} is a former name of another entry too: remove one of the two`;
      return [{ path, reason, other: [section, claimer] }];
    }),
  );
}
