/** Names in the configuration that are not read, and that someone may have meant for a setting. */
import { nearest } from "../schema/suggestion.js";
import { warning, type Diagnostic } from "../values/diagnostic.js";
import { printable } from "../values/text.js";

/** The settings of a provider that users set, in the order of their problems. */
export const valueKeys = ["baseUrl", "token", "organization", "allowInsecureHttp"] as const;
export type ValueKey = (typeof valueKeys)[number];

/** What users may set. The program of a stack without code reads the last one. */
export const settingNames: readonly string[] = [...valueKeys, "organizationFile"];

/** What the configuration has, whether or not it is read. */
export interface ConfiguredNames {
  /** The keys with their namespace, which the properties of an explicit provider do not have. */
  readonly names: readonly string[];
  /** The project, which is the namespace of a key that was set without one. */
  readonly project?: string;
}

const folded = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, "");

/** A configured name that is not read, and the key that was probably meant. */
interface UnreadName {
  readonly key: string;
  /** Whether it is in our own namespace, where a program may have keys of its own too. */
  readonly isOwn: boolean;
  readonly warning: Diagnostic;
}

/**
 * The names that someone may have meant for a key: in our own namespace a similar name, in a namespace that may have been taken for ours the
 * same name but for case and signs. No text has a value.
 */
export function unreadIn({ names, project }: ConfiguredNames, providerName: string | undefined): UnreadName[] {
  const [prefix, owner] =
    providerName === undefined ? ["voiceplane:", "the configuration"] : ["", `the Provider "${providerName}"`];
  return names.flatMap((name) => {
    const isOwn = name.startsWith(prefix);
    const [namespace = "", rest = ""] = isOwn ? [prefix, name.slice(prefix.length)] : name.split(/:(?=[^:]*$)/);
    const mayBeMeant = isOwn || folded(namespace) === "voiceplane" || namespace === project;
    if (!mayBeMeant || (isOwn && settingNames.includes(rest))) return [];
    const same = settingNames.find((known) => folded(known) === folded(rest));
    const key = same ?? (isOwn ? nearest(rest, settingNames) : undefined);
    if (key === undefined) return [];
    const text = `${owner} has ${printable(name)}, which is not read: did you mean ${prefix}${key}?`;
    return [{ key, isOwn, warning: warning("setting-unread", text) }];
  });
}
