/** What a collector can add up of processes that end after one run: the lines of docs/operate/what-to-watch.md, with the SDK, over OTLP. */
import { execFile, spawnSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { json } from "node:stream/consumers";
import { temporaryFolder } from "../../../support/folders";
import { listen } from "../../../support/listen";

jest.setTimeout(300_000);

const root = resolve(__dirname, "../../../..");
const page = readFileSync(join(root, "docs/operate/what-to-watch.md"), "utf8");

interface Sum {
  readonly aggregationTemporality: number;
  readonly dataPoints: readonly { readonly asDouble?: number; readonly asInt?: number | string }[];
}
interface Export {
  readonly resourceMetrics: readonly {
    readonly resource: unknown;
    readonly scopeMetrics: readonly { readonly metrics: readonly { readonly name: string; readonly sum?: Sum }[] }[];
  }[];
}

const folder = temporaryFolder();
let port: number;
const exports: Export[] = [];
const receiver = createServer((request, response) => {
  void json(request).then((body) => {
    exports.push(body as Export);
    response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
  });
});

const found = spawnSync(process.execPath, [join(root, "tools/otel-sdk.mjs")], { encoding: "utf8" });
if (found.status !== 0) process.stderr.write(`SKIPPED: the SDK of OpenTelemetry: ${found.stderr}`);
const withSdk = found.status === 0 ? test : test.skip;

beforeAll(async () => {
  port = await listen(receiver);
  const [, register = ""] = /Write `telemetry\.cjs`:\n\n {3}```js\n(.*?) {3}```/s.exec(page) ?? [];
  writeFileSync(join(folder, "telemetry.cjs"), register);
  symlinkSync(join(found.stdout.trim(), "node_modules"), join(folder, "node_modules"));
  // A provider's process: one rotation, then its end.
  writeFileSync(
    join(folder, "dynamic-provider.cjs"),
    `const { telemetryFor } = require(${JSON.stringify(join(root, "dist/provider/telemetry/index.js"))});
    const telemetry = telemetryFor(process.env);
    telemetry.onAttempt("eu")({ operation: "rotateWebhookSecret", method: "POST", address: "http://127.0.0.1", path: "/",
      number: 1, startedAt: 0, endedAt: 1, result: "answered", status: 200, outcome: "success" });
    // Not telemetry.flush(), which gives up after a second: this machine may be busy.
    telemetry.parentVariables()
      .then(() => require("@opentelemetry/api").metrics.getMeterProvider().forceFlush())
      .then(() => process.exit());`,
  );
});
afterEach(() => exports.splice(0));
afterAll(() => {
  receiver.close();
});

/** Runs three providers, one after the other. Returns what a collector gets of their rotations. */
async function rotations(variables: Record<string, string>) {
  const lines = [...page.matchAll(/^ {3}export (OTEL_(?!EXPORTER_OTLP_ENDPOINT)\w+)=(\S+)$/gm)];
  const documented = Object.fromEntries(lines.map(([, name = "", value = ""]) => [name, value]));
  const env = {
    PATH: process.env.PATH,
    ...documented,
    OTEL_TRACES_EXPORTER: "none",
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    NODE_OPTIONS: `--require=${join(folder, "telemetry.cjs")}`,
    ...variables,
  };
  for (let run = 0; run < 3; run += 1)
    await promisify(execFile)(process.execPath, [join(folder, "dynamic-provider.cjs")], { env });
  const resources = exports.flatMap(({ resourceMetrics }) => resourceMetrics);
  const sums = resources
    .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
    .flatMap(({ name, sum }) => (name === "voiceplane.rotations" && sum ? [sum] : []));
  return {
    resources: new Set(resources.map(({ resource }) => JSON.stringify(resource))).size,
    temporalities: new Set(sums.map(({ aggregationTemporality }) => aggregationTemporality)),
    values: sums.flatMap(({ dataPoints }) => dataPoints.map(({ asDouble, asInt }) => Number(asDouble ?? asInt))),
  };
}

const [delta, cumulative] = [1, 2];

withSdk(
  "three processes with a rotation each: their counters are deltas of one series, so their sum is 3",
  async () => {
    expect(await rotations({})).toEqual({ resources: 1, temporalities: new Set([delta]), values: [1, 1, 1] });
  },
);

withSdk("a preference of the user's own wins", async () => {
  const seen = await rotations({ OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: "cumulative" });
  expect(seen.temporalities).toEqual(new Set([cumulative]));
});
