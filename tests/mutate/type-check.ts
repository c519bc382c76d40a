import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import type { Mutation } from './mutations.ts';

/** @returns checks whether the mutated file compiles. A mutation that does not compile needs no test. */
export function createTypeCheck(root: string): (mutation: Mutation) => boolean {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => readFileSync(path, 'utf8'));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const roots = new Set<string>();
  const edited = new Map<string, { version: number; text: string }>();
  const read = (path: string) => edited.get(path)?.text ?? ts.sys.readFile(path);
  const service = ts.createLanguageService({
    ...ts.sys,
    readFile: (path, encoding) => edited.get(path)?.text ?? ts.sys.readFile(path, encoding),
    getCompilationSettings: () => ({ ...options, noEmit: true }),
    getScriptFileNames: () => [...roots],
    getScriptVersion: (path) => String(edited.get(path)?.version ?? 0),
    getScriptSnapshot: (path) => {
      const text = read(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
  });
  let version = 0;
  return ({ file, start, end, replacement }) => {
    const path = join(root, file);
    const text = ts.sys.readFile(path) ?? '';
    roots.add(path);
    edited.set(path, {
      version: (version += 1),
      text: text.slice(0, start) + replacement + text.slice(end),
    });
    const isSound =
      service.getSyntacticDiagnostics(path).length === 0 && service.getSemanticDiagnostics(path).length === 0;
    edited.set(path, { version: (version += 1), text });
    return isSound;
  };
}
