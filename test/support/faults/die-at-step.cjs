/**
 * Preloaded into every Node process of a run. A provider dies at step DEATH of writing down a request: before the first file operation below
 * the machine's memory (1), between the first and the second (2), and so on.
 */
const fs = require("node:fs");

const isProvider = /pulumi-resource-voiceplane|dynamic-provider/.test(process.argv[1] ?? "");
const memory = /[\\/]voiceplane[\\/]requests/;
let step = 0;

for (const name of ["mkdirSync", "writeFileSync", "openSync", "fsyncSync"]) {
  const original = fs[name];
  fs[name] = (target, ...rest) => {
    const isMemory = name === "fsyncSync" || memory.test(String(target));
    if (isProvider && isMemory && ++step === Number(process.env.DEATH)) process.kill(process.pid, "SIGKILL");
    return original(target, ...rest);
  };
}
