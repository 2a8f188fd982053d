/**
 * The environment variables that the package, its commands, the plugin and the pipelines read or set. docs/reference/configuration.md is
 * written from them: the texts are Markdown, with the links of that page.
 */

interface Variable {
  readonly names: readonly string[];
  readonly usedBy: string;
  readonly meaning: string;
}

export const variables: readonly Variable[] = [
  {
    names: ["VOICEPLANE_BASE_URL"],
    usedBy: "providers, `doctor`, `validate`, `init --from-server`",
    meaning: "The address of the control plane. Overrides `voiceplane:baseUrl`.",
  },
  {
    names: ["VOICEPLANE_TOKEN"],
    usedBy: "providers, `doctor`, `validate`, `init --from-server`",
    meaning:
      "The organization's API token. Overrides `voiceplane:token`. A preview accepts any text, unless the program calls `listWebhooks()`.",
  },
  {
    names: ["VOICEPLANE_BASE_URL_<NAME>"],
    usedBy: "providers",
    meaning: 'The address of `new Provider("<name>", …)`. Overrides its `baseUrl`.',
  },
  {
    names: ["VOICEPLANE_TOKEN_<NAME>"],
    usedBy: "providers",
    meaning: 'The token of `new Provider("<name>", …)`. Overrides its `token`.',
  },
  {
    names: ["VOICEPLANE_STATE_DIR"],
    usedBy: "providers, commands",
    meaning:
      "The folder in which this machine [remembers what it sends](../operate/when-something-went-wrong.md#what-this-machine-remembers). Default: `$XDG_STATE_HOME/voiceplane` or `~/.local/state/voiceplane`, on macOS `~/Library/Application Support/voiceplane`, on Windows `%LOCALAPPDATA%\\voiceplane`.",
  },
  {
    names: ["XDG_STATE_HOME", "LOCALAPPDATA"],
    usedBy: "providers, commands",
    meaning: "Set by the system: where programs keep what they remember, see `VOICEPLANE_STATE_DIR`.",
  },
  {
    names: ["VOICEPLANE_UNSETTLED"],
    usedBy: "providers",
    meaning: "Internal: `preview` and `apply` pass the engine's pending operations in it.",
  },
  {
    names: ["VOICEPLANE_NOW"],
    usedBy: "providers",
    meaning:
      "For [trials and tests](../guides/test-your-stack.md#try-a-due-date): a date such as `2027-03-01`, which the run takes for the present, and says so.",
  },
  {
    names: ["VOICEPLANE_DEBUG"],
    usedBy: "providers, programs without code",
    meaning:
      "`1` prints one line for each request to standard error, and keeps the stack traces of a program without code. No token, no body.",
  },
  {
    names: ["VOICEPLANE_REQUEST_LOG"],
    usedBy: "providers",
    meaning:
      "A file that gets [one line of JSON for each attempt](../operate/run-stacks-unattended.md#log-of-requests).",
  },
  {
    names: ["VOICEPLANE_ORGANIZATION_FOLDER"],
    usedBy: "programs without code, commands",
    meaning:
      "An absolute path: [organization files](organization-file.md) may be in this folder too, beside the project's.",
  },
  {
    names: ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"],
    usedBy: "providers, commands",
    meaning:
      "The proxy, and names and single addresses that are reached without it: a range such as 10.0.0.0/8 is not read, and a warning names it. In lower case too, and then `pulumi` itself needs `127.0.0.1` in `no_proxy`. `preview` and `apply` add it.",
  },
  {
    names: ["NODE_EXTRA_CA_CERTS"],
    usedBy: "Node",
    meaning: "A file with certificates of your own authority.",
  },
  {
    names: ["NODE_TLS_REJECT_UNAUTHORIZED"],
    usedBy: "Node, `doctor`",
    meaning: "`0` turns off the check of certificates. Do not set it.",
  },
  {
    names: ["NODE_COMPILE_CACHE"],
    usedBy: "Node",
    meaning: "A folder for compiled code, which makes each command after the first one faster. The pipelines set it.",
  },
  {
    names: ["PULUMI_BACKEND_URL"],
    usedBy: "Pulumi, all commands",
    meaning: "Where the state is. The commands remove its password from texts.",
  },
  {
    names: ["PULUMI_HOME", "PULUMI_CREDENTIALS_PATH", "HOME"],
    usedBy: "Pulumi, `doctor`",
    meaning: "Where Pulumi has its login and its plugins. Default: `~/.pulumi`.",
  },
  {
    names: ["PULUMI_VERSION"],
    usedBy: "npm's package `pulumi`, commands",
    meaning: "The version of the CLI that the package downloads. Default: its own.",
  },
  {
    names: ["PULUMI_ACCESS_TOKEN", "PULUMI_API"],
    usedBy: "Pulumi",
    meaning: "The login to Pulumi Cloud, and its address.",
  },
  {
    names: ["PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG_PASSPHRASE_FILE"],
    usedBy: "Pulumi, commands",
    meaning:
      "The passphrase that encrypts the secrets of a stack outside Pulumi Cloud, or a file with it. On a terminal, the commands ask for it.",
  },
  {
    names: ["PULUMI_IGNORE_AMBIENT_PLUGINS"],
    usedBy: "Pulumi, `doctor`",
    meaning: "`true`: plugins on PATH are not used.",
  },
  {
    names: ["PULUMI_SKIP_CHECKPOINTS"],
    usedBy: "Pulumi, providers",
    meaning: "While it is set to a true value, rotations are refused.",
  },
  {
    names: ["PULUMI_PARALLEL"],
    usedBy: "Pulumi",
    meaning: "The steps of an update at once. [On Pulumi Cloud](../guides/keep-the-state.md#speed), 128 is faster.",
  },
  {
    names: ["PULUMI_SKIP_UPDATE_CHECK"],
    usedBy: "Pulumi",
    meaning: "Pulumi does not look for a newer version. `preview` and `apply` set it.",
  },
  {
    names: ["PULUMI_OPTION_LOGTOSTDERR"],
    usedBy: "Pulumi",
    meaning: "`preview` and `apply` set it to `false`: with `-v=9`, Pulumi's log has each secret in plain text.",
  },
  {
    names: ["PULUMI_ENABLE_STREAMING_JSON_PREVIEW"],
    usedBy: "Pulumi",
    meaning: "`pulumi preview --json` prints events, as `preview --from` needs them. `preview` and `apply` set it.",
  },
  {
    names: ["PULUMI_DEBUG_COMMANDS"],
    usedBy: "Pulumi, pipelines",
    meaning: "Makes the option `--event-log` available, from which the pipelines report an update.",
  },
  {
    names: ["PULUMI_DEBUG_PROVIDERS"],
    usedBy: "Pulumi",
    meaning:
      "Attaches to a plugin that runs already, for [debugging](../guides/use-yaml-python-or-go.md#debug-the-plugin).",
  },
  {
    names: ["PULUMI_STACK"],
    usedBy: "Pulumi, pipelines",
    meaning: "The stack of a command.",
  },
  {
    names: ["PULUMI_NODEJS_MONITOR", "PULUMI_CONFIG_SECRET_KEYS"],
    usedBy: "programs",
    meaning: "Set by Pulumi. Do not set them.",
  },
  {
    names: ["CI"],
    usedBy: "`doctor`",
    meaning: "Set by pipelines. Doctor then warns of an address that is not in the environment.",
  },
  {
    names: ["GITHUB_SHA", "CI_COMMIT_SHA"],
    usedBy: "`preview`, `apply`",
    meaning: "The commit that a report in Markdown names. `--commit` overrides them.",
  },
  {
    names: ["NO_COLOR"],
    usedBy: "commands",
    meaning: "No colors.",
  },
  {
    names: ["PATH"],
    usedBy: "Pulumi, commands",
    meaning: "Where `pulumi`, `node` and the native plugin are.",
  },
  {
    names: ["TMPDIR"],
    usedBy: "providers, programs, commands",
    meaning:
      "The temporary folder: notes between the processes of a run, and the events of a preview or update while they are read.",
  },
  {
    names: ["VOICEPLANE_RUN", "VOICEPLANE_NOTE_TOKEN"],
    usedBy: "pipelines for GitLab",
    meaning:
      "[What a schedule runs, and the token for notes](../guides/review-changes-in-pull-requests.md#set-it-up-on-gitlab).",
  },
  {
    names: ["PULL_REQUEST_LABELS"],
    usedBy: "[policies](../../examples/policies/) example",
    meaning: "The labels of the pull request, which allow exceptions.",
  },
];
