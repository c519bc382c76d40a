import { join, relative, sep } from 'node:path';
import ts from 'typescript';
import { root } from './workspace.ts';

export class CompileError extends Error {
  override name = 'CompileError';
}

export type Output = 'everything' | 'types';

/**
 * Compiles modules of all packages and their imports as one program, so that each is read once.
 * @param sources paths relative to the repository's root, including declarations for modules other than
 * TypeScript.
 * @returns path of each file, relative to the repository's root and next to its source, and its text.
 * @throws CompileError
 */
export function compile(sources: readonly string[], output: Output): Map<string, string> {
  const program = ts.createProgram(
    sources.map((path) => join(root, path)),
    // Nothing is written there: the compiler rejects an output folder that contains the sources.
    { ...compilerOptions(), ...typesOnly(output), rootDir: root, outDir: nowhere },
  );
  const errors = output === 'everything' ? errorsIn(program) : [];
  const files = new Map<string, string>();
  const { diagnostics } = program.emit(undefined, (path, text) =>
    files.set(relative(nowhere, path).split(sep).join('/'), path.endsWith('.d.ts') ? inOrder(text) : text),
  );
  const problems = [...errors, ...diagnostics];
  if (problems.length > 0) throw new CompileError(describe(problems));
  return files;
}

/**
 * Faster than `ts.getPreEmitDiagnostics`, which also generates and discards all declarations: `emit` reports
 * the same errors.
 */
function errorsIn(program: ts.Program): ts.Diagnostic[] {
  const found = [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getOptionsDiagnostics(),
    ...program.getSyntacticDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program.getSemanticDiagnostics(),
  ];
  return [...ts.sortAndDeduplicateDiagnostics(found)];
}

/**
 * Sorts union members, which the compiler writes in the order of first use: otherwise a change of one package
 * could change the types of another.
 */
function inOrder(types: string): string {
  const name = String.raw`"(?:[^"\\]|\\.)*"`;
  return types.replace(new RegExp(`${name}(?: \\| ${name})+`, 'g'), (union) =>
    union.split(' | ').sort().join(' | '),
  );
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
  return output === 'types' ? { emitDeclarationOnly: true, removeComments: true } : {};
}

function describe(problems: readonly ts.Diagnostic[]): string {
  return ts.formatDiagnostics(problems, {
    getCurrentDirectory: () => root,
    getCanonicalFileName: (name) => name,
    getNewLine: () => '\n',
  });
}
