/**
 * A stand-in for GitHub's command line, for the calls of the workflows: it returns the newest commit ($NEWEST), and
 * lists, creates and edits the comments of a pull request ($COMMENTS) and the issues of the repository ($ISSUES), which
 * are stored in files. It fails on any other call.
 */
const { readFileSync, writeFileSync } = require("node:fs");
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
const { method, jq, paginate } = values;

const { COMMENTS, ISSUES, NEWEST, STACK } = process.env;

/** The supported filters, and what each selects. */
const filters = {
  '.[] | select(.user.login == "github-actions[bot]" and (.body // "" | startswith("<!-- voiceplane " + env.STACK + " -->"))) | .id':
    ({ id, user, body }) =>
      user.login === "github-actions[bot]" && (body ?? "").startsWith(`<!-- voiceplane ${STACK} -->`) ? [id] : [],
  '.[] | select(.user.login == "github-actions[bot]" and (.body // "" | startswith("<!-- voiceplane nightly " + env.STACK + " -->"))) | .number':
    ({ number, user, body }) =>
      user.login === "github-actions[bot]" && (body ?? "").startsWith(`<!-- voiceplane nightly ${STACK} -->`)
        ? [number]
        : [],
};

const read = (file) => JSON.parse(readFileSync(file, "utf8"));
const write = (file, list) => writeFileSync(file, JSON.stringify(list));

/** `--field name=@file` is the text of a file. `--raw-field name=value` and other fields are the value. */
function fields() {
  const pair = (text) => [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)];
  const magic = values.field.map(pair).map(([name, value]) => {
    return [name, value.startsWith("@") ? readFileSync(value.slice(1), "utf8") : value];
  });
  return Object.fromEntries([...magic, ...values["raw-field"].map(pair)]);
}

const user = { login: "github-actions[bot]" };

function selected(list) {
  const filter = filters[jq];
  if (!filter || !paginate) throw new Error(`no stand-in for ${process.argv.join(" ")}`);
  return list.flatMap(filter).join("\n");
}

function answer() {
  const request = `${method} ${endpoint}`;
  if (/^GET repos\/acme\/voice\/commits\/\w+$/.test(request) && jq === ".sha") return NEWEST;
  if (request === "GET repos/acme/voice/issues/12/comments") return selected(read(COMMENTS));
  if (request === "GET repos/acme/voice/issues?state=open&per_page=100") {
    return selected(read(ISSUES).filter(({ state }) => state === "open"));
  }
  if (request === "POST repos/acme/voice/issues/12/comments") {
    const comments = read(COMMENTS);
    return write(COMMENTS, [...comments, { id: 4711 + comments.length, user, ...fields() }]);
  }
  if (request === "POST repos/acme/voice/issues") {
    const issues = read(ISSUES);
    return write(ISSUES, [...issues, { number: 70 + issues.length, state: "open", user, ...fields() }]);
  }
  const [, comment] = /^PATCH repos\/acme\/voice\/issues\/comments\/(\d+)$/.exec(request) ?? [];
  if (comment) return edit(COMMENTS, ({ id }) => id === Number(comment));
  const [, issue] = /^PATCH repos\/acme\/voice\/issues\/(\d+)$/.exec(request) ?? [];
  if (issue) return edit(ISSUES, ({ number }) => number === Number(issue));
  throw new Error(`no stand-in for ${process.argv.join(" ")}`);
}

function edit(file, isMeant) {
  const list = read(file);
  if (!list.some(isMeant)) throw new Error("404");
  write(
    file,
    list.map((each) => (isMeant(each) ? { ...each, ...fields() } : each)),
  );
}

if (command !== "api" || !process.env.GH_TOKEN) throw new Error("only gh api, and with a token");
const text = answer();
if (text) console.log(text);
