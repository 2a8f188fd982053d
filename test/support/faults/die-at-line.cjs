/**
 * Preloaded into every Node process of a run. The provider dies at a line of its request log, by DEATH: "intent" after the line before a
 * request, "cut" within it, "answer" after the line of its answer, "engine" there too, and the engine with it. With "read-only" it lives,
 * and the line of the answer cannot be written.
 */
const fs = require("node:fs");
const { appendFileSync, readFileSync } = fs;
const { DEATH: death } = process.env;

/** apply copies journals. */
const isProvider = /pulumi-resource-voiceplane|dynamic-provider/.test(process.argv[1]);

fs.appendFileSync = (file, text, options) => {
  if (!isProvider) return appendFileSync(file, text, options);
  const isIntent = text.includes('"intent":true');
  if (isIntent && death === "cut") {
    appendFileSync(file, text.slice(0, text.indexOf('"organization"')), options);
    die();
  }
  if (!isIntent && death === "read-only") throw Object.assign(new Error("read-only"), { code: "EROFS" });
  appendFileSync(file, text, options);
  if (isIntent && death === "intent") die();
  if (text.includes('"succeeded":true') && (death === "answer" || death === "engine")) die();
};

function die() {
  if (death === "engine") process.kill(engineAbove(process.ppid), "SIGKILL");
  process.kill(process.pid, "SIGKILL");
}

function engineAbove(pid) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return /^Name:\s+pulumi$/m.test(status) ? pid : engineAbove(/^PPid:\s+(\d+)$/m.exec(status)[1]);
}
