// What the type checker cannot say: no v-html, no any, no index keys, typed props and emits, hooks in order.
import { readdirSync } from "node:fs";
import vue from "eslint-plugin-vue";
import { defineConfig } from "eslint/config";
import ts from "typescript-eslint";

/** Every feature may import shared/ and account/, whose session they need; these have one more. Pages join features and are free. */
const ALSO = {
  // A claim and a purchase end in an order.
  sale: ["orders"],
};
const FEATURES = readdirSync(new URL("src", import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "shared")
  .map((entry) => entry.name);

function mayImport(files, folders) {
  const message = `Only ${folders.join(", ")} may be imported here: move what two features need to shared/, or let a page join them.`;
  const patterns = [
    { regex: `^@/(?!(${folders.join("|")})/)`, message },
    { regex: "^\\.\\./", message: "Import by @/feature/…, so that this rule sees it." },
  ];
  return { files, ignores: ["**/*Page.vue", "**/*.test.ts"], rules: { "no-restricted-imports": ["error", { patterns }] } };
}

export default defineConfig(
  { ignores: ["dist/", "screenshots/", "node_modules/", "src/shared/api/schema.ts", "public/"] },
  ts.configs.strict,
  vue.configs["flat/recommended"],
  {
    files: ["**/*.vue"],
    languageOptions: { parserOptions: { parser: ts.parser } },
  },
  {
    rules: {
      "vue/no-v-html": "error",
      "vue/no-v-text-v-html-on-component": "error",
      "vue/block-lang": ["error", { script: { lang: "ts" } }],
      "vue/define-props-declaration": "error",
      "vue/define-emits-declaration": "error",
      "vue/multi-word-component-names": ["error", { ignores: ["App"] }],
      // Layout is left to the writer's eye and one line width; an optional prop needs no invented default.
      "vue/max-attributes-per-line": "off",
      "vue/singleline-html-element-content-newline": "off",
      "vue/html-self-closing": "off",
      "vue/require-default-prop": "off",
      "no-restricted-syntax": [
        "error",
        { selector: "MemberExpression[property.name='innerHTML']", message: "Write text, not HTML." },
      ],
    },
  },
  mayImport(["src/shared/**"], ["shared"]),
  FEATURES.map((name) => mayImport([`src/${name}/**`], [...new Set(["shared", "account", name, ...(ALSO[name] ?? [])])])),
);
