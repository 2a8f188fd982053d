/** The secrets of a stack's configuration that an organization file names. */
import { textIn } from "../values/any.js";
import { problem, type Diagnostic } from "../values/diagnostic.js";
import { sectionNames, sectionOf } from "./entries.js";
import type { DeclaredFile } from "./reader.js";

interface NamedSecret {
  /** Where the file names it. */
  readonly path: readonly [section: string, key: string, property: string];
  /** The key in the configuration. Without a namespace, it is the project's. */
  readonly name: string;
}

export function secretsNamedIn({ organization }: Pick<DeclaredFile, "organization">): NamedSecret[] {
  const found: NamedSecret[] = [];
  for (const section of sectionNames)
    for (const [key, entry] of Object.entries(organization[section] ?? {}))
      for (const property of Object.keys(sectionOf(section).secretNames ?? {})) {
        const name = textIn(entry, property);
        if (name !== undefined) found.push({ path: [section, key, property], name });
      }
  return found;
}

/**
 * The problems of these secrets. A message shows only a name that the configuration has: any other may be the secret itself.
 *
 * @param kindOf what the configuration has under a name
 */
export function secretProblems(
  declared: DeclaredFile,
  kindOf: (name: string) => "secret" | "plain" | "none",
): Diagnostic[] {
  return secretsNamedIn(declared).flatMap(({ path, name }) => {
    const kind = kindOf(name);
    if (kind === "secret") return [];
    const unset = "the configuration has no secret of this name: set it with `pulumi config set --secret`";
    const plain = `is in plain text in the configuration: run \`pulumi config set --secret ${name}\`, and rotate it`;
    const found = kind === "none" ? problem("missing", unset, path) : problem("secret-plain", plain, path);
    return [{ ...found, place: declared.placeOf(path) }];
  });
}
