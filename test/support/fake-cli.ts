/** An `apply` whose `pulumi` plays a backend: for what no real CLI can be made to do. */
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { apply, type ApplyOptions, type ApplyResult } from "../../src/cli/apply/index.js";
import { processesHere, type Processes } from "../../src/cli/pulumi/processes.js";
import { projectFolder, temporaryFolder, write } from "./project-folder.js";

export const urn =
  "urn:pulumi:acme::fleet::voiceplane:index:Organization$pulumi-nodejs:dynamic/voiceplane:WebhookSecret::org-crm";
export const webhook = (outputs: object = {}) => ({
  urn,
  custom: true,
  id: "crm-1",
  type: "pulumi-nodejs:dynamic/voiceplane:WebhookSecret",
  inputs: { account: "acme-eu", webhookId: "crm-1", rotateOn: "2027-02-18" },
  outputs: {
    account: "acme-eu",
    webhookId: "crm-1",
    rotationState: "rotated",
    rotationCount: 1,
    rotationId: "r1",
    rotatedAt: "2026-11-20T12:00:00Z",
    ...outputs,
  },
});
export const root = { urn: "urn:pulumi:acme::fleet::pulumi:pulumi:Stack::fleet-acme", type: "pulumi:pulumi:Stack" };
export const organization = {
  urn: "urn:pulumi:acme::fleet::voiceplane:index:Organization::org",
  type: "voiceplane:index:Organization",
};
export const deployment = (resources: object[], pending: object[] = []) =>
  JSON.stringify({
    version: 3,
    deployment: { manifest: {}, resources: [root, organization, ...resources], pending_operations: pending },
  });

/** With the webhook as this rotation left it. */
export const stateWith = (rotationId: string | undefined, more: object = {}, pending: object[] = []): Answer => ({
  stdout: deployment([webhook({ rotationId, ...more })], pending),
});

export const prelude = { sequence: 0, preludeEvent: { config: {} } };
export const summary = (result = "succeeded") => ({
  sequence: 9,
  summaryEvent: { isPreview: false, result, resourceChanges: { same: 1 }, durationSeconds: 1 },
});
export const events = (...list: object[]): string => list.map((event) => `${JSON.stringify(event)}\n`).join("");
/** Of an update without changes. */
export const quiet: Answer = { stdout: events(prelude, summary()) };
export const broken: Answer = { stderr: "error: out of order", code: 255 };
export const previewSummary = (result = "succeeded") => ({
  sequence: 9,
  summaryEvent: { isPreview: true, result, resourceChanges: { same: 1 } },
});

/** What each command of the fake CLI prints, and its exit code. Each answer of a list counts once, the last one stays. */
export type Script = Partial<Record<"up" | "preview" | "export" | "cancel" | "refresh" | "whoami", readonly Answer[]>>;

export interface Answer {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly code?: number;
  /** Lines for the request log. */
  readonly requests?: readonly object[];
}

/** A line of the request log: a rotation that was answered. */
export const rotation = (id = "r1", since: string | null = null, more: object = {}) => ({
  ...{ id, since, operation: "rotateWebhookSecret", path: "/v1/webhooks/crm-1/rotate-secret" },
  ...{ organization: "acme-eu", time: "2026-11-20T12:30:00.000Z", result: "answered", outcome: "success", ...more },
});

/** Only the line before it, which is all that a killed provider leaves. */
export const begun = (id?: string, since?: string | null, more: object = {}) =>
  rotation(id, since, { intent: true, result: undefined, outcome: undefined, ...more });

export const ofWebhook = (id: string) => ({ path: `/v1/webhooks/${id}/rotate-secret` });

/** Of a process that has ended. */
export const deadCli = 2 ** 22 + 1;

/** Answers with the files of the folder COMMAND/N, where N counts the calls of the command up to the last folder. */
export const fakePulumi = `#!/bin/sh
cd "\${0%/*}"
echo "$*" >> calls
command=$1
[ "$1" = stack ] && command=$2
read -r count < "$command/count"
[ -d "$command/$((count + 1))" ] && echo $((count + 1)) > "$command/count"
echo "$VOICEPLANE_RESEND_SETTINGS $PULUMI_PARALLEL" > "$command/variables"
[ -s "$command/$count/requests" ] && cat "$command/$count/requests" >> "$VOICEPLANE_REQUEST_LOG"
cat "$command/$count/stderr" >&2
cat "$command/$count/stdout"
read -r code < "$command/$count/code"
exit "$code"
`;

function writeScript(folder: string, script: Required<Script>): void {
  for (const [command, answers] of Object.entries(script)) {
    rmSync(join(folder, command), { recursive: true, force: true });
    write(folder, { [`${command}/count`]: "0\n" });
    for (const [index, { stdout = "", stderr = "", code = 0, requests = [] }] of answers.entries()) {
      const files = { stdout, stderr, code: `${code}\n`, requests: events(...requests) };
      for (const [name, text] of Object.entries(files)) write(folder, { [`${command}/${index}/${name}`]: text });
    }
  }
}

export const recordPath = ".voiceplane/apply/acme.json";
export const journalFolder = ".voiceplane/apply/acme.journal";

/** What the CLI says of a lock in PostgreSQL. */
export const lockedError = (host: string, pid: number) => ({
  code: 255,
  stderr: `error: the stack is currently locked by 1 lock(s). Either wait for the other process(es) to end or delete the lock file with \`pulumi cancel\`.\n  postgres:///pulumi/x.json: created by root@${host} (pid ${pid}) at 2026-11-20T12:00:00Z\n`,
});

/** A record in memory. `onWrite` gets each text, with its number from 1, and may refuse it. */
export function memory(onWrite: (text: string, number: number) => unknown = () => undefined, first?: string) {
  const texts: string[] = [];
  let count = 0;
  return {
    texts,
    read: () => Promise.resolve(texts.at(-1) ?? first),
    write: async (text: string) => {
      await onWrite(text, ++count);
      texts.push(text);
    },
  };
}

/** Those of this machine, under the name that records and locks have here. */
export const here: Processes = { ...processesHere(), host: "worker-1" };

/** A project with one stack, acme. */
export class Fleet {
  readonly project = projectFolder();
  readonly bin = temporaryFolder();
  readonly private = temporaryFolder();
  readonly env: NodeJS.ProcessEnv = { ...this.project.env, PATH: `${this.bin}:/usr/bin:/bin` };

  constructor() {
    write(this.bin, { pulumi: fakePulumi });
    chmodSync(join(this.bin, "pulumi"), 0o755);
  }

  async apply(script: Script, options: Partial<ApplyOptions> = {}): Promise<ApplyResult> {
    const usual = {
      up: [quiet],
      preview: [{ stdout: events(prelude, previewSummary()) }],
      export: [{ stdout: deployment([webhook()]) }],
      cancel: [{}],
      refresh: [{}],
      whoami: [{ stderr: "error: PULUMI_ACCESS_TOKEN must be set\n", code: 255 }],
    };
    writeScript(this.bin, { ...usual, ...script });
    return apply({
      folder: this.project.folder,
      stack: "acme",
      env: this.env,
      privateFolder: this.private,
      revision: "abc",
      now: () => new Date("2026-11-20T12:00:00Z"),
      wait: () => Promise.resolve(),
      processes: here,
      ...options,
    });
  }

  /** The text of the record. */
  record(): string {
    return readFileSync(join(this.project.folder, recordPath), "utf8");
  }

  /** Of a run that ended well, of which nothing is the same any more, unless `facts` say something else. */
  writeRecord(facts: object = {}): void {
    const of = { backend: this.env.PULUMI_BACKEND_URL, project: "fleet", stack: "acme" };
    const ended = { version: 2, of, at: Date.parse("2026-11-20T11:00:00Z"), open: null, nextDueDate: null };
    write(this.project.folder, { [recordPath]: JSON.stringify({ ...ended, ...facts }) });
  }

  /** An apply dies after it has started the CLI. */
  writeRecordOfDead(): void {
    const cli = { pid: deadCli, start: "1", space: here.space };
    this.writeRecord({
      open: "the last run did not end",
      run: { host: here.host, folder: "run-dead" },
      started: [{ host: here.host, cli, at: Date.parse("2026-11-20T11:59:59Z") }],
    });
  }

  /** An apply dies with its CLI, which has sent this. */
  dies(...requests: object[]): void {
    this.writeRecordOfDead();
    write(this.project.folder, { [`${journalFolder}/run-dead`]: events(...requests) });
  }

  /** The names of the journals. */
  journals(): string[] {
    const folder = join(this.project.folder, journalFolder);
    return existsSync(folder) ? readdirSync(folder).sort() : [];
  }

  /** The commands since the last call. */
  calls(): string[] {
    const file = join(this.bin, "calls");
    const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
    rmSync(file, { force: true });
    return lines.map((line) => line.replace(" --stack acme --non-interactive --color never", ""));
  }

  /** Those that the last `up` got: the mark with which settings are sent again, and how many steps run at once. */
  variables(): string {
    return readFileSync(join(this.bin, "up/variables"), "utf8").trim();
  }

  /** Files of runs that are left. */
  left(): string[] {
    return readdirSync(this.private, { recursive: true, encoding: "utf8" });
  }
}
