// Appends the path of each CommonJS module that a process loads to $NOTED_MODULES/<what the process is>.
const { appendFileSync } = require("node:fs");
const { Module } = require("node:module");
const { join } = require("node:path");

const [, script = ""] = process.argv;
const role = /cmd[/\\]run\b/.test(script) ? "program" : /dynamic-provider/.test(script) ? "provider" : "other";
const original = Module._extensions[".js"];
Module._extensions[".js"] = function (module, path) {
  appendFileSync(join(process.env.NOTED_MODULES, role), `${path}\n`);
  return original.call(this, module, path);
};
