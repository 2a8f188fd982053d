/** Which of the installed plugins the engine takes. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findPlugin } from "../../../../src/cli/findings/plugin";
import { projectAbove } from "../../../../src/cli/pulumi/project";
import { temporaryFolder } from "../../../support/folders";

test.each([
  ["a release is newer than its candidates", ["0.2.0-rc.1", "0.2.0", "0.2.0-rc.2"], "0.2.0"],
  ["numbers are compared as numbers", ["0.9.0", "0.10.0-rc.2", "0.10.0-rc.10"], "0.10.0-rc.10"],
])("%s", (_what, versions, newest) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "Pulumi.yaml"), "name: acme\nruntime: yaml\n");
  for (const version of versions) {
    const plugin = join(folder, `plugins/resource-voiceplane-v${version}`);
    mkdirSync(plugin, { recursive: true });
    writeFileSync(join(plugin, "pulumi-resource-voiceplane"), "", { mode: 0o755 });
  }
  const project = projectAbove(folder);
  expect(project && findPlugin(project, { PULUMI_HOME: folder })?.version).toBe(newest);
});
