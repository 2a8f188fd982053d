import js from "@eslint/js";
import tseslint from "typescript-eslint";

/** Which folders of src a folder may not import from: the arrows of docs/architecture, checked. */
const forbidden = {
  "src/contract.ts": ["**/api/**", "**/resources/**", "**/lifecycle.js", "@pulumi/*", "undici"],
  "src/api/**": ["**/resources/**", "**/lifecycle.js", "**/dynamic/**", "**/components/**", "@pulumi/*"],
  "src/{lifecycle,rules,engine-run,schedule}.ts": ["**/dynamic/**", "**/components/**", "@pulumi/*"],
  "src/resources/**": ["**/dynamic/**", "**/components/**", "**/stack/**", "@pulumi/*", "undici"],
  "src/dynamic/**": ["**/components/**", "**/stack/**", "**/cli/**", "**/control-plane/**"],
  "src/components/**": ["**/stack/**", "**/cli/**", "**/control-plane/**"],
  "src/control-plane/**": ["**/api/**", "**/resources/**", "**/dynamic/**", "**/components/**", "@pulumi/*", "undici"],
};

export default tseslint.config(
  {
    ignores: ["dist/", "node_modules/", ".voiceplane/", "examples/**/node_modules/", "examples/delivery/", "**/dist/"],
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
  ...Object.entries(forbidden).map(([files, group]) => ({
    files: [files],
    rules: {
      "@typescript-eslint/no-restricted-imports": [
        "error",
        { patterns: [{ group, message: "The arrows point the other way." }] },
      ],
    },
  })),
  {
    files: ["**/*.mjs", "**/*.cjs"],
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
