/** What every release keeps: paths that are in the state of stacks, and names that users import. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../support/repository";

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  name: string;
  main: string;
  exports: Record<string, string | { types: string; default: string }>;
};

test("the package keeps its name, because every state contains it", () => {
  expect(manifest.name).toBe("pulumi-voiceplane");
});

test("the package exports exactly these paths", () => {
  const at = (path: string) => ({ types: `./dist/${path}.d.ts`, default: `./dist/${path}.js` });
  expect(manifest.exports).toEqual({
    ".": at("program/index"),
    "./native": at("program/native"),
    "./stack": at("program/stack"),
    "./control-plane": at("control-plane/index"),
    "./dynamic/retention-policy": at("provider/dynamic/retention-policy"),
    "./dynamic/network-policy": at("provider/dynamic/network-policy"),
    "./dynamic/trunk-outbound-auth": at("provider/dynamic/trunk-outbound-auth"),
    "./dynamic/webhook-secret": at("provider/dynamic/webhook-secret"),
    "./organization.schema.json": "./organization.schema.json",
    "./package.json": "./package.json",
  });
});
