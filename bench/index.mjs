// Runs one benchmark: `node bench/index.mjs client`, `… up`, `… scale`, …. docs/contributing/benchmarks.md explains the figures.
const benchmarks = {
  client: "./client.mjs",
  up: "./up.mjs",
  scale: "./scale.mjs",
  backends: "./backends.mjs",
  providers: "./providers.mjs",
};

const name = process.argv[2];
if (!Object.hasOwn(benchmarks, name ?? "")) {
  console.error(`usage: npm run bench -- ${Object.keys(benchmarks).join(" | ")} [--force]`);
  process.exit(2);
}
const { run } = await import(benchmarks[name]);
try {
  await run();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
