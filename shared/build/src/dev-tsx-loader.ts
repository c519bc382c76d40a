import { relative } from 'node:path';
import { transform } from '@swc/core';
import type { LoaderContext } from 'webpack';
import { ownModule } from './own-module.ts';

/** Compiles TypeScript for the dev server without type checks, and adds Fast Refresh (`dev-refresh.ts`). */
export default function devTsxLoader(this: LoaderContext<{ app: string }>, source: string): void {
  const callback = this.async();
  const { app } = this.getOptions();
  // A relative path, because the name is part of the code.
  compile(source, relative(this.rootContext, this.resourcePath)).then(
    ({ code, map }) => callback(null, withRefresh(code, app), map),
    (error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      const problem = new Error(text.replace(/\n+Caused by:[^]*$/, ''));
      delete problem.stack;
      callback(problem);
    },
  );
}

function compile(source: string, filename: string) {
  return transform(source, {
    filename,
    configFile: false,
    swcrc: false,
    sourceMaps: true,
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', tsx: filename.endsWith('x') },
      transform: {
        verbatimModuleSyntax: true,
        react: { runtime: 'automatic', development: true, refresh: true },
      },
    },
  });
}

function withRefresh(code: string, app: string): string {
  if (!/\$Refresh(?:Reg|Sig)\$\(/.test(code)) return code;
  // Appended, so that the code's lines match its source map. Functions and imports are hoisted.
  return `${code}
import * as $refresh from ${JSON.stringify(ownModule('dev-refresh'))};
function $RefreshReg$(type, name) {
  $refresh.register(type, ${JSON.stringify(`${app} `)} + __webpack_module__.id + ' ' + name);
}
function $RefreshSig$() { return $refresh.signature(); }
$refresh.settle(__webpack_module__, ${JSON.stringify(app)});
`;
}
