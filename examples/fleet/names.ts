/** The name of an organization is that of its file, its stack and its token. */
const pattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** What is wrong with a name, in one line. undefined if nothing is. */
export function problemOfName(name: string): string | undefined {
  if (pattern.test(name)) return undefined;
  // For its PostgreSQL backend, an underscore stands for any character: with "a_b" and "a-b", each command fails.
  const hint = name.includes("_") ? `: rename it to ${name.replaceAll("_", "-").toLowerCase()}` : "";
  return `an organization's name may have a to z, 0 to 9 and single hyphens${hint}`;
}

/** The environment variable with the token of an organization. */
export function tokenVariable(name: string): string {
  return `VOICEPLANE_TOKEN_${name.replaceAll("-", "_").toUpperCase()}`;
}
