import type { SiteConfig } from './site-config.schema.ts';
import type { RenderedPage } from './release.schema.ts';
import type { VariantChoice } from './variants.ts';

export interface RenderRequest {
  path: string;
  component: unknown;
  config: SiteConfig;
  variants: VariantChoice;
}

export interface ShellServerBundle {
  /**
   * The single copies of all modules that remotes' server bundles `require`: react, react/jsx-runtime,
   * @site/kit …
   */
  shared: Record<string, unknown>;
  /** Renders layout and page in one React tree. Rejects with the page's error. */
  render(request: RenderRequest): Promise<RenderedPage>;
}

export type RemoteServerBundle = Record<string, unknown>;
