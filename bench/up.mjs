// `pulumi up` of four resources by the stack without code, beside a program that imports nothing and a simple dynamic provider.
import { compare } from "./scale.mjs";

export const run = () =>
  compare({
    title: "pulumi up of four resources",
    name: "up",
    sizes: { 4: 7 },
    names: [
      "organization",
      "pipeline",
      "yaml organization",
      "classes",
      "naive",
      "naive cached",
      "command",
      "opentofu",
      "opentofu restapi",
      "nothing",
      "nothing cached",
      "empty yaml",
    ],
    goals: [
      { size: 4, of: "naive", ratio: 0.7 },
      { size: 4, of: "nothing", ratio: 1.7 },
      { size: 4, by: "yaml organization", of: "empty yaml", ratio: 1.65 },
      { size: 4, by: "yaml organization", of: "naive", ratio: 0.35 },
    ],
  });
