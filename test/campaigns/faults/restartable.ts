/** A control plane that keeps its address and its data over restarts. */
import { createRequire } from "node:module";
import { join } from "node:path";
import type * as ControlPlanes from "../../../src/control-plane/index";
import { installedPackage } from "../../support/engine/installation";
import { temporaryFolder } from "../../support/folders";
import type { TestOrganization } from "../../support/engine/organization";

export interface Restartable {
  readonly organization: TestOrganization;
  /** Ends all connections, as the end of the process does. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

const running = new Set<ControlPlanes.ControlPlane>();

afterEach(async () => {
  await Promise.all([...running].map((plane) => plane.close()));
  running.clear();
});

export async function restartable(): Promise<Restartable> {
  // Loaded by its path, because jest resolves packages by its own rules.
  const { startControlPlane } = createRequire(__filename)(
    join(installedPackage(), "dist/control-plane/index.js"),
  ) as typeof ControlPlanes;
  const file = join(temporaryFolder(), "control-plane.json");
  let plane = await startControlPlane({ file });
  running.add(plane);
  const { url } = plane;
  return {
    organization: {
      url,
      get control() {
        return plane.control;
      },
      requests: () => plane.control.journal().map(({ method, path }) => `${method} ${path}`),
      forgetRequests: () => {
        plane.control.clearJournal();
      },
      tokens: () => [...new Set(plane.control.journal().map(({ token }) => token))],
    },
    async stop() {
      running.delete(plane);
      await plane.close();
    },
    async start() {
      plane = await startControlPlane({ file, port: Number(new URL(url).port) });
      running.add(plane);
    },
  };
}
