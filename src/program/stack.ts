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
import { Output } from "@pulumi/pulumi/output";
import { contentOf, defaultOrganizationFile } from "../organization-file/content.js";
import { sectionNames, sectionOf } from "../organization-file/entries.js";
import { readOrganizationFile, type DeclaredFile } from "../organization-file/reader.js";
import { organizationFileHeading } from "../organization-file/schema.js";
import { textIn, type Values } from "../values/any.js";
import { blockText, inFile, problem, withCode, type Diagnostic } from "../values/diagnostic.js";
import { printable } from "../values/text.js";
import { isPlain } from "./configuration.js";
import type { OrganizationArgs } from "./generated/organization-args.js";
import { Organization } from "./organization.js";

const file = new Config("voiceplane").get("organizationFile") ?? defaultOrganizationFile;
const declared = load();
// No user code runs in this process, so nobody needs stack traces. The SDK takes one for each promise, a third of the program's time.
if (process.env.PULUMI_NODEJS_MONITOR !== undefined && process.env.VOICEPLANE_DEBUG !== "1") Error.stackTraceLimit = 0;
const organization = new Organization("org", withSecrets(declared));

/** The signing secret of each webhook, by its name in the file; undefined where it is not known. Secret. */
export const webhookSecrets: Output<Record<string, string | undefined>> = organization.webhookSecrets;

/** The previous secret of each webhook, which receivers should accept too; undefined where there was none. Secret. */
export const previousWebhookSecrets: Output<Record<string, string | undefined>> = organization.previousWebhookSecrets;

/** The content, with the secrets of the configuration in place of their names. @throws RunError */
function withSecrets({ organization: names, placeOf }: DeclaredFile): OrganizationArgs {
  const args = structuredClone(names) as Record<string, Record<string, Values>>;
  const problems: Diagnostic[] = [];
  for (const section of sectionNames)
    for (const [key, entry] of Object.entries(args[section] ?? {}))
      for (const property of Object.keys(sectionOf(section).secretNames ?? {})) {
        const name = textIn(entry, property);
        if (name === undefined) continue;
        const secret = secretOf(name);
        const path = [section, key, property];
        if (Output.isInstance(secret)) entry[property] = secret;
        else problems.push({ ...secret, path, place: placeOf(path) });
      }
  if (problems.length > 0) throw wrongFile(problems);
  return args;
}

/** The secret of this name in the configuration. The message shows only a name that is there: any other may be the secret itself. */
function secretOf(name: string): Output<string> | Diagnostic {
  const [, namespace, own = ""] = /^(?:(.*):)?(.*)$/.exec(name) ?? [];
  const config = new Config(namespace);
  const secret = config.getSecret(own);
  if (secret === undefined) {
    const text = "the configuration has no secret of this name: set it with `pulumi config set --secret`";
    return problem("missing", text);
  }
  if (!isPlain(`${config.name}:${own}`)) return secret;
  const text = `is in plain text in the configuration: run \`pulumi config set --secret ${name}\`, and rotate it`;
  return problem("plain-secret", text);
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
