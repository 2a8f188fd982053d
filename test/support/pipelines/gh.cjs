/**
 * A stand-in for GitHub's command line, for the calls of the workflows: it lists, creates and edits the comments of a pull request ($COMMENTS) and the issues of the repository ($ISSUES), which
 * are stored in files. It fails on any other call.
 */
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { parseArgs } = require("node:util");

const string = { type: "string" };
const boolean = { type: "boolean" };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    method: { ...string, default: "GET" },
    jq: string,
    field: { ...string, multiple: true, default: [] },
    "raw-field": { ...string, multiple: true, default: [] },
    paginate: boolean,
    silent: boolean,
  },
});
const [command, endpoint = ""] = positionals;
const { method, jq = "", paginate } = values;
const { COMMENTS, ISSUES, STACK, GH_TOKEN } = process.env;

const user = { login: "github-actions[bot]" };
const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : []);
const write = (file, list) => writeFileSync(file, JSON.stringify(list));
function refuse() {
  throw new Error(`no stand-in for ${process.argv.join(" ")}`);
}

/** `--field name=@file` is the text of a file. `--raw-field name=value` and other fields are the value. */
function fields() {
  const pair = (text) => [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)];
  const magic = values.field.map(pair).map(([name, value]) => {
    return [name, value.startsWith("@") ? readFileSync(value.slice(1), "utf8") : value];
  });
  return Object.fromEntries([...magic, ...values["raw-field"].map(pair)]);
}

/** The one supported filter: this property of what the workflows have written, which a marker begins. */
const own =
  /^\.\[\] \| select\(\.user\.login == "github-actions\[bot\]" and \(\.body \/\/ "" \| startswith\("(.+)" \+ env\.STACK \+ " -->"\)\)\) \| \.(\w+)$/;

function selected(list) {
  const [, beginning, property] = own.exec(jq) ?? refuse();
  const isOwn = (each) => each.user.login === user.login && each.body.startsWith(`${beginning}${STACK} -->`);
  return paginate ? list.filter(isOwn).map((each) => each[property]) : refuse();
}

function edit(file, isMeant) {
  const list = read(file);
  Object.assign(list.find(isMeant) ?? refuse(), fields());
  write(file, list);
}

function answer() {
  const request = `${method} ${endpoint}`.replace("repos/acme/voice/", "");
  const [, comment, issue] = /^PATCH issues\/(?:comments\/(\d+)|(\d+))$/.exec(request) ?? [];
  if (request === "GET issues/12/comments") return selected(read(COMMENTS));
  if (request === "GET issues?state=open&per_page=100")
    return selected(read(ISSUES).filter(({ state }) => state === "open"));
  if (comment) return edit(COMMENTS, ({ id }) => id === Number(comment));
  if (issue) return edit(ISSUES, ({ number }) => number === Number(issue));
  const [file, first] =
    { "POST issues/12/comments": [COMMENTS, 4711], "POST issues": [ISSUES, 70] }[request] ?? refuse();
  const list = read(file);
  const number = first + list.length;
  return write(file, [...list, { id: number, number, state: "open", user, ...fields() }]);
}

if (command !== "api" || !GH_TOKEN) throw new Error("only gh api, and with a token");
for (const line of answer() ?? []) console.log(line);
