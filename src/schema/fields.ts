/** The types of the user's values. Errors ("retentionDays: must be …") and editors show their descriptions. */
import * as z from "zod";
import { retentionDaysLimits, retentionResources } from "../contract/index.js";
import { parseAddressOrCidr, parseCidr } from "../contract/cidr.js";
import { documented, typeNamed } from "./documentation.js";

/** @param pattern for editors, which may accept more than `isValid`. Without lookaround, which not all of them know */
const text = (isValid: (text: string) => boolean, description: string, pattern: string) =>
  z
    .string()
    .refine(isValid)
    .describe(description)
    .meta({ pattern: `^(?:${pattern})$` });

export const retentionResource = typeNamed(
  z.enum(retentionResources).describe(`one of ${retentionResources.map((name) => `"${name}"`).join(", ")}`),
  "RetentionResource",
  "A kind of data with a retention policy.",
  { typeFrom: "contract/index.ts" },
);

export const days = z
  .int()
  .min(retentionDaysLimits.min)
  .max(retentionDaysLimits.max)
  .describe(`a whole number of days from ${retentionDaysLimits.min} to ${retentionDaysLimits.max}`);

export const flag = z.boolean().describe("true or false");

/** Control characters and slashes in an id are mistakes. So are "." and "..", because URLs resolve them. */
const isId = (id: string): boolean =>
  id !== "" && id !== "." && id !== ".." && id.trim() === id && !/[/\\\p{Cc}]/u.test(id);

const inId = String.raw`[^/\\\x00-\x1f\x7f-\x9f]`;
const atEndOfId = inId.replace("[^", String.raw`[^\s`);
const notDot = inId.replace("[^", String.raw`[^\s.`);

export const id = text(
  isId,
  'a string without slashes or spaces around it, and not empty, "." or ".."',
  `${notDot}|${notDot}${atEndOfId}|${atEndOfId}${notDot}|${atEndOfId}${inId}+${atEndOfId}`,
);

/** Servers accept several spellings of an id, so ids with the same key count as the same object. */
export const idKey = (id: string): string => id.toLowerCase();

export const policyName = text((name) => name.trim() !== "", "a name that is not empty", String.raw`[\s\S]*\S[\s\S]*`);

const octet = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
const ipv4 = String.raw`${octet}(?:\.${octet}){3}`;
const group = String.raw`[\dA-Fa-f]{1,4}`;
const ipv6 =
  `(?:(?:${group}:){6}(?:${group}:${group}|${ipv4})|` +
  `(?:${group}(?::${group}){0,6})?::(?:(?:${group}:){0,6}(?:${group}|${ipv4}))?)`;
const prefix = { ipv4: String.raw`/(?:3[0-2]|[12]?\d)`, ipv6: String.raw`/(?:12[0-8]|1[01]\d|[1-9]?\d)` };

export const cidr = text(
  (range) => parseCidr(range) !== undefined,
  'a network range such as "203.0.113.0/24" or "2001:db8::/48"',
  `${ipv4}${prefix.ipv4}|${ipv6}${prefix.ipv6}`,
);

const address = text(
  (range) => parseAddressOrCidr(range) !== undefined,
  'an address or network range such as "203.0.113.7" or "2001:db8::/64"',
  `${ipv4}(?:${prefix.ipv4})?|${ipv6}(?:${prefix.ipv6})?`,
);

export const addresses = z
  .array(address)
  .describe('a list of addresses or network ranges such as "203.0.113.7" or "2001:db8::/64"');

export const wholeDays = z
  .string()
  .regex(/^[1-9]\d{0,3}d$/)
  .describe('text such as "90d", from "1d" to "9999d"');

/** Where 1.1 and 1.10 are one number, a change from one to the other would be none. So are two large numbers that JavaScript rounds. */
const trigger = z
  .union([z.string(), z.number().refine(Number.isSafeInteger), z.boolean()])
  .describe("a string, a boolean or a whole number below 2^53 (any other number in quotes)");

export const triggers = typeNamed(
  z.record(z.string(), trigger).describe('a map of strings, whole numbers or booleans, such as { quarter: "2026-Q4" }'),
  "Triggers",
  'Values of your choice, such as `{ quarter: "2026-Q4" }`. Any change repeats the operation.',
);

const shorteningStep = typeNamed(
  z.strictObject({
    from: documented(days, "The days that are declared now."),
    to: documented(days, "The new days."),
  }),
  "ShorteningStep",
  "One step to fewer days.",
);

export const allowShortening = z
  .union([shorteningStep, z.array(shorteningStep)])
  .describe("{ from, to } in days: exactly the step to allow, or a list of such steps");

const retainOrDisable = [z.literal("retain"), z.literal("disable")] as const;

const settingDays = documented(days, "How many days this kind of data is kept. Fewer days delete data permanently.");
const settingEnabled = documented(flag, "Whether the policy is in force.");
const retentionSetting = typeNamed(
  z.strictObject({ retentionDays: settingDays, enabled: settingEnabled }),
  "RetentionSetting",
  "The policy that destroy sets.",
);
const organizationRetentionSetting = typeNamed(
  z.strictObject({ days: settingDays, enabled: settingEnabled }),
  "OrganizationRetentionSetting",
  "The policy that destroy sets, with `days` for `retentionDays`.",
);

export const retentionOnDelete = z
  .union([...retainOrDisable, retentionSetting])
  .describe('"retain", "disable" or { retentionDays: 1 to 3650, enabled: true or false }');

/** In an organization file, which accepts `days` and `retentionDays`. */
export const organizationRetentionOnDelete = z
  .union([...retainOrDisable, organizationRetentionSetting, retentionSetting])
  .describe('"retain", "disable" or { days: 1 to 3650, enabled: true or false }');

export const networkOnDelete = z
  .union([
    z.literal("retain"),
    typeNamed(
      z
        .strictObject({
          name: documented(policyName, "The policy's name. Default: unchanged.").optional(),
          sourceCidr: documented(
            cidr,
            "The policy's range. `mustInclude` and `mustExclude` apply to it. Default: unchanged.",
          ).optional(),
        })
        .refine((fields) => fields.name !== undefined || fields.sourceCidr !== undefined),
      "NetworkPolicyFields",
      "The fields that destroy sets: `name`, `sourceCidr` or both.",
    ),
  ])
  .describe('"retain" or { name, sourceCidr } with at least one of the two, valid as in the policy itself');

export const trunkOnDelete = z.enum(["retain", "clear"]).describe('"retain" or "clear"');

export const signingSecret = z.string().min(1).describe("a non-empty string");

export const secretPath = z
  .string()
  .regex(/^[^.\s]+(\.[^.\s]+)*$/)
  .describe('a dotted path, such as "webhook.signing_key"');

export const settingOnCreate = typeNamed(
  z
    .enum(["overwrite", "adopt"])
    .describe(
      '"overwrite" (the first update sends the setting, which replaces what the server has) or ' +
        '"adopt" (it sends nothing, because the server has the declared values)',
    ),
  "SettingOnCreate",
  "What the first update of a setting sends: the setting, or nothing.",
);

export const optionalOnCreate = documented(
  settingOnCreate,
  'What the first update sends. The output `confirmed` is `false` until adopted values are sent. Default: `"overwrite"`.',
).optional();

/** The arguments of settings about what is sent without a change: at the beginning, and on a date. */
export const sending = {
  onCreate: documented(
    settingOnCreate,
    "What the first update sends. The output `confirmed` is `false` until adopted values are sent. It has no default, so that a " +
      "missing argument cannot replace what is in use.",
  ),
  reassertAfter: documented(
    wholeDays,
    "Sends the setting again at the first update after this time, which replaces what was changed elsewhere. Default: never.",
  ).optional(),
  reassertUnattended: documented(
    flag,
    "`true` lets a pipeline send a due `reassertAfter` without approval. Otherwise `voiceplane preview` shows it as a risk. " +
      "Default: `false`.",
  ).optional(),
};

export const confirmed = documented(
  flag,
  '`false` while the values are those that `onCreate: "adopt"` took over and no request has sent any. Not set otherwise.',
).optional();

export const requestId = documented(
  z.string(),
  "The id of the last request, which the request log has too. If the values were adopted or imported, an id of their own.",
).optional();

export const organization = documented(
  z.string(),
  "The organization: the provider's name, `voiceplane:organization`, or the base URL with its path.",
);
