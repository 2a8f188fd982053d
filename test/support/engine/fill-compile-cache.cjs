/**
 * Loads the modules that engine commands load, and exits normally, so that Node writes its compile cache. The engine
 * kills its plugins, which would otherwise compile everything again on each run.
 */
const { existsSync, globSync, readFileSync } = require("node:fs");
const { join } = require("node:path");

const [installation, engine] = process.argv.splice(2);
// Plugins need the engine's address as an argument. Without it they end after loading.
process.argv.push("127.0.0.1:1");

require(join(installation, "node_modules/@pulumi/pulumi/cmd/dynamic-provider"));
const compiled = join(installation, "node_modules/pulumi-voiceplane/dist");
// The other scripts start to work as soon as they are loaded.
const libraries = globSync("{program/{index,native},provider/dynamic/*}.js", { cwd: compiled });
for (const file of libraries) require(join(compiled, file));
require(require.resolve("undici", { paths: [compiled] }));
const languageHost = join(engine, "pulumi-language-nodejs");
// The official language host is a binary, not a script.
if (existsSync(languageHost) && readFileSync(languageHost, "latin1").startsWith("#!")) require(languageHost);
process.exit();
