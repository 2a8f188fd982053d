/** The secrets of a stack's configuration that an organization file names. */
import { problem, type Diagnostic } from "../values/diagnostic.js";
import { sectionNames, sectionOf } from "./entries.js";
import type { DeclaredFile } from "./reader.js";

interface NamedSecret {
  /** Of the entry's property. */
  readonly path: readonly [section: string, key: string, property: string];
  /** In the configuration. Without a namespace, it is the project's. */
  readonly name: string;
}

export function secretsNamedIn({ organization }: Pick<DeclaredFile, "organization">): NamedSecret[] {
  return sectionNames.flatMap((section) => {
    const properties = Object.keys(sectionOf(section).secretNames ?? {});
    return Object.entries(organization[section] ?? {}).flatMap(([key, entry]) =>
      properties.flatMap((property) => {
        const name = entry[property];
        return typeof name === "string" ? [{ path: [section, key, property] as const, name }] : [];
      }),
    );
  });
}

/**
 * The problems of these secrets. A message shows only a name that the configuration has: any other may be the secret itself.
 *
 * @param kindOf what the configuration has of a name
 */
export function secretProblems(
  declared: DeclaredFile,
  kindOf: (name: string) => "secret" | "plain" | "none",
): Diagnostic[] {
  return secretsNamedIn(declared).flatMap(({ path, name }) => {
    const kind = kindOf(name);
    if (kind === "secret") return [];
    const found =
      kind === "none"
        ? problem(
            "missing",
            "the configuration has no secret of this name: set it with `pulumi config set --secret`",
            path,
          )
        : problem(
            "secret-plain",
            `is in plain text in the configuration: run \`pulumi config set --secret ${name}\`, and rotate it`,
            path,
          );
    return [{ ...found, place: declared.placeOf(path) }];
  });
}
