/** The properties of a NetworkPolicy. */
import * as z from "zod";
import { parseAddressOrCidr, parseCidr } from "../../contract/cidr.js";
import { documented, typeNamed } from "../../schema/documentation.js";
import * as fields from "../../schema/fields.js";
import { invisibleIn } from "../../values/text.js";

// Scripts and emoji are joined by two of the characters that nobody sees.
const isPolicyName = (name: string): boolean =>
  name.trim() !== "" && invisibleIn(name.replaceAll(/[\u200c\u200d]/g, "")) === undefined;
const policyName = fields.text(isPolicyName, "a name that is not empty", String.raw`[\s\S]*\S[\s\S]*`);

const octet = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
const ipv4 = String.raw`${octet}(?:\.${octet}){3}`;
const group = String.raw`[\dA-Fa-f]{1,4}`;
const ipv6 =
  `(?:(?:${group}:){6}(?:${group}:${group}|${ipv4})|` +
  `(?:${group}(?::${group}){0,6})?::(?:(?:${group}:){0,6}(?:${group}|${ipv4}))?)`;
const prefix = { ipv4: String.raw`/(?:3[0-2]|[12]?\d)`, ipv6: String.raw`/(?:12[0-8]|1[01]\d|[1-9]?\d)` };

const cidr = fields.text(
  (range) => parseCidr(range) !== undefined,
  'a network range such as "203.0.113.0/24" or "2001:db8::/48"',
  `${ipv4}${prefix.ipv4}|${ipv6}${prefix.ipv6}`,
);

const address = fields.text(
  (range) => parseAddressOrCidr(range) !== undefined,
  'an address or network range such as "203.0.113.7" or "2001:db8::/64"',
  `${ipv4}(?:${prefix.ipv4})?|${ipv6}(?:${prefix.ipv6})?`,
);

const addresses = z
  .array(address)
  .describe('a list of addresses or network ranges such as "203.0.113.7" or "2001:db8::/64"');

const networkOnDelete = z
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

export const networkPolicyArgs = z.strictObject({
  networkPolicyId: documented(
    fields.id,
    "The id of an existing policy, as the platform shows it. A change replaces the resource.",
  ),
  name: documented(
    policyName,
    "The policy's name. Declare `name`, `sourceCidr` or both. Default: not managed.",
  ).optional(),
  sourceCidr: documented(
    cidr,
    "The policy's source range, IPv4 or IPv6. A range without the pipeline's own address may lock the pipeline out. Default: not managed.",
  ).optional(),
  mustInclude: documented(
    addresses,
    "Addresses that `sourceCidr` must contain, such as the pipeline's own. Default: none.",
  ).optional(),
  mustExclude: documented(addresses, "Addresses that `sourceCidr` must not contain. Default: none.").optional(),
  onDelete: documented(
    networkOnDelete,
    'What destroy sends. `"retain"`: nothing. An object: its fields, for whose range `mustInclude` and `mustExclude` count too. Default: `"retain"`.',
  ).optional(),
  ...fields.sending,
});
export type NetworkPolicyArgs = z.infer<typeof networkPolicyArgs>;

export const networkPolicyOutputs = z.object({
  networkPolicyId: documented(fields.id, "The policy's id."),
  name: documented(policyName, "The policy's name as last sent. Not set if it is not managed.").optional(),
  sourceCidr: documented(cidr, "The range as last sent, in canonical form. Not set if it is not managed.").optional(),
  ...fields.settingOutputs,
});
