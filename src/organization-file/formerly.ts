/** What entries were before: each name becomes aliases of the resource. */
import { problem, type Diagnostic } from "../values/diagnostic.js";
import { containsUnknown, isSecret } from "../values/engine.js";
import { composed } from "../values/text.js";

/** The property of an entry with its former names: one name, or a list. */
export const formerlyKey = "formerly";

/** The value of a secret; any other value itself. */
export const unmarked = (value: unknown): unknown => (isSecret(value) ? value.value : value);

/** The names in the property. They may be secret, and of any type. */
export const formerNames = (formerly: unknown = []): readonly unknown[] =>
  [unmarked(formerly)]
    .flat()
    .map(unmarked)
    .map((name) => (typeof name === "string" ? composed(name) : name));

/**
 * The problems of the former names in a section. A name must be free: only one resource can take over a state.
 *
 * @param whereIs what a message adds about the entry that has the name too, such as its line
 */
export function formerlyProblems(
  section: string,
  entries: object = {},
  whereIs: (entry: readonly [section: string, key: string]) => string = () => "",
): Diagnostic[] {
  const claims = new Map<unknown, string>();
  const names = new Set<unknown>(Object.keys(entries).map(composed));
  return Object.entries(entries).flatMap(([key, entry]: [string, { [formerlyKey]?: unknown } | undefined]) =>
    formerNames(entry?.[formerlyKey]).flatMap((name) => {
      const found = (text: string) => [problem("former-name", text, [section, key, formerlyKey])];
      if (typeof name !== "string" || containsUnknown(name))
        return found("must be a name of an entry, or a list of such names, known before the run");
      if (names.has(name) && name !== composed(key)) {
        const advice = "give that one another name, or remove it here. Two entries change places in two steps";
        return found(`${name} is the name of another entry: ${advice}${whereIs([section, name])}`);
      }
      const claimer = claims.get(name);
      claims.set(name, claimer ?? key);
      if (claimer === undefined) return [];
      if (claimer === key) return found(`${name} is here twice: remove one`);
      return found(
        `${name} is a former name of another entry too: remove one of the two${whereIs([section, claimer])}`,
      );
    }),
  );
}
