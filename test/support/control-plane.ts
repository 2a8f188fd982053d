/** A control plane for a test, and what it has received. */
import {
  startControlPlane,
  type Control,
  type ControlPlane,
  type ControlPlaneOptions,
} from "../../src/control-plane/index";
import { afterTest } from "./after-test";

/** A control plane that is closed after the test. */
export async function controlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const plane = await startControlPlane(options);
  afterTest(() => plane.close());
  return plane;
}

/** Such as `PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}`. */
export const requestLine = ({ method, path, body }: ReturnType<Control["journal"]>[number]): string =>
  [method, path, ...(body === null ? [] : [JSON.stringify(body)])].join(" ");

/** Returns the requests since its last call, in order. */
export function freshRequests(control: () => Control): () => string[] {
  let seen = 0;
  return () => {
    const fresh = control().journal().slice(seen);
    seen += fresh.length;
    return fresh.map(requestLine);
  };
}
