import { RetentionPolicy } from "../../../src/program/index.js";
import { asProgram } from "../../support/program.js";

asProgram({ baseUrl: "https://api.example.com", token: "t" }, { installed: false });

test("a program that cannot find the package gets an error that says to depend on it", () => {
  expect(() => new RetentionPolicy("r", { resource: "recordings", onCreate: "overwrite", retentionDays: 90 })).toThrow(
    `pulumi-voiceplane cannot be found from ${process.cwd()}: add pulumi-voiceplane to the dependencies of this ` +
      "project's own package.json (a library that depends on it is not enough) and install. " +
      "In a package of components for other languages, import from pulumi-voiceplane/native instead",
  );
});
