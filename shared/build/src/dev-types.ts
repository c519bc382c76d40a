/**
 * A child process that checks the types of folders after each change and reports problems to its parent. It
 * pauses while the parent builds.
 * @see
 * https://github.com/microsoft/TypeScript/wiki/Using-the-Compiler-API#writing-an-incremental-program-watcher
 */
import { sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import ts from 'typescript';

const folders = process.argv.slice(2);
process.once('disconnect', () => process.exit());

let building = true;
const held = new Set<() => void>();
process.on('message', (message: boolean) => {
  building = message;
  const tasks = [...held];
  held.clear();
  tasks.forEach(unlessBuilding);
});

const config = ts.findConfigFile(folders[0] ?? '.', (file) => ts.sys.fileExists(file));

if (config !== undefined) {
  // The host watches the configuration's folders, so that files may be added and removed.
  const host = ts.createWatchCompilerHost(
    config,
    { noEmit: true },
    ts.sys,
    createProgram,
    // `afterProgramCreate` reports all problems together.
    () => undefined,
    () => undefined,
  );
  host.onUnRecoverableConfigFileDiagnostic = (problem) => tell([problem]);
  host.afterProgramCreate = (builder) => {
    // The bundler has already reported syntax errors.
    if (builder.getSyntacticDiagnostics().length > 0) return;
    const problems = [
      ...builder.getConfigFileParsingDiagnostics(),
      ...builder.getOptionsDiagnostics(),
      ...builder.getGlobalDiagnostics(),
      ...builder.getSemanticDiagnostics(),
    ];
    // The folders are watched only after the first program.
    setImmediate(tell, problems);
  };
  host.setTimeout = (callback: (...args: unknown[]) => void, ms: number, ...args: unknown[]) => {
    const task = () => callback(...args);
    return { task, timer: setTimeout(unlessBuilding, ms, task) };
  };
  host.clearTimeout = ({ task, timer }: { task: () => void; timer: NodeJS.Timeout }) => {
    clearTimeout(timer);
    held.delete(task);
  };
  unlessBuilding(() => ts.createWatchProgram(host));
}

/** TypeScript notices a removed file after the change of its importers: missing files are excluded here. */
function createProgram(
  files: readonly string[] | undefined,
  ...rest: DropFirst<Parameters<ts.CreateProgram<ts.SemanticDiagnosticsBuilderProgram>>>
): ts.SemanticDiagnosticsBuilderProgram {
  const present = files?.filter((file) => isChecked(file) && ts.sys.fileExists(file));
  return ts.createSemanticDiagnosticsBuilderProgram(present, ...rest);
}
type DropFirst<Values extends unknown[]> = Values extends [unknown, ...infer Rest] ? Rest : never;

function unlessBuilding(task: () => void): void {
  if (building) held.add(task);
  else task();
}

/** Pages and the declarations they need. Tests are checked by `npm test`. */
function isChecked(file: string): boolean {
  if (file.endsWith('.d.ts')) return true;
  return (
    folders.some((folder) => file.startsWith(`${folder.split(sep).join('/')}/`)) &&
    !/\.test\.tsx?$/.test(file)
  );
}

function tell(problems: readonly ts.Diagnostic[]): void {
  process.send?.(
    problems.map((problem) =>
      stripVTControlCharacters(
        ts.formatDiagnosticsWithColorAndContext([problem], {
          getCanonicalFileName: (file) => file,
          getCurrentDirectory: () => process.cwd(),
          getNewLine: () => '\n',
        }),
      ),
    ),
  );
}
