/**
 * What went wrong, in lines that may stand in the comment of a pull request. The service that runs a pipeline masks secrets
 * in its logs and not in comments, so nothing is repeated here that others may have put a secret into.
 */
import { cleanText } from "../../client/redact.js";
import { organizationFileHeading } from "../../organization-file/schema.js";
import { settingsHeading } from "../../pulumi/settings.js";
import type { PreviewProblem } from "./read.js";
import { nameIn, resourceOf, typeIn } from "./resources.js";

/** Lines that a reader can be expected to read, and that fit into a comment. */
const maxLines = 50;

/** Characters of what this package's own resources say: a guard's last half tells what to do, and has to arrive. */
const maxOwnLength = 1000;

/**
 * Nothing for "update failed", which the summary says.
 *
 * @param secrets what must not be repeated, wherever it stands
 */
export function errorLines(problems: readonly PreviewProblem[], secrets: readonly string[]): string[] {
  const lines = problems.flatMap((problem) => {
    if (isOwn(problem)) return [cleanText(withoutPrefix(problem.message), secrets, maxOwnLength) ?? wordless];
    return linesOf(problem).map((line) => cleanText(line, secrets) ?? wordless);
  });
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines), `and ${lines.length - maxLines} more`];
}

const wordless = "an error without words";

function isOwn({ urn }: PreviewProblem): boolean {
  return resourceOf(typeIn(urn)) !== undefined;
}

function linesOf({ urn, message }: PreviewProblem): string[] {
  const type = typeIn(urn);
  if (urn !== "" && type !== stackType) return [`${type} ${nameIn(urn)} has a problem: Pulumi's own output says which`];
  const [first = "", ...rest] = withoutPrefix(message).trim().split(/\r?\n/);
  if (first === organizationFileHeading || first === settingsHeading) return [first, ...rest];
  if (/^\w+ failed$/.test(first)) return [];
  // What follows is a stack trace as a rule, or the text of any exception, which may have a secret in it.
  return [rest.length > 0 ? `${first.replace(/:$/, "")} (Pulumi's own output has the rest)` : first];
}

/** What the engine says for the program, and for itself where it names a resource at all. */
const stackType = "pulumi:pulumi:Stack";

/** Without what the engine puts in front. */
function withoutPrefix(message: string): string {
  return message.replace(/^error: /, "").replace(/^1 error occurred:\s*\*\s*/, "");
}

/** Shorter values are placeholders, such as the text in place of a token that a preview wants, and are found in any text. */
const minSecretLength = 8;

/** The secrets of this package and of the engine that the report's own environment holds: jobs give them to all steps. */
export function secretsIn(env: NodeJS.ProcessEnv): string[] {
  const isSecret = (name: string) =>
    /^(?:VOICEPLANE_TOKEN(?:_.+)?|PULUMI_ACCESS_TOKEN|PULUMI_CONFIG_PASSPHRASE)$/.test(name);
  return Object.entries(env).flatMap(([name, value = ""]) =>
    isSecret(name) && value.length >= minSecretLength ? [value] : [],
  );
}
