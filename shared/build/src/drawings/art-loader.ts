import type { LoaderContext } from 'webpack';
import { drawModule } from './draw-module.ts';

/**
 * The webpack loader for `drawModule`. `emit`: whether this build writes the files or only needs their URLs.
 */
export default function artLoader(this: LoaderContext<{ emit: boolean }>): string {
  const { code, files } = drawModule(this.resourcePath, '__webpack_public_path__', (source) =>
    this.addDependency(source),
  );
  if (this.getOptions().emit) for (const [name, svg] of files) this.emitFile(name, svg);
  return code;
}
