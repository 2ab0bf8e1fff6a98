import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: [".venv/", "build/", "runs/", "viz/components/shared/fluent.js"] },
  js.configs.recommended,
  {
    files: ["viz/components/**/*.js"],
    languageOptions: { globals: globals.browser },
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-var": "error",
      "prefer-const": "error",
      "no-unused-vars": ["error", { args: "after-used" }],
      "no-restricted-properties": [
        "error",
        ...["innerHTML", "outerHTML", "insertAdjacentHTML", "write"].map((property) => ({
          property,
          message: "A token is text and never becomes markup: build elements with h().",
        })),
      ],
    },
  },
  { files: ["tests/js/**/*.js", "eslint.config.js"], languageOptions: { globals: globals.node } },
];
