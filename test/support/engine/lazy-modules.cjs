/**
 * Preloaded into every Node process of an engine. Pulumi's SDK loads these for the functions that it serializes, which are in few programs,
 * and that is half of the time that it takes to start. Here they are loaded when they are used.
 */
const Module = require("node:module");

const load = Module._load;
const lazy = /^(@npmcli\/arborist|normalize-package-data|[./]+typescript-shim)$/;

Module._load = function (request, parent, isMain) {
  const real = () => load.call(this, request, parent, isMain);
  if (!lazy.test(request) || !/@pulumi.pulumi./.test(parent?.filename ?? "")) return real();
  // Of a module with this mark, the SDK's compiled code takes no copy.
  const get = (_target, name) => name === "__esModule" || Reflect.get(real(), name);
  return new Proxy(() => {}, { get, apply: (_target, self, args) => Reflect.apply(real(), self, args) });
};
