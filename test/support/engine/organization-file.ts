/** A stack without code, which reads an organization file. */
import { ids } from "./organization";
import { project, type ProjectOptions } from "./project";

export const webhook = (round: string) =>
  `webhooks:\n  crm: { id: ${ids.crm}, onCreate: rotate, triggers: { round: "${round}" } }\n`;

export const organizationProject = (organizationFile: string, options: ProjectOptions = {}) =>
  project({
    ...options,
    files: {
      "index.js": 'module.exports = require("pulumi-voiceplane/stack");\n',
      "organization.yaml": organizationFile,
    },
  });
