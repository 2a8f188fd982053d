/** Writes organization.schema.json, for editors, from the compiled schema. Needs a build: `npm run build`. */
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import prettier from "prettier";
import { root } from "./bootstrap.mjs";

const { organizationJsonSchema } = createRequire(import.meta.url)(path.join(root, "dist/organization-file/schema.js"));
const file = path.join(root, "organization.schema.json");
const options = await prettier.resolveConfig(file);
await writeFile(file, await prettier.format(JSON.stringify(organizationJsonSchema()), { ...options, filepath: file }));
