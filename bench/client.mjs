// Requests per second of this package's client, compared with an undici Pool, undici's connections alone and a plain
// socket, against one local server.
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { setImmediate } from "node:timers";
import { Client as Connection, Pool } from "undici";
import { describeMachine, requireQuietMachine } from "./machine.mjs";
import { median } from "./measure.mjs";
import { judge, machineLine, writeResults } from "./results.mjs";

const rounds = 9;
const roundMs = 400;
const warmUpMs = 1000;
const levels = [1, 10, 50];
const goals = [
  { of: "pool", at: 10, ratio: 1 },
  { of: "pool", at: 50, ratio: 1 },
];

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
  async client(port, concurrency) {
    const { Client } = await import("../dist/client/client.js");
    const { putRetentionPolicy } = await import("../dist/client/operations.js");
    const client = new Client({ baseUrl: `http://127.0.0.1:${port}`, token }, {}, { connections: concurrency });
    return {
      send: () => putRetentionPolicy(client, "recordings", body),
      close: () => client.close(),
    };
  },

  async pool(port, concurrency) {
    const pool = new Pool(`http://127.0.0.1:${port}`, { connections: concurrency });
    return {
      send: async () => {
        const response = await pool.request({ path, method: "PUT", headers, body: JSON.stringify(body) });
        const answer = await response.body.json();
        return answer.data;
      },
      close: () => pool.close(),
    };
  },

  // What undici itself costs: a list of its connections, each free a turn after its answer.
  async connections(port, concurrency) {
    const all = Array.from({ length: concurrency }, () => new Connection(`http://127.0.0.1:${port}`));
    const free = [...all];
    const waiting = [];
    const use = (connection, [resolve, reject]) => {
      let received;
      connection.dispatch(
        { path, method: "PUT", headers, body: JSON.stringify(body) },
        {
          onRequestStart() {},
          onResponseStart() {},
          onResponseData(_, chunk) {
            received = chunk;
          },
          onResponseEnd() {
            resolve(JSON.parse(received.toString()).data);
            setImmediate(() => {
              const next = waiting.shift();
              if (next) use(connection, next);
              else free.push(connection);
            });
          },
          onResponseError: (_, error) => reject(error),
        },
      );
    };
    return {
      send: () =>
        new Promise((resolve, reject) => {
          const connection = free.pop();
          if (connection) use(connection, [resolve, reject]);
          else waiting.push([resolve, reject]);
        }),
      close: () => Promise.all(all.map((connection) => connection.close())),
    };
  },

  async socket(port, concurrency) {
    const connections = await Promise.all(Array.from({ length: concurrency }, () => openConnection(port)));
    return {
      send: () => {
        const connection = connections.pop();
        return connection.send().finally(() => connections.push(connection));
      },
      close: async () => connections.forEach((connection) => connection.close()),
    };
  },
};

/** The minimum of HTTP: it writes the request, and reads as many bytes as the answer announces. */
async function openConnection(port) {
  const socket = connect(port, "127.0.0.1");
  socket.setNoDelay(true);
  await once(socket, "connect");
  let received = "";
  let done;
  socket.setEncoding("latin1").on("data", (chunk) => {
    received += chunk;
    const headEnd = received.indexOf("\r\n\r\n");
    if (headEnd < 0) return;
    const length = Number(/content-length: (\d+)/.exec(received)[1]);
    if (received.length < headEnd + 4 + length) return;
    const answer = JSON.parse(received.slice(headEnd + 4));
    received = "";
    done(answer.data);
  });
  return {
    send: () =>
      new Promise((resolve) => {
        done = resolve;
        const payload = JSON.stringify(body);
        socket.write(
          `PUT ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: keep-alive\r\n` +
            `authorization: Bearer ${token}\r\naccept: application/json\r\nuser-agent: pulumi-voiceplane\r\n` +
            `content-type: application/json\r\ncontent-length: ${payload.length}\r\n\r\n${payload}`,
        );
      }),
    close: () => socket.destroy(),
  };
}

/** Requests per second and CPU microseconds of this process for each, with this many at a time. */
async function measure(contender, concurrency, ms) {
  const started = performance.now();
  const before = process.cpuUsage();
  const until = started + ms;
  let count = 0;
  const worker = async () => {
    while (performance.now() < until) {
      const data = await contender.send();
      if (data.retention_days !== 30) throw new Error("a wrong answer");
      count++;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const { user, system } = process.cpuUsage(before);
  return { rate: (count / (performance.now() - started)) * 1000, cpuMicroseconds: (user + system) / count };
}

/** The contenders take turns in each round, so that other load on the machine affects all of them. */
async function compare(port, concurrency) {
  const names = Object.keys(contenders);
  const opened = {};
  const rows = Object.fromEntries(names.map((name) => [name, []]));
  for (const name of names) {
    opened[name] = await contenders[name](port, concurrency);
    await measure(opened[name], concurrency, warmUpMs);
  }
  for (let round = 0; round < rounds; round++) {
    // Each contender goes first equally often.
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length];
      rows[name].push(await measure(opened[name], concurrency, roundMs));
    }
  }
  for (const name of names) await opened[name].close();
  return rows;
}

/** The median of the rounds' own ratios: a slow moment slows both sides of a ratio. */
const ratio = (rows, name, of) => median(rows[name].map(({ rate }, round) => rate / rows[of][round].rate));

export async function run() {
  requireQuietMachine();
  if (!existsSync(new URL("../dist/client/client.js", import.meta.url))) {
    throw new Error("dist is missing: run `npm run build` first");
  }
  const machine = describeMachine();
  const server = fork(new URL("./server.mjs", import.meta.url));
  try {
    const [port] = await once(server, "message");
    const rows = [];
    const reached = [];
    for (const concurrency of levels) {
      console.error(`${concurrency} at a time`);
      const measured = await compare(port, concurrency);
      for (const [name, rounds] of Object.entries(measured)) {
        const of = (figure) => Math.round(median(rounds.map((row) => row[figure])));
        rows.push({ concurrency, name, rate: of("rate"), cpuMicroseconds: of("cpuMicroseconds") });
      }
      for (const goal of goals.filter(({ at }) => at === concurrency)) {
        const what = `client / ${goal.of}, ${concurrency} at a time`;
        reached.push(judge(what, ratio(measured, "client", goal.of), goal.ratio, { least: true }));
      }
      for (const name of ["client", "connections"]) {
        const limit = ratio(measured, name, "socket");
        reached.push({ text: `${name} / socket, ${concurrency} at a time: ${limit.toFixed(2)}` });
      }
    }
    const results = { title: "The API client", machine, rows, goals: reached };
    writeResults("client", results, table(results));
  } finally {
    server.disconnect();
  }
}

function table({ title, machine, rows, goals: reached }) {
  return [
    `# ${title}`,
    "",
    machineLine(machine),
    `Medians of ${rounds} rounds of ${roundMs} ms.`,
    "",
    "| at a time | contender | requests a second | CPU µs a request |",
    "| --------- | --------- | ----------------- | ---------------- |",
    ...rows.map((row) => `| ${row.concurrency} | ${row.name} | ${row.rate} | ${row.cpuMicroseconds} |`),
    "",
    ...reached.map(({ text }) => `- ${text}`),
    "",
  ].join("\n");
}
