import { join, relative, sep } from 'node:path';
import ts from 'typescript';
import { declarationsOf, sourcesOf } from './files.ts';
import { root, type PublishedPackage } from './workspace.ts';

/** The packages do not compile. The message has the compiler's lines. */
export class CompileError extends Error {
  override name = 'CompileError';
}

/** What is wanted of the sources: all that a package has, or its types alone, which is half of the work. */
export type Output = 'everything' | 'types';

/**
 * Compiles all packages as one program, so that each is read once.
 *
 * @returns path of each file, relative to the top of the repository and beside its source, and its text.
 * @throws CompileError
 */
export function compile(packages: readonly PublishedPackage[], output: Output): Map<string, string> {
  const sources = packages.flatMap((one) => [...sourcesOf(one), ...declarationsOf(one)]);
  const program = ts.createProgram(
    sources.map((path) => join(root, path)),
    // Nothing is written there: the compiler refuses to write beside the sources.
    { ...compilerOptions(), ...typesOnly(output), rootDir: root, outDir: nowhere },
  );
  const files = new Map<string, string>();
  const { diagnostics } = program.emit(undefined, (path, text) =>
    files.set(relative(nowhere, path).split(sep).join('/'), text),
  );
  const problems =
    output === 'everything' ? [...ts.getPreEmitDiagnostics(program), ...diagnostics] : diagnostics;
  if (problems.length > 0) throw new CompileError(describe(problems));
  return files;
}

const nowhere = join(root, 'dist');

function compilerOptions(): ts.CompilerOptions {
  const path = join(import.meta.dirname, '../tsconfig.json');
  const { config, error } = ts.readConfigFile(path, ts.sys.readFile) as {
    config: unknown;
    error?: ts.Diagnostic;
  };
  if (error) throw new CompileError(describe([error]));
  return ts.parseJsonConfigFileContent(config, ts.sys, join(path, '..')).options;
}

function typesOnly(output: Output): ts.CompilerOptions {
  return output === 'types' ? { emitDeclarationOnly: true, noEmitOnError: false } : {};
}

function describe(problems: readonly ts.Diagnostic[]): string {
  return ts.formatDiagnostics(problems, {
    getCurrentDirectory: () => root,
    getCanonicalFileName: (name) => name,
    getNewLine: () => '\n',
  });
}
