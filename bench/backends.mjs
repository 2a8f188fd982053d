// One `pulumi up` of 1,000 settings with the state in files and on a server with Pulumi Cloud's protocol, and by OpenTofu.
import process from "node:process";
import { contenders as usual, settingsOf } from "./contenders.mjs";
import { compare } from "./scale.mjs";
import { httpState } from "./states.mjs";

const settings = (contender, what, more) => ({ ...contender, what, objectsOf: settingsOf, ...more });
const yaml = usual["yaml organization"];
/** As `voiceplane apply` and the pipelines set it. */
const parallel = { PULUMI_PARALLEL: "128" };

const contenders = {
  files: settings(
    yaml,
    "Pulumi YAML with one `voiceplane:Organization`, over the native plugin, with the state in files",
  ),
  "files, parallel": settings(yaml, "`files` with PULUMI_PARALLEL=128", { env: parallel }),
  http: settings(yaml, "`files` with the state on a server with Pulumi Cloud's protocol, and PULUMI_PARALLEL=128", {
    state: httpState,
    env: parallel,
  }),
  "http, engine's parallelism": settings(yaml, "`http` without PULUMI_PARALLEL", { state: httpState }),
  "opentofu restapi": settings(usual["opentofu restapi"], "OpenTofu with the provider restapi"),
};

export const run = () =>
  compare({
    title: "1,000 settings by backend",
    name: "backends",
    base: "files",
    contenders,
    sizes: { [process.argv.slice(3).find((arg) => /^\d+$/.test(arg)) ?? 1000]: 3 },
    names: Object.keys(contenders),
    goals: [
      { size: 1000, by: "http", of: "files", ratio: 0.15 },
      { size: 1000, by: "http", of: "opentofu restapi", ratio: 0.6 },
    ],
  });
