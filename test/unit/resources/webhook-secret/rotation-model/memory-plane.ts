/** A control plane in memory with one webhook, whose real secret it knows. */
import { type Api, type PathParameters, pathOf } from "../../../../../src/client/api.js";
import { RequestError } from "../../../../../src/client/errors.js";
import { problem } from "../../../../../src/values/diagnostic.js";
import type { OperationName } from "../../../../../src/contract/index.js";

export const webhookId = "wh_1";

/**
 * What happens to the next rotation. `killed`: the engine is killed before it receives the answer. With "after" in its
 * name the rotation is carried out, with "before" it is not.
 */
export const fates = [
  "done",
  "refused",
  "rate limited",
  "not sent",
  "lost before",
  "lost after",
  "failed before",
  "failed after",
  "killed before",
  "killed after",
] as const;
export type Fate = (typeof fates)[number];

/** Where an answer holds the secret: at a usual place, at "value.hidden", or nowhere. */
export type Style = "usual" | "hidden" | "nowhere";

/** How the webhook list is answered. */
export const listings = ["whole", "partial", "refused", "lost"] as const;
export type Listing = (typeof listings)[number];

export class MemoryPlane implements Api {
  exists = true;
  secret = "secret-0";
  fate: Fate = "done";
  style: Style = "usual";
  listing: Listing = "whole";
  /** Rotations that were requested. */
  asked = 0;
  /** Requested rotations that were carried out. */
  committed = 0;
  /** Called when the engine is killed. */
  onDeath: () => void = () => undefined;
  #made = 0;

  /** Someone else, or the server itself, gives the webhook another secret. */
  renew(): string {
    this.#made++;
    this.secret = `secret-${this.#made}`;
    return this.secret;
  }

  async send(operation: OperationName, parameters: PathParameters): Promise<unknown> {
    pathOf(operation, parameters);
    if (operation === "listWebhooks") return Promise.resolve(this.#list());
    this.asked++;
    const { fate } = this;
    if (fate === "not sent") throw failed("POST", "not-sent");
    if (fate === "rate limited" || fate === "refused" || !this.exists) {
      const status = fate === "rate limited" ? 429 : this.exists ? 403 : 404;
      throw failed("POST", "refused", status);
    }
    if (fate.endsWith("before")) await this.#withhold(fate);
    this.committed++;
    const secret = this.renew();
    if (fate !== "done") await this.#withhold(fate);
    const data = { usual: { signing_secret: secret }, hidden: { value: { hidden: secret } }, nowhere: null }[
      this.style
    ];
    return data;
  }

  async #withhold(fate: Fate): Promise<void> {
    if (fate.startsWith("failed")) throw failed("POST", "unknown", 500);
    if (fate.startsWith("lost")) throw failed("POST", "unknown");
    this.onDeath();
    await new Promise<never>(() => undefined);
  }

  #list(): unknown {
    if (this.listing === "refused") throw failed("GET", "refused", 403);
    if (this.listing === "lost") throw failed("GET", "unknown");
    if (this.listing === "partial") return { webhooks: [{ id: "wh_0" }], next_cursor: "x" };
    return { webhooks: [{ id: "wh_0" }, ...(this.exists ? [{ id: webhookId }] : [])] };
  }
}

const failed = (method: "GET" | "POST", outcome: RequestError["outcome"], status?: number): RequestError =>
  new RequestError({ method, outcome, status, diagnostic: problem("request-refused", `it ended as ${outcome}`) });
