/** Writes the files of a new project, or what an existing one lacks. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { stringify } from "yaml";
import { Client } from "../../client/client.js";
import { defaultOrganizationFile } from "../../organization-file/content.js";
import { organizationMissing, readSettings } from "../../provider/settings.js";
import { fetchWebhooks } from "../../resources/webhook-secret/list.js";
import { codeOf } from "../../values/any.js";
import { diagnosticText } from "../../values/diagnostic.js";
import type { Environment } from "../../values/environment.js";
import { printable } from "../../values/text.js";
import { Command, InvalidArgumentError, Option, type Help, type Io } from "../commander.js";
import { ownManifest, packageFolder } from "../manifest.js";
import { pulumiIn } from "../pulumi/cli.js";
import { projectFileAbove } from "../pulumi/project.js";

export const help: Help = {
  examples: {
    "Write a project": "npx pulumi-voiceplane init acme-voice",
    "Write one with the organization's webhooks": "npx pulumi-voiceplane init acme-voice --from-server",
    "Add a pipeline to an existing project": "npx voiceplane init --ci gitlab",
  },
  exitCodes: { 0: "everything is written", 1: "an error, which names what is written" },
};

const runtimes = ["nodejs", "yaml"] as const;
const services = ["github", "gitlab", "none"] as const;

export const command = (io: Io) =>
  new Command("init")
    .description(
      "Writes a project that keeps one organization's settings in one file, organization.yaml, and with --ci a pipeline that previews pull " +
        "requests and applies merges, at the root of the repository. Files that are there stay as they are, and a folder with a Pulumi.yaml " +
        "gets the pipeline alone.",
    )
    .argument("[dir]", "the folder to write to", ".")
    .option("--name <name>", "name of the project (default: that of the folder)", projectName)
    .addOption(
      new Option(
        "--runtime <runtime>",
        "yaml: the settings are in Pulumi.yaml itself, for the native plugin, which starts faster",
      )
        .choices(runtimes)
        .default("nodejs" as const),
    )
    .option(
      "--from-server",
      "add the organization's webhooks, without rotating them; sends one GET /v1/webhooks/ to VOICEPLANE_BASE_URL with " +
        "VOICEPLANE_TOKEN",
    )
    .addOption(
      new Option("--ci <service>", "the service whose pipeline to write").choices(services).default("none" as const),
    )
    .action(async (folder, { name = defaultName(folder), runtime, ci, fromServer }) => {
      const isProject = projectFileAbove(resolve(folder)) !== undefined;
      const hasCli = await pulumiIn(
        process.cwd(),
        io.env,
      )(["version"]).then(
        ({ code }) => code === 0,
        () => false,
      );
      const webhooks = fromServer === true ? await webhooksOfServer(io.env) : "";
      const project = isProject ? {} : projectFiles(name, runtime, organizationFile(webhooks), hasCli);
      const written = writeMissing({ ...inFolder(folder, project), ...pipelineFiles(ci, folder) });
      if (!isProject) written.push(...ignore(join(folder, ".gitignore")));
      const shown = written.length > 0 ? written.map((path) => relative(folder, path)) : ["nothing: all is there"];
      const paragraphs = [
        section(`Wrote to ${printable(folder)}:`, shown),
        ...(isProject ? [] : [section("Next:", nextSteps(folder, name, ci, hasCli))]),
        template(`next.${ci}.txt`),
      ];
      io.stdout.write(paragraphs.join("\n"));
    });

const section = (heading: string, lines: readonly string[]): string =>
  `${heading}\n${lines.map((line) => `  ${line}\n`).join("")}`;

function projectName(text: string): string {
  if (/^\w[\w.-]{0,99}$/.test(text)) return text;
  throw new InvalidArgumentError(
    'Use up to 100 letters, digits, "-", "_" and ".", and begin with a letter, a digit or "_".',
  );
}

/** The folder's name as a valid project name that does not start with a dash. */
function defaultName(folder: string): string {
  const name = basename(resolve(folder))
    .replaceAll(/[^\w.-]+/g, "-")
    .replace(/^[.-]+/, "")
    .slice(0, 100);
  return name === "" ? "voiceplane" : name;
}

type Files = Readonly<Record<string, string>>;

const inFolder = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [join(folder, path), text]));

const template = (name: string): string => readFileSync(join(packageFolder, "templates", name), "utf8");

function projectFiles(name: string, runtime: (typeof runtimes)[number], organization: string, hasCli: boolean): Files {
  const { version, engines, peerDependencies } = ownManifest();
  const values: Readonly<Record<string, string>> = {
    NAME: stringify(name).trim(),
    VERSION: version,
    PROPERTIES: pulumiProperties(organization),
  };
  const filled = (file: string) => template(file).replaceAll(/__([A-Z]+)__/g, (_, key: string) => values[key] ?? "");
  const pulumi = peerDependencies["@pulumi/pulumi"];
  // It has no name, because npm refuses to install a package below another one of the same name.
  const manifest = {
    ...{ private: true, type: "commonjs", engines: { node: engines.node } },
    dependencies: { "@pulumi/pulumi": pulumi, "pulumi-voiceplane": `^${version}` },
    // npm's package downloads a CLI, which npx would prefer to the one on PATH.
    ...(!hasCli && { devDependencies: { pulumi } }),
  };
  const packageFile = { "package.json": `${JSON.stringify(manifest, undefined, 2)}\n` };
  if (runtime === "yaml") return { "Pulumi.yaml": filled("program.yaml"), ...packageFile };
  return {
    "Pulumi.yaml": filled("Pulumi.yaml"),
    [defaultOrganizationFile]: organization,
    ...packageFile,
    "index.js": template("index.js"),
  };
}

/** @param webhooks the entries; empty for none */
const organizationFile = (webhooks: string): string => {
  const text = template(defaultOrganizationFile);
  return webhooks === "" ? text : text.replace("webhooks: {}\n", () => `webhooks:\n${webhooks}`);
};

/** An organization file as the properties of an `Organization` in Pulumi YAML, which reads `${…}` as an expression. */
function pulumiProperties(organization: string): string {
  // The first paragraph is for the editor and about the file.
  const content = organization.slice(organization.indexOf("\n\n")).trim();
  return content.replaceAll("${", () => "$${").replaceAll(/^(?=.)/gm, "      ");
}

/** The files of each service: by the path in the folder of its example, the path in a repository. */
const pipelines: Readonly<Record<(typeof services)[number], Files>> = {
  github: {
    "voiceplane.yml": ".github/workflows/voiceplane.yml",
    "voiceplane-stack.yml": ".github/workflows/voiceplane-stack.yml",
    "actions/voiceplane/action.yml": ".github/actions/voiceplane/action.yml",
  },
  gitlab: { ".gitlab-ci.yml": ".gitlab-ci.yml", ".gitlab/voiceplane.yml": ".gitlab/voiceplane.yml" },
  none: {},
};

/** The pipeline as it is in the package: a service reads it at the root of a repository. */
function pipelineFiles(service: (typeof services)[number], folder: string): Files {
  const examples = join(packageFolder, "examples/pipelines", service);
  const files = Object.entries(pipelines[service]).map(([from, to]) => [
    to,
    readFileSync(join(examples, from), "utf8"),
  ]);
  return inFolder(repositoryRoot(resolve(folder)), Object.fromEntries(files) as Files);
}

/** The folder itself where it is in no repository. */
function repositoryRoot(folder: string): string {
  for (let root = folder; dirname(root) !== root; root = dirname(root)) if (existsSync(join(root, ".git"))) return root;
  return folder;
}

/** @returns the paths that were written: a file that is there stays as it is */
function writeMissing(files: Files): string[] {
  const written: string[] = [];
  for (const [path, text] of Object.entries(files)) {
    try {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text, { flag: "wx" });
      written.push(path);
    } catch (error) {
      const code = codeOf(error) ?? String(error);
      if (code === "EEXIST" && existsSync(path)) continue;
      const before = written.length === 0 ? "" : `; written: ${written.join(", ")}`;
      throw new Error(`${path} cannot be written (${code})${before}`, { cause: error });
    }
  }
  return written;
}

/** Adds the missing lines of .gitignore. The files with the configuration of stacks are not ignored: their secrets are encrypted. */
function ignore(file: string): string[] {
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  const present = before.split(/\r?\n/);
  const missing = template("gitignore")
    .trimEnd()
    .split("\n")
    .filter((line) => !present.includes(line));
  if (missing.length === 0) return [];
  appendFileSync(file, `${before === "" || before.endsWith("\n") ? "" : "\n"}${missing.join("\n")}\n`);
  return [file];
}

function nextSteps(folder: string, name: string, ci: (typeof services)[number], hasCli: boolean): string[] {
  const pulumi = hasCli ? "pulumi" : "npx pulumi";
  return [
    ...(resolve(folder) === process.cwd() ? [] : [`cd ${JSON.stringify(folder)}`]),
    "npm install",
    `${pulumi} stack init dev`,
    // A project usually has the name of its organization.
    `${pulumi} config set voiceplane:organization ${name}`,
    `${pulumi} config set voiceplane:baseUrl https://…`,
    // With a pipeline, the token is not in the configuration, where the preview of any pull request could decrypt it.
    ci === "none"
      ? `${pulumi} config set --secret voiceplane:token`
      : "read -rs VOICEPLANE_TOKEN && export VOICEPLANE_TOKEN",
    "npx voiceplane doctor",
    "npx voiceplane preview",
  ];
}

/** An entry for each webhook of the server, with its id as its name. The project has no stack yet, so the environment has the settings. */
async function webhooksOfServer(env: Environment): Promise<string> {
  const { client: settings, problems } = readSettings(() => undefined, env);
  const found = problems.filter(({ code }) => code !== organizationMissing.code);
  if (found.length > 0) throw new Error(`--from-server: ${found.map(diagnosticText).join("; ")}`);
  const client = new Client(settings, { env });
  try {
    const webhooks = await fetchWebhooks(client);
    const entry = (id: string) => `  ${JSON.stringify(id)}: { id: ${JSON.stringify(id)}, onCreate: adopt }\n`;
    return webhooks.map(({ id }) => entry(id)).join("");
  } finally {
    await client.close();
  }
}
