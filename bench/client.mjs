// Requests per second of this package's client and of an undici Pool, against one local server.
import { fork } from "node:child_process";
import { once as emitted } from "node:events";
import { Pool } from "undici";
import { median } from "./measure.mjs";

const roundMs = 400;
const warmUpMs = 1000;
const levels = [1, 10, 50];
const goal = 0.9;

const token = "benchmark-token";
const path = "/v1/retention-policies/recordings";
const body = { retention_days: 30, enabled: true };
const headers = {
  authorization: `Bearer ${token}`,
  accept: "application/json",
  "user-agent": "pulumi-voiceplane",
  "content-type": "application/json",
};

/** Each contender sends one request when called, and resolves once the answer's data has arrived. */
const contenders = {
  async client(port, connections) {
    const { Client } = await import("../dist/client/client.js");
    const client = new Client({ baseUrl: `http://127.0.0.1:${port}`, token }, {}, { connections });
    return {
      send: () => client.send("putRetentionPolicy", { resource: "recordings" }, body),
      close: () => client.close(),
    };
  },

  async pool(port, connections) {
    const pool = new Pool(`http://127.0.0.1:${port}`, { connections });
    return {
      send: async () => {
        const response = await pool.request({ path, method: "PUT", headers, body: JSON.stringify(body) });
        return (await response.body.json()).data;
      },
      close: () => pool.close(),
    };
  },
};

/** Requests per second and CPU microseconds of this process for each, with this many at a time. */
async function measure(contender, concurrency, ms) {
  const started = performance.now();
  const before = process.cpuUsage();
  const until = started + ms;
  let count = 0;
  const worker = async () => {
    while (performance.now() < until) {
      const data = await contender.send();
      if (data?.retention_days !== 30) throw new Error("a wrong answer");
      count++;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const { user, system } = process.cpuUsage(before);
  return { rate: (count / (performance.now() - started)) * 1000, cpu: (user + system) / count };
}

/** The contenders take turns in each round, so that other load on the machine affects both. */
async function compare(port, concurrency, rounds) {
  const names = Object.keys(contenders);
  const opened = {};
  const measured = Object.fromEntries(names.map((name) => [name, []]));
  for (const name of names) {
    opened[name] = await contenders[name](port, concurrency);
    if (rounds > 1) await measure(opened[name], concurrency, warmUpMs);
  }
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed())
      measured[name].push(await measure(opened[name], concurrency, roundMs));
  }
  for (const name of names) await opened[name].close();
  return measured;
}

export async function run({ once }) {
  const server = fork(new URL("./server.mjs", import.meta.url));
  const [rows, goals] = [[], []];
  try {
    const [port] = await emitted(server, "message");
    for (const concurrency of levels) {
      const measured = await compare(port, concurrency, once ? 1 : 9);
      for (const [name, rounds] of Object.entries(measured)) {
        const of = (figure) => Math.round(median(rounds.map((round) => round[figure])));
        rows.push([concurrency, name, of("rate"), of("cpu")]);
      }
      const ratios = measured.client.map(({ rate }, round) => rate / measured.pool[round].rate);
      const what = `client / pool, ${concurrency} at a time`;
      if (concurrency > 1) goals.push({ what, reached: median(ratios), least: goal });
    }
  } finally {
    server.disconnect();
  }
  return {
    title: "The API client",
    head: ["at a time", "contender", "requests a second", "CPU µs a request"],
    rows,
    goals,
  };
}
