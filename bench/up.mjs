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
      "classes",
      "naive",
      "naive cached",
      "command",
      "opentofu",
      "nothing",
      "nothing cached",
    ],
    goals: [
      { size: 4, of: "naive", ratio: 0.7 },
      { size: 4, of: "nothing", ratio: 1.7 },
    ],
  });
