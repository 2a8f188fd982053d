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
import type { Values } from "../values/any.js";
import { blockText, inFile, type Diagnostic, withCode } from "../values/diagnostic.js";
import { printable } from "../values/text.js";
import type { OrganizationArgs } from "./generated/organization-args.js";
import { Organization } from "./organization.js";
import { isPlain } from "./default-settings.js";
import { contentOf, defaultOrganizationFile } from "../organization-file/content.js";
import { organizationFileHeading } from "../organization-file/schema.js";
import { readOrganizationFile, type DeclaredFile } from "../organization-file/reader.js";
import { secretProblems, secretsNamedIn } from "../organization-file/secrets.js";

const file = new Config("voiceplane").get("organizationFile") ?? defaultOrganizationFile;
const declared = load();
// No user code runs in this process, so nobody needs stack traces. The SDK takes one for each promise, a third of the program's time.
if (process.env.PULUMI_NODEJS_MONITOR !== undefined && process.env.VOICEPLANE_DEBUG !== "1") Error.stackTraceLimit = 0;
const organization = new Organization("org", withSecrets(declared));

/** The signing secret of each webhook, by its name in the file; undefined where it is not known. Secret. */
export const webhookSecrets: Output<Record<string, string | undefined>> = organization.webhookSecrets;

/** The previous secret of each webhook, which receivers should accept too; undefined where there was none. Secret. */
export const previousWebhookSecrets: Output<Record<string, string | undefined>> = organization.previousWebhookSecrets;

/** The content, with the secrets of the configuration that it names. @throws RunError */
function withSecrets(declared: DeclaredFile): OrganizationArgs {
  const configOf = (name: string) => {
    const [, namespace, own = ""] = /^(?:(.*):)?(.*)$/.exec(name) ?? [];
    const config = new Config(namespace);
    return { secret: config.getSecret(own), key: `${config.name}:${own}` };
  };
  const problems = secretProblems(declared, (name) => {
    const { secret, key } = configOf(name);
    return secret === undefined ? "none" : isPlain(key) ? "plain" : "secret";
  });
  if (problems.length > 0) throw wrongFile(problems);
  const args = structuredClone(declared.organization) as Record<string, Record<string, Values>>;
  for (const { path, name } of secretsNamedIn(declared)) {
    const [section, key, property] = path;
    const entry = args[section]?.[key];
    if (entry) entry[property] = configOf(name).secret;
  }
  return args;
}

function wrongFile(problems: readonly Diagnostic[]): RunError {
  const inThisFile = problems.map((each) => inFile(each, file));
  return new RunError(blockText(organizationFileHeading, inThisFile));
}

function load(): DeclaredFile {
  const folder = getRootDirectory();
  const content = contentOf(resolve(folder, file), folder);
  if (typeof content === "string") {
    const advice = content === "ENOENT" ? ": voiceplane:organizationFile names the organization file" : "";
    throw new RunError(withCode(`${printable(file)} cannot be read (${content})${advice}`, "file-unreadable"));
  }
  const reading = readOrganizationFile(content);
  if ("organization" in reading) return reading;
  throw wrongFile(reading.problems);
}
