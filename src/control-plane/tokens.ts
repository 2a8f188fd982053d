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

export const bearerToken = (authorization = ""): string | undefined => /^bearer +(\S+) *$/i.exec(authorization)?.[1];

export const tokenName = (token: string | undefined): TokenName | undefined =>
  (Object.keys(tokens) as TokenName[]).find((name) => tokens[name] === token);
