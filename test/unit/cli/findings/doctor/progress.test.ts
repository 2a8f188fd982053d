import { createServer, type Server } from "node:http";
import { listen } from "../../../../support/listen";
import { examined, pulumiWith } from "./project";

/** A timer that tests run by hand. It records the delays. */
class Timers {
  readonly #waiting = new Map<number, () => void>();
  #next = 0;
  readonly times: number[] = [];

  readonly later = (action: () => void, ms: number): (() => void) => {
    const id = this.#next++;
    this.times.push(ms);
    this.#waiting.set(id, action);
    return () => this.#waiting.delete(id);
  };

  pass(): void {
    for (const action of this.#waiting.values()) action();
  }
}

let server: Server;

afterEach(() => server.close());

async function serve(answer: () => Promise<void> | void): Promise<string> {
  server = createServer((_request, response) => {
    void Promise.resolve(answer()).then(() => response.end('{"success":true,"data":[]}'));
  });
  return `http://127.0.0.1:${await listen(server)}`;
}

test("a slow server is announced after two seconds, with its time limit", async () => {
  const timers = new Timers();
  const messages: string[] = [];
  const url = await serve(() => {
    timers.pass();
  });
  const lines = await examined({
    env: { VOICEPLANE_BASE_URL: url, VOICEPLANE_TOKEN: "t" },
    later: timers.later,
    say: (line) => messages.push(line),
  });
  expect(lines).toContain(`ok server ${url} answers`);
  expect(messages).toEqual([`waiting for ${url}, for at most 20 s …`]);
  expect(new Set(timers.times)).toEqual(new Set([2_000]));
});

test("a slow engine is announced too", async () => {
  const timers = new Timers();
  const messages: string[] = [];
  const table = pulumiWith({ "stack --show-name": "dev\n", "config --json --stack=dev": "{}\n" });
  server = createServer();
  await examined({
    later: timers.later,
    say: (line) => messages.push(line),
    pulumi: async (args, folder) => {
      await Promise.resolve();
      if (args[0] === "config") timers.pass();
      return table(args, folder);
    },
  });
  expect(messages).toEqual(["waiting for pulumi config …"]);
});

test("a fast answer is not announced, and nothing is printed afterwards", async () => {
  const timers = new Timers();
  const messages: string[] = [];
  const url = await serve(() => undefined);
  await examined({
    env: { VOICEPLANE_BASE_URL: url, VOICEPLANE_TOKEN: "t" },
    later: timers.later,
    say: (line) => messages.push(line),
  });
  timers.pass();
  expect(messages).toEqual([]);
});
