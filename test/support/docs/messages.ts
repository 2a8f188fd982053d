/** The messages that the sources can show to a user, and those that docs/reference/messages.md explains. */
import { globSync } from "node:fs";
import ts from "typescript";
import { prose, read, root } from "./documents";

export interface Message {
  /** File and line in the sources. */
  readonly at: string;
  /** The fixed parts, with "…" for placeholders. */
  readonly text: string;
}

interface Text extends Message {
  /** Whether docs/reference/messages.md has to explain it. */
  readonly needsEntry: boolean;
}

const sources = globSync(
  ["src/{machine,node-version}.ts", "src/{cli,client,organization-file,program,provider,resources}/**/*.ts"],
  {
    cwd: root,
  },
).sort();

/** Texts that are not messages, with the reason. */
const otherwise: readonly (readonly [file: RegExp, text: RegExp, why: string])[] = [
  [
    /^src\/resources\/effects\//,
    /^(?!.*(older|may delete data|up to the server|read back|another range|set elsewhere|may lock|cannot restore|the old secret))/s,
    "the texts of a report without a risk",
  ],
  [/^src\/cli\/report\/[\w-]+\.ts$/, /^(?!--|one of |the policy … is violated)/, "the sentences of a report"],
  [/^src\/cli\/init\/(templates|organization-file)\.ts$/, /^(?!the webhooks cannot)/, "what is written into files"],
  [/^src\/cli\/(\w+\.ts$|init\/)/, /\n./s, "what a command prints as a whole"],
  [/^src\/cli\/init\//, /\n$/, "what init prints at its end"],
  [/^src\/cli\/(topics|environment)\.ts$/, /^/, "what `voiceplane help` shows"],
  [/^src\/cli\/serve\.ts$/, /^(memory until|Stored in)/, "a part of what serve prints"],
  [/^src\/cli\/engine\/(lost-state|failure)\.ts$/, /^(insert into|copy |the record)/, "a part of such a message"],
  [/^src\/cli\/findings\/stack-settings\.ts$/, /^Remove /, "the advice of a finding"],
  [/^src\/cli\/status\/prometheus\.ts$/, /^/, "what Prometheus shows of a metric"],
  [/^src\/(organization-file\/schema|resources\/documentation)\.ts$/, /\.$/, "what an editor shows of a property"],
  [/^src\/client\/attempt\.ts$/, /^the re(quest is over|st is not wanted)$/, "only for the transport"],
  [/^src\/provider\/(dynamic|native)\//, /^(voiceplane: see the error|schema version)/, "only for the engine"],
];

/** Every text in the sources. */
export const texts: readonly Text[] = sources.flatMap((file) => {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
  const found: Text[] = [];
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
    if (isLabel(node)) return;
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return;
    const text = textOf(node);
    if (text === undefined) {
      ts.forEachChild(node, visit);
      return;
    }
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    const isFinding = /^src\/cli\/findings\/(?!stack-settings)/.test(file);
    const needsEntry = isMessage(file, text) && (!isFinding || isBareFinding(node));
    found.push({ at: `${file}:${line + 1}`, text, needsEntry });
    // A placeholder may contain messages too.
    holes(node).forEach(visit);
  };
  visit(source);
  return found;
});

/** Those of at least three words. A new message is found here, however it reaches the user. */
export const messages: readonly Message[] = texts.filter(({ needsEntry }) => needsEntry);

/** What names a command or a metric, is in a help, or is compared with a text. */
function isLabel(node: ts.Node): boolean {
  if (ts.isCallExpression(node)) return node.expression.getText().endsWith(".includes");
  if (ts.isVariableDeclaration(node)) return /^(failOnHelp|reportExitCodes)$/.test(node.name.getText());
  return ts.isPropertyAssignment(node) && /^(summary|description|group|examples|exitCodes)$/.test(node.name.getText());
}

/** Whether it is in a warning or a failure without advice. Other lines of a finding say themselves what to do, or that all is well. */
function isBareFinding(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !/^(warning|failure)$/.test(node.expression.getText())) {
    return !ts.isSourceFile(node) && isBareFinding(node.parent);
  }
  return node.arguments.length < 3;
}

/** What declares a command, an argument or an option with its text. The calls before it in a chain are its expression. */
function isHelp(node: ts.Node): node is ts.CallExpression | ts.NewExpression {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return false;
  const name = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
  return /^(description|argument|option|requiredOption|version|helpOption|helpCommand|below|Option|optionsGroup|failOnOption|default|count)$/.test(
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

/** The messages that the page explains: the headings and first table cells that are in backquotes, with a `<br>` between two. */
export const entries: readonly string[] = [
  ...prose("docs/reference/messages.md").matchAll(/^(?:\| |#+ )((?:(`+) ?.+? ?\2(?:<br>)?)+)(?= *\||$)/gm),
].flatMap(([, cell = ""]) => [...cell.matchAll(/(`+) ?(.+?) ?\1(?:<br>|$)/g)].map(([, , text = ""]) => text));

/** Whether the text contains all fixed parts of the pattern, in order. */
export function fits(pattern: string, text: string): boolean {
  let from = 0;
  return pattern.split("…").every((part) => {
    const at = text.indexOf(part.trim(), from);
    from = at + part.trim().length;
    return at >= 0;
  });
}
