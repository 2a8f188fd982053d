/** The messages that the sources can show to a user, and those that docs/troubleshooting.md explains. */
import { globSync } from "node:fs";
import ts from "typescript";
import { prose, read, root } from "./documents";

export interface Message {
  /** File and line in the sources. */
  readonly at: string;
  /** The fixed parts, with "…" for placeholders. */
  readonly text: string;
}

const sources = globSync(
  ["src/{machine,node-version}.ts", "src/{cli,client,organization-file,program,provider,resources}/**/*.ts"],
  {
    cwd: root,
  },
).sort();

/** Texts that are not messages, with the reason. */
const otherwise: readonly (readonly [file: RegExp, text: RegExp, why: string])[] = [
  [/^src\/cli\/report\/sentences\//, /^/, "the sentences of a report"],
  [/^src\/cli\/report\/[\w-]+\.ts$/, /^(?!--|one of |the policy … is violated)/, "the sentences of a report"],
  [/^src\/cli\/apply\/rotations\.ts$/, /^/, "why a stack is run, which docs/apply.md lists"],
  [/^src\/cli\/engine\/conditions\.ts$/, /^(the .+ (for|of) …|… is still|an earlier run)/, "the same"],
  [
    /^src\/cli\/apply\/(index|skip|run|record|rotations)\.ts$/,
    /^(nothing changed|a run was requested|the last run|there is no record|the revision was|the environment or the options|the version of the state|the state changed|due since|by this machine|the stack was locked|clearing|removed)/,
    "the same, and progress",
  ],
  [/^src\/cli\/apply\.ts$/, /^(rotated …|a pending operation|Pulumi's own|interrupted)/, "progress of apply"],
  [/^src\/cli\/findings\/stack-settings\.ts$/, /^Remove /, "the advice of a finding"],
  [/^src\/cli\/findings\/(?!stack-settings|suggestion)/, /^/, "lines of a finding, which say themselves what to do"],
  [
    /^src\/cli\/engine\/cli\.ts$/,
    /^(there is no such stack|no stack named|no stack selected|no answer within … s)$/,
    "part of such a line",
  ],
  [
    /^src\/cli\/engine\/(lost-state|failure)\.ts$/,
    /^(insert into|copy ….bak to|correct the backend, or|the record of a run)/,
    "part of the message about a missing state",
  ],
  [/^src\/cli\/init\/(templates|organization-file)\.ts$/, /^/, "what is written into files"],
  [/^src\/cli\/init\/pipelines\.ts$/, /^/, "what init prints at its end"],
  [/^src\/cli\/init\/shared-files\.ts$/, /^The pipeline in … is that/, "what init prints at its end"],
  [/^src\/cli\/(\w+\.ts$|init\/)/, /\n./s, "what a command prints as a whole"],
  [/^src\/cli\/index\.ts$/, /^(write|check|explain|preview|run|show|print) /, "what --help prints"],
  [/^src\/cli\/preview\.ts$/, /^(interrupted|voiceplane: running)/, "progress of preview"],
  [/^src\/cli\/passphrase\.ts$/, /^Passphrase of the stack …: $/, "what a command asks for"],
  [/^src\/cli\/completion/, /^(_voiceplane|#compdef|complete )/, "what completion prints"],
  [
    /^src\/cli\/serve\.ts$/,
    /^(voiceplane control plane at|memory until the process ends|has all rights)/,
    "what serve prints",
  ],
  [/^src\/client\/attempt\.ts$/, /^(the request is over|the rest is not wanted)$/, "only for the transport"],
  [/^src\/cli\/status\/table\.ts$/, /^adopted, not sent$/, "a cell of the table, which docs/status.md explains"],
  [/^src\/cli\/status\/prometheus\.ts$/, /^/, "what Prometheus shows of a metric"],
  [/^src\/(provider\/telemetry\/otel|cli\/apply\/telemetry)\.ts$/, /^/, "what a collector shows of a metric"],
  [/^src\/client\/observers\.ts$/, /^voiceplane: … …, attempt …: … after … ms$/, "what VOICEPLANE_DEBUG prints"],
  [/^src\/client\/client\.ts$/, /^…; attempt … follows within … s$/, "what a row shows while a request is sent again"],
  [/^src\/provider\/dynamic\/provider\.ts$/, /^voiceplane: see the error/, "kept from being printed"],
  [/^src\/provider\/native\/serve\.ts$/, /^schema version … is not supported$/, "only for the engine"],
  [/^src\/resources\/fields\.ts$/, /^true or false$/, "explains itself"],
  [/^src\/organization-file\/schema\.ts$/, /^A renamed entry/, "what an editor shows of a property"],
  [/^src\/resources\/documentation\.ts$/, /^… Must be ….$/, "the same"],
];

/** Every text in the sources of at least three words. A new message is found here, however it reaches the user. */
export const messages: readonly Message[] = sources.flatMap((file) => {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
  const found: Message[] = [];
  const visit = (node: ts.Node): void => {
    // The documentation of properties and types is not a message.
    if (ts.isCallExpression(node) && /^(documented|typeNamed)$/.test(node.expression.getText(source))) {
      node.arguments.slice(0, 1).forEach(visit);
      return;
    }
    if (isHelp(node)) {
      visit(node.expression);
      return;
    }
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return;
    const text = textOf(node);
    if (text === undefined) {
      ts.forEachChild(node, visit);
      return;
    }
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    if (isMessage(file, text)) found.push({ at: `${file}:${line + 1}`, text });
    // A placeholder may contain messages too.
    holes(node).forEach(visit);
  };
  visit(source);
  return found;
});

/** What declares a command, an argument or an option with its text. The calls before it in a chain are its expression. */
function isHelp(node: ts.Node): node is ts.CallExpression | ts.NewExpression {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return false;
  const name = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
  return /^(description|argument|option|requiredOption|version|helpOption|helpCommand|below|Option|default)$/.test(
    name.getText(),
  );
}

function isMessage(file: string, text: string): boolean {
  if (wordsOf(text).length < 3) return false;
  return !otherwise.some(([files, texts]) => files.test(file) && texts.test(text));
}

function wordsOf(text: string): string[] {
  return text.split(/[\s…]+/).filter((word) => /[a-z]{2}/i.test(word));
}

/** A literal, a template or a concatenation of them. Other expressions have no text of their own. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join("");
  }
  if (!isChain(node)) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined && right === undefined ? undefined : `${left ?? "…"}${right ?? "…"}`;
}

function isChain(node: ts.Node): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;
}

/** The expressions in a text that are not text themselves. */
function holes(node: ts.Node): ts.Node[] {
  if (ts.isTemplateExpression(node)) return node.templateSpans.map(({ expression }) => expression);
  if (isChain(node))
    return [node.left, node.right].flatMap((side) => (textOf(side) === undefined ? [side] : holes(side)));
  return [];
}

/** The messages that the page explains: the headings and first table cells that are in backquotes. */
export const entries: readonly string[] = [
  ...prose("docs/troubleshooting.md").matchAll(/^(?:\| |#+ )(`+) ?(.+?) ?\1(?= *\||$)/gm),
].map(([, , text = ""]) => text);

/** Whether the text contains all fixed parts of the pattern, in order. */
export function fits(pattern: string, text: string): boolean {
  let from = 0;
  return pattern.split("…").every((part) => {
    const at = text.indexOf(part.trim(), from);
    from = at + part.trim().length;
    return at >= 0;
  });
}
