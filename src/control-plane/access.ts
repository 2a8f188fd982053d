/** The development tokens, the right that each lacks, and which machine a request is from. */
import { containsRange, parseAddressOrCidr } from "../contract/cidr.js";
import { operations, type OperationName } from "../contract/index.js";

type AnyOperation = (typeof operations)[OperationName];

/** A right within a name: `TrunksWrite` for "trunks:write". */
type InName<Right extends string> = Right extends `${infer First}${":" | "-"}${infer Rest}`
  ? `${Capitalize<First>}${InName<Rest>}`
  : Capitalize<Right>;

/** The name of a development token. `full` and `secondFull` have every right. Every other token lacks the right in its name. */
export type TokenName = "full" | "secondFull" | `without${InName<AnyOperation["right"]>}`;

const lacking = Object.fromEntries(
  Object.values(operations).map(({ right }) => {
    const words = right.split(/[:-]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
    return [`without${words.join("")}`, right];
  }),
) as Partial<Record<TokenName, AnyOperation["right"]>>;

/** The development tokens. They are the same on every machine and not secret. */
export const tokens = {
  full: "vp_dev_full",
  secondFull: "vp_dev_second_full",
  ...Object.fromEntries(
    Object.entries(lacking).map(([name, right]) => [name, `vp_dev_without_${right.replaceAll(/[:-]/g, "_")}`]),
  ),
} as Readonly<Record<TokenName, string>>;

export const tokenNames = Object.keys(tokens) as TokenName[];

/** The right that a token lacks. Undefined for a token with every right. */
export const lackingRight = (token: TokenName): string | undefined => lacking[token];

const bearerToken = (authorization = ""): string | undefined => /^bearer +(\S+) *$/i.exec(authorization)?.[1];

export function identify(authorization: string | undefined): TokenName | undefined {
  return tokenNames.find((name) => tokens[name] === bearerToken(authorization));
}

/** Replaces the development tokens and the request's own token, the longest first, because one token can be the start of another. */
export function withoutTokens(text: string, authorization: string | undefined): string {
  const known: string[] = [...Object.values(tokens), bearerToken(authorization) ?? ""].filter(Boolean);
  return known.sort((a, b) => b.length - a.length).reduce((rest, token) => rest.replaceAll(token, "[token]"), text);
}

const loopbackRanges = ["127.0.0.0/8", "::1"].flatMap((text) => parseAddressOrCidr(text) ?? []);

/** Whether the name or address always means this machine. IPv6 sockets write IPv4 addresses as `::ffff:127.0.0.1`. */
export function isThisMachine(host: string): boolean {
  const range = parseAddressOrCidr(host);
  return host === "localhost" || (range !== undefined && loopbackRanges.some((own) => containsRange(own, range)));
}
