import type { SiteConfig } from './site-config.schema.ts';
import type { RenderedPage } from './release.schema.ts';
import type { VariantChoice } from './variants.ts';

/** The composer's request to the shell: one page of a remote with its variants. */
export interface RenderRequest {
  path: string;
  /** The page's component: the default export of the remote's module. */
  component: unknown;
  config: SiteConfig;
  variants: VariantChoice;
}

/** The exports of the shell's server bundle (CommonJS). */
export interface ShellServerBundle {
  /**
   * The single copies of all modules that remotes' server bundles `require`: react, react/jsx-runtime,
   * @site/kit …
   */
  shared: Record<string, unknown>;
  /** Renders layout and page in one React tree. Rejects with the page's error. */
  render(request: RenderRequest): Promise<RenderedPage>;
}

/**
 * The exports of a remote's server bundle (CommonJS): its page components by module key (`./blocks-page`).
 */
export type RemoteServerBundle = Record<string, unknown>;
