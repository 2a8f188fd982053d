import { startControlPlane, type ControlPlane, type ControlPlaneOptions } from "../../src/control-plane/index";
import { afterTest } from "./after-test";

/** A control plane that is closed after the test. */
export async function controlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const plane = await startControlPlane(options);
  afterTest(() => plane.close());
  return plane;
}
