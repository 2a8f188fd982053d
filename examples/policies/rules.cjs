/**
 * Rules for what a stack declares. A rule reads the inputs of one resource and yields a sentence for each violation: the
 * property, and what would be right. Not its value, which the program may have made secret. The defaults of a rule's
 * configuration are beside it.
 *
 * In a preview, reading an input that is not known yet ends the rule: the engine prints "can't run policy … during preview".
 * The update knows the input, so the rule runs then, before the resource's request is sent.
 */
const { isIPv4 } = require("node:net");

const between = (minimum, maximum) => ({ type: "integer", minimum, maximum });

/** Days that data may be kept, inclusive. */
const bounds = {
  recordings: { min: 30, max: 365 },
  conversations: { min: 30, max: 365 },
  audit_events: { min: 365, max: 3650 },
};

const days = (kind) => ({
  type: "object",
  properties: { min: between(1, 3650), max: between(1, 3650) },
  additionalProperties: false,
  default: bounds[kind],
});

const rules = [
  rule({
    name: "retention-days",
    description: "Data is kept neither too long nor too short.",
    types: ["RetentionPolicy"],
    config: {
      recordings: days("recordings"),
      conversations: days("conversations"),
      audit_events: days("audit_events"),
    },
    *check({ resource, retentionDays, onDelete }, config) {
      // A configuration with one of the two keeps the default of the other.
      const { min, max } = { ...bounds[resource], ...config[resource] };
      const declared = { retentionDays, "onDelete.retentionDays": onDelete?.retentionDays };
      for (const [property, value] of Object.entries(declared)) {
        if (value < min || value > max)
          yield `${property} of ${resource} is out of bounds: declare ${min} to ${max} days.`;
      }
    },
  }),

  rule({
    name: "retention-enabled",
    description: "A retention policy is in force, also after the stack is destroyed.",
    types: ["RetentionPolicy"],
    *check({ enabled, onDelete }) {
      if (enabled === false) yield "enabled is false: remove it, or declare true.";
      if (onDelete?.enabled === false) yield "onDelete.enabled is false: declare true.";
    },
  }),

  rule({
    name: "retention-shortening",
    description: "Fewer days delete data for good, so a person says so with a label on the pull request.",
    types: ["RetentionPolicy"],
    config: { label: { type: "string", minLength: 1, default: "shorten-retention" } },
    *check(props, { label }) {
      // Declared, whatever its value: an update after the merge has the label, so a value that the preview does not know counts here.
      const isDeclared = "allowShortening" in props;
      const labels = (process.env.PULL_REQUEST_LABELS ?? "").split(",").map((each) => each.trim());
      if (!isDeclared || labels.includes(label)) return;
      yield (
        `allowShortening is declared, and the pull request has no label "${label}": add the label, or remove ` +
        "allowShortening once the days are shorter."
      );
    },
  }),

  rule({
    name: "destroy-changes-nothing",
    description: "Removing a resource, or destroying the stack, switches nothing off.",
    types: ["RetentionPolicy", "NetworkPolicy", "TrunkOutboundAuth"],
    *check({ onDelete = "retain" }) {
      // Other rules check the values of an object.
      if (typeof onDelete === "string" && onDelete !== "retain") yield `onDelete is "${onDelete}": declare "retain".`;
    },
  }),

  rule({
    name: "network-range",
    description: "A range is small enough to be meant. Two halves of the internet are no smaller than all of it.",
    types: ["NetworkPolicy"],
    config: { minPrefixIPv4: { ...between(1, 32), default: 16 }, minPrefixIPv6: { ...between(1, 128), default: 32 } },
    *check({ sourceCidr, onDelete }, { minPrefixIPv4, minPrefixIPv6 }) {
      for (const [property, text] of Object.entries({ sourceCidr, "onDelete.sourceCidr": onDelete?.sourceCidr })) {
        if (text === undefined) continue;
        const { family, prefix } = readRange(text);
        const shortest = family === "IPv4" ? minPrefixIPv4 : minPrefixIPv6;
        if (prefix >= shortest) continue;
        yield `${property} is a range of ${family} with the prefix /${prefix}: declare /${shortest} or a longer prefix.`;
      }
    },
  }),

  rule({
    name: "network-must-include",
    description: "A range names the addresses that it has to contain, so that a wrong one locks nobody out.",
    types: ["NetworkPolicy"],
    *check({ sourceCidr, mustInclude, onDelete }) {
      if (mustInclude?.length > 0) return;
      if (sourceCidr !== undefined)
        yield 'mustInclude is missing: list the addresses that must stay in sourceCidr, such as ["203.0.113.7"].';
      else if (onDelete?.sourceCidr !== undefined)
        yield "onDelete.sourceCidr is declared without mustInclude: declare sourceCidr and mustInclude too.";
    },
  }),

  rule({
    name: "webhook-rotation",
    description: "A webhook's secret is rotated regularly.",
    types: ["WebhookSecret"],
    config: { maxDays: { ...between(1, 9999), default: 90 } },
    *check({ rotateAfter }, { maxDays }, { ignoreChanges = [] }) {
      if (rotateAfter === undefined) yield `rotateAfter is missing: declare "${maxDays}d" or less.`;
      else if (parseInt(rotateAfter) > maxDays) yield `rotateAfter is too long: declare "${maxDays}d" or less.`;
      // The provider keeps the old date then, which never comes.
      if (ignoreChanges.some((path) => /rotateOn|\*/.test(path)))
        yield "the option ignoreChanges keeps the due date, so the secret is never rotated: leave rotateOn and * out of it.";
    },
  }),
];

/** A policy for resources of these types, of the classes as well as of the native plugin. */
function rule({ name, description, types, config = {}, check }) {
  return {
    name,
    description,
    configSchema: { properties: config },
    validateResource({ type, props, opts, getConfig }, reportViolation) {
      const [, own] = /^(?:pulumi-nodejs:dynamic\/voiceplane|voiceplane:index):(\w+)$/.exec(type) ?? [];
      if (!types.includes(own)) return;
      const misspelled = Object.keys(getConfig()).find((key) => !(key in config)); // The engine accepts any key.
      if (misspelled) throw new Error(`${name} has no configuration "${misspelled}".`);
      for (const problem of check(props, getConfig(), opts)) reportViolation(problem);
    },
  };
}

/** The first 96 bits of ::ffff:0:0/96, which is the whole of IPv4, written as IPv6. */
const mapped = "0".repeat(80) + "1".repeat(16);

/** The provider has checked the range. One that contains the whole of IPv4 has no prefix, as far as IPv4 goes. */
function readRange(text) {
  const [address, digits] = text.split("/");
  const prefix = Number(digits);
  if (isIPv4(address)) return { family: "IPv4", prefix };
  const length = Math.min(prefix, mapped.length);
  const isMapped = bitsOf(address).slice(0, length) === mapped.slice(0, length);
  return isMapped ? { family: "IPv4", prefix: Math.max(0, prefix - 96) } : { family: "IPv6", prefix };
}

/** 128 digits. URLs write IPv6 in one way. */
function bitsOf(address) {
  const [before, after] = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .split("::")
    .map((part) => part.split(":").filter((group) => group !== ""));
  const zeros = Array(8 - before.length - (after?.length ?? 0)).fill("0");
  return [...before, ...zeros, ...(after ?? [])]
    .map((group) => parseInt(group, 16).toString(2).padStart(16, "0"))
    .join("");
}

module.exports = { rules };
