/** The pipeline of examples/pipelines/gitlab in a new repository, and the parts of GitLab's API that its jobs call. */
import { copyFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { json } from "node:stream/consumers";
import { join, resolve } from "node:path";
import { listen } from "../listen";
import { readGitlabFiles, runPipeline, type RanGitlabJob } from "./gitlab-runner";
import { nowIn, type Workspace } from "./workspace";

const root = resolve(__dirname, "../../..");

export const gitlabFolder = join(root, "examples/pipelines/gitlab");

export interface Note {
  readonly id: number;
  readonly author: { readonly id: number };
  readonly body: string;
}

/** The user that owns the token for notes. */
export const bot = 77;

const open = new Set<Server>();

afterEach(() => {
  for (const server of open) server.close();
  open.clear();
});

/** The notes of merge request 12 of project 5, as the API lists and accepts them. */
export class NotesApi {
  readonly notes: Note[] = [];
  #server: Server | undefined;

  async start(): Promise<string> {
    this.#server = createServer((request, response) => {
      void this.#answer(request).then(({ status, body }) => {
        response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
      });
    });
    open.add(this.#server);
    return `http://127.0.0.1:${await listen(this.#server)}/api/v4`;
  }

  async #answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    if (request.headers["private-token"] !== "glpat-notes") return { status: 401, body: {} };
    const url = new URL(request.url ?? "", "http://gitlab.example.com");
    const path = url.pathname.replace("/api/v4/", "");
    const notes = "projects/5/merge_requests/12/notes";
    if (request.method === "GET" && path === "user") return { status: 200, body: { id: bot } };
    if (request.method === "GET" && path === notes) {
      const [size, page] = [Number(url.searchParams.get("per_page")), Number(url.searchParams.get("page"))];
      return { status: 200, body: this.notes.slice((page - 1) * size, page * size) };
    }
    if (request.method === "GET") return { status: 404, body: {} };
    const { body = "" } = (await json(request)) as { body?: string };
    if (request.method === "POST" && path === notes) {
      const note = { id: 900 + this.notes.length, author: { id: bot }, body };
      this.notes.push(note);
      return { status: 201, body: note };
    }
    const index = this.notes.findIndex(({ id }) => request.method === "PUT" && path === `${notes}/${id}`);
    const found = this.notes[index];
    if (!found) return { status: 404, body: {} };
    this.notes[index] = { ...found, body };
    return { status: 200, body: this.notes[index] };
  }
}

/** Makes the workspace a clone whose origin is itself. */
export async function asClone(stack: Workspace): Promise<void> {
  await stack.must(`git init --quiet --initial-branch main
    git remote add origin "$PWD"
    ${commit}`);
}

const commit = "git -c user.name=ada -c user.email=ada@example.com commit --quiet --allow-empty --message change";

/** Merges a newer commit. */
export const commitAgain = (stack: Workspace) => stack.must(commit);

type Source = "merge request" | "push" | "nightly" | "rotation";

export interface GitlabRunOptions {
  readonly at: string;
  /** When a person starts the manual job. Default: at once. */
  readonly startedAt?: string;
  /** Whether a person starts it. Default: yes. */
  readonly started?: boolean;
  readonly api?: string;
  /** Default: the clone's newest commit. */
  readonly sha?: string;
  readonly fork?: boolean;
  /** Variables of the stack's environments. They replace the organization's address. */
  readonly vars?: Readonly<Record<string, string>>;
}

const sources: Record<Source, Record<string, string>> = {
  "merge request": { CI_PIPELINE_SOURCE: "merge_request_event", CI_MERGE_REQUEST_IID: "12" },
  push: { CI_PIPELINE_SOURCE: "push", CI_COMMIT_BRANCH: "main" },
  nightly: { CI_PIPELINE_SOURCE: "schedule", CI_COMMIT_BRANCH: "main", VOICEPLANE_RUN: "nightly" },
  rotation: { CI_PIPELINE_SOURCE: "schedule", CI_COMMIT_BRANCH: "main", VOICEPLANE_RUN: "rotation" },
};

export async function runGitlab(
  source: Source,
  stack: Workspace,
  options: GitlabRunOptions,
): Promise<Record<string, RanGitlabJob>> {
  copyFileSync(join(root, "test/support/engine/pin-clock.cjs"), join(stack.folder, ".clock.cjs"));
  const vars = options.vars ?? { VOICEPLANE_BASE_URL: stack.organization.url };
  const token = { VOICEPLANE_TOKEN: "vp_dev_full" };
  return runPipeline(readGitlabFiles(gitlabFolder), {
    workspace: stack,
    predefined: {
      CI_API_V4_URL: options.api ?? "http://127.0.0.1:9",
      CI_DEFAULT_BRANCH: "main",
      CI_PROJECT_ID: "5",
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: options.fork === true ? "6" : "5",
      CI_PIPELINE_URL: "https://gitlab.example.com/acme/voice/-/pipelines/77",
      CI_COMMIT_BEFORE_SHA: "0000000000000000000000000000000000000000",
      CI_MERGE_REQUEST_DIFF_BASE_SHA: (await stack.must("git rev-list --max-parents=0 HEAD")).trim(),
      CI_COMMIT_SHA: options.sha ?? (await stack.must("git rev-parse HEAD")).trim(),
      ...sources[source],
    },
    environments: {
      ...Object.fromEntries(
        ["dev", "prod"].flatMap((name) => [
          [`voiceplane-preview/${name}`, vars],
          [`voiceplane/${name}`, { ...vars, ...token }],
          [`voiceplane-nightly/${name}`, { ...vars, ...token }],
        ]),
      ),
      "voiceplane-note": { VOICEPLANE_NOTE_TOKEN: "glpat-notes" },
    },
    starts: () => options.started !== false,
    env: (name) => ({
      NODE_OPTIONS: `--require "${join(stack.folder, ".clock.cjs")}"`,
      TEST_CLOCK: nowIn(stack, name === "apply dev" ? (options.startedAt ?? options.at) : options.at),
    }),
  });
}

export const gitlabResults = (jobs: Record<string, RanGitlabJob>) =>
  Object.fromEntries(Object.entries(jobs).map(([name, { result }]) => [name, result]));
