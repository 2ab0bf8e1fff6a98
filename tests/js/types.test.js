// The code of the pages is checked with types; "any" would take its users out of the check.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import ts from "typescript";

const COMPONENTS = new URL("../../viz/components/", import.meta.url).pathname;

/** Count of the "any" types in a file. */
function anys(path) {
  const text = readFileSync(path, "utf8");
  if (!/\bany\b|[{<,( ]\*[}>,) ]/.test(text)) return 0;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const places = new Set();
  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.AnyKeyword || node.kind === ts.SyntaxKind.JSDocAllType) places.add(node.getStart());
    (node.jsDoc ?? []).forEach(visit);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return places.size;
}

test("no type is any", () => {
  const all = readdirSync(COMPONENTS, { recursive: true }).map(String);
  const files = all.filter((path) => /\.(js|d\.ts)$/.test(path));
  const counts = files.map((path) => [path, anys(COMPONENTS + path)]).filter(([, count]) => count > 0);
  assert.ok(files.length > 100);
  assert.deepEqual(counts, []);
});
