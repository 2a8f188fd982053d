/**
 * A stack without code: reads the organization file and declares its content.
 *
 * Configuration: `voiceplane:organizationFile`, a path from the folder of Pulumi.yaml; default "organization.yaml".
 * Outputs: `webhookSecrets` and `previousWebhookSecrets` (secret), by the names of the file.
 *
 * The program of such a stack is one line, `module.exports = require("pulumi-voiceplane/stack")`. A file that is missing or
 * wrong ends it with every problem, by line and column, before anything is sent.
 *
 * @module pulumi-voiceplane/stack
 */
import "../provider/supported-node.js";
import { resolve } from "node:path";
import { Config } from "@pulumi/pulumi/config";
import { RunError } from "@pulumi/pulumi/errors";
import { getRootDirectory } from "@pulumi/pulumi/metadata";
import type { Output } from "@pulumi/pulumi/output";
import { blockText, inFile, problem, type Diagnostic, withCode } from "../values/diagnostic.js";
import { printable } from "../values/text.js";
import type { OrganizationArgs } from "./generated/organization-args.js";
import { Organization } from "./organization.js";
import { isPlain } from "./default-settings.js";
import { sectionNames, sectionOf } from "../organization-file/entries.js";
import { contentOf, defaultOrganizationFile } from "../organization-file/content.js";
import { organizationFileHeading, type OrganizationFile } from "../organization-file/schema.js";
import { readOrganizationFile } from "../organization-file/reader.js";

const file = new Config("voiceplane").get("organizationFile") ?? defaultOrganizationFile;
const content = load(file);
// No user code runs in this process, so nobody needs stack traces. The SDK takes one for each promise, a third of the program's time.
if (process.env.PULUMI_NODEJS_MONITOR !== undefined && process.env.VOICEPLANE_DEBUG !== "1") Error.stackTraceLimit = 0;
const organization = new Organization("org", withSecrets(content));

/** The signing secret of each webhook, by its name in the file; undefined where it is not known. Secret. */
export const webhookSecrets: Output<Record<string, string | undefined>> = organization.webhookSecrets;

/** The previous secret of each webhook, which receivers should accept too; undefined where there was none. Secret. */
export const previousWebhookSecrets: Output<Record<string, string | undefined>> = organization.previousWebhookSecrets;

/**
 * The content, with the secrets of the configuration that it names. No message shows such a name: someone may have written the secret itself.
 *
 * @throws RunError
 */
function withSecrets(content: OrganizationFile): OrganizationArgs {
  const problems: Diagnostic[] = [];
  const secretOf = (path: readonly string[], name: string) => {
    const [, namespace, own = ""] = /^(?:(.*):)?(.*)$/.exec(name) ?? [];
    const config = new Config(namespace);
    const secret = config.getSecret(own);
    const set = "`pulumi config set --secret NAME`";
    if (secret === undefined)
      problems.push(problem("missing", `the configuration has no secret of this name: run ${set}`, path));
    else if (isPlain(`${config.name}:${own}`))
      problems.push(problem("secret-plain", `is in plain text in the configuration: run ${set}, and rotate it`, path));
    return secret;
  };
  const sections = sectionNames.map((section) => {
    const secretNames = Object.keys(sectionOf(section).secretNames ?? {});
    const entries = Object.entries(content[section] ?? {}).map(([key, entry]) => {
      const named = secretNames.flatMap((property) => {
        const name = entry[property];
        return typeof name === "string" ? [[property, secretOf([section, key, property], name)] as const] : [];
      });
      return [key, { ...entry, ...Object.fromEntries(named) }] as const;
    });
    return [section, Object.fromEntries(entries)] as const;
  });
  if (problems.length > 0) throw new RunError(blockText(organizationFileHeading, problems));
  return { ...content, ...Object.fromEntries(sections) } as unknown as OrganizationArgs;
}

function load(path: string): OrganizationFile {
  const folder = getRootDirectory();
  const content = contentOf(resolve(folder, path), folder);
  if (typeof content === "string") {
    const advice = content === "ENOENT" ? ": voiceplane:organizationFile names the organization file" : "";
    throw new RunError(withCode(`${printable(path)} cannot be read (${content})${advice}`, "file-unreadable"));
  }
  const reading = readOrganizationFile(content);
  if ("organization" in reading) return reading.organization;
  throw new RunError(
    blockText(
      organizationFileHeading,
      reading.problems.map((each) => inFile(each, path)),
    ),
  );
}
