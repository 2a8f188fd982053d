/** A control plane from the packed package, and the requests that it received. */
import { createRequire } from "node:module";
import { join } from "node:path";
import type * as ControlPlanes from "../../../src/control-plane/index";
import { afterTest } from "../after-test";
import { seeded } from "../ids";
import { freshRequests } from "../control-plane";
import { installedPackage } from "./installation";

export const ids = seeded;

export interface TestOrganization {
  readonly url: string;
  readonly control: ControlPlanes.Control;
  /** The requests since the last call, in order: `PUT /v1/retention-policies/recordings {"retention_days":90,…}`. */
  requests(): string[];
  forgetRequests(): void;
  /** The names of the tokens of all requests, each once. */
  tokens(): (string | null)[];
}

/** A new organization, which is closed after the test. */
export async function organization(): Promise<TestOrganization> {
  // Loaded by its path, because jest resolves packages by its own rules.
  const load = createRequire(__filename);
  const { startControlPlane } = load(join(installedPackage(), "dist/control-plane/index.js")) as typeof ControlPlanes;
  const plane = await startControlPlane();
  afterTest(() => plane.close());
  const { url, control } = plane;
  const requests = freshRequests(() => control);
  return {
    ...{ url, control, requests },
    forgetRequests: () => void requests(),
    tokens: () => [...new Set(control.journal().map(({ token }) => token))],
  };
}
