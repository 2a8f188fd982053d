import type { Lifecycle } from "../../../../../src/lifecycle/lifecycle.js";
import { withOwnership } from "../../../../../src/lifecycle/ownership.js";
import type { Values } from "../../../../../src/values/any.js";
import { webhookSecretLifecycle } from "../../../../../src/resources/webhook-secret/lifecycle.js";
import { Engine } from "../../../../support/played-engine.js";
import { checkContext } from "../../../../support/resources/check-context.js";
import { MemoryPlane, webhookId, type Listing } from "./memory-plane.js";
import {
  afterUp,
  mayForget,
  mustRotate,
  type Declaration,
  type Knowledge,
  type Outcome,
  type Stored,
} from "./reference.js";
import type { Step } from "./steps.js";

/** The engine does not know a lifecycle's type of inputs. */
const lifecycle = webhookSecretLifecycle as unknown as Lifecycle;
const begin = Date.UTC(2026, 0, 1);
const msPerDay = 86_400_000;

export class History {
  readonly plane = new MemoryPlane();
  readonly #engine: Engine;
  /** Days since the start. */
  #today = 0;
  #declared: Declaration | undefined = undefined;
  #stored: Stored | undefined = undefined;
  /** Replaced resources that the engine has yet to delete. */
  #pending: Knowledge[] = [];
  /** Why the outputs may name an outdated secret as current: someone else rotated, or the user gave a wrong one. */
  #cannotBeKnown = false;

  /** The last outputs. */
  #outputs: Values = {};

  constructor() {
    const now = (): Date => new Date(begin + this.#today * msPerDay);
    this.#engine = new Engine(lifecycle, { organization: "acme", api: this.plane, now });
  }

  async live(step: Step): Promise<void> {
    const declared = this.#declared ?? plain;
    switch (step.do) {
      case "up":
      case "replace":
        this.#declared = declared;
        await this.#up(declared, step);
        break;
      case "preview":
        this.#preview(declared);
        break;
      case "refresh":
        await this.#refresh(step.listing);
        break;
      case "remove":
        await this.#engine.up({});
        this.#stored = this.#declared = undefined;
        this.#pending = [];
        break;
      case "destroy":
        await this.#engine.destroy();
        this.#stored = undefined;
        this.#pending = [];
        break;
      case "somebody rotates":
        this.plane.renew();
        this.#cannotBeKnown = true;
        break;
      case "webhook exists":
        // A webhook that was deleted and created again is another one under the same name.
        if (step.exists && !this.plane.exists) this.plane.renew();
        this.plane.exists = step.exists;
        this.#cannotBeKnown = true;
        break;
      case "days pass":
        this.#today += step.days;
        break;
      case "answers change":
        this.plane.style = step.style;
        break;
      case "edit":
        this.#declared = { ...declared, ...step.edit };
        break;
      case "adopt": {
        const known = { "the secret": this.plane.secret, "another one": "a-mistake", nothing: undefined };
        this.#declared = { ...declared, onCreate: "adopt", initialSecret: known[step.knows] };
      }
    }
    this.#compare();
  }

  async #up(declared: Declaration, { do: how, fate }: Extract<Step, { do: "up" | "replace" }>): Promise<void> {
    const { plane } = this;
    plane.fate = fate;
    plane.asked = plane.committed = 0;
    const death = new Promise<Outcome>((resolve) => {
      plane.onDeath = () => {
        resolve("killed");
      };
    });
    const isReplacement = how === "replace" && this.#stored !== undefined;
    const before = isReplacement ? undefined : this.#stored;
    const rotates = mustRotate(before, declared, this.#today);
    const outcome = await Promise.race([
      death,
      this.#engine.up({ hook: argsOf(declared) }, isReplacement ? { replace: ["hook"] } : {}).then(
        (): Outcome => "up",
        (): Outcome => "failed",
      ),
    ]);
    const applied = afterUp(before, declared, this.#today, plane);
    const expected = this.#withDeletes(applied, isReplacement ? this.#stored : undefined);
    expect({ asked: plane.asked, outcome }).toEqual({ asked: rotates ? 1 : 0, outcome: expected.outcome });
    expect(plane.committed).toBeLessThanOrEqual(plane.asked);
    const made = isReplacement && expected.stored === undefined ? this.#stored : expected.stored;
    // The engine says so, and the state does not.
    if (outcome === "killed") this.#cannotBeKnown = true;
    this.#judgeTruth(made, applied.outcome);
    this.#stored = made;
  }

  /** A successful `up` ends with the deletes of what was replaced. One that fails leaves it for the next `up`. */
  #withDeletes(made: { stored: Stored | undefined; outcome: Outcome }, replaced: Stored | undefined): typeof made {
    if (made.outcome !== "up" || !made.stored) return made;
    if (replaced) this.#pending.push(replaced.knowledge);
    const { knowledge } = made.stored;
    const last = this.#pending.findLastIndex((old) => !mayForget(old, knowledge));
    this.#pending = this.#pending.slice(0, last + 1);
    return last < 0 ? made : { ...made, outcome: "failed" };
  }

  /** Whether the current outputs may be wrong for a reason that the provider cannot notice. */
  #judgeTruth(stored: Stored | undefined, outcome: Outcome): void {
    const { plane } = this;
    if (outcome !== "up" || stored === undefined) return;
    if (plane.committed > 0) this.#cannotBeKnown = false;
    if (stored.knowledge.state === "adopted") this.#cannotBeKnown = stored.knowledge.secret !== plane.secret;
  }

  #preview(declared: Declaration): void {
    const { plane } = this;
    plane.asked = 0;
    this.#engine.said();
    const { step } = this.#engine.preview({ hook: argsOf(declared) }).hook ?? {};
    expect(plane.asked).toBe(0);
    if (this.#stored === undefined) expect(step).toBe("create");
    else if (mustRotate(this.#stored, declared, this.#today)) expect(step).toBe("update");
    const warned = this.#engine.said().some((line) => line.includes("It is sent once more"));
    const isUncertain = this.#stored !== undefined && this.#stored.knowledge.state === "uncertain";
    expect(warned).toBe(isUncertain && mustRotate(this.#stored, declared, this.#today));
  }

  async #refresh(listing: Listing): Promise<void> {
    this.plane.listing = listing;
    const failed = await this.#engine.refresh().then(
      () => false,
      () => true,
    );
    // A state in doubt is read without a request.
    const asks = this.#stored !== undefined && this.#stored.knowledge.state !== "uncertain";
    expect(failed).toBe(asks && listing === "lost");
    // After a read, the engine compares the state with its inputs. The comparison must show no difference, except for a
    // rotation that has to be repeated.
    const [inputs, outputs] = [this.#engine.inputsOf("hook"), this.#engine.outputsOf("hook")];
    if (inputs === undefined || outputs === undefined) return;
    const { changes } = withOwnership(lifecycle).diff(silent, organization(outputs), organization(inputs));
    expect(changes).toBe(this.#stored?.knowledge.state === "uncertain");
  }

  #compare(): void {
    const outputs = this.#engine.outputsOf("hook");
    if (outputs === undefined || this.#stored === undefined) {
      expect(outputs).toBe(this.#stored);
      return;
    }
    const { knowledge } = this.#stored;
    expect(outputs.requestId).toMatch(/^[\da-f]{16}$/);
    // Outputs of a stack are compared by it.
    if (outputs.secret !== this.#outputs.secret) expect(outputs.requestId).not.toBe(this.#outputs.requestId);
    this.#outputs = outputs;
    expect(knowledgeIn(outputs)).toEqual(shown(knowledge));
    const { rotateOn } = this.#stored;
    expect(this.#engine.inputsOf("hook")?.rotateOn).toBe(rotateOn === undefined ? undefined : dateOf(rotateOn));
    const { secret, rotationState } = outputs;
    if (rotationState !== "uncertain" && secret !== undefined && !this.#cannotBeKnown) {
      expect(secret).toBe(this.plane.secret);
    }
  }
}

/** @param day since the start */
function dateOf(day: number): string {
  return new Date(begin + day * msPerDay).toISOString().slice(0, 10);
}

const plain: Declaration = {
  trigger: 0,
  period: undefined,
  onCreate: "rotate",
  initialSecret: undefined,
  findsHidden: false,
};

function argsOf({ trigger, period, onCreate, initialSecret, findsHidden }: Declaration): Values {
  return {
    webhookId,
    onCreate,
    ...(trigger > 0 && { triggers: { n: trigger } }),
    ...(period !== undefined && { rotateAfter: `${period}d` }),
    ...(initialSecret !== undefined && { initialSecret }),
    ...(findsHidden && { secretPath: "value.hidden" }),
  };
}

function knowledgeIn({ rotationState, rotationCount, secret, previousSecret, data }: Values): Values {
  return { rotationState, rotationCount, secret, previousSecret, data };
}

function shown({ state, count, secret, previous, answer }: Knowledge): Values {
  const data = answer && { usual: { signing_secret: answer.secret }, hidden: { value: { hidden: answer.secret } }, nowhere: null }[answer.style]; // prettier-ignore
  return { rotationState: state, rotationCount: count, secret, previousSecret: previous, data };
}

const silent = checkContext();

function organization(values: Values): Values & { organization: string } {
  return values as Values & { organization: string };
}
