import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { compileFunction } from 'node:vm';
import ts from 'typescript';

/**
 * Runs a module of a drawing, with what it imports of TypeScript with JSX, which Node does not read, and of its own package.
 * It runs again each time, so that a change of any of its files counts.
 *
 * @param path of the file.
 * @param onFile gets each file of the module before it is read, so that a watcher knows also one that fails. Whole packages of JavaScript
 * are left out.
 * @throws Error with the file's name when it imports something that is not code, or fails.
 */
export function runModule(path: string, onFile: (file: string) => void): Record<string, unknown> {
  const modules = new Map<string, { exports: Record<string, unknown> }>();

  function load(file: string): Record<string, unknown> {
    const loaded = modules.get(file);
    if (loaded) return loaded.exports;
    onFile(file);
    if (!/\.(tsx?|js)$/.test(file))
      throw new Error(`${file} cannot be part of a drawing: only code can, for its file is all that it has.`);
    const module: { exports: Record<string, unknown> } = { exports: {} };
    modules.set(file, module);
    const require = createRequire(file);
    const fromNode = require as (request: string) => unknown;
    const run = compileFunction(javascript(file), ['module', 'exports', 'require'], {
      filename: file,
    }) as (...args: unknown[]) => void;
    run(module, module.exports, (request: string) => {
      const found = request.startsWith('.') ? resolve(dirname(file), request) : require.resolve(request);
      // TypeScript, and what lies beside it, is read again; Node loads and caches whole packages of JavaScript.
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
