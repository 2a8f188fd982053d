/** The commands of docs/guides/review-changes-in-pull-requests.md for a pull request from a stranger. */
import { blocks } from "../../support/docs/documents";
import { asClone } from "../../support/pipelines/gitlab";
import { declared, repository } from "../../support/pipelines/projects";

test("a stranger's declarations are checked, and nothing else of the pull request is read", async () => {
  const stack = await repository(".", "dev");
  await asClone(stack);
  const evil = "touch evil; exit 1";
  const theirs = {
    "organization.yaml": declared("dayz: 90"),
    ".npmrc": "script-shell=./evil.sh\nnode-options=--require=./evil.cjs\n",
    "evil.sh": `#!/bin/sh\n${evil}\n`,
    "evil.cjs": 'require("node:fs").writeFileSync("evil", "");\n',
    "package.json": `{ "scripts": { "preinstall": "${evil}" }, "dependencies": { "pulumi-voiceplane": "file:./evil" } }\n`,
    "package-lock.json": "{}\n",
    "index.js": 'require("./evil.cjs");\n',
  };
  await stack.must(`git add organization.yaml Pulumi.yaml Pulumi.dev.yaml index.js package.json
    git -c user.name=ada -c user.email=ada@example.com commit --quiet --message ours
    git checkout --quiet -b theirs`);
  for (const [name, text] of Object.entries(theirs)) stack.write(name, text);
  await stack.must(`git add --force ${Object.keys(theirs).join(" ")}
    git -c user.name=eve -c user.email=eve@example.com commit --quiet --message theirs
    git update-ref refs/pull/12/head HEAD`);

  const [commands] = blocks.filter(
    ({ file, text }) => file === "docs/guides/review-changes-in-pull-requests.md" && text.includes("pull/12/head"),
  );
  const { code, output } = await stack.run(commands?.text ?? "");
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining("dayz") as string });
  expect(stack.read(".npm-calls")).toBe("ci --ignore-scripts\n");
  expect(await stack.must("git status --short --untracked-files=no; ls")).not.toContain("evil");
});
