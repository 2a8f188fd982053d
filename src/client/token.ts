/** The token, gotten when it is needed and once more when it is refused. */
import { ConfigError } from "./errors.js";
import { cleanText } from "./redact.js";
import { tokenProblem } from "./settings.js";

export class TokenSource {
  readonly #fetch: (() => Promise<string>) | undefined;
  #current: string | undefined;
  #underWay: Promise<string> | undefined;
  readonly #known = new Set<string>();

  constructor(token: string | (() => Promise<string>)) {
    if (typeof token === "function") this.#fetch = token;
    else this.#keep(token);
  }

  /** Every token so far: what no message may contain. */
  get known(): ReadonlySet<string> {
    return this.#known;
  }

  /**
   * The token; not a promise where it is known, which is nearly always.
   *
   * @throws ConfigError where the function fails or its result cannot be a token
   */
  get(): string | Promise<string> {
    return this.#current ?? this.#get();
  }

  /** Another token after `refused` was not accepted; undefined if there is no other one. */
  async replace(refused: string): Promise<string | undefined> {
    if (this.#fetch === undefined) return undefined;
    // Another request may have replaced it in the meantime.
    if (this.#current === refused) this.#current = undefined;
    const token = await this.get();
    return token === refused ? undefined : token;
  }

  /** All that wait at the same time share one call. */
  #get(): Promise<string> {
    this.#underWay ??= this.#ask().finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  async #ask(): Promise<string> {
    let token: unknown;
    try {
      token = await this.#fetch?.();
    } catch (error) {
      const reason = cleanText(error instanceof Error ? error.message : undefined, this.#known) ?? "no reason given";
      throw new ConfigError([`The function that gets the token failed: ${reason}`]);
    }
    if (typeof token !== "string") throw new ConfigError(["The function that gets the token gave no text."]);
    const problem = tokenProblem(token);
    if (problem !== undefined) throw new ConfigError([problem]);
    return this.#keep(token);
  }

  #keep(token: string): string {
    this.#current = token;
    this.#known.add(token);
    return token;
  }
}
