/**
 * Writes the strict schema of a CronJob under the name that kubeconform looks for.
 *
 *     node kubernetes.mjs FROM TO SAMPLE
 *
 * FROM has the OpenAPI documents of a cluster, as the Go module k8s.io/client-go does. They are older than SAMPLE, a CronJob with every
 * field, of the module k8s.io/api. Numbers of a Job that only SAMPLE has are added.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { strict } from "./strict.mjs";

/** Their type is "string", and numbers are fine too. */
const isLoose = (name) => /\.(Quantity|IntOrString)$/.test(name);

const [from, to, sample] = process.argv.slice(2);
const { components } = JSON.parse(readFileSync(path.join(from, "apis__batch__v1_openapi.json"), "utf8"));
const schemas = Object.fromEntries(
  Object.entries(components.schemas).map(([name, schema]) => [name, isLoose(name) ? {} : strict(schema)]),
);
const { properties } = schemas["io.k8s.api.batch.v1.JobSpec"];
for (const [name, value] of Object.entries(JSON.parse(readFileSync(sample, "utf8")).spec.jobTemplate.spec))
  if (typeof value === "number") properties[name] ??= { type: "integer" };
const schema = { $ref: "#/components/schemas/io.k8s.api.batch.v1.CronJob", components: { schemas } };
writeFileSync(path.join(to, "batch-v1-cronjob.json"), JSON.stringify(schema));
