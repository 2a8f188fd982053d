/** What is asked of a server with Pulumi Cloud's interface, without the CLI. */
import { createServer } from "node:http";
import { cloudStack } from "../../../../src/cli/engine/cloud";
import { temporaryFolder, write } from "../../../support/folders";
import { listen } from "../../../support/listen";

const asked: string[] = [];
let answers: Readonly<Record<string, object>> = {};
const server = createServer((request, response) => {
  asked.push(`${request.url ?? ""} ${request.headers.authorization ?? ""}`);
  const answer = answers[request.url ?? ""];
  response.writeHead(answer ? 200 : 404).end(JSON.stringify(answer ?? { code: 404 }));
});
let url: string;

beforeAll(async () => {
  url = `http://127.0.0.1:${await listen(server)}`;
});

afterAll(() => server.close());

const stackOf = (stack: string, organization = "ann\n") =>
  cloudStack({ url, project: "fleet", stack, folder: "/", env: { PULUMI_ACCESS_TOKEN: "pul-1" } }, (args) => {
    expect(args).toEqual(["org", "get-default"]);
    return Promise.resolve({ kind: "done", stdout: organization });
  });

test("the token of a login counts wherever the CLI keeps it", async () => {
  const kept = temporaryFolder();
  write(kept, { "credentials.json": JSON.stringify({ current: url, accessTokens: { [url]: "pul-kept" } }) });
  const env = { PULUMI_CREDENTIALS_PATH: kept, PULUMI_HOME: temporaryFolder() };
  const stack = cloudStack({ url, project: "fleet", stack: "ann/dev", folder: "/", env }, () => {
    throw new Error("the name has its organization");
  });
  answers = { "/api/stacks/ann/fleet/dev": { version: 3 } };
  expect(await stack.stateVersion()).toBe("3 ");
  expect(asked.splice(0)).toEqual(["/api/stacks/ann/fleet/dev token pul-kept"]);
});

test("each spelling of a stack's name is one stack", async () => {
  for (const stack of ["dev", "ann/dev", "ann/fleet/dev"]) {
    expect([stack, await stackOf(stack).fullName()]).toEqual([stack, "ann/fleet/dev"]);
  }
  expect(await stackOf("acme/dev").fullName()).toBe("acme/fleet/dev");
  expect(await stackOf("dev", "no organization is set\n").fullName()).toBeUndefined();
});

test("only a server that says so requires no policy", async () => {
  const path = "/api/stacks/ann/fleet/dev/policypacks";
  answers = { [path]: {} };
  expect(await stackOf("dev").mayHavePolicies()).toBe(false);
  answers = { [path]: { requiredPolicies: [] } };
  expect(await stackOf("dev").mayHavePolicies()).toBe(false);
  answers = { [path]: { requiredPolicies: [{ name: "no-shortening", version: 1 }] } };
  expect(await stackOf("dev").mayHavePolicies()).toBe(true);
  answers = {};
  expect(await stackOf("dev").mayHavePolicies()).toBe(true);
  expect(new Set(asked)).toEqual(new Set([`${path} token pul-1`]));
});
