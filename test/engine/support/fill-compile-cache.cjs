/**
 * Loads what commands of the engine load, in an installation and from an engine's folder, and ends as Node has to for its
 * compile cache to be written. The engine kills its plugins, which would compile everything anew each time.
 */
const { existsSync, globSync, readFileSync } = require("node:fs");
const { join } = require("node:path");

const [installation, engine] = process.argv.splice(2);
// Plugins take the engine's address; they end here before they ask for it.
process.argv.push("127.0.0.1:1");

require(join(installation, "node_modules/@pulumi/pulumi/cmd/dynamic-provider"));
const compiled = join(installation, "node_modules/pulumi-voiceplane/dist");
// The rest are programs, which begin to work when they are loaded.
const libraries = globSync("{client,resources,pulumi/{classes,dynamic}}/**/*.js", { cwd: compiled });
for (const file of libraries) require(join(compiled, file));
require(require.resolve("undici", { paths: [compiled] }));
const languageHost = join(engine, "pulumi-language-nodejs");
// The official one is no script.
if (existsSync(languageHost) && readFileSync(languageHost, "latin1").startsWith("#!")) require(languageHost);
process.exit();
