/** A lifecycle with the rules of all resources. */
import { withIgnoredChanges } from "./ignored-changes.js";
import { withImportFiles } from "./import-file.js";
import type { Lifecycle } from "./lifecycle.js";
import type { OrganizationScoped } from "./object.js";
import { withOwnership } from "./ownership.js";

export const withRules = <Inputs extends OrganizationScoped, State extends OrganizationScoped>(
  lifecycle: Lifecycle<Inputs, State>,
): Lifecycle<Inputs, State> => withImportFiles(withOwnership(withIgnoredChanges(lifecycle)));
