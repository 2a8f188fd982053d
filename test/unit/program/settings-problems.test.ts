import { Organization, RetentionPolicy, listWebhooks } from "../../../src/program/index.js";
import { asProgram } from "../../support/program.js";

asProgram({ baseUrl: "http://intranet.example.com", token: "canary token" });

const problems = [
  "the settings of voiceplane are not valid, and nothing was sent:",
  "  The base URL is plain http to another machine, which would expose the token on the network; it should begin with https:// (or allow it with allowInsecureHttp). [base-url]",
  '  The token contains white space, perhaps "Bearer" or a line end copied with it; remove it. [token]',
].join("\n");

test.each([
  ["a resource", () => new RetentionPolicy("r", { resource: "recordings", onCreate: "overwrite", retentionDays: 90 })],
  ["an Organization", () => new Organization("o", { retention: { recordings: { days: 90 } } })],
  ["listWebhooks", () => listWebhooks()],
])("all problems with the stack's settings stop %s, in one error without a stack trace", (_name, run) => {
  // The engine prints errors of this kind as their message alone.
  expect(run).toThrow(expect.objectContaining({ message: problems, __pulumiRunError: true }) as Error);
});
