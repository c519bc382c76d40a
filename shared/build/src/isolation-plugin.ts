import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { siteNames, styleProblems, type SiteNames } from '@site/contract/remote-isolation';
import type { Compiler } from 'webpack';
import { stableName, withoutEscapes } from './stable-names.ts';
import type { Compiled } from './webpack-rules.ts';

let names: SiteNames | undefined;

export function namesOfSite(): SiteNames {
  const { resolve } = createRequire(import.meta.url);
  names ??= siteNames(
    ['base', 'drawing'].map((name) => readFileSync(resolve(`@site/ui/${name}.css`), 'utf8')),
  );
  return names;
}

/** A module of mini-css-extract-plugin. */
interface StyleModule {
  content: Buffer | string;
  layer?: string | null;
}

export class IsolationPlugin {
  readonly #app: Compiled;
  constructor(app: Compiled) {
    this.#app = app;
  }

  apply(compiler: Compiler): void {
    const { name: app, folder } = this.#app;
    const { WebpackError } = compiler.webpack;
    compiler.hooks.compilation.tap('IsolationPlugin', (compilation) => {
      compilation.hooks.finishModules.tap('IsolationPlugin', (modules) => {
        for (const module of modules) {
          if (module.type !== 'css/mini-extract') continue;
          const { content, layer } = module as unknown as StyleModule;
          const file = withoutEscapes(module.nameForCondition() ?? '');
          const css = layer ? `@layer ${layer} {${content.toString()}}` : content.toString();
          for (const problem of styleProblems(
            app,
            css,
            namesOfSite(),
            stableName(file).startsWith('@site/ui/'),
          ))
            compilation.errors.push(
              new WebpackError(
                `${relative(folder, file)}: ${problem} Use classes of a CSS module (*.module.css), without ":global".`,
              ),
            );
        }
      });
    });
  }
}
