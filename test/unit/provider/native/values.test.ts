/** Structs as plain values, and back: what is secret stays so, and what is unknown too. */
import fc from "../../../support/properties";
import { plainProperties, structOf } from "../../../../src/provider/native/values.js";
import { secret, struct, unknown, unmarked, type Values } from "../../../support/native/wire";

/** Any value of a property as the engine sends it, with secrets and unknown values anywhere in it. */
const { wire } = fc.letrec((tie) => ({
  wire: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.constantFrom<unknown>(null, true, false, 0, 1.5, "", "text", unknown),
    fc.array(tie("wire"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "value", "__proto", "a.b"), tie("wire"), { maxKeys: 3 }),
    tie("wire").map(secret),
  ),
}));
const properties = fc.dictionary(fc.constantFrom("name", "triggers", "list", "value"), wire) as fc.Arbitrary<Values>;

const hasSecret = (value: unknown): boolean => JSON.stringify(value).includes("4dabf18193072939515e22adb298388d");

test("a struct becomes plain values, and the names of the properties with a secret in them", () => {
  fc.assert(
    fc.property(properties, (given) => {
      const { values, secrets } = plainProperties(struct(given));
      expect(values).toEqual(unmarked(given));
      expect([...secrets].sort()).toEqual(
        Object.keys(given)
          .filter((key) => hasSecret(given[key]))
          .sort(),
      );
    }),
  );
});

test("and back: each of these properties is secret as a whole, the others are as they were, and unknown values stay", () => {
  fc.assert(
    fc.property(properties, (given) => {
      const { values, secrets } = plainProperties(struct(given));
      const expected = Object.entries(given).map(([key, value]) => [
        key,
        hasSecret(value) ? secret(unmarked(value)) : value,
      ]);
      expect(structOf(values, secrets).toJavaScript()).toEqual(Object.fromEntries(expected));
    }),
  );
});

test("what is undefined is left out at any depth, since a struct cannot hold it", () => {
  const values = { name: undefined, triggers: { a: undefined, b: 1 }, list: [{ c: undefined }], secret: undefined };
  expect(structOf(values, ["secret", "absent"]).toJavaScript()).toEqual({ triggers: { b: 1 }, list: [{}] });
});

test("no struct is a struct without properties", () => {
  expect(plainProperties(undefined)).toEqual({ values: {}, secrets: new Set() });
});

test("a file, which no property takes, stays as it is: the schemas refuse it", () => {
  const file = { "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17", hash: "x" };
  expect(plainProperties(struct({ name: file })).values).toEqual({ name: file });
});
