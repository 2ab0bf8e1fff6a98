// Strict types for the folders of tsconfig.strict.json. `tsc` would also report the folders that they import and that
// are not strict yet.

import ts from "typescript";

const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (each) => report([each]) };
const { fileNames, options } = ts.getParsedCommandLineOfConfigFile("tsconfig.strict.json", {}, host);
const program = ts.createProgram(fileNames, options);
report(fileNames.flatMap((name) => ts.getPreEmitDiagnostics(program, program.getSourceFile(name))));

function report(found) {
  const whole = {
    getCurrentDirectory: ts.sys.getCurrentDirectory,
    getNewLine: () => "\n",
    getCanonicalFileName: String,
  };
  process.stdout.write(ts.formatDiagnostics(found, whole));
  process.exitCode = found.length ? 1 : 0;
}
