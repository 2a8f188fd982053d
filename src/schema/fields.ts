/** The properties and the types of values that several resources have. Errors ("retentionDays: must be …") and editors show the descriptions. */
import * as z from "zod";
import { invisibleIn } from "../values/text.js";
import { documented, typeNamed } from "./documentation.js";

/** @param pattern for editors. It may accept more than `isValid`, and has no lookaround, which some editors do not know */
export const text = (isValid: (text: string) => boolean, description: string, pattern: string) =>
  z
    .string()
    .refine(isValid)
    .describe(description)
    .meta({ pattern: `^(?:${pattern})$` });

export const flag = z.boolean().describe("true or false");

/** Characters that nobody sees and slashes in an id are mistakes. So are "." and "..", because URLs resolve them. */
const isId = (id: string): boolean =>
  id !== "" && id !== "." && id !== ".." && id.trim() === id && !/[/\\]/.test(id) && invisibleIn(id) === undefined;

// As a pattern, by the number of characters: one that is no dot, two that are not both dots, or more. None has white space at an end.
const inId = String.raw`[^/\\\x00-\x1f\x7f-\x9f]`;
const atEndOfId = inId.replace("[^", String.raw`[^\s`);
const notDot = inId.replace("[^", String.raw`[^\s.`);

export const id = text(
  isId,
  'a string without slashes or spaces around it, and not empty, "." or ".."',
  `${notDot}|${notDot}${atEndOfId}|${atEndOfId}${notDot}|${atEndOfId}${inId}+${atEndOfId}`,
);

export const periodPattern = /^[1-9]\d{0,3}d$/;

export const wholeDays = z.string().regex(periodPattern).describe('text such as "90d", from "1d" to "9999d"');

/** No fraction and no large number: a change from 1.1 to 1.10, or between two numbers that JavaScript rounds to one, would be none. */
const trigger = z
  .union([z.string(), z.number().refine(Number.isSafeInteger), z.boolean()])
  .describe("a string, a boolean or a whole number below 2^53 (any other number in quotes)");

export const triggers = typeNamed(
  z.record(z.string(), trigger).describe('a map of strings, whole numbers or booleans, such as { quarter: "2026-Q4" }'),
  "Triggers",
  'Values of your choice, such as `{ quarter: "2026-Q4" }`. Any change repeats the operation.',
);

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
  'What the first update sends. Default: `"overwrite"`.',
).optional();

/** The arguments of a setting that say when it is sent although no value of it changed: at the first update, and on a date. */
export const sending = {
  onCreate: documented(
    settingOnCreate,
    "What the first update sends. No default, so that a missing argument cannot replace what is in use.",
  ),
  reassertAfter: documented(
    wholeDays,
    "Sends the setting again at the first update after this time, and so replaces changes made elsewhere. Default: never.",
  ).optional(),
};

/** The outputs of every resource. */
export const outputs = {
  requestId: documented(z.string(), "The id of the last request. Adopted values have an id of their own.").optional(),
  organization: documented(z.string(), "The organization: the provider's name, or `voiceplane:organization`."),
};

/** The outputs of every setting. */
export const settingOutputs = {
  confirmed: documented(
    flag,
    "`false` while the values are adopted and no request has sent any. Not set otherwise.",
  ).optional(),
  ...outputs,
};
