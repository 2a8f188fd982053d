/** The development tokens. They are the same on every machine and not secret. */
export const tokens = {
  /** Has all rights. */
  full: "vp_dev_full",
  /** Has all rights too: to try a change of the token. */
  secondFull: "vp_dev_second_full",
  /** Lacks the right of every operation. */
  noRights: "vp_dev_no_rights",
} as const;

/** The name of a development token. */
export type TokenName = keyof typeof tokens;

const bearerToken = (authorization = ""): string | undefined => /^bearer +(\S+) *$/i.exec(authorization)?.[1];

export function tokenIn(authorization: string | undefined): TokenName | undefined {
  const token = bearerToken(authorization);
  return (Object.keys(tokens) as TokenName[]).find((name) => tokens[name] === token);
}

/** Replaces the development tokens and the request's own token. */
export function withoutTokens(text: string, authorization: string | undefined): string {
  const known = [...Object.values(tokens), bearerToken(authorization) ?? ""].filter(Boolean);
  // The longest first, because one can be the start of another.
  return known.sort((a, b) => b.length - a.length).reduce((rest, token) => rest.replaceAll(token, "[token]"), text);
}
