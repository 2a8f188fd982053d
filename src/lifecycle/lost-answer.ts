/** A request whose outcome is unknown: its state is kept, and says so. */
import { outcomeOf } from "../client/errors.js";
import type { OrganizationScoped } from "./object.js";

/**
 * An answer was lost, or says only that the server failed. The engine keeps `state`, marks the resource as partially created,
 * and calls `update` in the next run.
 */
export class LostAnswerError extends Error {
  override readonly name = "LostAnswerError";
  // Private: it may hold secrets, and printing an error shows even hidden properties.
  readonly #state: OrganizationScoped;

  constructor(message: string, state: OrganizationScoped) {
    super(message);
    this.#state = state;
    // The engine prints the stacks of some errors. A trace would not help users here.
    this.stack = `${this.name}: ${message}`;
  }

  get state(): OrganizationScoped {
    return this.#state;
  }
}

/** @throws LostAnswerError with `state`, if the outcome of the request is unknown */
export async function keepStateIfLost<T>(send: () => Promise<T>, state: OrganizationScoped): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof Error && outcomeOf(error) === "unknown") throw new LostAnswerError(error.message, state);
    throw error;
  }
}
