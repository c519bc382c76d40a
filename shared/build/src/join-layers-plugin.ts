import postcss, { type AtRule, type ChildNode } from 'postcss';
import type { Compiler } from 'webpack';

/**
 * Joins consecutive blocks of one cascade layer in a stylesheet. Each CSS file adds its own block, and
 * stylesheets are inlined in every document.
 */
export class JoinLayersPlugin {
  apply(compiler: Compiler): void {
    const { Compilation, sources } = compiler.webpack;
    compiler.hooks.compilation.tap('JoinLayersPlugin', (compilation) => {
      compilation.hooks.processAssets.tap(
        // After the minimizer, which removes what is between two blocks.
        { name: 'JoinLayersPlugin', stage: Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE + 1 },
        (assets) => {
          for (const [file, source] of Object.entries(assets))
            if (file.endsWith('.css'))
              compilation.updateAsset(file, new sources.RawSource(joinLayers(source.source().toString())));
        },
      );
    });
  }
}

export function joinLayers(css: string): string {
  const root = postcss.parse(css);
  let open: AtRule | undefined;
  for (const node of [...root.nodes]) {
    const layer = layerBlock(node);
    if (layer && open?.params === layer.params) {
      open.append(layer.nodes ?? []);
      layer.remove();
    } else open = layer;
  }
  return root.toString();
}

/** Each anonymous block is a separate layer. */
function layerBlock(node: ChildNode): AtRule | undefined {
  return node.type === 'atrule' && node.name === 'layer' && node.nodes && node.params ? node : undefined;
}
