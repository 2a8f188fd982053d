/** The development tokens, the right that each lacks, and which machine a request is from. */
import { contains, parseAddressOrCidr } from "../contract/cidr.js";
import { handlers } from "./operations.js";

/** The development tokens. They are the same on every machine and not secret. */
export const tokens = {
  full: "vp_dev_full",
  secondFull: "vp_dev_second_full",
  withoutRetention: "vp_dev_without_retention",
  withoutNetworking: "vp_dev_without_networking",
  withoutTrunksWrite: "vp_dev_without_trunks_write",
  withoutWebhooksWrite: "vp_dev_without_webhooks_write",
  withoutWebhooksRead: "vp_dev_without_webhooks_read",
} as const;
/** The name of a development token. `full` and `secondFull` have every right. Every other token lacks the right in its name. */
export type TokenName = keyof typeof tokens;

export const tokenNames = Object.keys(tokens) as TokenName[];

/** The right that a token lacks. Undefined for a token with every right. */
export function lackingRight(token: TokenName): string | undefined {
  const name = token.replace("without", "").toLowerCase();
  return Object.values(handlers).find(({ right }) => right.replace(":", "") === name)?.right;
}

const bearerToken = (authorization = ""): string | undefined => /^bearer +(\S+) *$/i.exec(authorization)?.[1];

export function identify(authorization: string | undefined): TokenName | undefined {
  return tokenNames.find((name) => tokens[name] === bearerToken(authorization));
}

/** Replaces the development tokens and the request's own token, the longest first, because one token can be the start of another. */
export function withoutTokens(text: string, authorization: string | undefined): string {
  const known: string[] = [...Object.values(tokens), bearerToken(authorization) ?? ""].filter(Boolean);
  return known.sort((a, b) => b.length - a.length).reduce((rest, token) => rest.replaceAll(token, "[token]"), text);
}

const loopback = ["127.0.0.0/8", "::1"].flatMap((text) => parseAddressOrCidr(text) ?? []);

/** Whether the name or address always means this machine. IPv6 sockets write IPv4 addresses as `::ffff:127.0.0.1`. */
export function isThisMachine(host: string): boolean {
  const range = parseAddressOrCidr(host);
  return host === "localhost" || (range !== undefined && loopback.some((own) => contains(own, range)));
}
