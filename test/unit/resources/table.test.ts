/** Whatever is in the table of resources is everywhere: a line that is added there fails here until the rest is. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { lifecycleOf, sentProperties } from "../../../src/cli/report/resources.js";
import { weaker } from "../../../src/resources/effects/weaker.js";
import * as classes from "../../../src/program/index.js";
import { resources, resourceTypeOf, type ResourceType } from "../../../src/resources/index.js";

const root = resolve(__dirname, "../../..");
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  exports: Record<string, unknown>;
};

describe.each(Object.entries(resources).map(([type, entry]) => ({ type: type as ResourceType, ...entry })))(
  "$type",
  ({ type, path, args, lifecycle }) => {
    test("its lifecycle has the table's name, and an identity among the arguments", () => {
      expect(lifecycle.type).toBe(type);
      expect(Object.keys(args.shape)).toContain(lifecycle.identity);
    });

    test("it has a provider on its frozen path", () => {
      expect(exports[`./dynamic/${path}`]).toMatchObject({ default: `./dist/provider/dynamic/${path}.js` });
      expect(existsSync(join(root, `src/provider/dynamic/${path}.ts`))).toBe(true);
    });

    test("it has a class of its name, and a page", () => {
      expect(classes).toHaveProperty(type, expect.any(Function));
      expect(existsSync(join(root, `docs/reference/${path}.md`))).toBe(true);
    });

    test("the report knows it by both of its names in the engine, and knows whether an argument is sent, or may weaken a guard later", () => {
      for (const token of [`pulumi-nodejs:dynamic/voiceplane:${type}`, `voiceplane:index:${type}`]) {
        expect(resourceTypeOf(token)).toBe(type);
        expect(lifecycleOf(token)).toBe(lifecycle);
      }
      const known = [...sentProperties, ...Object.keys(weaker)];
      expect(Object.keys(args.shape).filter((name) => !known.includes(name))).toEqual([]);
    });
  },
);

test.each(["voiceplane:index:Organization", "aws:s3:RetentionPolicy", "voiceplane:index:constructor", ""])(
  "%j is none of the resources",
  (token) => {
    expect(resourceTypeOf(token)).toBeUndefined();
    expect(lifecycleOf(token)).toBeUndefined();
  },
);
