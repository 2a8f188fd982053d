import { connect } from "node:net";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { testApproved } from "../../support/approved";
import { compile, start } from "../../support/compiled";

const compiled = compile();
const run = (...args: string[]) => start(compiled, args);

const authorization = { Authorization: "Bearer vp_dev_full" };

function putDays(url: string, days: number): Promise<Response> {
  return fetch(`${url}/v1/retention-policies/recordings`, {
    method: "PUT",
    headers: { ...authorization, "Content-Type": "application/json" },
    body: JSON.stringify({ retention_days: days, enabled: true }),
  });
}

async function control(url: string, name: string): Promise<unknown> {
  return (await fetch(`${url}/_control/${name}`)).json();
}

testApproved(join(__dirname, "approved/serve.md"), {
  "its address, the tokens and the routes": async () => {
    const running = run("serve", "--port", "0");
    await running.printed(/at (http:\S+) \(/);
    running.kill("SIGTERM");
    const { stdout, stderr } = await running.finished;
    expect(stderr).toBe("");
    return stdout.replaceAll(/127\.0\.0\.1:\d+/g, "ADDRESS");
  },
});

async function sendSome(url: string): Promise<void> {
  await fetch(`${url}/_control/clock`, { method: "PUT", body: '{"now":"2026-06-01T09:30:00.000Z"}' });
  await putDays(url, 30);
  await fetch(`${url}/v1/webhooks/`, { headers: { Authorization: "Bearer vp_dev_no_rights" } });
  await fetch(`${url}/vp_dev_full/%1b[2J?token=vp_dev_full`, { headers: authorization });
  await fetch(`${url}/_control/faults`, { method: "PUT", body: '[{"connection":"reset"}]' });
  await expect(putDays(url, 31)).rejects.toThrow("fetch failed");
}

test("prints each request with its time, answer and reason, and neither a token nor a body", async () => {
  const running = run("serve", "--port", "0");
  await sendSome(await running.printed(/at (http:\S+) \(/));
  running.kill("SIGTERM");
  const [, lines = ""] = (await running.finished).stdout.split("Press Ctrl-C to stop.\n");
  expect(lines.replace(/:30:0\d /g, ":30:00 ")).toBe(
    "2026-06-01 09:30:00 PUT /v1/retention-policies/recordings 200\n" +
      "2026-06-01 09:30:00 GET /v1/webhooks/ 403: credential scope required: webhooks:read\n" +
      "2026-06-01 09:30:00 GET /[token]/%1b[2J 404: the interface has no such path or method\n" +
      "2026-06-01 09:30:00 PUT /v1/retention-policies/recordings no answer (fault: reset)\n",
  );
});

test.each([["SIGINT"], ["SIGTERM"]] as const)("%s ends it, with or without open connections", async (signal) => {
  const running = run("serve", "--port", "0");
  const url = await running.printed(/at (http:\S+) \(/);
  await fetch(`${url}/_control/faults`, { method: "PUT", body: '[{"connection":"hang"}]' });
  const { hostname, port } = new URL(url);
  const silent = connect(Number(port), hostname);
  await new Promise((connected) => silent.once("connect", connected));
  silent.on("error", () => undefined);
  const hanging = expect(putDays(url, 30)).rejects.toThrow("fetch failed");
  while (((await control(url, "journal")) as unknown[]).length === 0) await setImmediate();

  running.kill(signal);
  // A request that hangs would hold it for ten minutes, and jest waits for half a one.
  expect(await running.finished).toMatchObject({ code: 0, stderr: "" });
  await hanging;
});
