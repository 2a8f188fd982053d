/** The classes over the plugin: they cannot be mixed with the dynamic ones unnoticed. */
import * as dynamic from "../../../src/program/index.js";
import * as native from "../../../src/program/native.js";
import { asProgram } from "../../support/program.js";

asProgram({ baseUrl: "https://api.example.com", token: "canary-token", organization: "acme" });

const settings = { baseUrl: "https://p.example.com", token: "t" };
const trunk = { trunkId: "x", cleared: true };

test("both modules export the same, and the native classes are the dynamic ones by inheritance", () => {
  expect(Object.keys(native).sort()).toEqual(Object.keys(dynamic).sort());
  expect(native.listWebhooks).toBe(dynamic.listWebhooks);
  // So that functions that take one take the other.
  expect(new native.TrunkOutboundAuth("alone", trunk)).toBeInstanceOf(dynamic.TrunkOutboundAuth);
});

test.each([
  { here: "pulumi-voiceplane/native", classes: native, there: "pulumi-voiceplane", other: dynamic },
  { here: "pulumi-voiceplane", classes: dynamic, there: "pulumi-voiceplane/native", other: native },
])("a Provider of $there is refused, because the engine would ignore it", ({ here, classes, there, other }) => {
  const provider = new other.Provider("p", settings);
  for (const use of [
    () => new classes.TrunkOutboundAuth("x", trunk, { provider }),
    () => new classes.Organization("x", {}, { provider }),
    () => new classes.Organization("x", {}, { providers: [provider] }),
    () => new classes.Organization("x", {}, { providers: { voiceplane: provider } }),
  ])
    expect(use).toThrow(
      `the Provider "p" is from ${there}, but what uses it is from ${here}: import both from the same module`,
    );
});
