// What the type checker cannot say: no v-html, no any, no index keys, typed props and emits, hooks in order.
import vue from "eslint-plugin-vue";
import { defineConfig } from "eslint/config";
import ts from "typescript-eslint";

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
);
