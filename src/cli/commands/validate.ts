/** Reads an organization file, without an engine. */
import { dirname, resolve } from "node:path";
import { contentOf, defaultOrganizationFile } from "../../organization-file/content.js";
import { readOrganizationFile } from "../../organization-file/reader.js";
import { inFile } from "../../values/diagnostic.js";
import { Command, folderOption, hasColors, type Help, type Io } from "../commander.js";
import { findingOf, formatFindings, isProblem, ok, problemFinding, type Finding } from "../finding.js";

export const help: Help = {
  examples: {
    "Check organization.yaml in this folder": "npx voiceplane validate",
    "Check another file": "npx voiceplane validate organizations/acme.yaml",
  },
  exitCodes: { 0: "nothing is wrong", 1: "problems, or bad usage" },
};

export const command = (io: Io) =>
  new Command("validate")
    .description(
      "Reads an organization file and prints its problems with their lines, without an engine and without a request. `voiceplane doctor` " +
        "checks the settings, and `voiceplane preview` what a program declares, in YAML too.",
    )
    .argument("[file]", "the organization file", defaultOrganizationFile)
    .addOption(folderOption())
    .action((name, { cwd: folder = process.cwd() }) => {
      const { env, stdout } = io;
      const findings = findingsIn(name, resolve(folder, name));
      stdout.write(formatFindings(findings, hasColors(io), env));
      io.exitCode = findings.some(isProblem) ? 1 : 0;
    });

function findingsIn(name: string, file: string): Finding[] {
  const content = contentOf(file, dirname(file));
  if (typeof content === "string")
    return [problemFinding("organization", "file-unreadable", `${name} cannot be read (${content})`)];
  const read = readOrganizationFile(content);
  if (!("problems" in read)) return [ok("organization", name)];
  return read.problems.map((each) => findingOf("organization", inFile(each, name)));
}
