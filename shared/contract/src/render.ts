import type { SiteConfig } from './site-config.schema.ts';
import type { RenderedPage } from './release.schema.ts';
import type { VariantChoice } from './variants.ts';

/** What the composer asks of the shell: one page of one remote, with one choice of variants. */
export interface RenderRequest {
  path: string;
  /** The page's component: the default export of the remote's module. */
  component: unknown;
  config: SiteConfig;
  variants: VariantChoice;
}

/** The exports of the shell's server bundle (CommonJS). */
export interface ShellServerBundle {
  /** The one copy of everything a remote's server bundle `require`s: react, react/jsx-runtime, @site/kit … */
  shared: Record<string, unknown>;
  /** Renders layout and page in one React tree. Rejects with the page's error when it throws. */
  render(request: RenderRequest): Promise<RenderedPage>;
}

/** The exports of a remote's server bundle (CommonJS): its page components by module key (`./blocks-page`). */
export type RemoteServerBundle = Record<string, unknown>;
