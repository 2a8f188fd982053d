/** What a server with Pulumi Cloud's interface says of a stack, without the CLI: its version, and who is updating it. */
import { z } from "zod";
import { tried } from "../../values/any.js";
import { given, type Environment } from "../../values/environment.js";
import { credentialsOf, type StackLock } from "./backend.js";
import type { QueryPulumi } from "./answer.js";

export interface CloudStack {
  /** "organization/project/stack", for each spelling of it; undefined if the CLI does not say which organization is its default. */
  fullName(): Promise<string | undefined>;
  /** Whether an update has to pass policy packs of the organization. In doubt it has. */
  mayHavePolicies(): Promise<boolean>;
  /**
   * Changes with each update, import and `pulumi state` command, and while an update runs or has died.
   *
   * @returns undefined if the server does not say
   */
  stateVersion(): Promise<string | undefined>;
  /** The update that holds the stack, as a lock. */
  holder(): Promise<StackLock | undefined>;
}

interface Place {
  /** Of the server. */
  readonly url: string;
  readonly project: string;
  /** As given, which may have the organization. */
  readonly stack: string;
  readonly folder: string;
  readonly env: Environment;
}

const answer = z.object({
  version: z.int(),
  activeUpdate: z.string().nullish(),
  currentOperation: z.object({ author: z.string(), started: z.number() }).nullish(),
});

const policies = z.object({ requiredPolicies: z.array(z.unknown()).nullish() });

const credentials = z.object({ accessTokens: z.record(z.string(), z.string()) });

/** A server that does not answer must not hold the run, ms. */
const timeoutMs = 10_000;

export function cloudStack({ url, project, stack, folder, env }: Place, pulumi: QueryPulumi): CloudStack {
  const base = url.replace(/\/+$/, "");
  const stored = () => credentials.safeParse(credentialsOf(env)).data;
  const named = async (): Promise<string | undefined> => {
    const parts = stack.split("/");
    // Which organization a short name means is the CLI's own setting.
    const organization = parts.length > 1 ? parts[0] : await defaultOrganization(pulumi, folder);
    return organization && [organization, parts.length > 2 ? parts[1] : project, parts.at(-1)].join("/");
  };
  let name: Promise<string | undefined> | undefined;
  const fullName = () => (name ??= named());
  const asked = async <T>(schema: z.ZodType<T>, about = ""): Promise<T | undefined> => {
    try {
      const full = await fullName();
      const token = given(env.PULUMI_ACCESS_TOKEN) ?? stored()?.accessTokens[base];
      if (full === undefined || token === undefined) return undefined;
      const path = full.split("/").map(encodeURIComponent).join("/");
      const response = await fetch(`${base}/api/stacks/${path}${about}`, {
        headers: { authorization: `token ${token}`, accept: "application/vnd.pulumi+8" },
        redirect: "error",
        signal: AbortSignal.timeout(timeoutMs),
      });
      return response.ok ? schema.parse(await response.json()) : undefined;
    } catch {
      return undefined;
    }
  };
  return {
    fullName,
    async mayHavePolicies() {
      const required = await asked(policies, "/policypacks");
      return required === undefined || (required.requiredPolicies ?? []).length > 0;
    },
    async stateVersion() {
      const known = await asked(answer);
      // A dead update leaves the version as it was, and stays the active one.
      return known && `${known.version} ${known.activeUpdate ?? ""}`;
    },
    async holder() {
      const { author, started } = (await asked(answer))?.currentOperation ?? {};
      if (author === undefined || started === undefined) return undefined;
      return { file: undefined, pid: undefined, host: "", user: author, at: started * 1000 };
    },
  };
}

async function defaultOrganization(pulumi: QueryPulumi, folder: string): Promise<string | undefined> {
  const found = await pulumi(["org", "get-default"], folder);
  const name = found.kind === "done" ? found.stdout.trim() : "";
  return /^[\w.-]+$/.test(name) ? name : undefined;
}

/** Whether the URL is of such a server. */
export const isCloud = (url: string): boolean => /^https?:\/\//.test(tried(() => new URL(url).href) ?? "");
