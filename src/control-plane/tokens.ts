import type { OperationName } from "../contract.js";

/** What a token must hold for an operation: scopes where the interface names one, else the kind of permission. */
export type Right = "retention" | "networking" | "trunks:write" | "webhooks:write" | "webhooks:read";

export const requiredRight: Record<OperationName, Right> = {
  putRetentionPolicy: "retention",
  patchNetworkPolicy: "networking",
  clearTrunkOutboundAuth: "trunks:write",
  rotateWebhookSecret: "webhooks:write",
  listWebhooks: "webhooks:read",
};

/**
 * The development tokens. They are the same everywhere and printed on start, so they are not secret: use them to test what
 * a program does with too few rights.
 */
export const tokens = {
  full: "vp_dev_full",
  secondFull: "vp_dev_second_full",
  withoutRetention: "vp_dev_without_retention",
  withoutNetworking: "vp_dev_without_networking",
  withoutTrunksWrite: "vp_dev_without_trunks_write",
  withoutWebhooksWrite: "vp_dev_without_webhooks_write",
  withoutWebhooksRead: "vp_dev_without_webhooks_read",
} as const;
/**
 * What a development token is for: `full` and `secondFull` (another credential, with rate limits of its own) lack nothing,
 * each other one lacks the right that it names.
 *
 * @category Starting
 * @useDeclaredType
 */
export type TokenName = keyof typeof tokens;

/** What each token lacks; null where it lacks nothing. */
export const lacks: Record<TokenName, Right | null> = {
  full: null,
  secondFull: null,
  withoutRetention: "retention",
  withoutNetworking: "networking",
  withoutTrunksWrite: "trunks:write",
  withoutWebhooksWrite: "webhooks:write",
  withoutWebhooksRead: "webhooks:read",
};

export const tokenNames = Object.keys(tokens) as TokenName[];

/** Whose token an Authorization header carries; undefined for none and for an unknown one. */
export function identify(authorization: string | undefined): TokenName | undefined {
  const token = bearerToken(authorization);
  return tokenNames.find((name) => tokens[name] === token);
}

export function mayPerform(token: TokenName, operation: OperationName): boolean {
  return lacks[token] !== requiredRight[operation];
}

/** `text` without any token: those we know, and the one that came with the request. */
export function withoutTokens(text: string, authorization: string | undefined): string {
  const own = bearerToken(authorization);
  // Longest first, so that no token leaves the tail of another behind.
  const known: string[] = [...Object.values(tokens), ...(own === undefined ? [] : [own])];
  return known.sort((a, b) => b.length - a.length).reduce((rest, token) => rest.replaceAll(token, "[token]"), text);
}

function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
}
