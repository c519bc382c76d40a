import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { compileFunction } from 'node:vm';
import ts from 'typescript';

/**
 * Runs a drawing's module with its imports of TypeScript with JSX (which Node does not support) and of its
 * own package. Bypasses the module cache, so that changes of any file apply.
 * @param path of the file.
 * @param onFile gets each file of the module before it is read, so that a watcher also knows a failing one.
 * Excludes JavaScript packages.
 * @throws Error with the file's name if it imports something other than code, or fails.
 */
export function runModule(path: string, onFile: (file: string) => void): Record<string, unknown> {
  const modules = new Map<string, { exports: Record<string, unknown> }>();

  function load(file: string): Record<string, unknown> {
    const loaded = modules.get(file);
    if (loaded) return loaded.exports;
    onFile(file);
    if (!/\.(tsx?|js)$/.test(file))
      throw new Error(
        `${file} cannot be part of a drawing: only code can, because the generated file must be self-contained.`,
      );
    const module: { exports: Record<string, unknown> } = { exports: {} };
    modules.set(file, module);
    const require = createRequire(file);
    const fromNode = require as (request: string) => unknown;
    const run = compileFunction(javascript(file), ['module', 'exports', 'require'], {
      filename: file,
    }) as (...args: unknown[]) => void;
    run(module, module.exports, (request: string) => {
      const found = request.startsWith('.') ? resolve(dirname(file), request) : require.resolve(request);
      // TypeScript and relative imports are re-evaluated; Node loads and caches JavaScript packages.
      return request.startsWith('.') || /\.tsx?$/.test(found) ? load(found) : fromNode(found);
    });
    return module.exports;
  }

  return load(path);
}

const compiled = new Map<string, { source: string; javascript: string }>();

function javascript(file: string): string {
  const source = readFileSync(file, 'utf8');
  const known = compiled.get(file);
  if (known?.source === source) return known.javascript;
  const { outputText } = ts.transpileModule(source, {
    fileName: file,
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2023,
      jsx: ts.JsxEmit.ReactJSX,
    },
  });
  compiled.set(file, { source, javascript: outputText });
  return outputText;
}
