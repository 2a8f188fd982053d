import js from "@eslint/js";
import tseslint from "typescript-eslint";
import architecture from "./tools/lint/arrows.cjs";

/** Packages that a module must not load: a lifecycle uses no engine, and only the client has a transport. */
const packages = {
  "src/{values,contract}/**": ["@pulumi/*", "undici", "zod"],
  "src/client/**/*.ts": ["@pulumi/*"],
  "src/{schema,lifecycle,resources,yaml,organization-file}/**/*.ts": ["@pulumi/*", "undici"],
  "src/control-plane/**/*.ts": ["@pulumi/*", "undici"],
};

/** An error whose text has no code. What is thrown on already has one. */
const withoutCode =
  "NewExpression[callee.name=/^(Run|Resource)?Error$/]:not([arguments.0.callee.name=/^(blockText|withCode|diagnosticText|problemsText|messageOf|printable)$/])";

export default tseslint.config(
  {
    ignores: ["dist/", "templates/", "**/.voiceplane/", "examples/**/node_modules/", "**/dist/"],
  },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    // One program for all: with one for each tsconfig.json, and a service for editors around them, it takes a quarter more.
    // No --cache: what is said of a file depends on the types of others, and the cache looks at the file alone.
    languageOptions: { parserOptions: { project: "tsconfig.lint.json", tsconfigRootDir: import.meta.dirname } },
    rules: {
      // There is no enum here, and this looks at every expression for one.
      "@typescript-eslint/no-unsafe-enum-assignment": "off",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true }],
    },
  },
  { files: ["src/**/*.ts"], plugins: { architecture }, rules: { "architecture/arrows": "error" } },
  ...Object.entries(packages).map(([files, group]) => ({
    files: [files],
    rules: {
      "@typescript-eslint/no-restricted-imports": ["error", { patterns: [{ group, message: "Not in this module." }] }],
    },
  })),
  {
    files: ["src/{lifecycle,resources,program}/**/*.ts"],
    ignores: ["src/lifecycle/dry-run.ts"],
    rules: {
      "no-restricted-syntax": ["error", { selector: withoutCode, message: "Users see this error: give it a code." }],
    },
  },
  {
    files: ["**/*.mjs", "**/*.cjs", "examples/*/stacks/index.js"],
    languageOptions: {
      globals: Object.fromEntries(
        [
          "process",
          "console",
          "Buffer",
          "URL",
          "fetch",
          "setTimeout",
          "clearTimeout",
          "setInterval",
          "clearInterval",
          "module",
          "require",
          "__dirname",
          "performance",
          "AbortSignal",
          "AbortController",
        ].map((name) => [name, "readonly"]),
      ),
    },
  },
);
