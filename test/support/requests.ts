/** What a control plane has received, as tests compare it. */
import type { Control } from "../../src/control-plane/index";

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
