/**
 * The environment variables that the package, its commands, the plugin and the pipelines read or set. `voiceplane help environment`
 * prints them, and docs/reference/configuration.md is written from them: the texts are Markdown, with the links of that page.
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
    names: ["VOICEPLANE_BASE_URL_<LABEL>"],
    usedBy: "providers",
    meaning: 'The address of `new Provider("<label>", …)`. Overrides its `baseUrl`.',
  },
  {
    names: ["VOICEPLANE_TOKEN_<LABEL>"],
    usedBy: "providers",
    meaning: 'The token of `new Provider("<label>", …)`. Overrides its `token`.',
  },
  {
    names: ["VOICEPLANE_DEBUG"],
    usedBy: "providers, programs without code",
    meaning:
      "`1` prints one line for each request to standard error, and keeps the stack traces of a program without code. No token, no body.",
  },
  {
    names: ["VOICEPLANE_REQUEST_LOG"],
    usedBy: "providers, `apply`",
    meaning:
      "A file that gets [one line of JSON for each request](../operate/run-stacks-unattended.md#log-of-requests).",
  },
  {
    names: ["VOICEPLANE_TRIAL_CLOCK"],
    usedBy: "providers",
    meaning:
      "`1`: due dates follow the clock of a [`voiceplane serve`](../guides/test-your-stack.md#try-a-due-date) on this machine. Refused with any other server.",
  },
  {
    names: ["VOICEPLANE_ORGANIZATION_FOLDER"],
    usedBy: "programs without code, commands",
    meaning:
      "An absolute path: [organization files](organization-file.md) may be in this folder too, beside the project's.",
  },
  {
    names: ["VOICEPLANE_RESEND_SETTINGS"],
    usedBy: "providers",
    meaning:
      "Internal: `apply` sets it for a run that [sends every setting again](../operate/when-something-went-wrong.md#voiceplane-apply-was-killed).",
  },
  {
    names: ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"],
    usedBy: "providers, commands",
    meaning:
      "The proxy, and hosts that are reached without it. In lower case too, and then `pulumi` itself needs `127.0.0.1` in `no_proxy`. `preview` and `apply` add it.",
  },
  { names: ["NODE_EXTRA_CA_CERTS"], usedBy: "Node", meaning: "A file with certificates of your own authority." },
  {
    names: ["NODE_TLS_REJECT_UNAUTHORIZED"],
    usedBy: "Node, `doctor`",
    meaning:
      "`0` turns off the check of certificates. Doctor reports a failure if the server's certificate is not trusted. Do not set it.",
  },
  {
    names: ["NODE_COMPILE_CACHE"],
    usedBy: "Node",
    meaning: "A folder for compiled code, which makes each command after the first one faster. The pipelines set it.",
  },
  {
    names: ["NODE_OPTIONS"],
    usedBy: "Node, `apply`",
    meaning: "Node's options, for example to load OpenTelemetry. If it changes, `apply` does not skip.",
  },
  {
    names: ["TS_NODE_…"],
    usedBy: "Pulumi, `apply`",
    meaning: "How Pulumi compiles TypeScript. If one changes, `apply` does not skip.",
  },
  {
    names: ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"],
    usedBy: "providers, `apply`",
    meaning: "Turn on [spans and metrics](../operate/what-to-watch.md).",
  },
  {
    names: ["OTEL_TRACES_EXPORTER", "OTEL_METRICS_EXPORTER"],
    usedBy: "providers, `apply`",
    meaning: "Turn spans and metrics on, or off with `none`.",
  },
  { names: ["OTEL_SDK_DISABLED"], usedBy: "providers, `apply`", meaning: "`true` turns spans and metrics off." },
  {
    names: ["OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE"],
    usedBy: "`apply`",
    meaning: "`apply` sets it to `delta` for its runs, unless it is set.",
  },
  {
    names: ["TRACEPARENT", "TRACESTATE"],
    usedBy: "providers, `apply`",
    meaning: "The trace that the run belongs to. `apply` sets them for the CLI.",
  },
  {
    names: ["PULUMI_BACKEND_URL"],
    usedBy: "Pulumi, `apply`, all commands",
    meaning: "Where the state is. The commands remove its password from texts.",
  },
  {
    names: ["PULUMI_HOME", "PULUMI_CREDENTIALS_PATH", "HOME"],
    usedBy: "Pulumi, `doctor`, `apply`",
    meaning: "Where Pulumi has its login and its plugins. Default: `~/.pulumi`.",
  },
  {
    names: ["PULUMI_ACCESS_TOKEN"],
    usedBy: "Pulumi, `apply`",
    meaning: "The login to Pulumi Cloud. `apply` asks it for the version of a stack's state.",
  },
  {
    names: ["PULUMI_API"],
    usedBy: "Pulumi, `apply`",
    meaning: "The server that Pulumi takes if there is a token and no login. Default: Pulumi Cloud.",
  },
  {
    names: ["PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG_PASSPHRASE_FILE"],
    usedBy: "Pulumi",
    meaning: "The passphrase that encrypts the secrets of a stack outside Pulumi Cloud, or a file with it.",
  },
  {
    names: ["PULUMI_IGNORE_AMBIENT_PLUGINS"],
    usedBy: "Pulumi, `doctor`, `apply`",
    meaning: "`true`: plugins on PATH are not used.",
  },
  {
    names: ["PULUMI_SKIP_CHECKPOINTS"],
    usedBy: "Pulumi, providers, `apply`",
    meaning: "While it is set to a true value, rotations are refused, and `apply` does not run.",
  },
  {
    names: ["PULUMI_PARALLEL"],
    usedBy: "Pulumi, `apply`",
    meaning:
      "The steps of an update at once. `apply` sets 128 [on Pulumi Cloud](../guides/keep-the-state.md#speed), unless you set another number.",
  },
  {
    names: ["PULUMI_OPTION_POLICY_PACK"],
    usedBy: "Pulumi, `apply`",
    meaning: "Policy packs. `apply` then previews first.",
  },
  {
    names: ["PULUMI_OPTION_…"],
    usedBy: "Pulumi, `apply`",
    meaning: "An option of the CLI. With any of them, `apply` never skips.",
  },
  {
    names: ["PULUMI_SKIP_UPDATE_CHECK"],
    usedBy: "Pulumi, `apply`",
    meaning: "Pulumi does not look for a newer version. `apply` sets it.",
  },
  {
    names: ["PULUMI_ENABLE_STREAMING_JSON_PREVIEW"],
    usedBy: "Pulumi, `apply`",
    meaning: "`pulumi preview --json` prints events. `apply` sets it for its preview.",
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
  { names: ["PULUMI_STACK"], usedBy: "Pulumi, pipelines", meaning: "The stack of a command." },
  {
    names: ["PULUMI_DIY_BACKEND_ZSTD", "PULUMI_DIY_BACKEND_PARALLEL", "PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS"],
    usedBy: "Pulumi, `doctor`",
    meaning: "How a state outside Pulumi Cloud is stored: packed, read by how many at a time, without backups.",
  },
  {
    names: ["PULUMI_DIY_BACKEND_GZIP", "PULUMI_SELF_MANAGED_STATE_GZIP", "PULUMI_SELF_MANAGED_STATE_ZSTD"],
    usedBy: "Pulumi, `doctor`",
    meaning: "Other ways to pack a state, and old names. Packing is not recommended.",
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
    usedBy: "`report`, `preview`",
    meaning: "The commit that the report names. `--commit` overrides them.",
  },
  { names: ["NO_COLOR"], usedBy: "`doctor`, `report`, `preview`, `status`", meaning: "No colors." },
  { names: ["PATH"], usedBy: "Pulumi, commands", meaning: "Where `pulumi`, `node` and the native plugin are." },
  {
    names: ["TMPDIR"],
    usedBy: "providers, programs, commands",
    meaning: "The temporary folder: notes between the processes of a run, locks, logs and previews.",
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
