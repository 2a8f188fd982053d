/** The commands of docs/guides/review-changes-in-pull-requests.md for a pull request from a stranger. */
import { dirname } from "node:path";
import { blocks } from "../../support/docs/documents";
import { installedPackage } from "../../support/engine/installation";
import { workspace } from "../../support/engine/workspace";

test("a stranger's declarations are checked, and nothing else of the pull request is read", async () => {
  const stack = await workspace();
  stack.standIn(
    "npm",
    `echo "$*" >> "${stack.folder}/.npm-calls"; ln -sfn "${dirname(installedPackage())}" node_modules`,
  );
  const ours = {
    "organization.yaml": "",
    "index.js": "",
    "package.json": "{}\n",
    "Pulumi.dev.yaml": "",
    "Pulumi.yaml": "name: acme\nruntime: nodejs\n",
  };
  for (const [name, text] of Object.entries(ours)) stack.write(name, text);
  const evil = "touch evil; exit 1";
  const theirs = {
    "organization.yaml": "retention: { recordings: { dayz: 90 } }\n",
    ".npmrc": "script-shell=./evil.sh\nnode-options=--require=./evil.cjs\n",
    "evil.sh": `#!/bin/sh\n${evil}\n`,
    "evil.cjs": 'require("node:fs").writeFileSync("evil", "");\n',
    "package.json": `{ "scripts": { "preinstall": "${evil}" }, "dependencies": { "pulumi-voiceplane": "file:./evil" } }\n`,
    "package-lock.json": "{}\n",
    "index.js": 'require("./evil.cjs");\n',
  };
  await stack.must(`git init --quiet --initial-branch main; git remote add origin "$PWD"
    git add ${Object.keys(ours).join(" ")}
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
