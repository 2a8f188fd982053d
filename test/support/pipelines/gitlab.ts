/** The pipeline of examples/pipelines/gitlab in a new repository, and the parts of GitLab's API that its jobs call. */
import { createServer, type IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { listenInTest } from "../after-test";
import { readGitlabFiles, runPipeline, type RanGitlabJobs } from "./gitlab-runner";
import { nowIn, type Workspace } from "./workspace";

/** The user that owns the token for notes. */
export const bot = 77;

/** The notes of merge request 12 of project 5, as the API lists and accepts them. It fails on any other call. */
export class NotesApi {
  readonly notes: { readonly id: number; readonly author: { readonly id: number }; readonly body: string }[] = [];

  /** @returns the API's address */
  async start(): Promise<string> {
    const server = createServer((request, response) => {
      void this.#answer(request).then((answer) => {
        response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? {}));
      });
    });
    return `http://127.0.0.1:${await listenInTest(server)}/api/v4`;
  }

  async #answer(request: IncomingMessage): Promise<unknown> {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://gitlab.example.com");
    const call = `${request.method ?? ""} ${pathname.replace("/api/v4/", "")}`;
    const notes = "projects/5/merge_requests/12/notes";
    if (request.headers["private-token"] !== "glpat-notes") return undefined;
    if (call === "GET user") return { id: bot };
    if (call === `GET ${notes}`) {
      const [size, page] = [Number(searchParams.get("per_page")), Number(searchParams.get("page"))];
      return this.notes.slice((page - 1) * size, page * size);
    }
    const index = this.notes.findIndex(({ id }) => call === `PUT ${notes}/${id}`);
    if (index < 0 && call !== `POST ${notes}`) return undefined;
    const { body } = (await json(request)) as { body: string };
    const note = { id: this.notes[index]?.id ?? 900 + this.notes.length, author: { id: bot }, body };
    this.notes.splice(index < 0 ? this.notes.length : index, 1, note);
    return note;
  }
}

/** Makes the workspace a clone whose origin is itself. */
export async function asClone(stack: Workspace): Promise<void> {
  await stack.must(`git init --quiet --initial-branch main
    git remote add origin "$PWD"
    ${commit}`);
}

const commit = "git -c user.name=ada -c user.email=ada@example.com commit --quiet --allow-empty --message change";

/** Merges a newer commit, which changes this file. */
export function commitAgain(stack: Workspace, file: string): Promise<string> {
  stack.write(file, "newer\n");
  return stack.must(`git add --force "${file}"\n${commit}`);
}

const sources = {
  "merge request": { CI_PIPELINE_SOURCE: "merge_request_event", CI_MERGE_REQUEST_IID: "12" },
  push: { CI_PIPELINE_SOURCE: "push", CI_COMMIT_BRANCH: "main" },
  nightly: { CI_PIPELINE_SOURCE: "schedule", CI_COMMIT_BRANCH: "main", VOICEPLANE_RUN: "nightly" },
  rotation: { CI_PIPELINE_SOURCE: "schedule", CI_COMMIT_BRANCH: "main", VOICEPLANE_RUN: "rotation" },
};

interface GitlabRunOptions {
  /** Default: a morning on which the rotation runs. */
  readonly at?: string;
  /** Whether a person starts the manual job. Default: yes. */
  readonly isStarted?: boolean;
  readonly api?: string;
  /** Default: the clone's newest commit. */
  readonly sha?: string;
  readonly fork?: boolean;
  /** Variables of the stack's environments. They replace the organization's address. */
  readonly vars?: Readonly<Record<string, string>>;
}

export async function runGitlab(
  source: keyof typeof sources,
  stack: Workspace,
  options: GitlabRunOptions = {},
): Promise<RanGitlabJobs> {
  const vars = options.vars ?? { VOICEPLANE_BASE_URL: stack.organization.url };
  const sending = { ...vars, VOICEPLANE_TOKEN: "vp_dev_full" };
  return runPipeline(readGitlabFiles(), {
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
      "voiceplane-preview/dev": vars,
      "voiceplane/dev": sending,
      "voiceplane-nightly/dev": sending,
      "voiceplane-note": { VOICEPLANE_NOTE_TOKEN: "glpat-notes" },
    },
    isStarted: options.isStarted !== false,
    env: nowIn(stack, options.at ?? "2026-11-20T08:03:00Z"),
  });
}

export const gitlabResults = (jobs: RanGitlabJobs) =>
  Object.fromEntries(Object.entries(jobs).map(([name, { result }]) => [name, result]));
