// Runs one benchmark: `node bench/index.mjs client`, `… up` or `… providers`. bench/README.md explains the figures.
const benchmarks = { client: "./client.mjs", up: "./up.mjs", providers: "./providers.mjs" };

const name = process.argv[2];
if (!Object.hasOwn(benchmarks, name ?? "")) {
  console.error(`usage: npm run bench -- ${Object.keys(benchmarks).join(" | ")}`);
  process.exit(2);
}
const { run } = await import(benchmarks[name]);
await run();
