import { RetentionPolicy, NetworkPolicy } from "../../../src/program/index.js";
import { asProgram, warnings } from "../../support/program.js";

asProgram({ baseUrl: "https://api.example.com", token: "canary-token", organization: "acme", organisation: "canary" });

test("a misspelt key of the configuration is named once in a run, and stops nothing", () => {
  const seen = warnings();
  new RetentionPolicy("r", { resource: "recordings", onCreate: "overwrite", retentionDays: 90 });
  new NetworkPolicy("n", { networkPolicyId: "np-1", onCreate: "overwrite", name: "HQ" });
  expect(seen).toEqual([
    "the configuration has voiceplane:organisation, which is not read: did you mean voiceplane:organization? [setting-unread]",
  ]);
});
