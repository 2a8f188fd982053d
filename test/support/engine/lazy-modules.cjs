/**
 * Preloaded into every Node process of an engine. Half of the time that Pulumi's SDK takes to start goes into what few programs use:
 * the serialization of functions, and the source maps of its own files. The first is loaded here when it is used, and the second never.
 */
const Module = require("node:module");

const load = Module._load;
const lazy = /^(@npmcli\/arborist|normalize-package-data|[./]+typescript-shim)$/;
const replaced = {
  "source-map-support/register": {},
  // It connects the debugger. Whoever serializes a function connects it then.
  "../../runtime/closure/v8Hooks": { isInitializedAsync: async () => {} },
};

Module._load = function (request, parent, isMain) {
  const real = () => load.call(this, request, parent, isMain);
  if (!/@pulumi.pulumi./.test(parent?.filename ?? "")) return real();
  if (Object.hasOwn(replaced, request)) return replaced[request];
  if (!lazy.test(request)) return real();
  // Of a module with this mark, the SDK's compiled code takes no copy.
  const get = (_target, name) => name === "__esModule" || Reflect.get(real(), name);
  return new Proxy(() => {}, { get, apply: (_target, self, args) => Reflect.apply(real(), self, args) });
};
